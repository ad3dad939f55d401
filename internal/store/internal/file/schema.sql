CREATE TABLE manifest (
  key TEXT PRIMARY KEY NOT NULL, -- version, sample, built, builder, layers (one a line), digest
  value TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE source ( -- files that the dataset was built from
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL, -- short name, e.g. gazetteer-zcta
  title TEXT,
  url TEXT,
  vintage TEXT,
  license TEXT,
  attribution TEXT, -- line that the license requires
  redistribution TEXT, -- public-domain, attribution, share-alike, restricted or NULL
  refresh TEXT,
  user_supplied INTEGER NOT NULL,
  note TEXT,
  row_count INTEGER NOT NULL,
  sha256 TEXT,
  size INTEGER NOT NULL, -- bytes
  etag TEXT,
  last_modified TEXT
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
  sha256 TEXT
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
  lng REAL CHECK (lng BETWEEN -180 AND 180),
  dissemination TEXT, -- block (11 digits), else area (8 digits, with which blocks begin)
  place INTEGER -- of its other areas, in census_area
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

CREATE TABLE layer ( -- kinds of areas, and plans of districts
  id INTEGER PRIMARY KEY,
  layer TEXT NOT NULL UNIQUE, -- e.g. tract, congressional_district.2, layers.sales
  first_area INTEGER NOT NULL, -- area.id of its first area; the others follow it
  areas INTEGER NOT NULL CHECK (areas > 0),
  source TEXT, -- publisher and file
  year INTEGER CHECK (year BETWEEN 1 AND 9999), -- of the areas
  vintage TEXT, -- as the file really is
  title TEXT, -- of a layer of the user
  period TEXT, -- Congress, legislative year, school year
  fit_for_shares INTEGER NOT NULL CHECK (fit_for_shares IN (0, 1)), -- 0: the outlines are too coarse
  has_people INTEGER NOT NULL CHECK (has_people IN (0, 1)), -- its overlaps have people
  plan TEXT, -- e.g. cd119
  plan_name TEXT,
  plan_from TEXT CHECK (plan_from GLOB '????-??-??'), -- first day in force
  plan_to TEXT CHECK (plan_to GLOB '????-??-??'), -- first day no longer in force
  evidence TEXT -- law, court order or publication that the plan follows
);

CREATE TABLE plan_state ( -- states of plans
  layer INTEGER NOT NULL REFERENCES layer (id),
  role TEXT NOT NULL CHECK (role IN ('covers', 'rough', 'keeps')), -- all that it covers; coarse outlines; keeps another plan
  state TEXT NOT NULL REFERENCES state (state),
  plan TEXT, -- that is kept
  evidence TEXT,
  PRIMARY KEY (layer, role, state)
) WITHOUT ROWID;

CREATE TABLE area ( -- areas of layers, by layer and GEOID
  id INTEGER PRIMARY KEY,
  layer INTEGER NOT NULL REFERENCES layer (id),
  geoid TEXT NOT NULL CHECK (length(geoid) BETWEEN 1 AND 20),
  name TEXT,
  name_fr TEXT,
  type TEXT, -- e.g. unified, CMA, CY, legal/statistical code
  state TEXT REFERENCES state (state),
  land INTEGER CHECK (land >= 0), -- square meters
  water INTEGER CHECK (water >= 0), -- square meters
  outline REAL CHECK (outline > 0), -- square meters of its outline
  lat REAL CHECK (lat BETWEEN -90 AND 90),
  lng REAL CHECK (lng BETWEEN -180 AND 180)
);

CREATE TABLE code_outline ( -- ZIP Codes and forward sortation areas that were compared with areas
  code TEXT PRIMARY KEY NOT NULL,
  outline REAL NOT NULL CHECK (outline >= 0) -- square meters of its outline; 0 without one
) WITHOUT ROWID;

CREATE TABLE overlap ( -- areas that an outline meets, else those that contain the point
  code TEXT NOT NULL REFERENCES code_outline (code),
  area INTEGER NOT NULL REFERENCES area (id),
  shared INTEGER NOT NULL, -- square centimeters; 0 at a point
  people INTEGER CHECK (people >= 0),
  PRIMARY KEY (code, area)
) WITHOUT ROWID;

CREATE TABLE census_area ( -- areas of places in Canada, one of each layer
  place INTEGER NOT NULL,
  area INTEGER NOT NULL REFERENCES area (id),
  PRIMARY KEY (place, area)
) WITHOUT ROWID;

CREATE TABLE school_district (
  area INTEGER PRIMARY KEY REFERENCES area (id),
  grade_low TEXT,
  grade_high TEXT,
  state_id TEXT, -- code of the state
  agency TEXT, -- type, 1 to 9
  locale TEXT, -- 11 city, large to 43 rural, remote
  office_street TEXT,
  office_city TEXT,
  office_state TEXT,
  office_zip TEXT,
  office_county TEXT,
  office_county_fips TEXT,
  office_lat REAL,
  office_lng REAL
);

CREATE TABLE outline ( -- polygons, packed as package spatial describes
  outline TEXT PRIMARY KEY NOT NULL, -- zip, fsa, state, county, zone, or a layer
  source TEXT, -- unless outline_key has another
  data BLOB NOT NULL
);

CREATE TABLE outline_key ( -- owners of polygons; those of layers are areas in their order
  outline TEXT NOT NULL REFERENCES outline (outline),
  number INTEGER NOT NULL, -- of the polygon
  key TEXT NOT NULL, -- ZIP Code, FSA, state, county or zone.id
  source TEXT,
  PRIMARY KEY (outline, number)
) WITHOUT ROWID;

CREATE TABLE center ( -- centers of population of the block groups of states
  fips INTEGER PRIMARY KEY, -- of the state
  data BLOB NOT NULL
);

CREATE TABLE census_block ( -- census blocks of counties
  fips INTEGER PRIMARY KEY, -- of the county
  data BLOB NOT NULL
);

CREATE TABLE city_name ( -- names of the City State product
  zip TEXT NOT NULL,
  number INTEGER NOT NULL, -- the preferred name first
  finance INTEGER NOT NULL, -- number of the post office; 0 unknown
  name TEXT,
  abbreviation TEXT,
  key TEXT,
  last_line_key TEXT, -- of the preferred name
  facility INTEGER NOT NULL, -- letter in ASCII; 0 blank
  mailing INTEGER NOT NULL, -- 1: allowed in addresses
  preferred INTEGER NOT NULL,
  state TEXT,
  county TEXT, -- three digits
  PRIMARY KEY (zip, number)
) WITHOUT ROWID;

CREATE TABLE street_alias ( -- other names of streets
  zip TEXT NOT NULL,
  number INTEGER NOT NULL,
  pre_direction TEXT,
  street TEXT,
  suffix TEXT,
  post_direction TEXT,
  base_pre_direction TEXT,
  base_street TEXT,
  base_suffix TEXT,
  base_post_direction TEXT,
  type INTEGER NOT NULL, -- letter in ASCII: A abbreviated, C changed, O other, P preferred
  low TEXT,
  high TEXT,
  odd_even INTEGER NOT NULL, -- letter in ASCII: O, E, B
  PRIMARY KEY (zip, number)
) WITHOUT ROWID;

CREATE TABLE street_zip ( -- ZIP Codes with street records
  zip TEXT PRIMARY KEY NOT NULL,
  pages INTEGER NOT NULL CHECK (pages BETWEEN 1 AND 10000),
  addons INTEGER NOT NULL, -- bits of the rows in zip4_addon
  finance INTEGER NOT NULL,
  keys TEXT NOT NULL, -- of the streets, one a line
  firsts TEXT NOT NULL, -- first key of each page, one a line
  filter BLOB NOT NULL -- Bloom filter of the keys
) WITHOUT ROWID;

CREATE TABLE zip4 ( -- pages of street records
  id INTEGER PRIMARY KEY, -- ZIP Code times 10,000, plus the page
  data BLOB NOT NULL
);

CREATE TABLE zip4_addon ( -- pages by add-on
  id INTEGER PRIMARY KEY, -- ZIP Code times 10, plus the first digit of the add-ons
  data BLOB NOT NULL
);

CREATE TABLE road_area ( -- codes with segments or address points
  id INTEGER PRIMARY KEY, -- ZIP Code, or 100,000 plus the number of an FSA
  code TEXT NOT NULL,
  pages INTEGER NOT NULL CHECK (pages > 0),
  roads INTEGER NOT NULL CHECK (roads > 0),
  ranges INTEGER NOT NULL, -- sides of segments with numbers
  points INTEGER NOT NULL,
  south INTEGER NOT NULL, -- 1e-5 degree
  west INTEGER NOT NULL,
  north INTEGER NOT NULL,
  east INTEGER NOT NULL
);

CREATE TABLE road ( -- pages of roads
  id INTEGER PRIMARY KEY, -- road_area.id times 100,000, plus the page
  data BLOB NOT NULL
);

CREATE TABLE road_index ( -- roads by name and box
  id INTEGER PRIMARY KEY, -- road_area.id
  data BLOB NOT NULL
);

CREATE TABLE acs_area ( -- areas of the American Community Survey
  level INTEGER NOT NULL CHECK (level IN (1, 2)), -- 1 ZCTA, 2 tract
  geoid INTEGER NOT NULL,
  position INTEGER NOT NULL, -- in pages
  PRIMARY KEY (level, geoid)
) WITHOUT ROWID;

CREATE TABLE acs_table (
  id INTEGER PRIMARY KEY,
  level INTEGER NOT NULL CHECK (level IN (1, 2)),
  year INTEGER NOT NULL CHECK (year BETWEEN 1000 AND 9999),
  name TEXT NOT NULL,
  row_count INTEGER NOT NULL,
  UNIQUE (level, year, name)
);

CREATE TABLE acs_field (
  id INTEGER PRIMARY KEY,
  field TEXT NOT NULL UNIQUE -- e.g. economic.income.median_household_income
);

CREATE TABLE acs_column (
  table_id INTEGER NOT NULL REFERENCES acs_table (id),
  position INTEGER NOT NULL,
  field INTEGER NOT NULL REFERENCES acs_field (id),
  number INTEGER NOT NULL, -- of the publisher
  decimals INTEGER NOT NULL,
  class INTEGER NOT NULL, -- 0 number, 1 with a share, 2 percentage alone
  denominator INTEGER NOT NULL, -- position of the total; -1 none
  core INTEGER NOT NULL,
  stable INTEGER NOT NULL,
  PRIMARY KEY (table_id, position)
) WITHOUT ROWID;

CREATE TABLE acs_page ( -- rows of consecutive areas
  id INTEGER PRIMARY KEY,
  table_id INTEGER NOT NULL REFERENCES acs_table (id),
  first_area INTEGER NOT NULL, -- position of the first area
  data BLOB NOT NULL
);

CREATE TABLE search_index ( -- indexes of points and names
  name TEXT PRIMARY KEY NOT NULL,
  data BLOB NOT NULL
);

CREATE TABLE cache ( -- results of queries over the other tables, column by column
  name TEXT PRIMARY KEY NOT NULL,
  data BLOB NOT NULL
);
