-- As in 0137; a change is never recorded as older than the one it follows. Its transaction may have begun before that of the
-- change it waited for, and the clock may have been set back: the newest status on record would not be the employee's.
CREATE OR REPLACE FUNCTION record_employee_status() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  recorded record;
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO employee_status_changes (employee_id, user_id, status, at)
    VALUES (NEW.id, NEW.user_id, NEW.status, NEW.created_at);
  ELSIF NEW.status <> OLD.status THEN
    SELECT status, at INTO recorded FROM employee_status_changes
    WHERE employee_id = NEW.id AND user_id = NEW.user_id ORDER BY at DESC, id DESC LIMIT 1;
    IF NEW.status IS DISTINCT FROM recorded.status THEN
      INSERT INTO employee_status_changes (employee_id, user_id, status, at)
      VALUES (NEW.id, NEW.user_id, NEW.status, greatest(now(), recorded.at));
    END IF;
  END IF;
  RETURN NULL;
END
$$;
