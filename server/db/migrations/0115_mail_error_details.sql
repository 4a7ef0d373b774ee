-- What the mail server said stands apart from the reason in Italian: screens show it on demand.
ALTER TABLE mail_messages ADD COLUMN last_error_details text;
