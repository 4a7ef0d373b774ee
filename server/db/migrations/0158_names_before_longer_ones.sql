-- With a space before the id, "Anna Maria" came after "Anna Maria Bianchi" whenever her id began with a later letter: a tab comes
-- before the space. profiles_by_name stays for the previous release, and can be dropped by the next one.
CREATE INDEX profiles_in_order ON profiles ((fold(full_name) || E'\t' || id));
