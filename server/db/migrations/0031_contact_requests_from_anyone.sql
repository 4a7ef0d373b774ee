-- Anyone may leave a contact request; only the provider reads it back.
CREATE POLICY leave ON contact_requests FOR INSERT TO trasvia_app WITH CHECK (true);
