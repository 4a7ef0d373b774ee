-- Whoever sorts waiting entries into the index of texts (0147) goes on until none is left, and so did all that a large project
-- wrote which was renamed or deleted meanwhile: a single invoice waited for as long as that took, some seconds. While more than
-- a hundred are written at once, others leave theirs in the list, to be sorted in with those. What comes between that and the
-- commit stays there for the next who writes.

CREATE FUNCTION announce_many_invoices() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM invoices WHERE project_id = OLD.id OFFSET 100) THEN
    PERFORM pg_advisory_xact_lock_shared(7278842007);
    PERFORM set_config('app.many_invoices', 'on', true);
    -- Waits for who is sorting in, who else would have no end of it.
    PERFORM gin_clean_pending_list('invoices_search');
  END IF;
  RETURN coalesce(NEW, OLD);
END
$$;
CREATE TRIGGER projects_renamed_with_many BEFORE UPDATE OF name ON projects
  FOR EACH ROW WHEN (NEW.name <> OLD.name) EXECUTE FUNCTION announce_many_invoices();
CREATE TRIGGER projects_deleted_with_many BEFORE DELETE ON projects
  FOR EACH ROW EXECUTE FUNCTION announce_many_invoices();

CREATE OR REPLACE FUNCTION sort_in_invoice_texts() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
BEGIN
  -- Asked for and given back in one expression, which nothing interrupts: the lock is the session's. Of two who ask at once only
  -- one may get it, and then sorts in what both wrote.
  IF current_setting('app.many_invoices', true) = 'on'
     OR (CASE WHEN pg_try_advisory_lock(7278842007) THEN pg_advisory_unlock(7278842007) END) THEN
    PERFORM gin_clean_pending_list('invoices_search');
  END IF;
  RETURN NULL;
END
$$;
