-- Who is away, for the first page of everybody's day: read from the index alone.
CREATE INDEX employees_travelling ON employees (user_id, id) INCLUDE (name) WHERE status = 'in trasferta';
