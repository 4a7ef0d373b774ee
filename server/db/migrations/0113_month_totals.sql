-- Totals of everybody by month beside those by day: without a span, or over years, some dozens of rows are summed instead of
-- one for each day there has ever been an invoice. Days are read where a span cuts a month.
CREATE TABLE invoice_month_totals (
  month date NOT NULL,
  status text NOT NULL,
  with_file boolean NOT NULL,
  count bigint NOT NULL,
  amount numeric NOT NULL,
  PRIMARY KEY (month, status, with_file)
);
CREATE TABLE unpaid_invoice_month_totals (
  month date NOT NULL,
  with_file boolean NOT NULL,
  count bigint NOT NULL,
  amount numeric NOT NULL,
  PRIMARY KEY (month, with_file)
);

-- As in 0100, and the months. No invoice is written until this migration has committed.
LOCK TABLE invoices IN SHARE ROW EXCLUSIVE MODE;
CREATE OR REPLACE FUNCTION apply_invoice_changes() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
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

  INSERT INTO invoice_month_totals
  SELECT date_trunc('month', issue_date)::date, status, with_file, sum(count), sum(amount)
  FROM unnest(changes) GROUP BY 1, 2, 3 HAVING sum(count) <> 0 OR sum(amount) <> 0 ORDER BY 1, 2, 3
  ON CONFLICT (month, status, with_file) DO UPDATE
  SET count = invoice_month_totals.count + excluded.count, amount = invoice_month_totals.amount + excluded.amount;

  INSERT INTO unpaid_invoice_totals
  SELECT due_date, with_file, sum(count), sum(amount)
  FROM unnest(changes) WHERE status = 'Da Pagare' AND due_date IS NOT NULL
  GROUP BY 1, 2 HAVING sum(count) <> 0 OR sum(amount) <> 0 ORDER BY 1, 2
  ON CONFLICT (due_date, with_file) DO UPDATE
  SET count = unpaid_invoice_totals.count + excluded.count, amount = unpaid_invoice_totals.amount + excluded.amount;

  INSERT INTO unpaid_invoice_month_totals
  SELECT date_trunc('month', due_date)::date, with_file, sum(count), sum(amount)
  FROM unnest(changes) WHERE status = 'Da Pagare' AND due_date IS NOT NULL
  GROUP BY 1, 2 HAVING sum(count) <> 0 OR sum(amount) <> 0 ORDER BY 1, 2
  ON CONFLICT (month, with_file) DO UPDATE
  SET count = unpaid_invoice_month_totals.count + excluded.count,
    amount = unpaid_invoice_month_totals.amount + excluded.amount;
  RETURN NULL;
END
$$;

CREATE OR REPLACE FUNCTION recount() RETURNS void LANGUAGE sql AS $$
  DELETE FROM invoice_totals;
  DELETE FROM invoice_day_totals;
  DELETE FROM unpaid_invoice_totals;
  DELETE FROM invoice_month_totals;
  DELETE FROM unpaid_invoice_month_totals;
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
  INSERT INTO invoice_month_totals
    SELECT date_trunc('month', issue_date)::date, status, with_file, sum(count), sum(amount)
    FROM invoice_day_totals GROUP BY 1, 2, 3;
  INSERT INTO unpaid_invoice_month_totals
    SELECT date_trunc('month', due_date)::date, with_file, sum(count), sum(amount)
    FROM unpaid_invoice_totals GROUP BY 1, 2;
  INSERT INTO profile_counts SELECT role, deleted_at IS NOT NULL, count(*) FROM profiles GROUP BY 1, 2;
  INSERT INTO trip_request_counts SELECT state, count(*) FROM trip_requests GROUP BY 1;
$$;
INSERT INTO invoice_month_totals
  SELECT date_trunc('month', issue_date)::date, status, with_file, sum(count), sum(amount)
  FROM invoice_day_totals GROUP BY 1, 2, 3;
INSERT INTO unpaid_invoice_month_totals
  SELECT date_trunc('month', due_date)::date, with_file, sum(count), sum(amount)
  FROM unpaid_invoice_totals GROUP BY 1, 2;

CREATE OR REPLACE VIEW total_mismatches WITH (security_invoker) AS
  WITH kept (subject, key, count, amount) AS (
    SELECT 'invoice_totals', concat_ws(' ', user_id, month, status, with_file), count, amount FROM invoice_totals
    UNION ALL
    SELECT 'invoice_day_totals', concat_ws(' ', issue_date, status, with_file), count, amount FROM invoice_day_totals
    UNION ALL
    SELECT 'unpaid_invoice_totals', concat_ws(' ', due_date, with_file), count, amount FROM unpaid_invoice_totals
    UNION ALL
    SELECT 'invoice_month_totals', concat_ws(' ', month, status, with_file), count, amount FROM invoice_month_totals
    UNION ALL
    SELECT 'unpaid_invoice_month_totals', concat_ws(' ', month, with_file), count, amount
    FROM unpaid_invoice_month_totals
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
    SELECT 'invoice_month_totals',
      concat_ws(' ', date_trunc('month', issue_date)::date, status, file_url IS NOT NULL), count(*), sum(amount)
    FROM invoices GROUP BY 2
    UNION ALL
    SELECT 'unpaid_invoice_month_totals',
      concat_ws(' ', date_trunc('month', due_date)::date, file_url IS NOT NULL), count(*), sum(amount)
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

GRANT SELECT ON invoice_month_totals, unpaid_invoice_month_totals TO trasvia_app;
ALTER TABLE invoice_month_totals ENABLE ROW LEVEL SECURITY;
CREATE POLICY reads ON invoice_month_totals FOR SELECT TO trasvia_app
  USING ((SELECT app_role()) IN ('system', 'invoice_admin'));
ALTER TABLE unpaid_invoice_month_totals ENABLE ROW LEVEL SECURITY;
CREATE POLICY reads ON unpaid_invoice_month_totals FOR SELECT TO trasvia_app
  USING ((SELECT app_role()) IN ('system', 'invoice_admin'));
