/**
 * How far ahead Home looks for starts, ends and due dates, in days. Apart from contract/dashboard.ts, whose schemas Home
 * does not need.
 */
export const HORIZON_DAYS = 14;
