-- Spending by hour instead of by day, and the refunds of requests that were cut
-- off. kind: 2 spent, 3 cut and refunded, 4 cut and kept, 5 batches refunded;
-- source is 0 for all but 2. A sweep adds the hours of old days up in their first.
ALTER TABLE usage RENAME COLUMN day TO hour;
ALTER TABLE usage ALTER COLUMN hour TYPE timestamptz USING hour::timestamp AT TIME ZONE 'UTC';
ALTER TABLE usage ADD COLUMN kind smallint NOT NULL DEFAULT 2 CHECK (kind BETWEEN 2 AND 5);
ALTER TABLE usage ALTER COLUMN kind DROP DEFAULT;
ALTER TABLE usage DROP CONSTRAINT usage_pkey;
ALTER TABLE usage ADD PRIMARY KEY (account, hour, kind, source);

-- The hours that a sweep adds up.
CREATE INDEX usage_hours ON usage (hour) WHERE extract(hour FROM hour AT TIME ZONE 'UTC') > 0;

-- cut: credits that were given back or kept when the request was cut off.
ALTER TABLE holds ADD COLUMN batch boolean NOT NULL DEFAULT false;
ALTER TABLE holds ADD COLUMN cut bigint NOT NULL DEFAULT 0 CHECK (cut BETWEEN 0 AND held);

-- The day on which the account's batches are worked last; NULL: none.
ALTER TABLE accounts ADD COLUMN last_day date;
