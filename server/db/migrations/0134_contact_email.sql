-- Where to write to whoever would rather be written to than called.
ALTER TABLE contact_requests ADD COLUMN email text CHECK (length(email) BETWEEN 1 AND 254);
