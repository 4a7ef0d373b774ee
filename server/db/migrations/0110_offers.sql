-- What the provider offers for a trip request: a portfolio of solutions, each with its cost (docs/decisions/0007). An
-- offer belongs to the customer of its request, and goes with it.
CREATE SEQUENCE offers_seq;
CREATE TABLE offers (
  id bigint PRIMARY KEY DEFAULT next_id('offers_seq'),
  trip_request_id bigint NOT NULL,
  user_id text NOT NULL,
  at timestamptz NOT NULL DEFAULT now(),
  actor_id text,
  valid_until date,
  note text CHECK (length(note) BETWEEN 1 AND 2000),
  FOREIGN KEY (trip_request_id, user_id) REFERENCES trip_requests (id, user_id) ON DELETE CASCADE,
  UNIQUE (id, user_id)
);
CREATE INDEX offers_request ON offers (trip_request_id, user_id, id DESC);

CREATE SEQUENCE offer_solutions_seq;
CREATE TABLE offer_solutions (
  id bigint PRIMARY KEY DEFAULT next_id('offer_solutions_seq'),
  offer_id bigint NOT NULL,
  user_id text NOT NULL,
  accommodation text NOT NULL CHECK (accommodation IN ('hotel', 'appartamento')),
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 120),
  description text CHECK (length(description) BETWEEN 1 AND 4000),
  distance_km numeric(5, 1) CHECK (distance_km >= 0),
  -- The whole stay of everybody, everything included.
  total numeric(12, 2) NOT NULL CHECK (total > 0),
  chosen_at timestamptz,
  FOREIGN KEY (offer_id, user_id) REFERENCES offers (id, user_id) ON DELETE CASCADE
);
CREATE INDEX offer_solutions_offer ON offer_solutions (offer_id, user_id, id);
-- A customer chooses one.
CREATE UNIQUE INDEX offer_solutions_chosen ON offer_solutions (offer_id) WHERE chosen_at IS NOT NULL;

-- The provider writes offers; their customer reads them.
GRANT SELECT, INSERT ON offers, offer_solutions TO trasvia_app;
GRANT USAGE ON offers_seq, offer_solutions_seq TO trasvia_app;
ALTER TABLE offers ENABLE ROW LEVEL SECURITY;
CREATE POLICY owner_reads ON offers FOR SELECT TO trasvia_app USING (user_id = (SELECT app_user_id()));
CREATE POLICY provider ON offers TO trasvia_app USING ((SELECT app_role()) IN ('system', 'admin'));
ALTER TABLE offer_solutions ENABLE ROW LEVEL SECURITY;
CREATE POLICY owner_reads ON offer_solutions FOR SELECT TO trasvia_app USING (user_id = (SELECT app_user_id()));
CREATE POLICY provider ON offer_solutions TO trasvia_app USING ((SELECT app_role()) IN ('system', 'admin'));
