-- A browser that never saw the answer sends the same request again: it must not be made twice.
ALTER TABLE trip_requests ADD COLUMN idempotency_key uuid;
ALTER TABLE trip_requests ADD CONSTRAINT trip_requests_idempotency UNIQUE (user_id, idempotency_key);
ALTER TABLE requirements ADD COLUMN idempotency_key uuid;
ALTER TABLE requirements ADD CONSTRAINT requirements_idempotency UNIQUE (user_id, idempotency_key);

-- A server may take a message for some recipients and refuse others: the next attempt goes to these alone.
ALTER TABLE mail_messages ADD COLUMN pending_recipients text[];
UPDATE mail_messages SET pending_recipients = CASE WHEN state = 'sent' THEN '{}' ELSE recipients END;
ALTER TABLE mail_messages ALTER COLUMN pending_recipients SET NOT NULL;
ALTER TABLE mail_messages ADD CONSTRAINT mail_messages_pending
  CHECK (pending_recipients <@ recipients AND (state = 'sent') = (pending_recipients = '{}'));

-- What the administrator is shown: messages given up, and those that failed at least once and are tried again.
DROP INDEX mail_messages_failed;
CREATE INDEX mail_messages_undelivered ON mail_messages (id DESC) WHERE state <> 'sent' AND attempts > 0;
