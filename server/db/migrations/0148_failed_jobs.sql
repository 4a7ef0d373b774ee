-- Of a failed job its reason's name and code are kept (`reasonOf` in server/jobs/boss.ts). Earlier releases kept the whole
-- error, with what a mail server said of an address, or a query's parameters; no erasure reaches jobs. A database that no
-- release has served yet has no queue.
DO $$
DECLARE
  kept name;
BEGIN
  FOR kept IN
    SELECT attname FROM pg_attribute
    WHERE attrelid = to_regclass('pgboss.job') AND attname IN ('output', 'source_output')
  LOOP
    EXECUTE format(
      $statement$
        UPDATE pgboss.job
        SET %1$I = jsonb_strip_nulls(jsonb_build_object('name', %1$I -> 'name', 'code', %1$I -> 'code'))
        WHERE jsonb_typeof(%1$I) = 'object' AND %1$I - '{name,code}'::text[] <> '{}'
      $statement$,
      kept);
  END LOOP;
END
$$;
