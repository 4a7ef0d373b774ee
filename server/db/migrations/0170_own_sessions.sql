-- The open sessions of the account that reads them, which its list reads page by page like any other. A view of the owner of the
-- table, so that the tokens, with which sessions are entered, stay out of reach of the role that serves requests; and a
-- barrier, so that no condition of a statement sees the sessions of others before they are filtered out.
CREATE VIEW own_sessions WITH (security_barrier) AS
  SELECT id, ip_address, user_agent, created_at, updated_at, expires_at
  FROM sessions
  WHERE user_id = (SELECT app_user_id()) AND expires_at > now();
GRANT SELECT ON own_sessions TO trasvia_app;
