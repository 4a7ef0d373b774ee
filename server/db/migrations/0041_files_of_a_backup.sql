-- A backup takes the database at one instant and the files a moment later. Whoever takes a file from its record, or gives
-- a record another file, holds this lock to the end of the transaction; the backup holds it alone for the instant in
-- which both are taken. Triggers, so that no writer can forget it. 7278842003 stands in server/operations/backup.ts too.
CREATE FUNCTION wait_for_backup() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock_shared(7278842003);
  RETURN NULL;
END
$$;
CREATE TRIGGER invoices_wait_for_backup BEFORE UPDATE OF file_url OR DELETE ON invoices
  FOR EACH STATEMENT EXECUTE FUNCTION wait_for_backup();
CREATE TRIGGER profiles_wait_for_backup BEFORE UPDATE OF profile_picture OR DELETE ON profiles
  FOR EACH STATEMENT EXECUTE FUNCTION wait_for_backup();
