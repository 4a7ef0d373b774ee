-- Whoever writes an invoice locks it, and then its project for the total. A change of name and a deletion of a project reach its
-- invoices from there, the other way round: while several of them were being edited, each waited for the other, again and again.
-- So these hold the invoices first.
CREATE FUNCTION hold_invoices(project bigint) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM FROM invoices WHERE project_id = project AND user_id = app_user_id() ORDER BY id FOR NO KEY UPDATE;
END
$$;
REVOKE EXECUTE ON FUNCTION hold_invoices(bigint) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION hold_invoices(bigint) TO trasvia_app;
