package address_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/fault"
	"github.com/postgeo/postgeo/internal/pub28"
	"github.com/postgeo/postgeo/internal/scoretest"
	"github.com/postgeo/postgeo/internal/store"
)

// TestPeers matches the cases with geocode() of PostGIS over the same records
// and reads the labeled lines with standardize_address(). It runs where
// bench/address/run.sh has started a server for it, and fails where this package
// is not the better one.
func TestPeers(t *testing.T) {
	if os.Getenv("POSTGEO_TEST_ADDRESS_PEERS") == "" {
		t.Skip("bench/address/run.sh runs this test on a PostgreSQL of its own")
	}
	ctx := t.Context()
	db, err := pgx.Connect(ctx, "")
	check(t, err)
	defer db.Close(context.WithoutCancel(ctx))
	loadTiger(ctx, t, db)
	cases := truthLines[matchCase](t, "match_cases.jsonl.gz")
	m := truthFixture(t).engine(t)
	ours := runPeer(cases, func(text string) (number, street, zip string, ok bool) {
		found, err := m.Match(ctx, text, address.Options{})
		if none := (*fault.Error)(nil); errors.As(err, &none) {
			return "", "", "", false
		}
		check(t, err)
		c := found.Data.Components
		return c.Number, strings.TrimSpace(c.StreetPreType + " " + c.Street), c.ZIP, true
	})
	theirs := runPeer(cases, func(text string) (number, street, zip string, ok bool) {
		err := db.QueryRow(ctx, `SELECT coalesce((addy).address::text, ''), coalesce((addy).streetname, ''), coalesce((addy).zip, '') FROM geocode($1, 1) ORDER BY rating LIMIT 1`, text).
			Scan(&number, &street, &zip)
		if !errors.Is(err, pgx.ErrNoRows) {
			check(t, err)
		}
		return number, street, zip, err == nil && street != ""
	})
	table := scoretest.Table{Title: "peers", Columns: []string{"cases", ">postgeo", ">PostGIS `geocode()`"}}
	for i, row := range ours.rows() {
		table.Rows = append(table.Rows, []any{row[0], row[1], theirs.rows()[i][1]})
	}
	scoretest.Hold(t, "address", table)
	if ours.recall() <= theirs.recall() || ours.precision() <= theirs.precision() {
		t.Errorf("recall %.1f %% and precision %.1f %%, of geocode() %.1f %% and %.1f %%", ours.recall(), ours.precision(), theirs.recall(), theirs.precision())
	}
	compareReadings(ctx, t, db)
}

// A peerScore is what came of the cases.
type peerScore struct {
	street, streetRight int // cases of streets that have a match
	other, otherRight   int // of boxes and routes
	answered, right     int
	never, neverMatched map[string]int // cases without a match, by category
	took                []time.Duration
}

func (s *peerScore) recall() float64 {
	return 100 * float64(s.streetRight+s.otherRight) / float64(s.street+s.other)
}

func (s *peerScore) precision() float64 { return 100 * float64(s.right) / float64(max(s.answered, 1)) }

func (s *peerScore) rows() [][2]string {
	share := scoretest.Percent
	slices.Sort(s.took)
	at := func(q int) string { return fmt.Sprintf("%.3g ms", s.took[(len(s.took)-1)*q/100].Seconds()*1e3) }
	rows := [][2]string{
		{"recall, streets", share(s.streetRight, s.street)},
		{"recall, boxes, routes and general delivery", share(s.otherRight, s.other)},
		{"precision", share(s.right, s.answered)},
	}
	for _, k := range []struct{ category, title string }{
		{"bad_number", "wrong number"}, {"bad_parity", "wrong side of the street"}, {"fake_street", "invented street"}, {"missing_dir", "missing direction"}, {"insufficient", "insufficient input"},
	} {
		rows = append(rows, [2]string{fmt.Sprintf("%s matched, of %d", k.title, s.never[k.category]), fmt.Sprint(s.neverMatched[k.category])})
	}
	return append(rows, [2]string{"p50 / p99", at(50) + " / " + at(99)})
}

// runPeer matches all cases.
func runPeer(cases []matchCase, ask func(text string) (number, street, zip string, ok bool)) *peerScore {
	s := &peerScore{never: map[string]int{}, neverMatched: map[string]int{}}
	for _, c := range cases {
		began := time.Now()
		number, street, zip, ok := ask(c.Text)
		s.took = append(s.took, time.Since(began))
		right := ok && c.Outcome == "MATCH" && zip == c.Zip && sameStreet(c, number, street)
		if ok {
			s.answered++
		}
		if right {
			s.right++
		}
		switch {
		case c.Outcome != "MATCH":
			s.never[c.Category]++
			if ok {
				s.neverMatched[c.Category]++
			}
		case slices.Contains([]string{"po_box", "rural_route", "general_delivery"}, c.Category):
			s.other++
			s.otherRight += index(right)
		default:
			s.street++
			s.streetRight += index(right)
		}
	}
	return s
}

// sameStreet reports whether number and name agree with the case. geocode()
// supports numbers without letters only, and returns a street's name without or
// with its type.
func sameStreet(c matchCase, number, street string) bool {
	digits := func(s string) string {
		s = pub28.Trim(s)
		for i := range s {
			if s[i] < '0' || s[i] > '9' {
				return s[:i]
			}
		}
		return s
	}
	if c.Number != "" && digits(c.Number) != digits(number) {
		return false
	}
	want, got := pub28.Key(address.Clean(c.Street)), pub28.Key(address.Clean(street))
	return got != "" && strings.Contains(want, got)
}

// loadTiger fills the tables of the geocoder: an edge for each range of
// numbers, in faces that are the cities.
func loadTiger(ctx context.Context, t *testing.T, db *pgx.Conn) {
	t.Helper()
	exec := func(sql string, args ...any) {
		t.Helper()
		// The simple protocol lets one parameter stand for texts and numbers.
		if _, err := db.Exec(ctx, sql, append([]any{pgx.QueryExecModeSimpleProtocol}, args...)...); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
	const around = "ST_GeomFromText('MULTIPOLYGON(((-77.5 36.4,-75.9 36.4,-75.9 39,-77.5 39,-77.5 36.4)))', 4269)"
	exec("INSERT INTO tiger.state(statefp, stusps, name, the_geom) VALUES ('51', 'VA', 'Virginia', " + around + ")")
	sink := &tigerSink{points: truthPoints(t), city: map[dataset.ZIP]string{}}
	fillTruth(t, sink)
	codes := map[string]string{"ALEXANDRIA": "510", "CHESAPEAKE": "550", "PORTSMOUTH": "740"}
	for city, county := range codes {
		name := city[:1] + strings.ToLower(city[1:])
		exec("INSERT INTO tiger.county(statefp, countyfp, cntyidfp, name, namelsad, the_geom) VALUES ('51', $1, '51' || $1, $2, $2, "+around+")", county, name)
		exec("INSERT INTO tiger.place(statefp, placefp, plcidfp, name, namelsad, the_geom) VALUES ('51', '00' || $1, '5100' || $1, $2, $2, "+around+")", county, name)
		exec("INSERT INTO tiger.cousub(statefp, countyfp, cousubfp, cosbidfp, name, namelsad, the_geom) VALUES ('51', $1, '00' || $1, '51' || $1 || '00' || $1, $2, $2, "+around+")", county, name)
		exec("INSERT INTO tiger.faces(tfid, statefp, countyfp, placefp, cousubfp, the_geom) VALUES ($1::text::numeric, '51', $1, '00' || $1, '00' || $1, "+around+")", county)
		exec("INSERT INTO tiger.place_lookup(st_code, state, pl_code, name) VALUES (51, 'VA', $1::text::int, $2)", county, name)
		exec("INSERT INTO tiger.county_lookup(st_code, state, co_code, name) VALUES (51, 'VA', $1::text::int, $2)", county, name)
		exec("INSERT INTO tiger.countysub_lookup(st_code, state, co_code, county, cs_code, name) VALUES (51, 'VA', $1::text::int, $2, $1::text::int, $2)", county, name)
	}
	for z, city := range sink.city {
		name := city[:1] + strings.ToLower(city[1:])
		exec("INSERT INTO tiger.zip_lookup_base(zip, state, county, city, statefp) VALUES ($1, 'VA', $2, $2, '51')", z.String(), name)
		exec("INSERT INTO tiger.zip_state(zip, stusps, statefp) VALUES ($1, 'VA', '51')", z.String())
		exec("INSERT INTO tiger.zip_state_loc(zip, stusps, statefp, place) VALUES ($1, 'VA', '51', $2)", z.String(), name)
	}
	exec("CREATE TEMP TABLE ranges(tlid bigint, zip text, county text, predir text, name text, suffix text, postdir text, low text, high text, lat float8, lng float8)")
	var rows [][]any
	for i, r := range sink.ranges {
		p := r.Location
		rows = append(rows, []any{int64(i + 1), r.ZIP.String(), codes[sink.city[r.ZIP]], r.PreDir, r.Street, r.Suffix, r.PostDir, r.AddrLow, r.AddrHigh, p.Lat(), p.Lng()})
	}
	_, err := db.CopyFrom(ctx, pgx.Identifier{"ranges"}, []string{"tlid", "zip", "county", "predir", "name", "suffix", "postdir", "low", "high", "lat", "lng"}, pgx.CopyFromRows(rows))
	check(t, err)
	const name, suffix = "initcap(name)", "initcap(suffix)"
	exec(`INSERT INTO tiger.edges(statefp, countyfp, tlid, tfidl, mtfcc, fullname, lfromadd, ltoadd, zipl, roadflg, the_geom)
		SELECT '51', county, tlid, county::numeric, 'S1400', concat_ws(' ', nullif(predir, ''), ` + name + `, nullif(` + suffix + `, ''), nullif(postdir, '')), low, high, zip, 'Y',
			ST_SetSRID(ST_Multi(ST_MakeLine(ST_Point(lng - 0.0005, lat), ST_Point(lng + 0.0005, lat))), 4269) FROM ranges`)
	exec(`INSERT INTO tiger.featnames(tlid, fullname, name, predirabrv, suftypabrv, sufdirabrv, mtfcc, paflag, statefp)
		SELECT tlid, concat_ws(' ', nullif(predir, ''), ` + name + `, nullif(` + suffix + `, ''), nullif(postdir, '')), ` + name + `, nullif(predir, ''), nullif(` + suffix + `, ''), nullif(postdir, ''), 'S1400', 'P', '51' FROM ranges`)
	exec(`INSERT INTO tiger.addr(tlid, fromhn, tohn, side, zip, statefp) SELECT tlid, low, high, 'L', zip, '51' FROM ranges`)
	for _, index := range []string{
		"ON tiger.place USING btree (soundex(name))", "ON tiger.cousub USING btree (soundex(name))", "ON tiger.zip_state_loc USING btree (soundex(place))",
		"ON tiger.zip_lookup_base USING btree (soundex(city))", "ON tiger.addr USING btree (least_hn(fromhn, tohn))", "ON tiger.edges USING btree (tfidl)",
		"ON tiger.featnames USING btree (lower(fullname) varchar_pattern_ops)",
	} {
		exec("CREATE INDEX " + index)
	}
	exec("VACUUM ANALYZE")
}

// A tigerSink keeps the ranges of numbers that TIGER/Line can hold: streets,
// digits only. A range of both sides becomes two.
type tigerSink struct {
	points map[string]geo.LatLng
	city   map[dataset.ZIP]string
	ranges []store.StreetRecord
	seen   map[string]bool
}

func (s *tigerSink) AddZIP(z dataset.ZIP, _ store.Class, _ string, cities []store.CityName) {
	s.city[z] = cities[0].Name
}
func (s *tigerSink) AddAlias(dataset.ZIP, store.StreetAlias) {}

func (s *tigerSink) AddRecord(r store.StreetRecord) {
	low, high := pub28.Trim(r.AddrLow), pub28.Trim(r.AddrHigh)
	key := strings.Join([]string{r.ZIP.String(), r.PreDir, r.Street, r.Suffix, r.PostDir, low, high, string(rune(r.OddEven))}, "|")
	var a, b int
	if _, err := fmt.Sscanf(low+" "+high, "%d %d", &a, &b); err != nil || r.RecordType == 'P' || r.RecordType == 'R' || r.RecordType == 'G' || s.seen[key] {
		return
	}
	if s.seen == nil {
		s.seen = map[string]bool{}
	}
	s.seen[key] = true
	r.Location = s.points[r.ZIP.String()+r.Low.String()]
	if !r.Location.IsValid() {
		r.Location = geo.MustLatLng(36.8, -76.3)
	}
	step := 1
	if r.OddEven == 'B' && a != b {
		step = 2
	}
	for first := a; first < a+step; first++ {
		last := b
		if step == 2 && (last-first)%2 != 0 {
			last--
		}
		side := r
		side.AddrLow, side.AddrHigh = fmt.Sprint(first), fmt.Sprint(last)
		s.ranges = append(s.ranges, side)
	}
}

// truthPoints returns the points of the add-ons.
func truthPoints(t *testing.T) map[string]geo.LatLng {
	t.Helper()
	points := map[string]geo.LatLng{}
	for line := range strings.Lines(truthText(t, "zip4_points.csv.gz")) {
		f := strings.Split(line, ",")
		var lat, lng float64
		if _, err := fmt.Sscan(f[2]+" "+f[3], &lat, &lng); err == nil {
			points[f[0]+f[1]] = geo.MustLatLng(lat, lng)
		}
	}
	return points
}

// compareReadings reads the labeled lines with the standardizer and with this
// package.
func compareReadings(ctx context.Context, t *testing.T, db *pgx.Conn) {
	t.Helper()
	table := scoretest.Table{Title: "standardizer", Columns: []string{"labeled lines, number and street right", ">postgeo", ">PostGIS `standardize_address()`"}}
	var ourTime, theirTime time.Duration
	total, timed := 0, 0
	for _, file := range []string{"parse_usaddress_train", "parse_pelias_us", "parse_libpostal_us", "parse_postgis_normalize", "parse_geo_streetaddress_us"} {
		var lines []labeled
		var texts []string
		ours, theirs := 0, 0
		for _, l := range truthLines[labeled](t, "parse/"+file+".jsonl.gz") {
			if _, _, ok := l.want(); ok {
				lines = append(lines, l)
				texts = append(texts, strings.ReplaceAll(l.Text, "\n", ", "))
			}
		}
		for _, l := range lines {
			began := time.Now()
			p, err := address.Parse(l.Text)
			ourTime += time.Since(began)
			check(t, err)
			ours += index(l.right(p.Best()))
		}
		// It fails on crossings; the others are timed in one statement, for which it
		// reads its rules once.
		const read = `standardize_address('us_lex', 'us_gaz', 'us_rules', `
		var readable []string
		for i, l := range lines {
			var house, line string
			err := db.QueryRow(ctx, "SELECT coalesce(house_num, ''), concat_ws(' ', predir, qual, pretype, name, suftype, sufdir) FROM "+read+"$1)", texts[i]).Scan(&house, &line)
			if err != nil {
				continue
			}
			readable = append(readable, texts[i])
			number, street, _ := l.want()
			theirs += index(plain(house) == plain(number) && plain(line) == plain(street))
		}
		began := time.Now()
		_, err := db.Exec(ctx, "SELECT s.name FROM unnest($1::text[]) AS t(line), LATERAL "+read+"line) AS s", readable)
		check(t, err)
		theirTime += time.Since(began)
		timed += len(readable)
		all := len(lines)
		total += all
		table.Rows = append(table.Rows, []any{fmt.Sprintf("%s, %d", strings.ReplaceAll(strings.TrimPrefix(file, "parse_"), "_", " "), all), scoretest.Percent(ours, all), scoretest.Percent(theirs, all)})
		if ours <= theirs {
			t.Errorf("%s: %d right, of standardize_address() %d", file, ours, theirs)
		}
	}
	each := func(d time.Duration, n int) string { return fmt.Sprintf("%.3g ms", d.Seconds()*1e3/float64(n)) }
	table.Rows = append(table.Rows, []any{"mean time of one line", each(ourTime, total), each(theirTime, timed)})
	scoretest.Hold(t, "address", table)
}
