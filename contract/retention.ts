/**
 * Retention in days of personal data that is deleted automatically, by table (GDPR art. 5(1)(e)). The server deletes it
 * (`server/operations/retention.ts`), and the privacy page states the periods. This is the only place to change a
 * period.
 */
export const KEPT_DAYS = {
  contact_requests: 365,
  support_requests: 730,
  requirements: 730,
  mail_messages: 180,
  audit_events: 730,
} as const;

/** A table whose rows are deleted automatically. */
export type KeptTable = keyof typeof KEPT_DAYS;
