-- Overdue invoices by day of issue: those of the last month are unpaid but not due yet, and are passed over in the index.
CREATE INDEX invoices_unpaid ON invoices (issue_date DESC, id DESC, due_date) WHERE status = 'Da Pagare';
