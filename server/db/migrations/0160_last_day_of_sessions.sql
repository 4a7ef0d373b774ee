-- No session outlives ninety days from its login, however often it is prolonged. Its row says so, too: it is no longer listed as
-- a device that is signed in, and it is purged when the time is over.
CREATE FUNCTION end_after_ninety_days() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.expires_at := least(NEW.expires_at, NEW.created_at + interval '90 days');
  RETURN NEW;
END
$$;
CREATE TRIGGER sessions_last_day
  BEFORE INSERT OR UPDATE ON sessions FOR EACH ROW EXECUTE FUNCTION end_after_ninety_days();

UPDATE sessions SET expires_at = expires_at WHERE expires_at > created_at + interval '90 days';
