-- An account may change its own profile, of which its rights are columns: a route that passed one of them on would make
-- a customer an administrator. Only the product itself, which sets them in commands that check and record it, and the
-- login, which sets no scope, change what identifies an account and what it may do.

CREATE FUNCTION refuse_own_rights() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE insufficient_privilege USING MESSAGE = 'no account changes its own rights';
END
$$;
CREATE TRIGGER profiles_rights
  BEFORE UPDATE OF email, email_verified, username, role, banned, two_factor_enabled, deleted_at ON profiles
  FOR EACH ROW WHEN (app_role() <> 'system') EXECUTE FUNCTION refuse_own_rights();
