-- Texts compared and searched without case and accents, of any language: letters are taken apart and lose their marks, and
-- those that Unicode does not take apart are named. `foldText` in contract/lists.ts does the same. ASCII, most of what
-- there is, has nothing to lose: told by its length in bytes, it passes at a tenth of the cost. Capitals of the named letters
-- are among them, since not every locale knows their small ones.
CREATE OR REPLACE FUNCTION fold(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE
    WHEN octet_length(value) = length(value) THEN lower(value COLLATE "C") COLLATE "default"
    ELSE replace(replace(replace(replace(translate(
      lower(regexp_replace(normalize(value, NFD), '[\u0300-\u036f]', '', 'g')),
      'łŁøØđĐðÐħĦŧŦŋŊıςÆŒÞẞ', 'llooddddhhttnniσæœþß'),
      'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'), 'ß', 'ss')
  END;

-- What is kept of the old one: no record is written meanwhile, and only those whose text changes are rewritten.
LOCK TABLE invoices, profiles, trip_requests IN SHARE ROW EXCLUSIVE MODE;
UPDATE invoices SET project_name = project_name
  WHERE search_text <> fold(invoice_number || ' ' || project_name || ' ' || coalesce(description, ''));
UPDATE profiles SET full_name = full_name
  WHERE search_text <> fold(full_name || ' ' || email || ' ' || coalesce(company_name, ''));
UPDATE trip_requests SET city = city WHERE search_text <> fold(city || ' ' || project_name);
REINDEX INDEX invoices_by_project;
REINDEX INDEX profiles_by_name;
