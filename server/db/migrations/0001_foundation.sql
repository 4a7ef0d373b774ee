-- Roles. Neither owns anything; the server's pools take them on with `-c role=…`, so a forgotten owner filter meets
-- row-level security. Roles belong to the whole cluster, hence the guards.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'trasvia_app') THEN
    CREATE ROLE trasvia_app NOLOGIN NOBYPASSRLS;
  END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'trasvia_auth') THEN
    CREATE ROLE trasvia_auth NOLOGIN NOBYPASSRLS;
  END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
END
$$;
GRANT trasvia_app TO CURRENT_USER;
GRANT trasvia_auth TO CURRENT_USER;
GRANT USAGE ON SCHEMA public TO trasvia_app, trasvia_auth;

-- Who is asking, set for each statement or transaction by server/db/scope.ts. Unset reads as nobody.
CREATE FUNCTION app_user_id() RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
  RETURN nullif(current_setting('app.user_id', true), '');
CREATE FUNCTION app_role() RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
  RETURN nullif(current_setting('app.role', true), '');

-- Ids of records: ascending (so that they index well and sort by age), unguessable (20 random bits each), above
-- 1,000,000 (so that none meets the sample ids of spec §9) and exact in a JavaScript number.
CREATE FUNCTION next_id(sequence regclass) RETURNS bigint LANGUAGE sql VOLATILE
  RETURN nextval(sequence) * 1048576 + ('x' || left(gen_random_uuid()::text, 5))::bit(20)::int;

-- Texts compared and searched without case and accents.
CREATE FUNCTION fold(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  RETURN translate(lower(value), 'àáâäãåèéêëìíîïòóôöõùúûüçñ', 'aaaaaaeeeeiiiiooooouuuucn');

-- ---------------------------------------------------------------- accounts
CREATE TABLE profiles (
  id text PRIMARY KEY,
  email text NOT NULL UNIQUE CHECK (email = lower(email) AND length(email) BETWEEN 3 AND 254),
  email_verified boolean NOT NULL DEFAULT false,
  username text NOT NULL UNIQUE CHECK (username = lower(username) AND length(username) BETWEEN 1 AND 80),
  full_name text NOT NULL DEFAULT 'Utente' CHECK (length(full_name) BETWEEN 1 AND 120),
  company_name text CHECK (length(company_name) BETWEEN 1 AND 120),
  role text NOT NULL DEFAULT 'user' CHECK (role IN ('user', 'admin')),
  profile_picture text CHECK (length(profile_picture) <= 2000),
  banned boolean NOT NULL DEFAULT false,
  ban_reason text,
  ban_expires timestamptz,
  two_factor_enabled boolean NOT NULL DEFAULT false,
  last_login timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX profiles_created ON profiles (created_at DESC, id DESC);

CREATE TABLE sessions (
  id text PRIMARY KEY,
  user_id text NOT NULL REFERENCES profiles ON DELETE CASCADE,
  token text NOT NULL UNIQUE,
  expires_at timestamptz NOT NULL,
  ip_address text,
  user_agent text,
  impersonated_by text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX sessions_user ON sessions (user_id);
CREATE INDEX sessions_expiry ON sessions (expires_at);

CREATE TABLE accounts (
  id text PRIMARY KEY,
  user_id text NOT NULL REFERENCES profiles ON DELETE CASCADE,
  account_id text NOT NULL,
  provider_id text NOT NULL,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  password text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (provider_id, account_id)
);
CREATE INDEX accounts_user ON accounts (user_id);

CREATE TABLE verifications (
  id text PRIMARY KEY,
  identifier text NOT NULL,
  value text NOT NULL,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX verifications_identifier ON verifications (identifier);
CREATE INDEX verifications_expiry ON verifications (expires_at);

CREATE TABLE two_factors (
  id text PRIMARY KEY,
  user_id text NOT NULL REFERENCES profiles ON DELETE CASCADE,
  secret text NOT NULL,
  backup_codes text NOT NULL,
  verified boolean NOT NULL DEFAULT true,
  failed_verification_count integer NOT NULL DEFAULT 0,
  locked_until timestamptz
);
CREATE INDEX two_factors_user ON two_factors (user_id);
CREATE INDEX two_factors_secret ON two_factors (secret);

CREATE TABLE jwks (
  id text PRIMARY KEY,
  public_key text NOT NULL,
  private_key text NOT NULL,
  alg text,
  crv text,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz
);

GRANT SELECT, INSERT, UPDATE, DELETE ON profiles, sessions, accounts, verifications, two_factors, jwks TO trasvia_auth;
GRANT SELECT, UPDATE ON profiles TO trasvia_app;
ALTER TABLE profiles ENABLE ROW LEVEL SECURITY;
CREATE POLICY auth_all ON profiles TO trasvia_auth USING (true) WITH CHECK (true);
CREATE POLICY app_read ON profiles FOR SELECT TO trasvia_app
  USING (id = (SELECT app_user_id()) OR (SELECT app_role()) IN ('admin', 'invoice_admin', 'system'));
CREATE POLICY app_write ON profiles FOR UPDATE TO trasvia_app
  USING (id = (SELECT app_user_id()) OR (SELECT app_role()) IN ('admin', 'system'));

-- Security events: who did what to which account, from where. Append-only.
CREATE SEQUENCE audit_events_seq;
CREATE TABLE audit_events (
  id bigint PRIMARY KEY DEFAULT next_id('audit_events_seq'),
  at timestamptz NOT NULL DEFAULT now(),
  action text NOT NULL CHECK (length(action) BETWEEN 1 AND 80),
  actor_id text,
  subject_id text,
  ip_address text,
  detail jsonb NOT NULL DEFAULT '{}'
);
CREATE INDEX audit_events_subject ON audit_events (subject_id, id DESC);
CREATE INDEX audit_events_actor ON audit_events (actor_id, id DESC);
GRANT SELECT, INSERT ON audit_events TO trasvia_app, trasvia_auth;
GRANT USAGE ON SEQUENCE audit_events_seq TO trasvia_app, trasvia_auth;

-- ---------------------------------------------------------------- projects and employees
CREATE SEQUENCE projects_seq;
CREATE TABLE projects (
  id bigint PRIMARY KEY DEFAULT next_id('projects_seq'),
  user_id text NOT NULL REFERENCES profiles ON DELETE CASCADE,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 120 AND name = btrim(name)),
  location text NOT NULL CHECK (length(location) BETWEEN 1 AND 120 AND location = btrim(location)),
  start_date date NOT NULL,
  end_date date NOT NULL,
  status text NOT NULL DEFAULT 'In corso' CHECK (status IN ('In corso', 'Completato')),
  projected_total numeric(14, 2) NOT NULL DEFAULT 0 CHECK (projected_total >= 0),
  -- What was spent before the first invoice; spent_to_date = opening_spent + the sum of the project's invoices.
  opening_spent numeric(14, 2) NOT NULL DEFAULT 0 CHECK (opening_spent >= 0),
  spent_to_date numeric(14, 2) NOT NULL DEFAULT 0 CHECK (spent_to_date >= opening_spent),
  -- Raised by each edit; an edit names the version it started from, so that a later save never overwrites silently.
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT projects_dates CHECK (end_date >= start_date),
  UNIQUE (id, user_id)
);
CREATE INDEX projects_owner ON projects (user_id, id DESC);

CREATE SEQUENCE employees_seq;
CREATE TABLE employees (
  id bigint PRIMARY KEY DEFAULT next_id('employees_seq'),
  user_id text NOT NULL REFERENCES profiles ON DELETE CASCADE,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 160 AND name = btrim(name)),
  role text NOT NULL DEFAULT 'Non specificato' CHECK (length(role) BETWEEN 1 AND 80),
  department text CHECK (length(department) BETWEEN 1 AND 120),
  email text CHECK (length(email) BETWEEN 3 AND 254),
  phone text CHECK (length(phone) BETWEEN 1 AND 40),
  status text NOT NULL DEFAULT 'disponibile' CHECK (status IN ('in trasferta', 'Rientrato', 'disponibile')),
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (id, user_id)
);
CREATE INDEX employees_owner ON employees (user_id, id DESC);

-- Who is on which site. The owner is part of both keys: an assignment across customers cannot be written.
CREATE TABLE project_assignments (
  project_id bigint NOT NULL,
  employee_id bigint NOT NULL,
  user_id text NOT NULL,
  assigned_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (project_id, employee_id),
  FOREIGN KEY (project_id, user_id) REFERENCES projects (id, user_id) ON DELETE CASCADE,
  FOREIGN KEY (employee_id, user_id) REFERENCES employees (id, user_id) ON DELETE CASCADE
);
CREATE INDEX project_assignments_employee ON project_assignments (employee_id, user_id);
CREATE INDEX project_assignments_project ON project_assignments (project_id, user_id);

-- Each status an employee has had since when, so that people away over time can be drawn.
CREATE SEQUENCE employee_status_changes_seq;
CREATE TABLE employee_status_changes (
  id bigint PRIMARY KEY DEFAULT next_id('employee_status_changes_seq'),
  employee_id bigint NOT NULL,
  user_id text NOT NULL,
  status text NOT NULL CHECK (status IN ('in trasferta', 'Rientrato', 'disponibile')),
  at timestamptz NOT NULL DEFAULT now(),
  FOREIGN KEY (employee_id, user_id) REFERENCES employees (id, user_id) ON DELETE CASCADE
);
CREATE INDEX employee_status_changes_employee ON employee_status_changes (employee_id, user_id, at);
CREATE INDEX employee_status_changes_owner ON employee_status_changes (user_id, at);

CREATE FUNCTION record_employee_status() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' OR NEW.status IS DISTINCT FROM OLD.status THEN
    INSERT INTO employee_status_changes (employee_id, user_id, status) VALUES (NEW.id, NEW.user_id, NEW.status);
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER employees_status AFTER INSERT OR UPDATE OF status ON employees
  FOR EACH ROW EXECUTE FUNCTION record_employee_status();

-- ---------------------------------------------------------------- invoices
CREATE SEQUENCE invoices_seq;
CREATE TABLE invoices (
  id bigint PRIMARY KEY DEFAULT next_id('invoices_seq'),
  user_id text NOT NULL REFERENCES profiles ON DELETE CASCADE,
  invoice_number text NOT NULL CONSTRAINT invoices_number UNIQUE
    CHECK (invoice_number ~ '^FAT[0-9]{13}[A-Z0-9]{8}$'),
  project_name text NOT NULL CHECK (length(project_name) BETWEEN 1 AND 120),
  project_id bigint,
  amount numeric(9, 2) NOT NULL CHECK (amount > 0 AND amount <= 1000000),
  issue_date date NOT NULL,
  due_date date,
  status text NOT NULL DEFAULT 'Da Pagare' CHECK (status IN ('Da Pagare', 'Pagata')),
  file_name text CHECK (length(file_name) BETWEEN 1 AND 255),
  file_url text CHECK (length(file_url) BETWEEN 1 AND 400),
  description text CHECK (length(description) BETWEEN 1 AND 2000),
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT invoices_due CHECK (due_date >= issue_date),
  CONSTRAINT invoices_file CHECK ((file_name IS NULL) = (file_url IS NULL)),
  CONSTRAINT invoices_project FOREIGN KEY (project_id, user_id) REFERENCES projects (id, user_id)
    ON DELETE SET NULL (project_id)
);
CREATE INDEX invoices_owner ON invoices (user_id, issue_date DESC, id DESC);
CREATE INDEX invoices_owner_status ON invoices (user_id, status, issue_date DESC, id DESC);
CREATE INDEX invoices_all ON invoices (issue_date DESC, id DESC);
CREATE INDEX invoices_of_project ON invoices (project_id, user_id);

-- spent_to_date follows every invoice in the transaction that changes it, whoever writes it. The trigger owns the
-- right to do so: the invoice administrator may not write projects.
CREATE FUNCTION apply_invoice_to_project() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
  SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP <> 'INSERT' AND OLD.project_id IS NOT NULL
     AND (TG_OP = 'DELETE' OR NEW.project_id IS DISTINCT FROM OLD.project_id OR NEW.amount <> OLD.amount) THEN
    UPDATE projects SET spent_to_date = spent_to_date - OLD.amount WHERE id = OLD.project_id;
  END IF;
  IF TG_OP <> 'DELETE' AND NEW.project_id IS NOT NULL
     AND (TG_OP = 'INSERT' OR NEW.project_id IS DISTINCT FROM OLD.project_id OR NEW.amount <> OLD.amount) THEN
    UPDATE projects SET spent_to_date = spent_to_date + NEW.amount WHERE id = NEW.project_id;
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER invoices_project_total AFTER INSERT OR UPDATE OF amount, project_id OR DELETE ON invoices
  FOR EACH ROW EXECUTE FUNCTION apply_invoice_to_project();

-- A changed opening amount moves the total by the same difference.
CREATE FUNCTION apply_opening_spent() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    NEW.spent_to_date := NEW.opening_spent;
  ELSE
    NEW.spent_to_date := NEW.spent_to_date + NEW.opening_spent - OLD.opening_spent;
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER projects_opening_insert BEFORE INSERT ON projects
  FOR EACH ROW EXECUTE FUNCTION apply_opening_spent();
CREATE TRIGGER projects_opening_update BEFORE UPDATE OF opening_spent ON projects
  FOR EACH ROW EXECUTE FUNCTION apply_opening_spent();

-- Who did what to which invoice. Keeps the number, because the invoice may be gone. Append-only.
CREATE SEQUENCE invoice_events_seq;
CREATE TABLE invoice_events (
  id bigint PRIMARY KEY DEFAULT next_id('invoice_events_seq'),
  invoice_number text NOT NULL,
  user_id text NOT NULL,
  at timestamptz NOT NULL DEFAULT now(),
  actor_id text,
  action text NOT NULL CHECK (action IN
    ('created', 'updated', 'status', 'file_uploaded', 'file_replaced', 'file_deleted', 'deleted')),
  detail jsonb NOT NULL DEFAULT '{}'
);
CREATE INDEX invoice_events_invoice ON invoice_events (invoice_number, id);

-- ---------------------------------------------------------------- requests
CREATE SEQUENCE trip_requests_seq;
CREATE TABLE trip_requests (
  id bigint PRIMARY KEY DEFAULT next_id('trip_requests_seq'),
  user_id text NOT NULL REFERENCES profiles ON DELETE CASCADE,
  state text NOT NULL DEFAULT 'Inviata'
    CHECK (state IN ('Inviata', 'In lavorazione', 'Proposta inviata', 'Confermata', 'Annullata')),
  city text NOT NULL CHECK (length(city) BETWEEN 1 AND 120),
  position text NOT NULL CHECK (length(position) BETWEEN 1 AND 300),
  start_date date NOT NULL,
  end_date date NOT NULL,
  project_id bigint,
  project_name text NOT NULL CHECK (length(project_name) BETWEEN 1 AND 120),
  reason text NOT NULL CHECK (length(reason) BETWEEN 1 AND 2000),
  people integer NOT NULL CHECK (people BETWEEN 1 AND 5000),
  accommodation text NOT NULL CHECK (accommodation IN ('hotel', 'appartamento', 'entrambi')),
  accommodation_preference text
    CHECK (accommodation_preference IN ('hotel', 'appartamento', 'nessuna preferenza')),
  rooms_single integer NOT NULL CHECK (rooms_single BETWEEN 0 AND 5000),
  rooms_double integer NOT NULL CHECK (rooms_double BETWEEN 0 AND 5000),
  rooms_suite integer NOT NULL CHECK (rooms_suite BETWEEN 0 AND 5000),
  breakfast text NOT NULL CHECK (breakfast IN ('necessario', 'preferibile', 'non necessario')),
  laundry text NOT NULL CHECK (laundry IN ('necessario', 'preferibile', 'non necessario')),
  parking text NOT NULL CHECK (parking IN ('necessario', 'preferibile', 'non necessario')),
  kitchen text NOT NULL CHECK (kitchen IN ('necessario', 'preferibile', 'non necessario')),
  budget integer NOT NULL CHECK (budget BETWEEN 0 AND 100000),
  budget_note text CHECK (length(budget_note) BETWEEN 1 AND 2000),
  priority text NOT NULL CHECK (priority IN ('distanza', 'costo')),
  other_requests text CHECK (length(other_requests) BETWEEN 1 AND 4000),
  phone text NOT NULL CHECK (length(phone) BETWEEN 1 AND 40),
  email text NOT NULL CHECK (length(email) BETWEEN 3 AND 254),
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT trip_requests_dates CHECK (end_date >= start_date),
  CONSTRAINT trip_requests_preference CHECK ((accommodation = 'entrambi') = (accommodation_preference IS NOT NULL)),
  CONSTRAINT trip_requests_project FOREIGN KEY (project_id, user_id) REFERENCES projects (id, user_id)
    ON DELETE SET NULL (project_id),
  UNIQUE (id, user_id)
);
CREATE INDEX trip_requests_owner ON trip_requests (user_id, id DESC);
CREATE INDEX trip_requests_state ON trip_requests (state, id DESC);
CREATE INDEX trip_requests_project_fk ON trip_requests (project_id, user_id);

-- Every change of a request's state, with its author and the note the customer sees.
CREATE SEQUENCE trip_request_events_seq;
CREATE TABLE trip_request_events (
  id bigint PRIMARY KEY DEFAULT next_id('trip_request_events_seq'),
  trip_request_id bigint NOT NULL,
  user_id text NOT NULL,
  at timestamptz NOT NULL DEFAULT now(),
  actor_id text,
  state text NOT NULL
    CHECK (state IN ('Inviata', 'In lavorazione', 'Proposta inviata', 'Confermata', 'Annullata')),
  note text CHECK (length(note) BETWEEN 1 AND 2000),
  FOREIGN KEY (trip_request_id, user_id) REFERENCES trip_requests (id, user_id) ON DELETE CASCADE
);
CREATE INDEX trip_request_events_request ON trip_request_events (trip_request_id, id);

-- The English requirements wizard (spec §2, /app/requirements): fields as entered, in the shape of contract/requirements.ts.
CREATE SEQUENCE requirements_seq;
CREATE TABLE requirements (
  id bigint PRIMARY KEY DEFAULT next_id('requirements_seq'),
  user_id text NOT NULL REFERENCES profiles ON DELETE CASCADE,
  content jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX requirements_owner ON requirements (user_id, id DESC);

CREATE SEQUENCE contact_requests_seq;
CREATE TABLE contact_requests (
  id bigint PRIMARY KEY DEFAULT next_id('contact_requests_seq'),
  first_name text NOT NULL CHECK (length(first_name) BETWEEN 1 AND 80),
  last_name text NOT NULL CHECK (length(last_name) BETWEEN 1 AND 80),
  company text CHECK (length(company) BETWEEN 1 AND 120),
  phone text NOT NULL CHECK (length(phone) BETWEEN 1 AND 40),
  contact_preference text NOT NULL CHECK (contact_preference IN ('email', 'telefono')),
  message text CHECK (length(message) BETWEEN 1 AND 4000),
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE SEQUENCE support_requests_seq;
CREATE TABLE support_requests (
  id bigint PRIMARY KEY DEFAULT next_id('support_requests_seq'),
  reference text NOT NULL UNIQUE CHECK (length(reference) BETWEEN 4 AND 20),
  user_id text NOT NULL REFERENCES profiles ON DELETE CASCADE,
  page text CHECK (length(page) BETWEEN 1 AND 300),
  message text NOT NULL CHECK (length(message) BETWEEN 1 AND 4000),
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX support_requests_owner ON support_requests (user_id, id DESC);

-- ---------------------------------------------------------------- mail
-- Written in the transaction of whatever causes it, together with the job that sends it.
CREATE SEQUENCE mail_messages_seq;
CREATE TABLE mail_messages (
  id bigint PRIMARY KEY DEFAULT next_id('mail_messages_seq'),
  kind text NOT NULL CHECK (length(kind) BETWEEN 1 AND 40),
  -- Whose data the message carries; null for a visitor's contact request.
  user_id text REFERENCES profiles ON DELETE CASCADE,
  message_id text NOT NULL UNIQUE,
  recipients text[] NOT NULL CHECK (cardinality(recipients) >= 1),
  from_name text,
  reply_to text,
  subject text NOT NULL CHECK (subject !~ '[\r\n]'),
  body_text text NOT NULL,
  body_html text,
  state text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'sent', 'failed')),
  attempts integer NOT NULL DEFAULT 0,
  last_error text,
  created_at timestamptz NOT NULL DEFAULT now(),
  sent_at timestamptz,
  CONSTRAINT mail_messages_sent CHECK ((state = 'sent') = (sent_at IS NOT NULL))
);
CREATE INDEX mail_messages_failed ON mail_messages (id DESC) WHERE state = 'failed';
CREATE INDEX mail_messages_user ON mail_messages (user_id);

-- ---------------------------------------------------------------- grants and row-level security
GRANT SELECT, INSERT, UPDATE, DELETE ON
  projects, employees, project_assignments, invoices, trip_requests, requirements, contact_requests,
  support_requests, mail_messages TO trasvia_app;
GRANT SELECT, INSERT ON employee_status_changes, invoice_events, trip_request_events TO trasvia_app;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA public TO trasvia_app;

DO $$
DECLARE
  -- table, roles that reach rows of others besides 'system'
  rule record;
BEGIN
  FOR rule IN
    SELECT * FROM (VALUES
      ('employees', ARRAY['system']),
      ('project_assignments', ARRAY['system']),
      ('employee_status_changes', ARRAY['system']),
      ('invoices', ARRAY['system', 'invoice_admin']),
      ('invoice_events', ARRAY['system', 'invoice_admin']),
      ('trip_requests', ARRAY['system', 'admin']),
      ('trip_request_events', ARRAY['system', 'admin']),
      ('requirements', ARRAY['system', 'admin']),
      ('support_requests', ARRAY['system', 'admin'])
    ) AS rules (name, roles)
  LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', rule.name);
    EXECUTE format(
      'CREATE POLICY owner ON %I TO trasvia_app USING (user_id = (SELECT app_user_id()) OR (SELECT app_role()) = ANY (%L::text[]))',
      rule.name, rule.roles);
  END LOOP;
END
$$;

ALTER TABLE projects ENABLE ROW LEVEL SECURITY;
CREATE POLICY owner ON projects TO trasvia_app
  USING (user_id = (SELECT app_user_id()) OR (SELECT app_role()) = 'system');
CREATE POLICY invoice_admin_reads ON projects FOR SELECT TO trasvia_app
  USING ((SELECT app_role()) = 'invoice_admin');

ALTER TABLE contact_requests ENABLE ROW LEVEL SECURITY;
CREATE POLICY provider ON contact_requests TO trasvia_app USING ((SELECT app_role()) IN ('system', 'admin'));

-- Anyone's request may queue its message in its own transaction; only the sender and the administrator read it back.
ALTER TABLE mail_messages ENABLE ROW LEVEL SECURITY;
CREATE POLICY queue ON mail_messages FOR INSERT TO trasvia_app WITH CHECK (true);
CREATE POLICY provider ON mail_messages TO trasvia_app USING ((SELECT app_role()) IN ('system', 'admin'));

-- ---------------------------------------------------------------- rate limits
-- Counters of rate-limiter-flexible, here because they have to hold over several processes.
CREATE TABLE rate_limits (
  key varchar(255) PRIMARY KEY,
  points integer NOT NULL DEFAULT 0,
  expire bigint
);
CREATE INDEX rate_limits_expiry ON rate_limits (expire);
GRANT SELECT, INSERT, UPDATE, DELETE ON rate_limits TO trasvia_app;
