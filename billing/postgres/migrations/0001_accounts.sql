CREATE TABLE settings (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  revision bigint NOT NULL,
  pepper   bytea NOT NULL
);

CREATE TABLE accounts (
  id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  public    text COLLATE "C" NOT NULL UNIQUE,
  name      text NOT NULL,
  plan      text NOT NULL,
  suspended boolean NOT NULL,
  created   timestamptz NOT NULL,
  anchor    timestamptz,
  monthly   bigint NOT NULL CHECK (monthly >= 0)
);

CREATE TABLE keys (
  id      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  public  text COLLATE "C" NOT NULL UNIQUE,
  account bigint NOT NULL REFERENCES accounts (id),
  hash    bytea NOT NULL UNIQUE CHECK (length(hash) = 32),
  kind    text NOT NULL,
  shown   text NOT NULL,
  name    text NOT NULL,
  scopes  text NOT NULL,
  created timestamptz NOT NULL,
  expires timestamptz,
  rotated boolean NOT NULL,
  off     boolean NOT NULL,
  addrs   text NOT NULL,
  origins text NOT NULL
);

CREATE INDEX keys_account ON keys (account);

-- The books: no row can be written whose parts are not its whole. No index has
-- a column that spending changes, so that spending leaves indexes alone.
CREATE TABLE grants (
  id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account   bigint NOT NULL REFERENCES accounts (id),
  source    smallint NOT NULL CHECK (source BETWEEN 1 AND 3),
  reference text COLLATE "C" NOT NULL,
  amount    bigint NOT NULL CHECK (amount > 0),
  remaining bigint NOT NULL CHECK (remaining >= 0),
  held      bigint NOT NULL CHECK (held >= 0),
  settled   bigint NOT NULL CHECK (settled >= 0),
  granted   timestamptz NOT NULL,
  expires   timestamptz NOT NULL, -- 'infinity': never
  UNIQUE (account, source, reference),
  CHECK (amount = remaining + held + settled)
) WITH (fillfactor = 50);

CREATE INDEX grants_live ON grants (account, expires);

-- state: 0 held, 1 settled, 2 released, 3 refunded. time is when it got there.
-- grants, parts_held and parts_used have one element for each grant that pays.
CREATE TABLE holds (
  id         text COLLATE "C" PRIMARY KEY,
  account    bigint NOT NULL,
  state      smallint NOT NULL CHECK (state BETWEEN 0 AND 3),
  held       bigint NOT NULL CHECK (held >= 0),
  used       bigint NOT NULL CHECK (used BETWEEN 0 AND held),
  time       timestamptz NOT NULL,
  expires    timestamptz NOT NULL,
  grants     bigint[] NOT NULL,
  parts_held bigint[] NOT NULL,
  parts_used bigint[] NOT NULL,
  CHECK (cardinality(parts_held) = cardinality(grants) AND cardinality(parts_used) = cardinality(grants))
) WITH (fillfactor = 70);

CREATE INDEX holds_open ON holds (expires) WHERE state = 0;

CREATE TABLE usage (
  account  bigint NOT NULL,
  day      date NOT NULL,
  source   smallint NOT NULL,
  credits  bigint NOT NULL,
  requests bigint NOT NULL,
  PRIMARY KEY (account, day, source)
) WITH (fillfactor = 50);
