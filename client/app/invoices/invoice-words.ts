import { counted } from '#client/lib/words.ts';
import type { Status } from '#client/ui/status-badge.tsx';
import { type CalendarDate, formatDate } from '#contract/dates.ts';
import { type Invoice, isOverdue } from '#contract/invoices.ts';

/** '1 fattura', '1.200 fatture'. */
export function invoiceCount(count: number): string {
  return counted(count, 'fattura', 'fatture');
}

/** The state a list shows: an unpaid invoice past its due date is 'Scaduta'. */
export function shownStatus(invoice: Pick<Invoice, 'status' | 'dueDate'>, today: CalendarDate): Status {
  return isOverdue(invoice, today) ? 'Scaduta' : invoice.status;
}

/** A date that may be missing. */
export function formatOptionalDate(date: CalendarDate | null): string {
  return date === null ? '—' : formatDate(date);
}
