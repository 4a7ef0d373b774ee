-- An account has one second factor, or none: of two enrolments that started at the same moment, either might have been
-- asked for at a login. What was left half-done is finished before: the profile says whether logins ask for it, and
-- those that do must be able to succeed.
DELETE FROM two_factors WHERE verified AND user_id IN (SELECT id FROM profiles WHERE NOT two_factor_enabled);
DELETE FROM two_factors AS one USING two_factors AS other
  WHERE one.user_id = other.user_id AND (one.verified, one.id) < (other.verified, other.id);
UPDATE two_factors SET verified = true
  WHERE NOT verified AND user_id IN (SELECT id FROM profiles WHERE two_factor_enabled);

CREATE UNIQUE INDEX two_factors_user_key ON two_factors (user_id);
DROP INDEX two_factors_user;
