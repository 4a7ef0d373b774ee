-- A browser that never saw the answer sends the same again: nothing must be made twice.
ALTER TABLE projects ADD COLUMN idempotency_key uuid;
ALTER TABLE projects ADD CONSTRAINT projects_idempotency UNIQUE (user_id, idempotency_key);
ALTER TABLE employees ADD COLUMN idempotency_key uuid;
ALTER TABLE employees ADD CONSTRAINT employees_idempotency UNIQUE (user_id, idempotency_key);
ALTER TABLE support_requests ADD COLUMN idempotency_key uuid;
ALTER TABLE support_requests ADD CONSTRAINT support_requests_idempotency UNIQUE (user_id, idempotency_key);

-- A visitor is no owner: the key stands alone.
ALTER TABLE contact_requests ADD COLUMN idempotency_key uuid;
ALTER TABLE contact_requests ADD CONSTRAINT contact_requests_idempotency UNIQUE (idempotency_key);

-- An account is made once by its address; the key tells whose attempt made it.
ALTER TABLE profiles ADD COLUMN idempotency_key uuid;
