-- The number of the last round of calls that was committed, and what tells the
-- journal of this file from another's.
ALTER TABLE settings ADD COLUMN round INTEGER NOT NULL DEFAULT 0;
ALTER TABLE settings ADD COLUMN salt INTEGER NOT NULL DEFAULT 0;
UPDATE settings SET salt = random();

-- Holds that were made and closed in one round, many to a row. All ids of a row
-- begin with the same nine bytes, and first is the smallest of them. A row of
-- holds with the same id is what became of one later.
CREATE TABLE finished (
  first TEXT PRIMARY KEY,
  time  INTEGER NOT NULL,
  data  BLOB NOT NULL
) STRICT, WITHOUT ROWID;
