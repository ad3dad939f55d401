-- Part of the comparison with PostGIS; see peers.go.
CREATE TABLE side(tlid bigint, zip text, predir text, name text, suffix text, postdir text, low text, high text, is_left bool, line geometry);
CREATE TABLE lookup(id int, text text, lat float8, lng float8);
CREATE TABLE result(id int, lat float8, lng float8, exact bool, took float8, street text, took_back float8);
