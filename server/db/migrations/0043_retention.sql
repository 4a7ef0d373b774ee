-- What has been kept long enough is deleted every night; the periods are in server/operations/retention.ts. Events stay
-- append-only for everybody but the product itself.
GRANT DELETE ON audit_events TO trasvia_app;
CREATE POLICY purge ON audit_events FOR DELETE TO trasvia_app USING ((SELECT app_role()) = 'system');
CREATE INDEX audit_events_at ON audit_events (at);
CREATE INDEX mail_messages_created ON mail_messages (created_at);
CREATE INDEX contact_requests_created ON contact_requests (created_at);

-- Sessions, links and codes are out of the application role's reach; it may only ask for those to go that opened nothing
-- any more before `expired_before`.
CREATE FUNCTION purge_credentials(expired_before timestamptz) RETURNS integer LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
DECLARE
  purged integer;
  more integer;
BEGIN
  DELETE FROM sessions WHERE expires_at < least(expired_before, now());
  GET DIAGNOSTICS purged = ROW_COUNT;
  DELETE FROM verifications WHERE expires_at < least(expired_before, now());
  GET DIAGNOSTICS more = ROW_COUNT;
  RETURN purged + more;
END
$$;
REVOKE EXECUTE ON FUNCTION purge_credentials(timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION purge_credentials(timestamptz) TO trasvia_app;
