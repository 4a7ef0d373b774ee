-- A browser that never saw the answer sends the same form again: the invoice must not be made twice.
ALTER TABLE invoices ADD COLUMN idempotency_key uuid;
ALTER TABLE invoices ADD CONSTRAINT invoices_idempotency UNIQUE (user_id, idempotency_key);
