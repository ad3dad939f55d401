-- Spending by hour instead of by day, and the refunds of requests that were cut
-- off. kind: 2 spent, 3 cut and refunded, 4 cut and kept, 5 batches refunded;
-- source is 0 for all but 2. hour is the hour since 1970; a sweep adds the hours
-- of old days up in their first.
ALTER TABLE usage RENAME TO usage_of_days;

CREATE TABLE usage (
  account  INTEGER NOT NULL,
  hour     INTEGER NOT NULL,
  kind     INTEGER NOT NULL CHECK (kind BETWEEN 2 AND 5),
  source   INTEGER NOT NULL,
  credits  INTEGER NOT NULL,
  requests INTEGER NOT NULL,
  PRIMARY KEY (account, hour, kind, source)
) STRICT, WITHOUT ROWID;

-- The hours that a sweep adds up.
CREATE INDEX usage_hours ON usage (hour) WHERE hour % 24 > 0;

INSERT INTO usage SELECT account, day * 24, 2, source, credits, requests FROM usage_of_days;
DROP TABLE usage_of_days;

-- cut: credits that were given back or kept when the request was cut off.
ALTER TABLE holds ADD COLUMN batch INTEGER NOT NULL DEFAULT 0 CHECK (batch IN (0, 1));
ALTER TABLE holds ADD COLUMN cut INTEGER NOT NULL DEFAULT 0 CHECK (cut BETWEEN 0 AND held);

-- The day on which the account's batches are worked last; NULL: none.
ALTER TABLE accounts ADD COLUMN last_day INTEGER;
