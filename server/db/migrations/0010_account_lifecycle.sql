-- An account that its owner deleted stays as an empty profile: invoices are fiscal records and keep their customer.
ALTER TABLE profiles ADD COLUMN deleted_at timestamptz;
ALTER TABLE profiles ADD CONSTRAINT profiles_deleted CHECK (deleted_at IS NULL OR banned);

ALTER TABLE invoices DROP CONSTRAINT invoices_user_id_fkey;
ALTER TABLE invoices ADD CONSTRAINT invoices_user_id_fkey FOREIGN KEY (user_id) REFERENCES profiles;

-- The list of users is searched by name, address and company, without case and accents.
CREATE INDEX profiles_living ON profiles (created_at DESC, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX profiles_admins ON profiles (id) WHERE role = 'admin' AND deleted_at IS NULL;

-- Links and codes that open an account are nobody's to read but the product's own.
DROP POLICY provider ON mail_messages;
CREATE POLICY provider ON mail_messages TO trasvia_app
  USING ((SELECT app_role()) = 'system' OR ((SELECT app_role()) = 'admin' AND NOT starts_with(kind, 'account_')));

-- Everybody's actions are recorded; each may read what was done to their own account.
ALTER TABLE audit_events ENABLE ROW LEVEL SECURITY;
CREATE POLICY append ON audit_events FOR INSERT TO trasvia_app WITH CHECK (true);
CREATE POLICY readers ON audit_events FOR SELECT TO trasvia_app
  USING (subject_id = (SELECT app_user_id()) OR (SELECT app_role()) IN ('system', 'admin'));
