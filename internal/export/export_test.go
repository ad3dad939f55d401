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
	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/enrich/table"
	"github.com/postgeo/postgeo/internal/export"
	"github.com/postgeo/postgeo/internal/lookuptest"
	sampledata "github.com/postgeo/postgeo/internal/sample"
	"github.com/postgeo/postgeo/internal/sampletest"
	"github.com/postgeo/postgeo/internal/spatial"
	"github.com/postgeo/postgeo/internal/store/sqlite"
	"github.com/postgeo/postgeo/lookup"
)

// text writes a table in a format.
func text(t *testing.T, f table.Format, fields []table.Field, rows func(w *table.Writer) (int64, error)) (string, int64) {
	t.Helper()
	var out bytes.Buffer
	w, err := table.NewWriter(&out, f, fields)
	if err != nil {
		t.Fatal(err)
	}
	n, err := rows(w)
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return out.String(), n
}

// records reads CSV as a map for each row.
func records(t *testing.T, s string) []map[string]string {
	t.Helper()
	all, err := csv.NewReader(strings.NewReader(s)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
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

// TestQualityOfCodes compares the optional columns with records.
func TestQualityOfCodes(t *testing.T) {
	db := sampletest.Shared(t)
	opt := export.CodeOptions{Quality: true}
	out, _ := text(t, table.CSV, opt.Fields(), func(w *table.Writer) (int64, error) { return export.Codes(t.Context(), db, w, opt) })
	checked := 0
	for i, r := range records(t, out) {
		if i%50 != 0 {
			continue
		}
		rec, err := db.Lookup(t.Context(), r["code"], lookup.Options{Include: lookup.Include{Quality: true}})
		if err != nil {
			t.Fatal(err)
		}
		var want [3]string
		if q := rec.Quality; q != nil {
			want = [3]string{q.PointSource, q.OutlineSource, q.PopulationSource}
			checked++
		}
		if got := [3]string{r["point_source"], r["outline_source"], r["population_source"]}; got != want {
			t.Errorf("%s: quality %q, want %q", r["code"], got, want)
		}
	}
	if checked < 10 {
		t.Errorf("%d codes have a quality", checked)
	}
}

// TestCodes checks rows against lookups, and counts against the manifest.
func TestCodes(t *testing.T) {
	db := sampletest.Shared(t)
	rows := func(w *table.Writer) (int64, error) { return export.Codes(t.Context(), db, w, export.CodeOptions{}) }
	first, n := text(t, table.CSV, export.CodeOptions{}.Fields(), rows)
	d, err := sqlite.OpenFS(sampledata.FS(), sampledata.Name)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	fsas := 0
	for range d.FSAs() {
		fsas++
	}
	if want := d.NumZIPs() + fsas + d.NumPostalCodes(); n != int64(want) {
		t.Errorf("%d rows, the dataset has %d codes", n, want)
	}
	if again, _ := text(t, table.CSV, export.CodeOptions{}.Fields(), rows); again != first {
		t.Error("the second export differs")
	}
	types := map[string]int{}
	for i, r := range records(t, first) {
		types[r["code_type"]]++
		if i%97 != 0 {
			continue
		}
		rec, err := db.QuickLookup(t.Context(), r["code"], lookup.QuickOptions{Timezone: true})
		if err != nil {
			t.Fatal(err)
		}
		lat, lon := "", ""
		if rec.Location.IsValid() {
			lat, lon = rec.Location.Strings()
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
	if types["ZIP"] == 0 || types["FSA"] == 0 || types["Postal"] == 0 {
		t.Errorf("rows of types %v", types)
	}
}

// TestCrosswalk checks sums and people of the pairs of all layers.
func TestCrosswalk(t *testing.T) {
	db := sampletest.Shared(t)
	layers, err := export.CrosswalkLayers(t.Context(), db)
	if err != nil || len(layers) < 10 {
		t.Fatalf("layers %v, %v", layers, err)
	}
	csv, n := text(t, table.CSV, export.CrosswalkFields(lookup.WeightArea), func(w *table.Writer) (int64, error) {
		return export.Crosswalk(t.Context(), db, layers, lookup.CrosswalkOptions{Slivers: true}, w)
	})
	sums := map[string]float64{}
	list := records(t, csv)
	for _, r := range list {
		if r["layer"] == "county" && r["pct_of_code"] != "" {
			sums[r["code"]] += number(t, r["pct_of_code"])
		}
	}
	if int64(len(list)) != n || len(sums) < 100 {
		t.Errorf("%d rows, %d told; counties of %d ZIPs", len(list), n, len(sums))
	}
	for code, sum := range sums {
		if sum > 101 { // outlines of counties are generalized in Puerto Rico
			t.Errorf("counties of %s have %v %% of it", code, sum)
		}
	}
	people, _ := text(t, table.CSV, export.CrosswalkFields(lookup.WeightPeople), func(w *table.Writer) (int64, error) {
		return export.Crosswalk(t.Context(), db, []lookup.Layer{lookup.LayerCounty}, lookup.CrosswalkOptions{Weight: lookup.WeightPeople}, w)
	})
	some := 0
	for _, r := range records(t, people) {
		if number(t, r["people"]) > 0 {
			some++
		}
	}
	if some == 0 {
		t.Error("no pair has people")
	}
}

func number(t *testing.T, s string) float64 {
	t.Helper()
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestSurvey checks figures against profiles.
func TestSurvey(t *testing.T) {
	db := sampletest.Shared(t)
	const key = "economic.income.median_household_income"
	opt := export.SurveyOptions{Fields: []string{key}, MOE: true, Years: []int{2024, 2019}}
	fields, err := export.SurveyFields(opt)
	if err != nil {
		t.Fatal(err)
	}
	csv, _ := text(t, table.CSV, fields, func(w *table.Writer) (int64, error) { return export.Survey(t.Context(), db, opt, w) })
	seen := 0
	for _, r := range records(t, csv) {
		if r["geoid"] != "90210" {
			continue
		}
		seen++
		year, err := strconv.Atoi(r["year"])
		if err != nil {
			t.Fatal(err)
		}
		res, err := db.ACSProfile(t.Context(), "90210", []acs.Tag{{Profile: acs.Economic, Year: uint16(year)}}, acs.Options{Bridged: true, Extras: true})
		if err != nil {
			t.Fatal(err)
		}
		m := res.Years[0].Metric(acs.MustField("economic.income.median_household_income"))
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
	if _, err := export.SurveyFields(export.SurveyOptions{Fields: []string{"income"}}); err == nil {
		t.Error("an unknown field was taken")
	}
	var out bytes.Buffer
	w, err := table.NewWriter(&out, table.CSV, fields)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := export.Survey(t.Context(), db, export.SurveyOptions{Years: []int{1999}}, w); err == nil || !strings.Contains(err.Error(), "none of the years") {
		t.Errorf("year 1999: %v", err)
	}
}

// TestAreas reads GeoParquet back as defined, and holds WKB and GeoJSON against
// the outlines of the database.
func TestAreas(t *testing.T) {
	db := sampletest.Shared(t)
	kinds := []string{"zip", "county", "state"}
	data, n := text(t, table.Parquet, export.AreaFields(), func(w *table.Writer) (int64, error) { return export.Areas(t.Context(), db, kinds, w) })
	f, err := parquet.OpenFile(strings.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	meta, _ := f.Lookup("geo")
	var geoKey struct {
		Version       string
		PrimaryColumn string `json:"primary_column"`
		Columns       map[string]struct {
			Encoding string
			Types    []string `json:"geometry_types"`
			Bbox     []float64
			Covering struct{ Bbox map[string][]string }
		}
	}
	if err := json.Unmarshal([]byte(meta), &geoKey); err != nil {
		t.Fatalf("%v in %q", err, meta)
	}
	g := geoKey.Columns["geometry"]
	if geoKey.Version != "1.1.0" || geoKey.PrimaryColumn != "geometry" || g.Encoding != "WKB" || len(g.Bbox) != 4 || !cmp.Equal(g.Covering.Bbox["xmax"], []string{"bbox", "xmax"}) {
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
		shape, err := wkb.Unmarshal(r.WKB)
		if err != nil {
			t.Fatalf("%s %s: %v", r.Layer, r.GEOID, err)
		}
		m, ok := shape.(orb.MultiPolygon)
		if !ok {
			t.Fatalf("%s %s is a %T", r.Layer, r.GEOID, shape)
		}
		all = all.Union(m.Bound())
		for _, p := range m {
			for k, ring := range p {
				if !ring.Closed() || (k == 0) != (ring.Orientation() == orb.CCW) {
					t.Fatalf("%s %s: ring %d is closed: %v, runs %v", r.Layer, r.GEOID, k, ring.Closed(), ring.Orientation())
				}
			}
		}
		if r.Layer == "zip" && i%23 == 0 {
			want, err := db.CodeOutline(t.Context(), r.GEOID)
			if err != nil {
				t.Fatal(err)
			}
			if got, want := area(t, m), area(t, want); got < want*0.999999 || got > want*1.000001 {
				t.Errorf("%s has %v m², its outline %v", r.GEOID, got, want)
			}
		}
	}
	if diff := cmp.Diff(g.Bbox, []float64{all.Min[0], all.Min[1], all.Max[0], all.Max[1]}); diff != "" {
		t.Errorf("box (-metadata +rows):\n%s", diff)
	}

	asCSV, _ := text(t, table.CSV, export.AreaFields(), func(w *table.Writer) (int64, error) { return export.Areas(t.Context(), db, kinds, w) })
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
	if err != nil {
		t.Fatal(err)
	}
	for i, feature := range collection.Features {
		if feature.Properties["geoid"] != rows[i].GEOID || feature.Properties["layer"] != rows[i].Layer || feature.Geometry.Bound() != mustBound(t, rows[i].WKB) {
			t.Fatalf("feature %d: %v", i, feature.Properties)
		}
	}
}

func area(t *testing.T, m orb.MultiPolygon) float64 {
	t.Helper()
	a, err := spatial.MultiPolygonArea(m)
	if err != nil {
		t.Fatal(err)
	}
	return float64(a)
}

func mustBound(t *testing.T, data []byte) orb.Bound {
	t.Helper()
	g, err := wkb.Unmarshal(data)
	if err != nil {
		t.Fatal(err)
	}
	return g.Bound()
}

// TestBare exports a dataset without boundaries for what it cannot have: an
// error instead of an empty table.
func TestBare(t *testing.T) {
	path, err := lookuptest.WriteBare(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	db, err := postgeo.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	w, err := table.NewWriter(io.Discard, table.CSV, export.AreaFields())
	if err != nil {
		t.Fatal(err)
	}
	ways := map[string]func() (int64, error){
		"layers of crosswalks": func() (int64, error) {
			ids, err := export.CrosswalkLayers(t.Context(), db)
			return int64(len(ids)), err
		},
		"crosswalk": func() (int64, error) {
			return export.Crosswalk(t.Context(), db, []lookup.Layer{lookup.LayerCounty}, lookup.CrosswalkOptions{}, w)
		},
		"crosswalk of nothing": func() (int64, error) {
			return export.Crosswalk(t.Context(), db, nil, lookup.CrosswalkOptions{}, w)
		},
		"outlines of a layer": func() (int64, error) { return export.Areas(t.Context(), db, []string{"county"}, w) },
		"outlines of ZIPs":    func() (int64, error) { return export.Areas(t.Context(), db, []string{"zip"}, w) },
		"outlines of states":  func() (int64, error) { return export.Areas(t.Context(), db, []string{"state"}, w) },
		"GeoJSON of ZIPs":     func() (int64, error) { return export.GeoJSON(t.Context(), db, []string{"zip"}, io.Discard) },
	}
	for name, way := range ways {
		if n, err := way(); n != 0 || !errors.Is(err, postgeo.ErrUnavailable) || !strings.Contains(err.Error(), "build one") {
			t.Errorf("%s: %d rows, %v", name, n, err)
		}
	}
	w, err = table.NewWriter(io.Discard, table.CSV, export.CodeOptions{}.Fields())
	if err != nil {
		t.Fatal(err)
	}
	if n, err := export.Codes(t.Context(), db, w, export.CodeOptions{}); n != 1 || err != nil {
		t.Errorf("codes: %d rows, %v", n, err)
	}
}

// TestMissing exports what it does not have.
func TestMissing(t *testing.T) {
	db := sampletest.Shared(t)
	var out bytes.Buffer
	if _, err := export.GeoJSON(t.Context(), db, []string{"nonsense"}, &out); !errors.Is(err, postgeo.ErrInvalidParam) {
		t.Errorf("areas of no kind: %v", err)
	}
	w, err := table.NewWriter(&out, table.NDJSON, []table.Field{{Name: "a", Type: enrich.Int}})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Write(nil); err == nil {
		t.Error("a row without values was written")
	}
	if err := errors.Join(w.Write([]enrich.Value{enrich.IntValue(7)}), w.Close()); err != nil || !strings.HasSuffix(out.String(), "{\"a\":7}\n") {
		t.Errorf("%v, %q", err, out.String())
	}
}
