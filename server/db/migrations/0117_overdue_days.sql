-- The earliest due date of what was issued on a day and is unpaid: the list of what is overdue, newest first, begins with the
-- latest day that has any, instead of passing over everything that was issued since and is not due yet.
CREATE INDEX invoices_unpaid_days ON invoices (issue_date DESC, due_date) WHERE status = 'Da Pagare';
