-- Passwords go before sessions: a login that stores its session meanwhile then finds its password gone, or its session with the
-- others (`holdPassword`). The other way round one could pass in between.
CREATE OR REPLACE FUNCTION erase_credentials(owner text) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
BEGIN
  IF app_role() IS DISTINCT FROM 'system' THEN
    RAISE insufficient_privilege USING MESSAGE = 'only the product itself erases credentials';
  END IF;
  DELETE FROM accounts WHERE user_id = owner;
  DELETE FROM two_factors WHERE user_id = owner;
  DELETE FROM sessions WHERE user_id = owner;
END
$$;

-- A mailed code that was entered while its account was being erased gave the address back to the account: the accounts library
-- writes it once more as proven.
CREATE FUNCTION keep_erased() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RETURN NULL;
END
$$;
CREATE TRIGGER profiles_erased BEFORE UPDATE OF email ON profiles
  FOR EACH ROW WHEN (OLD.deleted_at IS NOT NULL) EXECUTE FUNCTION keep_erased();
