-- A browser that never saw the answer sends the same change again: its note must not be recorded and mailed twice. Changes of one
-- request wait for one another, so the key is looked up before anything is written; the index is there to hold it to that.
ALTER TABLE trip_request_events ADD COLUMN idempotency_key uuid, ADD COLUMN idempotency_digest text;
ALTER TABLE trip_request_events
  ADD CONSTRAINT trip_request_events_idempotency UNIQUE (trip_request_id, idempotency_key);
