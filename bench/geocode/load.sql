-- Part of the comparison with PostGIS; see peers.go.
DO $$ DECLARE around geometry := ST_GeomFromText('MULTIPOLYGON(((-179 10,-60 10,-60 72,-179 72,-179 10)))', 4269);
BEGIN
	INSERT INTO tiger.state(statefp, stusps, name, the_geom) VALUES ('51', 'VA', 'Virginia', around);
	INSERT INTO tiger.county(statefp, countyfp, cntyidfp, name, namelsad, the_geom) VALUES ('51', '510', '51510', 'Town', 'Town', around);
	INSERT INTO tiger.place(statefp, placefp, plcidfp, name, namelsad, the_geom) VALUES ('51', '00510', '5100510', 'Town', 'Town', around);
	INSERT INTO tiger.cousub(statefp, countyfp, cousubfp, cosbidfp, name, namelsad, the_geom) VALUES ('51', '510', '00510', '5151000510', 'Town', 'Town', around);
	INSERT INTO tiger.faces(tfid, statefp, countyfp, placefp, cousubfp, the_geom) VALUES (510, '51', '510', '00510', '00510', around);
	INSERT INTO tiger.place_lookup(st_code, state, pl_code, name) VALUES (51, 'VA', 510, 'Town');
	INSERT INTO tiger.county_lookup(st_code, state, co_code, name) VALUES (51, 'VA', 510, 'Town');
	INSERT INTO tiger.countysub_lookup(st_code, state, co_code, county, cs_code, name) VALUES (51, 'VA', 510, 'Town', 510, 'Town');
END $$;
INSERT INTO tiger.zip_lookup_base(zip, state, county, city, statefp) SELECT DISTINCT zip, 'VA', 'Town', 'Town', '51' FROM side;
INSERT INTO tiger.zip_state(zip, stusps, statefp) SELECT DISTINCT zip, 'VA', '51' FROM side;
INSERT INTO tiger.zip_state_loc(zip, stusps, statefp, place) SELECT DISTINCT zip, 'VA', '51', 'Town' FROM side;
CREATE VIEW named AS SELECT *, concat_ws(' ', nullif(predir, ''), initcap(name), nullif(initcap(suffix), ''), nullif(postdir, '')) AS fullname FROM side;
INSERT INTO tiger.edges(statefp, countyfp, tlid, tfidl, tfidr, mtfcc, fullname, lfromadd, ltoadd, rfromadd, rtoadd, zipl, zipr, roadflg, the_geom)
	SELECT '51', '510', tlid, 510, 510, 'S1400', min(fullname), max(low) FILTER (WHERE is_left), max(high) FILTER (WHERE is_left),
		max(low) FILTER (WHERE NOT is_left), max(high) FILTER (WHERE NOT is_left), max(zip) FILTER (WHERE is_left), max(zip) FILTER (WHERE NOT is_left), 'Y', min(line::text)::geometry
	FROM named GROUP BY tlid;
INSERT INTO tiger.featnames(tlid, fullname, name, predirabrv, suftypabrv, sufdirabrv, mtfcc, paflag, statefp)
	SELECT DISTINCT ON (tlid) tlid, fullname, initcap(name), nullif(predir, ''), nullif(initcap(suffix), ''), nullif(postdir, ''), 'S1400', 'P', '51' FROM named;
INSERT INTO tiger.addr(tlid, fromhn, tohn, side, zip, statefp) SELECT tlid, low, high, CASE WHEN is_left THEN 'L' ELSE 'R' END, zip, '51' FROM side;
CREATE INDEX ON tiger.place USING btree (soundex(name));
CREATE INDEX ON tiger.cousub USING btree (soundex(name));
CREATE INDEX ON tiger.zip_state_loc USING btree (soundex(place));
CREATE INDEX ON tiger.zip_lookup_base USING btree (soundex(city));
CREATE INDEX ON tiger.addr USING btree (least_hn(fromhn, tohn));
CREATE INDEX ON tiger.edges USING btree (tfidl);
CREATE INDEX ON tiger.edges USING gist (the_geom);
CREATE INDEX ON tiger.featnames USING btree (lower(fullname) varchar_pattern_ops);
ANALYZE;
