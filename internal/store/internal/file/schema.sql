CREATE TABLE manifest (
  id INTEGER PRIMARY KEY,
  key TEXT NOT NULL, -- version, sample, built, builder, layers, digest, downloads
  value TEXT NOT NULL
);

CREATE TABLE source ( -- files that the dataset was built from
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL, -- short name, e.g. gazetteer-zcta
  title TEXT NOT NULL,
  url TEXT NOT NULL,
  vintage TEXT NOT NULL,
  licence TEXT NOT NULL,
  attribution TEXT NOT NULL, -- line that the license requires
  redistribution TEXT NOT NULL, -- public-domain, attribution, share-alike, restricted or empty
  refresh TEXT NOT NULL,
  user_supplied INTEGER NOT NULL,
  note TEXT NOT NULL,
  row_count INTEGER NOT NULL,
  sha256 TEXT NOT NULL
);

CREATE TABLE gap ( -- known gaps of the data
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  amount INTEGER NOT NULL
);

CREATE TABLE content ( -- tables with their digests
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  row_count INTEGER NOT NULL,
  sha256 TEXT NOT NULL
);

CREATE TABLE state ( -- states, territories and military "states"; provinces of Canada
  id INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 255),
  state TEXT NOT NULL UNIQUE, -- two letters
  country TEXT NOT NULL CHECK (country IN ('US', 'CA')),
  name TEXT,
  fips TEXT, -- two digits; NULL for military states and Canada
  region TEXT, -- Census region
  division TEXT -- Census division
);

CREATE TABLE cbsa ( -- core based statistical areas
  id INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 65535),
  cbsa TEXT NOT NULL UNIQUE, -- five digits
  title TEXT,
  metropolitan INTEGER NOT NULL, -- 0: micropolitan
  csa TEXT, -- combined statistical area, three digits
  csa_title TEXT
);

CREATE TABLE division ( -- metropolitan divisions
  id INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 255),
  division TEXT NOT NULL UNIQUE, -- five digits
  title TEXT,
  cbsa TEXT REFERENCES cbsa (cbsa)
);

CREATE TABLE county ( -- counties and their equivalents
  id INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 65535),
  county TEXT NOT NULL UNIQUE, -- FIPS code, five digits
  name TEXT, -- with its legal description
  state TEXT REFERENCES state (state),
  cbsa TEXT REFERENCES cbsa (cbsa),
  division TEXT REFERENCES division (division)
);

CREATE TABLE zone ( -- time zones
  id INTEGER PRIMARY KEY CHECK (id BETWEEN 1 AND 255),
  name TEXT NOT NULL, -- e.g. America/Los_Angeles; once for each source
  source TEXT,
  rules BLOB NOT NULL -- TZif file
);

CREATE TABLE zip (
  zip TEXT PRIMARY KEY NOT NULL, -- five digits
  city TEXT, -- preferred name
  municipality TEXT, -- incorporated place or town around the point
  state TEXT REFERENCES state (state),
  county TEXT REFERENCES county (county),
  class TEXT NOT NULL CHECK (class IN ('G', 'P', 'M', 'U')), -- general, PO Box, military, unique
  zone INTEGER REFERENCES zone (id),
  lat REAL CHECK (lat BETWEEN -90 AND 90),
  lng REAL CHECK (lng BETWEEN -180 AND 180),
  multi_county INTEGER CHECK (multi_county IN (0, 1)), -- a second county holds 1 % of it
  area_codes TEXT, -- telephone, with commas
  elevation REAL, -- meters
  land INTEGER CHECK (land >= 0), -- square meters
  water INTEGER CHECK (water >= 0), -- square meters
  population INTEGER CHECK (population >= 0), -- of the ZIP Code Tabulation Area
  housing INTEGER CHECK (housing >= 0), -- housing units of the ZIP Code Tabulation Area
  facility TEXT, -- code of the City State product
  city_delivery TEXT, -- Y or N
  intro_date TEXT, -- YYYY-MM-DD
  zip4_count INTEGER, -- ZIP+4 codes
  delivery_active INTEGER, -- delivery points
  delivery_business INTEGER,
  delivery_residential INTEGER,
  delivery_po_box INTEGER,
  delivery_single_family INTEGER,
  delivery_multi_family INTEGER,
  ssa TEXT CHECK (ssa GLOB '[0-9][0-9][0-9][0-9][0-9]'), -- state and county code of the Social Security Administration
  rating_area INTEGER, -- of health insurance marketplaces
  business_year INTEGER, -- of the columns below
  establishments INTEGER CHECK (establishments >= 0),
  employees INTEGER CHECK (employees >= 0),
  payroll_q1 INTEGER, -- US dollars
  payroll_annual INTEGER, -- US dollars
  employment_flag TEXT CHECK (employment_flag GLOB '[A-M]'), -- size class of withheld employment
  point_source TEXT,
  outline_source TEXT,
  outline_area_ratio REAL CHECK (outline_area_ratio >= 0), -- drawn area divided by the stated one
  population_year INTEGER CHECK (population_year > 0),
  population_source TEXT,
  housing_source TEXT,
  class_basis TEXT,
  notes TEXT -- one a line
) WITHOUT ROWID;

CREATE TABLE alias ( -- other names of the places of ZIP Codes
  zip TEXT NOT NULL REFERENCES zip (zip),
  number INTEGER NOT NULL, -- in the order of the source
  city TEXT,
  mailing_name TEXT, -- Y: may be used in addresses
  intro_date TEXT,
  PRIMARY KEY (zip, number)
) WITHOUT ROWID;

CREATE TABLE county_source ( -- counties that sources name for a ZIP Code, if they differ
  code TEXT NOT NULL,
  number INTEGER NOT NULL,
  source TEXT,
  county TEXT NOT NULL CHECK (length(county) = 5),
  chosen INTEGER NOT NULL,
  PRIMARY KEY (code, number)
) WITHOUT ROWID;

CREATE TABLE fsa ( -- forward sortation areas
  fsa TEXT PRIMARY KEY NOT NULL,
  city TEXT,
  municipality TEXT, -- census subdivision around the point
  province TEXT REFERENCES state (state),
  zone INTEGER REFERENCES zone (id),
  lat REAL CHECK (lat BETWEEN -90 AND 90),
  lng REAL CHECK (lng BETWEEN -180 AND 180),
  area_codes TEXT, -- telephone, with commas
  population INTEGER CHECK (population >= 0),
  dwellings INTEGER,
  dwellings_occupied INTEGER,
  postal_codes INTEGER,
  land INTEGER CHECK (land >= 0), -- square meters
  point_source TEXT,
  outline_source TEXT,
  outline_area_ratio REAL CHECK (outline_area_ratio >= 0),
  population_year INTEGER CHECK (population_year > 0),
  population_source TEXT,
  housing_source TEXT,
  class_basis TEXT,
  notes TEXT
) WITHOUT ROWID;

CREATE TABLE postal_code ( -- full postal codes of Canada
  postal_code TEXT PRIMARY KEY NOT NULL, -- K1A 0B1
  city TEXT,
  municipality TEXT,
  province TEXT REFERENCES state (state),
  zone INTEGER REFERENCES zone (id),
  lat REAL CHECK (lat BETWEEN -90 AND 90),
  lng REAL CHECK (lng BETWEEN -180 AND 180)
) WITHOUT ROWID;

CREATE TABLE code_zone ( -- time zones of the areas of ZIP Codes and FSAs
  code TEXT NOT NULL,
  zone INTEGER NOT NULL REFERENCES zone (id),
  percent REAL NOT NULL CHECK (percent > 0 AND percent <= 100), -- of the area
  PRIMARY KEY (code, zone)
) WITHOUT ROWID;

CREATE TABLE place_name ( -- places that suggestions find
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('state', 'place', 'uspscity', 'county', 'cbsa', 'school_district')),
  name TEXT NOT NULL,
  state TEXT REFERENCES state (state),
  county TEXT REFERENCES county (county),
  ref INTEGER NOT NULL, -- number of the area
  population INTEGER CHECK (population >= -1), -- -1: unknown
  prominence INTEGER NOT NULL,
  twin INTEGER, -- the same place of another kind
  lat REAL,
  lng REAL,
  south REAL,
  west REAL,
  north REAL,
  east REAL
);

CREATE TABLE place_zip ( -- ZIP Codes of places
  place INTEGER NOT NULL REFERENCES place_name (id),
  zip TEXT NOT NULL,
  PRIMARY KEY (place, zip)
) WITHOUT ROWID;

CREATE TABLE layer_outlines (id INTEGER PRIMARY KEY, data BLOB NOT NULL);

CREATE TABLE zip_overlaps (id INTEGER PRIMARY KEY, data BLOB NOT NULL);

CREATE TABLE fsa_overlaps (id INTEGER PRIMARY KEY, data BLOB NOT NULL);

CREATE TABLE layer_codes (id INTEGER PRIMARY KEY, data BLOB NOT NULL);

CREATE TABLE school_districts (id INTEGER PRIMARY KEY, data BLOB NOT NULL);

CREATE TABLE postal_areas (id INTEGER PRIMARY KEY, data BLOB NOT NULL);

CREATE TABLE zip4 (id INTEGER PRIMARY KEY, data BLOB NOT NULL);

CREATE TABLE zip4_addon (id INTEGER PRIMARY KEY, data BLOB NOT NULL);

CREATE TABLE street_key (id INTEGER PRIMARY KEY, data BLOB NOT NULL);

CREATE TABLE street_alias (id INTEGER PRIMARY KEY, data BLOB NOT NULL);

CREATE TABLE road (id INTEGER PRIMARY KEY, data BLOB NOT NULL);

CREATE TABLE road_index (id INTEGER PRIMARY KEY, data BLOB NOT NULL);

CREATE TABLE acs (id INTEGER PRIMARY KEY, data BLOB NOT NULL);

CREATE TABLE columns (id INTEGER PRIMARY KEY, data BLOB NOT NULL);
