CREATE TABLE settings (
  revision INTEGER NOT NULL,
  pepper   BLOB NOT NULL
) STRICT;

CREATE TABLE accounts (
  id        INTEGER PRIMARY KEY,
  public    TEXT NOT NULL UNIQUE,
  name      TEXT NOT NULL,
  plan      TEXT NOT NULL,
  suspended INTEGER NOT NULL CHECK (suspended IN (0, 1)),
  created   INTEGER NOT NULL,
  anchor    INTEGER,
  monthly   INTEGER NOT NULL CHECK (monthly >= 0)
) STRICT;

CREATE TABLE keys (
  id      INTEGER PRIMARY KEY,
  public  TEXT NOT NULL UNIQUE,
  account INTEGER NOT NULL REFERENCES accounts (id),
  hash    BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
  kind    TEXT NOT NULL,
  shown   TEXT NOT NULL,
  name    TEXT NOT NULL,
  scopes  TEXT NOT NULL,
  created INTEGER NOT NULL,
  expires INTEGER,
  rotated INTEGER NOT NULL CHECK (rotated IN (0, 1)),
  off     INTEGER NOT NULL CHECK (off IN (0, 1)),
  addrs   TEXT NOT NULL,
  origins TEXT NOT NULL
) STRICT;

CREATE INDEX keys_account ON keys (account);

-- The books: no row can be written whose parts are not its whole.
CREATE TABLE grants (
  id        INTEGER PRIMARY KEY,
  account   INTEGER NOT NULL REFERENCES accounts (id),
  source    INTEGER NOT NULL CHECK (source BETWEEN 1 AND 3),
  reference TEXT NOT NULL,
  amount    INTEGER NOT NULL CHECK (amount > 0),
  remaining INTEGER NOT NULL CHECK (remaining >= 0),
  held      INTEGER NOT NULL CHECK (held >= 0),
  settled   INTEGER NOT NULL CHECK (settled >= 0),
  granted   INTEGER NOT NULL,
  expires   INTEGER,
  UNIQUE (account, source, reference),
  CHECK (amount = remaining + held + settled)
) STRICT;

CREATE INDEX grants_live ON grants (account) WHERE remaining > 0 OR held > 0;

-- state: 0 held, 1 settled, 2 released, 3 refunded. time is when it got there.
-- lines: for each grant its id, the credits held and the credits used, as varints.
CREATE TABLE holds (
  id      TEXT PRIMARY KEY,
  account INTEGER NOT NULL,
  state   INTEGER NOT NULL CHECK (state BETWEEN 0 AND 3),
  held    INTEGER NOT NULL CHECK (held >= 0),
  used    INTEGER NOT NULL CHECK (used BETWEEN 0 AND held),
  time    INTEGER NOT NULL,
  expires INTEGER NOT NULL,
  lines   BLOB NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX holds_open ON holds (expires) WHERE state = 0;

CREATE TABLE usage (
  account  INTEGER NOT NULL,
  day      INTEGER NOT NULL,
  source   INTEGER NOT NULL,
  credits  INTEGER NOT NULL,
  requests INTEGER NOT NULL,
  PRIMARY KEY (account, day, source)
) STRICT, WITHOUT ROWID;
