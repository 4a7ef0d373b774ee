-- Each time an employee has spent on a project, kept when the assignment or the project is gone. Triggers write it,
-- whoever changes an assignment; the name, place and dates are copied from the project when that is deleted.
CREATE SEQUENCE assignment_periods_seq;
CREATE TABLE assignment_periods (
  id bigint PRIMARY KEY DEFAULT next_id('assignment_periods_seq'),
  employee_id bigint NOT NULL,
  user_id text NOT NULL,
  project_id bigint,
  project_name text NOT NULL,
  location text NOT NULL,
  start_date date NOT NULL,
  end_date date NOT NULL,
  assigned_at timestamptz NOT NULL,
  removed_at timestamptz,
  CONSTRAINT assignment_periods_closed CHECK (project_id IS NOT NULL OR removed_at IS NOT NULL),
  FOREIGN KEY (employee_id, user_id) REFERENCES employees (id, user_id) ON DELETE CASCADE,
  FOREIGN KEY (project_id, user_id) REFERENCES projects (id, user_id) ON DELETE SET NULL (project_id)
);
CREATE INDEX assignment_periods_employee ON assignment_periods (employee_id, user_id, assigned_at DESC);
CREATE INDEX assignment_periods_project ON assignment_periods (project_id, user_id);
CREATE UNIQUE INDEX assignment_periods_open ON assignment_periods (project_id, employee_id) WHERE removed_at IS NULL;

INSERT INTO assignment_periods
  (employee_id, user_id, project_id, project_name, location, start_date, end_date, assigned_at)
SELECT a.employee_id, a.user_id, p.id, p.name, p.location, p.start_date, p.end_date, a.assigned_at
FROM project_assignments a JOIN projects p ON p.id = a.project_id;

CREATE FUNCTION open_assignment_period() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO assignment_periods
    (employee_id, user_id, project_id, project_name, location, start_date, end_date, assigned_at)
  SELECT NEW.employee_id, NEW.user_id, p.id, p.name, p.location, p.start_date, p.end_date, NEW.assigned_at
  FROM projects p WHERE p.id = NEW.project_id;
  RETURN NULL;
END
$$;
CREATE TRIGGER project_assignments_opened AFTER INSERT ON project_assignments
  FOR EACH ROW EXECUTE FUNCTION open_assignment_period();

CREATE FUNCTION close_assignment_period() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE assignment_periods SET removed_at = now()
  WHERE project_id = OLD.project_id AND employee_id = OLD.employee_id AND removed_at IS NULL;
  RETURN NULL;
END
$$;
CREATE TRIGGER project_assignments_closed AFTER DELETE ON project_assignments
  FOR EACH ROW EXECUTE FUNCTION close_assignment_period();

-- Before, because afterwards neither the project nor its id is there to copy from.
CREATE FUNCTION keep_periods_of_project() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE assignment_periods
  SET project_name = OLD.name, location = OLD.location, start_date = OLD.start_date, end_date = OLD.end_date,
      removed_at = coalesce(removed_at, now())
  WHERE project_id = OLD.id;
  RETURN OLD;
END
$$;
CREATE TRIGGER projects_keep_periods BEFORE DELETE ON projects
  FOR EACH ROW EXECUTE FUNCTION keep_periods_of_project();

GRANT SELECT, INSERT, UPDATE ON assignment_periods TO trasvia_app;
GRANT USAGE ON SEQUENCE assignment_periods_seq TO trasvia_app;
ALTER TABLE assignment_periods ENABLE ROW LEVEL SECURITY;
CREATE POLICY owner ON assignment_periods TO trasvia_app
  USING (user_id = (SELECT app_user_id()) OR (SELECT app_role()) = 'system');
