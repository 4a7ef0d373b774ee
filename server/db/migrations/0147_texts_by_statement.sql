-- Whatever writes an invoice writes its text into the trigram index anew, some hundred entries for each: a project of thousands of
-- invoices took a second to rename or delete, nearly all of it there. The entries of one statement now wait in the index's list
-- and are sorted in together as it ends, a fifth of the work; of a single invoice it is as much as before. The list is the index's:
-- whoever writes meanwhile sorts in what it holds, and what a failed statement left. As 0135 wants it, nothing stays in it for
-- searches to read from end to end.

-- Before the index: in the other order the old release, which writes while this runs, would wait for one and this for the other.
LOCK TABLE invoices IN ACCESS EXCLUSIVE MODE;
ALTER INDEX invoices_search SET (fastupdate = on, gin_pending_list_limit = 16384);

-- Only the index's owner may.
CREATE FUNCTION sort_in_invoice_texts() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM gin_clean_pending_list('invoices_search');
  RETURN NULL;
END
$$;
CREATE TRIGGER invoices_texts AFTER INSERT OR UPDATE ON invoices
  FOR EACH STATEMENT EXECUTE FUNCTION sort_in_invoice_texts();
