-- Part of the comparison with PostGIS; see peers.go.
DO $$ DECLARE q record; a record; s text; began timestamptz; t float8;
BEGIN
	FOR q IN SELECT * FROM lookup ORDER BY id LOOP
		began := clock_timestamp();
		SELECT ST_Y(geomout) AS lat, ST_X(geomout) AS lng, (addy).address IS NOT NULL AND (addy).streetname IS NOT NULL AS exact INTO a FROM geocode(q.text, 1) ORDER BY rating LIMIT 1;
		t := extract(epoch FROM clock_timestamp() - began);
		began := clock_timestamp();
		SELECT upper(concat_ws(' ', (addy[1]).predirabbrev, (addy[1]).streetname, (addy[1]).streettypeabbrev, (addy[1]).postdirabbrev)) INTO s
			FROM reverse_geocode(ST_SetSRID(ST_Point(q.lng, q.lat), 4269));
		INSERT INTO result VALUES (q.id, a.lat, a.lng, a.exact, t, s, extract(epoch FROM clock_timestamp() - began));
	END LOOP;
END $$;
