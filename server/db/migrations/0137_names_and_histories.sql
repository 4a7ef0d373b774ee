-- An invoice bears the name of its project as it is now (docs/decisions/0004): a name of its own would be searched for and
-- exported long after everybody calls the project otherwise. Its version stays, since nobody has edited the invoice.
CREATE FUNCTION rename_project_of_invoices() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
BEGIN
  UPDATE invoices SET project_name = NEW.name
  WHERE project_id = NEW.id AND user_id = NEW.user_id AND project_name <> NEW.name;
  RETURN NULL;
END
$$;
CREATE TRIGGER projects_rename AFTER UPDATE OF name ON projects
  FOR EACH ROW WHEN (NEW.name <> OLD.name) EXECUTE FUNCTION rename_project_of_invoices();

-- As in 0040; an invoice that was written while its project got another name takes that, too: whoever writes it has read the
-- old one before this waits for the project.
CREATE OR REPLACE FUNCTION apply_invoice_to_project() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  current_name text;
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
    UPDATE projects SET spent_to_date = spent_to_date + NEW.amount WHERE id = NEW.project_id
    RETURNING name INTO current_name;
    IF current_name <> NEW.project_name THEN
      UPDATE invoices SET project_name = current_name WHERE id = NEW.id;
    END IF;
  END IF;
  RETURN NULL;
END
$$;

UPDATE invoices i SET project_name = p.name FROM projects p
WHERE p.id = i.project_id AND p.user_id = i.user_id AND p.name <> i.project_name;

-- Somebody's first status is theirs since they were entered, and a change that is on record already is not recorded again:
-- whoever brings an employee with a history (server/demo/seed.ts) enters them as they began, and the history stays true.
CREATE OR REPLACE FUNCTION record_employee_status() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  recorded text;
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO employee_status_changes (employee_id, user_id, status, at)
    VALUES (NEW.id, NEW.user_id, NEW.status, NEW.created_at);
  ELSIF NEW.status <> OLD.status THEN
    SELECT status INTO recorded FROM employee_status_changes
    WHERE employee_id = NEW.id AND user_id = NEW.user_id ORDER BY at DESC, id DESC LIMIT 1;
    IF NEW.status IS DISTINCT FROM recorded THEN
      INSERT INTO employee_status_changes (employee_id, user_id, status) VALUES (NEW.id, NEW.user_id, NEW.status);
    END IF;
  END IF;
  RETURN NULL;
END
$$;
