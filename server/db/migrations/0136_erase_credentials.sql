-- The ways into an account are out of the application role's reach. They go in the transaction of whatever ends them, so that
-- none outlives it: only the product itself may ask for that.
CREATE FUNCTION erase_credentials(owner text) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
BEGIN
  IF app_role() IS DISTINCT FROM 'system' THEN
    RAISE insufficient_privilege USING MESSAGE = 'only the product itself erases credentials';
  END IF;
  DELETE FROM sessions WHERE user_id = owner;
  DELETE FROM accounts WHERE user_id = owner;
  DELETE FROM two_factors WHERE user_id = owner;
END
$$;
REVOKE EXECUTE ON FUNCTION erase_credentials(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION erase_credentials(text) TO trasvia_app;

-- An erasure used to take them away after it was done, and left what it could not.
DELETE FROM sessions WHERE user_id IN (SELECT id FROM profiles WHERE deleted_at IS NOT NULL);
DELETE FROM accounts WHERE user_id IN (SELECT id FROM profiles WHERE deleted_at IS NOT NULL);
DELETE FROM two_factors WHERE user_id IN (SELECT id FROM profiles WHERE deleted_at IS NOT NULL);

-- Links and codes that were given up are worth nothing, and nobody's to read.
UPDATE mail_messages SET body_text = '', body_html = NULL WHERE state = 'failed' AND starts_with(kind, 'account_');
