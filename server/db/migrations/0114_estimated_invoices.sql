-- How many invoices hold a text, as the planner reckons from its statistics: a millisecond, where counting the first ten
-- thousand of three hundred thousand takes forty. Only for those who see them all.
CREATE FUNCTION estimated_invoices(pattern text) RETURNS bigint LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  plan json;
BEGIN
  IF app_role() IS DISTINCT FROM 'invoice_admin' THEN
    RETURN 0;
  END IF;
  EXECUTE format('EXPLAIN (FORMAT JSON) SELECT FROM all_invoices WHERE search_text LIKE %L', pattern) INTO plan;
  RETURN (plan -> 0 -> 'Plan' ->> 'Plan Rows')::bigint;
END
$$;
