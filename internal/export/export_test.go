package export_test

import (
	"bytes"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"
	"github.com/paulmach/orb"
	"github.com/paulmach/orb/encoding/wkb"
	"github.com/paulmach/orb/geojson"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/enrich/table"
	"github.com/postgeo/postgeo/internal/checktest"
	"github.com/postgeo/postgeo/internal/export"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/sampletest"
	"github.com/postgeo/postgeo/internal/spatial"
	"github.com/postgeo/postgeo/lookup"
)

// text writes a table in a format.
func text(t *testing.T, f table.Format, fields []table.Field, rows func(w *table.Writer) (int64, error)) (string, int64) {
	t.Helper()
	var out bytes.Buffer
	w, err := table.NewWriter(&out, fields, table.Output{Format: f})
	check(t, err)
	n, err := rows(w)
	if err == nil {
		err = w.Close()
	}
	check(t, err)
	return out.String(), n
}

// records reads CSV as a map for each row.
func records(t *testing.T, s string) []map[string]string {
	t.Helper()
	all, err := csv.NewReader(strings.NewReader(s)).ReadAll()
	check(t, err)
	var list []map[string]string
	for _, row := range all[1:] {
		m := make(map[string]string)
		for i, cell := range row {
			m[all[0][i]] = cell
		}
		list = append(list, m)
	}
	return list
}

// TestCodes compares rows with lookups, and their numbers with the lists of codes.
func TestCodes(t *testing.T) {
	db := sampletest.Shared(t)
	rows := func(w *table.Writer) (int64, error) { return export.Codes(t.Context(), db, w) }
	first, n := text(t, table.CSV, export.CodeFields(), rows)
	if again, _ := text(t, table.CSV, export.CodeFields(), rows); again != first {
		t.Error("the second export differs")
	}
	types := map[string]int{}
	for i, r := range records(t, first) {
		types[r["code_type"]]++
		if i%97 != 0 {
			continue
		}
		rec, err := db.QuickLookup(t.Context(), r["code"], lookup.QuickOptions{Timezone: true})
		check(t, err)
		lat, lon := "", ""
		if rec.Location.IsValid() {
			lat, lon = strconv.FormatFloat(rec.Location.Lat(), 'f', -1, 64), strconv.FormatFloat(rec.Location.Lng(), 'f', -1, 64)
		}
		zone := ""
		if rec.Timezone != nil {
			zone = rec.Timezone.IANAName
		}
		got := []string{r["city"], r["state"], r["county_fips"], r["multi_county"], r["classification_name"], r["lat"], r["lon"], r["timezone"]}
		want := []string{rec.City, rec.State, rec.CountyFIPS, map[lookup.Flag]string{lookup.True: "true", lookup.False: "false"}[rec.MultiCounty], string(rec.ClassificationName), lat, lon, zone}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", r["code"], diff)
		}
	}
	all := 0
	for _, kind := range []lookup.CodeType{lookup.ZIP, lookup.FSA, lookup.Postal} {
		count := 0
		for range db.Codes(t.Context(), kind) {
			count++
		}
		if all += count; count == 0 || types[string(kind)] != count {
			t.Errorf("%d rows of type %s; expected %d", types[string(kind)], kind, count)
		}
	}
	if n != int64(all) {
		t.Errorf("%d rows for %d codes", n, all)
	}
}

func number(t *testing.T, s string) float64 {
	t.Helper()
	f, err := strconv.ParseFloat(s, 64)
	check(t, err)
	return f
}

// TestSurvey compares figures with profiles.
func TestSurvey(t *testing.T) {
	db := sampletest.Shared(t)
	const key = "economic.income.median_household_income"
	opt := export.SurveyOptions{Fields: []string{key}, MOE: true, Years: []int{2024, 2019}}
	fields, err := export.SurveyFields(opt)
	check(t, err)
	csv, _ := text(t, table.CSV, fields, func(w *table.Writer) (int64, error) { return export.Survey(t.Context(), db, opt, w) })
	seen := 0
	for _, r := range records(t, csv) {
		if r["geoid"] != "90210" {
			continue
		}
		seen++
		year, err := strconv.Atoi(r["year"])
		check(t, err)
		res, err := db.ACSProfile(t.Context(), "90210", []acs.Tag{{Profile: acs.Economic, Year: year}}, acs.Options{Bridged: true, Extras: true})
		check(t, err)
		m := res.Years[0].Metric(acs.MustField(key))
		if got, want := r[key]+" "+r[key+"_moe"], m.Estimate.String()+" "+m.MOE.String(); got != want {
			t.Errorf("%d: %s, want %s", year, got, want)
		}
	}
	if seen != 2 {
		t.Errorf("90210 has %d rows, want 2", seen)
	}
	all, err := export.SurveyFields(export.SurveyOptions{})
	if err != nil || len(all) != 2+len(acs.Fields(acs.Query{})) {
		t.Errorf("%d columns, %v", len(all), err)
	}
	tracts := export.SurveyOptions{Fields: []string{key}, Tracts: true}
	if _, n := text(t, table.CSV, fields[:3], func(w *table.Writer) (int64, error) { return export.Survey(t.Context(), db, tracts, w) }); n == 0 {
		t.Error("no tract has figures")
	}
}

// TestAreas reads GeoParquet back as defined, and compares WKB and GeoJSON with the
// outlines of the database.
func TestAreas(t *testing.T) {
	db := sampletest.Shared(t)
	kinds := []string{"zip", "county", "state"}
	areas := func(w *table.Writer) (int64, error) { return export.Areas(t.Context(), db, kinds, w) }
	data, n := text(t, table.Parquet, export.AreaFields(), areas)
	f, err := parquet.OpenFile(strings.NewReader(data), int64(len(data)))
	check(t, err)
	meta, _ := f.Lookup("geo")
	var geoKey struct {
		Version string
		Columns map[string]struct {
			Encoding string
			Bbox     []float64
			Covering struct{ Bbox map[string][]string }
		}
	}
	if err := json.Unmarshal([]byte(meta), &geoKey); err != nil {
		t.Fatalf("%v in %q", err, meta)
	}
	g := geoKey.Columns["geometry"]
	if geoKey.Version != "1.1.0" || g.Encoding != "WKB" || !cmp.Equal(g.Covering.Bbox["xmax"], []string{"bbox", "xmax"}) {
		t.Errorf("metadata %s", meta)
	}
	type row struct {
		Layer string `parquet:"layer,optional"`
		GEOID string `parquet:"geoid,optional"`
		WKB   []byte `parquet:"geometry,optional"`
	}
	rows, err := parquet.Read[row](strings.NewReader(data), int64(len(data)))
	if err != nil || int64(len(rows)) != n {
		t.Fatalf("%d rows, %v; want %d", len(rows), err, n)
	}
	all := orb.Bound{Min: orb.Point{180, 90}, Max: orb.Point{-180, -90}}
	for i, r := range rows {
		m := shape(t, r.WKB)
		all = all.Union(m.Bound())
		for _, p := range m {
			for k, ring := range p {
				if !ring.Closed() || (k == 0) != (ring.Orientation() == orb.CCW) {
					t.Fatalf("%s %s: ring %d is closed: %v, runs %v", r.Layer, r.GEOID, k, ring.Closed(), ring.Orientation())
				}
			}
		}
		if r.Layer == "zip" && i%23 == 0 {
			want, _, err := db.CodeOutline(t.Context(), r.GEOID)
			check(t, err)
			if got, want := area(t, m), area(t, want); got < want*0.999999 || got > want*1.000001 {
				t.Errorf("%s has %v m², its outline %v", r.GEOID, got, want)
			}
		}
	}
	if diff := cmp.Diff(g.Bbox, []float64{all.Min[0], all.Min[1], all.Max[0], all.Max[1]}); diff != "" {
		t.Errorf("box (-metadata +rows):\n%s", diff)
	}
	asCSV, _ := text(t, table.CSV, export.AreaFields(), areas)
	for i, r := range records(t, asCSV) {
		if r["geometry"] != hex.EncodeToString(rows[i].WKB) || r["geoid"] != rows[i].GEOID || number(t, r["bbox.xmin"]) > number(t, r["bbox.xmax"]) {
			t.Fatalf("row %d of CSV differs", i)
		}
	}
	var out bytes.Buffer
	if count, err := export.GeoJSON(t.Context(), db, kinds, &out); err != nil || count != n {
		t.Fatalf("%d features, %v; want %d", count, err, n)
	}
	collection, err := geojson.UnmarshalFeatureCollection(out.Bytes())
	check(t, err)
	for i, feature := range collection.Features {
		if feature.Properties["geoid"] != rows[i].GEOID || feature.Properties["layer"] != rows[i].Layer || feature.Geometry.Bound() != shape(t, rows[i].WKB).Bound() {
			t.Fatalf("feature %d: %v", i, feature.Properties)
		}
	}
}

func area(t *testing.T, m orb.MultiPolygon) float64 {
	t.Helper()
	a, err := spatial.MultiPolygonArea(m)
	check(t, err)
	return float64(a)
}

func shape(t *testing.T, data []byte) orb.MultiPolygon {
	t.Helper()
	g, err := wkb.Unmarshal(data)
	m, ok := g.(orb.MultiPolygon)
	if err != nil || !ok {
		t.Fatalf("a %T, %v", g, err)
	}
	return m
}

// TestBare exports a dataset without boundaries: an error instead of an empty table.
func TestBare(t *testing.T) {
	path := lookuptest.Bare(t)
	db := sampletest.File(t, path)
	w, err := table.NewWriter(io.Discard, export.AreaFields(), table.Output{Format: table.CSV})
	check(t, err)
	for _, kind := range []string{"county", "zip", "state"} {
		n, err := export.Areas(t.Context(), db, []string{kind}, w)
		_, failed := export.GeoJSON(t.Context(), db, []string{kind}, io.Discard)
		if n != 0 || !errors.Is(err, postgeo.ErrUnavailable) || !strings.Contains(err.Error(), "build one") || failed == nil {
			t.Errorf("%s: %d rows, %v, %v", kind, n, err, failed)
		}
	}
	if _, n := text(t, table.CSV, export.CodeFields(), func(w *table.Writer) (int64, error) { return export.Codes(t.Context(), db, w) }); n != 1 {
		t.Errorf("codes: %d rows", n)
	}
	if _, err := export.GeoJSON(t.Context(), db, []string{"nonsense"}, io.Discard); !errors.Is(err, postgeo.ErrInvalidParam) {
		t.Errorf("areas of no kind: %v", err)
	}
}

var check = checktest.Check
