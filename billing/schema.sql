-- Times are milliseconds of the Unix clock, hours are hours since 1970. In
-- PostgreSQL the types are bigint, text and bytea.
CREATE TABLE settings (
  format   INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  pepper   BLOB NOT NULL
);

CREATE TABLE accounts (
  id        SERIAL,
  public    TEXT NOT NULL UNIQUE,
  name      TEXT NOT NULL,
  plan      TEXT NOT NULL,
  suspended INTEGER NOT NULL CHECK (suspended IN (0, 1)),
  created   INTEGER NOT NULL,
  anchor    INTEGER,
  monthly   INTEGER NOT NULL CHECK (monthly >= 0),
  last_day  INTEGER -- on which the account's batches are worked last
);

CREATE TABLE keys (
  id      SERIAL,
  public  TEXT NOT NULL UNIQUE,
  account INTEGER NOT NULL REFERENCES accounts (id),
  hash    BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
  kind    TEXT NOT NULL,
  shown   TEXT NOT NULL,
  name    TEXT NOT NULL,
  debug   INTEGER NOT NULL CHECK (debug IN (0, 1)),
  created INTEGER NOT NULL,
  expires INTEGER,
  rotated INTEGER NOT NULL CHECK (rotated IN (0, 1)),
  off     INTEGER NOT NULL CHECK (off IN (0, 1)),
  addrs   TEXT NOT NULL,
  origins TEXT NOT NULL
);

CREATE INDEX keys_account ON keys (account);

-- The parts of every row add up to its amount. No index has a column that
-- spending changes. expires is 2^63-1 for grants that never expire.
CREATE TABLE grants (
  id        SERIAL,
  account   INTEGER NOT NULL REFERENCES accounts (id),
  source    TEXT NOT NULL CHECK (source IN ('free_daily', 'subscription', 'pack')),
  reference TEXT NOT NULL,
  amount    INTEGER NOT NULL CHECK (amount > 0),
  remaining INTEGER NOT NULL CHECK (remaining >= 0),
  held      INTEGER NOT NULL CHECK (held >= 0),
  settled   INTEGER NOT NULL CHECK (settled >= 0),
  granted   INTEGER NOT NULL,
  expires   INTEGER NOT NULL,
  UNIQUE (account, source, reference),
  CHECK (amount = remaining + held + settled)
);

CREATE INDEX grants_live ON grants (account, expires);

-- state: 0 held, 1 settled, 2 released, 3 refunded, since time. cut: credits that
-- were refunded or kept when the request was cut off. detail: JSON with lines, for each
-- grant its id, the credits held and the credits used. key: digest of the key under which
-- the request is charged once; detail then has the digest of the request, whether another
-- was delivered for its charge, and the account's credits after it.
CREATE TABLE holds (
  id      TEXT PRIMARY KEY,
  account INTEGER NOT NULL,
  batch   INTEGER NOT NULL CHECK (batch IN (0, 1)),
  state   INTEGER NOT NULL CHECK (state BETWEEN 0 AND 3),
  held    INTEGER NOT NULL CHECK (held >= 0),
  used    INTEGER NOT NULL CHECK (used BETWEEN 0 AND held),
  cut     INTEGER NOT NULL CHECK (cut BETWEEN 0 AND held),
  time    INTEGER NOT NULL,
  expires INTEGER NOT NULL,
  detail  TEXT NOT NULL,
  key     BLOB
) KEYED;

CREATE INDEX holds_open ON holds (expires) WHERE state = 0;

CREATE INDEX holds_key ON holds (account, key) WHERE state = 1 AND key IS NOT NULL;

-- Spending and refunds by hour. source is '' for refunds.
CREATE TABLE usage (
  account  INTEGER NOT NULL,
  hour     INTEGER NOT NULL,
  kind     TEXT NOT NULL CHECK (kind IN ('spent', 'cut_refunded', 'cut_kept', 'batch_refunded')),
  source   TEXT NOT NULL,
  credits  INTEGER NOT NULL,
  requests INTEGER NOT NULL,
  PRIMARY KEY (account, hour, kind, source)
) KEYED;
