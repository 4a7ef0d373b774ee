-- The same key with something else in the request is no repetition: a record keeps what it was made of, as a digest. One made
-- before has none, and is taken for the same.
ALTER TABLE projects ADD COLUMN idempotency_digest text;
ALTER TABLE employees ADD COLUMN idempotency_digest text;
ALTER TABLE invoices ADD COLUMN idempotency_digest text;
ALTER TABLE trip_requests ADD COLUMN idempotency_digest text;
ALTER TABLE requirements ADD COLUMN idempotency_digest text;
ALTER TABLE support_requests ADD COLUMN idempotency_digest text;
ALTER TABLE contact_requests ADD COLUMN idempotency_digest text;
ALTER TABLE profiles ADD COLUMN idempotency_digest text;

-- As in 0100, with the new column.
CREATE OR REPLACE VIEW all_trip_requests AS
  SELECT * FROM trip_requests WHERE (SELECT app_role()) IN ('system', 'admin');

-- A visitor may leave a request, but not read it back: only whether it is another one than was left with this key.
CREATE FUNCTION is_other_contact_request(key uuid, digest text) RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER
  SET search_path = public, pg_temp
  RETURN EXISTS (SELECT FROM contact_requests WHERE idempotency_key = key AND idempotency_digest <> digest);
