-- Only an administrator (for own records) and the invoice administrator write invoices (spec §6); a customer reads and
-- deletes own ones. Deleting a project still clears its invoices' project_id: referential actions run as the owner.
DROP POLICY owner ON invoices;
CREATE POLICY reads ON invoices FOR SELECT TO trasvia_app
  USING (user_id = (SELECT app_user_id()) OR (SELECT app_role()) IN ('system', 'invoice_admin'));
CREATE POLICY deletes ON invoices FOR DELETE TO trasvia_app
  USING (user_id = (SELECT app_user_id()) OR (SELECT app_role()) IN ('system', 'invoice_admin'));
CREATE POLICY creates ON invoices FOR INSERT TO trasvia_app
  WITH CHECK (
    (SELECT app_role()) IN ('system', 'invoice_admin')
    OR ((SELECT app_role()) = 'admin' AND user_id = (SELECT app_user_id()))
  );
CREATE POLICY updates ON invoices FOR UPDATE TO trasvia_app
  USING ((SELECT app_role()) IN ('system', 'invoice_admin'));

-- Moving invoices between two projects in both directions at once must not deadlock: whoever changes both totals
-- locks both rows in the order of their ids first.
CREATE OR REPLACE FUNCTION apply_invoice_to_project() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND NEW.project_id IS DISTINCT FROM OLD.project_id THEN
    PERFORM FROM projects WHERE id IN (OLD.project_id, NEW.project_id) ORDER BY id FOR NO KEY UPDATE;
  END IF;
  IF TG_OP <> 'INSERT' AND OLD.project_id IS NOT NULL
     AND (TG_OP = 'DELETE' OR NEW.project_id IS DISTINCT FROM OLD.project_id OR NEW.amount <> OLD.amount) THEN
    UPDATE projects SET spent_to_date = spent_to_date - OLD.amount WHERE id = OLD.project_id;
  END IF;
  IF TG_OP <> 'DELETE' AND NEW.project_id IS NOT NULL
     AND (TG_OP = 'INSERT' OR NEW.project_id IS DISTINCT FROM OLD.project_id OR NEW.amount <> OLD.amount) THEN
    UPDATE projects SET spent_to_date = spent_to_date + NEW.amount WHERE id = NEW.project_id;
  END IF;
  RETURN NULL;
END
$$;

-- Projects whose total is not the opening amount plus the invoices: always none. For tests and operators; it reads with
-- the rights of whoever asks.
CREATE VIEW project_total_mismatches WITH (security_invoker) AS
  SELECT p.id, p.user_id, p.spent_to_date, p.opening_spent + coalesce(sum(i.amount), 0) AS expected
  FROM projects p LEFT JOIN invoices i ON i.project_id = p.id
  GROUP BY p.id
  HAVING p.spent_to_date <> p.opening_spent + coalesce(sum(i.amount), 0);
GRANT SELECT ON project_total_mismatches TO trasvia_app;

-- An invoice's file is looked up by its path when files without an invoice are removed.
CREATE UNIQUE INDEX invoices_file_url ON invoices (file_url);
-- Spend per month and the unpaid ones that are due.
CREATE INDEX invoices_due ON invoices (user_id, due_date) WHERE status = 'Da Pagare';
