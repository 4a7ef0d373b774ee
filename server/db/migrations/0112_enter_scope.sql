-- Begins the work of an account: sets whom row-level security looks through, and holds the account's row, so that no work
-- of an account goes on beside its erasure, which would leave behind what the work writes.
-- Returns whether the account may work: false for one that is gone or suspended. A scope without an account always may.
CREATE FUNCTION enter_scope(user_id text, role text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('app.user_id', user_id, true), set_config('app.role', role, true);
  IF user_id = '' THEN
    RETURN true;
  END IF;
  PERFORM FROM profiles WHERE id = enter_scope.user_id AND deleted_at IS NULL AND NOT banned FOR KEY SHARE;
  RETURN FOUND;
END
$$;
