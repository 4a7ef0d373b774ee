-- Sessions are out of the application role's reach. They end in the transaction of what ends them, so that none outlives it: only
-- the product itself may ask for that.
CREATE FUNCTION end_sessions(owner text) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
BEGIN
  IF app_role() IS DISTINCT FROM 'system' THEN
    RAISE insufficient_privilege USING MESSAGE = 'only the product itself ends the sessions of an account';
  END IF;
  DELETE FROM sessions WHERE user_id = owner;
END
$$;
REVOKE EXECUTE ON FUNCTION end_sessions(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION end_sessions(text) TO trasvia_app;

-- A suspension used to end them after it was done, and left what it could not.
DELETE FROM sessions WHERE user_id IN (SELECT id FROM profiles WHERE banned);
