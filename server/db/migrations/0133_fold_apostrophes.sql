-- Typographic apostrophes, which phones and word processors write of their own accord, are the straight one of keyboards.
-- `foldText` in contract/lists.ts does the same.
CREATE OR REPLACE FUNCTION fold(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN CASE
    WHEN octet_length(value) = length(value) THEN lower(value COLLATE "C") COLLATE "default"
    ELSE replace(replace(replace(replace(translate(
      lower(regexp_replace(normalize(value, NFD), '[\u0300-\u036f]', '', 'g')),
      'łŁøØđĐðÐħĦŧŦŋŊıςÆŒÞẞ‘’ʼ', 'llooddddhhttnniσæœþß'''''''),
      'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'), 'ß', 'ss')
  END;

-- What is kept of the old one: no record is written meanwhile, and only those whose text changes are rewritten.
LOCK TABLE invoices, profiles, trip_requests IN SHARE ROW EXCLUSIVE MODE;
UPDATE invoices SET project_name = project_name WHERE search_text ~ '[‘’ʼ]';
UPDATE profiles SET full_name = full_name WHERE search_text ~ '[‘’ʼ]';
UPDATE trip_requests SET city = city WHERE search_text ~ '[‘’ʼ]';
REINDEX INDEX invoices_by_project;
REINDEX INDEX profiles_by_name;
