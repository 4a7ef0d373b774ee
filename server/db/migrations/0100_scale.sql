-- What lists count and sum is kept, not counted, and what they search and sort by is indexed: the cost of a page does not
-- grow with the tables (docs/performance.md).

-- ---------------------------------------------------------------- totals of invoices
-- Of each customer by month of issue; a part of a month is read from the invoices themselves.
CREATE TABLE invoice_totals (
  user_id text NOT NULL REFERENCES profiles ON DELETE CASCADE,
  month date NOT NULL,
  status text NOT NULL,
  with_file boolean NOT NULL,
  count bigint NOT NULL,
  amount numeric NOT NULL,
  PRIMARY KEY (user_id, month, status, with_file)
);
-- Of everybody by day of issue, and of what is unpaid by the day it falls due.
CREATE TABLE invoice_day_totals (
  issue_date date NOT NULL,
  status text NOT NULL,
  with_file boolean NOT NULL,
  count bigint NOT NULL,
  amount numeric NOT NULL,
  PRIMARY KEY (issue_date, status, with_file)
);
CREATE TABLE unpaid_invoice_totals (
  due_date date NOT NULL,
  with_file boolean NOT NULL,
  count bigint NOT NULL,
  amount numeric NOT NULL,
  PRIMARY KEY (due_date, with_file)
);

CREATE TYPE invoice_change AS (
  user_id text, issue_date date, due_date date, status text, with_file boolean, count bigint, amount numeric
);

-- Once a statement, not a row. Whoever writes several totals locks them in the order of their keys, and what did not
-- change is not written: two statements wait for each other at most in one direction.
CREATE FUNCTION apply_invoice_changes() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  changes invoice_change[] := '{}';
BEGIN
  IF TG_OP <> 'INSERT' THEN
    changes := changes || ARRAY(
      SELECT (user_id, issue_date, due_date, status, file_url IS NOT NULL, -1, -amount)::invoice_change FROM old_rows);
  END IF;
  IF TG_OP <> 'DELETE' THEN
    changes := changes || ARRAY(
      SELECT (user_id, issue_date, due_date, status, file_url IS NOT NULL, 1, amount)::invoice_change FROM new_rows);
  END IF;

  INSERT INTO invoice_totals
  SELECT user_id, date_trunc('month', issue_date)::date, status, with_file, sum(count), sum(amount)
  FROM unnest(changes) GROUP BY 1, 2, 3, 4 HAVING sum(count) <> 0 OR sum(amount) <> 0 ORDER BY 1, 2, 3, 4
  ON CONFLICT (user_id, month, status, with_file) DO UPDATE
  SET count = invoice_totals.count + excluded.count, amount = invoice_totals.amount + excluded.amount;

  INSERT INTO invoice_day_totals
  SELECT issue_date, status, with_file, sum(count), sum(amount)
  FROM unnest(changes) GROUP BY 1, 2, 3 HAVING sum(count) <> 0 OR sum(amount) <> 0 ORDER BY 1, 2, 3
  ON CONFLICT (issue_date, status, with_file) DO UPDATE
  SET count = invoice_day_totals.count + excluded.count, amount = invoice_day_totals.amount + excluded.amount;

  INSERT INTO unpaid_invoice_totals
  SELECT due_date, with_file, sum(count), sum(amount)
  FROM unnest(changes) WHERE status = 'Da Pagare' AND due_date IS NOT NULL
  GROUP BY 1, 2 HAVING sum(count) <> 0 OR sum(amount) <> 0 ORDER BY 1, 2
  ON CONFLICT (due_date, with_file) DO UPDATE
  SET count = unpaid_invoice_totals.count + excluded.count, amount = unpaid_invoice_totals.amount + excluded.amount;
  RETURN NULL;
END
$$;
CREATE TRIGGER invoices_totals_insert AFTER INSERT ON invoices
  REFERENCING NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION apply_invoice_changes();
CREATE TRIGGER invoices_totals_update AFTER UPDATE ON invoices
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows FOR EACH STATEMENT EXECUTE FUNCTION apply_invoice_changes();
CREATE TRIGGER invoices_totals_delete AFTER DELETE ON invoices
  REFERENCING OLD TABLE AS old_rows FOR EACH STATEMENT EXECUTE FUNCTION apply_invoice_changes();

-- ---------------------------------------------------------------- counts of what administrators list
CREATE TABLE profile_counts (
  role text NOT NULL,
  deleted boolean NOT NULL,
  count bigint NOT NULL,
  PRIMARY KEY (role, deleted)
);
CREATE TABLE trip_request_counts (
  state text PRIMARY KEY,
  count bigint NOT NULL
);

CREATE FUNCTION apply_profile_count() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO profile_counts
  SELECT role, deleted, sum(count) FROM (
    SELECT OLD.role, OLD.deleted_at IS NOT NULL, -1 WHERE TG_OP <> 'INSERT'
    UNION ALL
    SELECT NEW.role, NEW.deleted_at IS NOT NULL, 1 WHERE TG_OP <> 'DELETE'
  ) AS changes (role, deleted, count)
  GROUP BY 1, 2 HAVING sum(count) <> 0 ORDER BY 1, 2
  ON CONFLICT (role, deleted) DO UPDATE SET count = profile_counts.count + excluded.count;
  RETURN NULL;
END
$$;
CREATE TRIGGER profiles_count AFTER INSERT OR DELETE OR UPDATE OF role, deleted_at ON profiles
  FOR EACH ROW EXECUTE FUNCTION apply_profile_count();

CREATE FUNCTION apply_trip_request_count() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
BEGIN
  INSERT INTO trip_request_counts
  SELECT state, sum(count) FROM (
    SELECT OLD.state, -1 WHERE TG_OP <> 'INSERT' UNION ALL SELECT NEW.state, 1 WHERE TG_OP <> 'DELETE'
  ) AS changes (state, count)
  GROUP BY 1 HAVING sum(count) <> 0 ORDER BY 1
  ON CONFLICT (state) DO UPDATE SET count = trip_request_counts.count + excluded.count;
  RETURN NULL;
END
$$;
CREATE TRIGGER trip_requests_count AFTER INSERT OR DELETE OR UPDATE OF state ON trip_requests
  FOR EACH ROW EXECUTE FUNCTION apply_trip_request_count();

-- What is kept, worked out from the records: here for those that exist, later for whoever loads records in bulk.
CREATE FUNCTION recount() RETURNS void LANGUAGE sql AS $$
  DELETE FROM invoice_totals;
  DELETE FROM invoice_day_totals;
  DELETE FROM unpaid_invoice_totals;
  DELETE FROM profile_counts;
  DELETE FROM trip_request_counts;
  INSERT INTO invoice_totals
    SELECT user_id, date_trunc('month', issue_date)::date, status, file_url IS NOT NULL, count(*), sum(amount)
    FROM invoices GROUP BY 1, 2, 3, 4;
  INSERT INTO invoice_day_totals
    SELECT issue_date, status, file_url IS NOT NULL, count(*), sum(amount) FROM invoices GROUP BY 1, 2, 3;
  INSERT INTO unpaid_invoice_totals
    SELECT due_date, file_url IS NOT NULL, count(*), sum(amount)
    FROM invoices WHERE status = 'Da Pagare' AND due_date IS NOT NULL GROUP BY 1, 2;
  INSERT INTO profile_counts SELECT role, deleted_at IS NOT NULL, count(*) FROM profiles GROUP BY 1, 2;
  INSERT INTO trip_request_counts SELECT state, count(*) FROM trip_requests GROUP BY 1;
$$;
REVOKE EXECUTE ON FUNCTION recount() FROM PUBLIC;
SELECT recount();

-- Totals and counts that are not what the records say: always none. For tests and operators.
CREATE VIEW total_mismatches WITH (security_invoker) AS
  WITH kept (subject, key, count, amount) AS (
    SELECT 'invoice_totals', concat_ws(' ', user_id, month, status, with_file), count, amount FROM invoice_totals
    UNION ALL
    SELECT 'invoice_day_totals', concat_ws(' ', issue_date, status, with_file), count, amount FROM invoice_day_totals
    UNION ALL
    SELECT 'unpaid_invoice_totals', concat_ws(' ', due_date, with_file), count, amount FROM unpaid_invoice_totals
    UNION ALL
    SELECT 'profile_counts', concat_ws(' ', role, deleted), count, 0 FROM profile_counts
    UNION ALL
    SELECT 'trip_request_counts', state, count, 0 FROM trip_request_counts
  ), counted (subject, key, count, amount) AS (
    SELECT 'invoice_totals',
      concat_ws(' ', user_id, date_trunc('month', issue_date)::date, status, file_url IS NOT NULL), count(*), sum(amount)
    FROM invoices GROUP BY 2
    UNION ALL
    SELECT 'invoice_day_totals', concat_ws(' ', issue_date, status, file_url IS NOT NULL), count(*), sum(amount)
    FROM invoices GROUP BY 2
    UNION ALL
    SELECT 'unpaid_invoice_totals', concat_ws(' ', due_date, file_url IS NOT NULL), count(*), sum(amount)
    FROM invoices WHERE status = 'Da Pagare' AND due_date IS NOT NULL GROUP BY 2
    UNION ALL
    SELECT 'profile_counts', concat_ws(' ', role, deleted_at IS NOT NULL), count(*), 0 FROM profiles GROUP BY 2
    UNION ALL
    SELECT 'trip_request_counts', state, count(*), 0 FROM trip_requests GROUP BY 2
  )
  SELECT subject, key, coalesce(kept.count, 0) AS kept_count, coalesce(counted.count, 0) AS count,
    coalesce(kept.amount, 0) AS kept_amount, coalesce(counted.amount, 0) AS amount
  FROM kept FULL JOIN counted USING (subject, key)
  WHERE (coalesce(kept.count, 0), coalesce(kept.amount, 0))
    IS DISTINCT FROM (coalesce(counted.count, 0), coalesce(counted.amount, 0));

GRANT SELECT ON invoice_totals, invoice_day_totals, unpaid_invoice_totals, profile_counts, trip_request_counts,
  total_mismatches TO trasvia_app;
ALTER TABLE invoice_totals ENABLE ROW LEVEL SECURITY;
CREATE POLICY reads ON invoice_totals FOR SELECT TO trasvia_app
  USING (user_id = (SELECT app_user_id()) OR (SELECT app_role()) IN ('system', 'invoice_admin'));
ALTER TABLE invoice_day_totals ENABLE ROW LEVEL SECURITY;
CREATE POLICY reads ON invoice_day_totals FOR SELECT TO trasvia_app
  USING ((SELECT app_role()) IN ('system', 'invoice_admin'));
ALTER TABLE unpaid_invoice_totals ENABLE ROW LEVEL SECURITY;
CREATE POLICY reads ON unpaid_invoice_totals FOR SELECT TO trasvia_app
  USING ((SELECT app_role()) IN ('system', 'invoice_admin'));
ALTER TABLE profile_counts ENABLE ROW LEVEL SECURITY;
CREATE POLICY reads ON profile_counts FOR SELECT TO trasvia_app
  USING ((SELECT app_role()) IN ('system', 'admin', 'invoice_admin'));
ALTER TABLE trip_request_counts ENABLE ROW LEVEL SECURITY;
CREATE POLICY reads ON trip_request_counts FOR SELECT TO trasvia_app
  USING ((SELECT app_role()) IN ('system', 'admin'));

-- ---------------------------------------------------------------- search
CREATE EXTENSION IF NOT EXISTS pg_trgm;
ALTER TABLE invoices ADD COLUMN search_text text
  GENERATED ALWAYS AS (fold(invoice_number || ' ' || project_name || ' ' || coalesce(description, ''))) STORED;
ALTER TABLE profiles ADD COLUMN search_text text
  GENERATED ALWAYS AS (fold(full_name || ' ' || email || ' ' || coalesce(company_name, ''))) STORED;
ALTER TABLE trip_requests ADD COLUMN search_text text
  GENERATED ALWAYS AS (fold(city || ' ' || project_name)) STORED;
CREATE INDEX invoices_search ON invoices USING gin (search_text gin_trgm_ops);
CREATE INDEX profiles_search ON profiles USING gin (search_text gin_trgm_ops);
CREATE INDEX trip_requests_search ON trip_requests USING gin (search_text gin_trgm_ops);

-- ---------------------------------------------------------------- everybody's records, for those who may see them
-- Under row-level security a condition that might leak what it is given (LIKE, comparisons of numeric) reaches no index.
-- These views run as the owner, whom no policy binds, and carry the rule themselves: for anybody else they are empty,
-- before a row is touched.
CREATE VIEW all_invoices AS
  SELECT * FROM invoices WHERE (SELECT app_role()) IN ('system', 'invoice_admin');
CREATE VIEW all_profiles AS
  SELECT * FROM profiles WHERE (SELECT app_role()) IN ('system', 'admin', 'invoice_admin');
CREATE VIEW all_trip_requests AS
  SELECT * FROM trip_requests WHERE (SELECT app_role()) IN ('system', 'admin');
GRANT SELECT ON all_invoices, all_profiles, all_trip_requests TO trasvia_app;

-- ---------------------------------------------------------------- orders
CREATE INDEX invoices_by_project ON invoices (fold(project_name), id);
CREATE INDEX invoices_by_amount ON invoices (amount, id);
CREATE INDEX invoices_by_status ON invoices (status, id);
CREATE INDEX profiles_by_name ON profiles ((fold(full_name) || ' ' || id));
-- What a customer owes by the day it is due, read from the index alone.
DROP INDEX invoices_due;
CREATE INDEX invoices_due ON invoices (user_id, due_date) INCLUDE (amount, issue_date, invoice_number)
  WHERE status = 'Da Pagare';
-- The spend on a project by the newest invoice, and on those that are gone.
CREATE INDEX invoices_of_gone_projects ON invoices (user_id, project_name) INCLUDE (amount, issue_date)
  WHERE project_id IS NULL;
