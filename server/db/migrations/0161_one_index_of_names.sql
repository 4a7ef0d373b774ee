-- No statement uses it since profiles_in_order: it would be written with every account and name all the same.
DROP INDEX profiles_by_name;
