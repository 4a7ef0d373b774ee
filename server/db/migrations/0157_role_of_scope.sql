-- As in 0112; the work of an administrator may also have waited for the change that took their role.
CREATE OR REPLACE FUNCTION enter_scope(user_id text, role text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('app.user_id', user_id, true), set_config('app.role', role, true);
  IF user_id = '' THEN
    RETURN true;
  END IF;
  PERFORM FROM profiles p
  WHERE p.id = enter_scope.user_id AND p.deleted_at IS NULL AND NOT p.banned
    AND (enter_scope.role = 'user' OR p.role = 'admin')
  FOR KEY SHARE;
  RETURN FOUND;
END
$$;
