/**
 * Personal data that goes by itself, by its table, and after how many days (GDPR art. 5(1)(e)). The server deletes it
 * (`server/operations/retention.ts`), the privacy page tells it. A period is changed here and nowhere else.
 */
export const KEPT_DAYS = {
  contact_requests: 365,
  support_requests: 730,
  requirements: 730,
  mail_messages: 180,
  audit_events: 730,
} as const;

/** A table whose rows go by themselves. */
export type KeptTable = keyof typeof KEPT_DAYS;
