package store_test

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/pub28"
	"github.com/postgeo/postgeo/internal/sample"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/diff"
	"github.com/postgeo/postgeo/internal/store/sqlite"
)

var equal = cmp.Options{
	cmp.Comparer(func(a, b geo.LatLng) bool { return a == b }),
	cmpopts.EquateEmpty(),
	cmp.AllowUnexported(country{}),
	cmpopts.IgnoreUnexported(store.ACSTable{}),
	cmpopts.IgnoreFields(store.ACSTable{}, "Rows"),
	cmpopts.SortSlices(func(a, b survey) bool { return a.Table.String() < b.Table.String() }),
	cmpopts.SortSlices(func(a, b surveyRow) bool { return a.GEOID < b.GEOID }),
	cmpopts.IgnoreFields(dataset.Manifest{}, "Format", "Tables", "Digest"),
}

// read reads back everything that a country was written from.
func read(ctx context.Context, d *store.Dataset) (*country, error) {
	c := &country{
		States: d.States(), Counties: d.Counties(), CBSAs: d.CBSAs(), Divisions: d.Divisions(), Zones: d.Zones(),
		ZIPs: slices.Collect(d.ZIPs()), FSAs: slices.Collect(d.FSAs()), Postal: slices.Collect(d.PostalCodes()),
		Manifest: d.Manifest(), cover: readCover(d),
	}
	var err error
	if c.layered, err = readLayers(ctx, d); err != nil {
		return nil, err
	}
	for _, z := range c.ZIPs {
		t, err := d.ZIPDetail(ctx, z.ZIP)
		if err != nil {
			return nil, err
		}
		c.ZIPDetails = append(c.ZIPDetails, *t)
		for r, err := range d.StreetRecords(ctx, z.ZIP) {
			if err != nil {
				return nil, err
			}
			c.ZIP4 = append(c.ZIP4, r.ZIP4Record)
		}
	}
	for _, f := range c.FSAs {
		t, err := d.FSADetail(ctx, f.FSA)
		if err != nil {
			return nil, err
		}
		c.FSADetails = append(c.FSADetails, *t)
	}
	c.Surveys, err = readSurveys(ctx, d)
	return c, err
}

// sortZIP4 brings records into an order of which those of a street do not
// depend.
func sortZIP4(list []store.ZIP4Record) {
	slices.SortStableFunc(list, func(a, b store.ZIP4Record) int {
		if a.ZIP != b.ZIP {
			return int(a.ZIP) - int(b.ZIP)
		}
		return strings.Compare(pub28.Key(a.Street), pub28.Key(b.Street))
	})
}

func TestRoundTrip(t *testing.T) {
	tests := map[string]*country{
		"empty": {},
		"small": small(),
	}
	for name, want := range tests {
		t.Run(name, func(t *testing.T) {
			d := open(t, want.file(t))
			got, err := read(t.Context(), d)
			check(t, err)
			sortZIP4(want.ZIP4)
			sortZIP4(got.ZIP4)
			if diff := cmp.Diff(want, got, equal); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			check(t, d.Ping(t.Context()))
			check(t, d.Verify(t.Context()))
		})
	}
}

// TestPlaceGEOID checks that the numbers of places and county subdivisions lead back to
// their GEOIDs, also in states whose GEOIDs of ten digits exceed 32 bits.
func TestPlaceGEOID(t *testing.T) {
	for _, geoid := range []string{"0100100", "7287863", "0900137070", "2502379530", "5002100000", "5599999999"} {
		if got := store.PlaceGEOID(store.PlaceRef(geoid), geoid[:2]); got != geoid {
			t.Errorf("%s becomes %s", geoid, got)
		}
	}
	for _, other := range []string{"", "12345", "x100100", "550251234567"} {
		if ref := store.PlaceRef(other); ref != 0 {
			t.Errorf("the number of %q is %d; want 0", other, ref)
		}
	}
}

func TestAttributions(t *testing.T) {
	m := dataset.Manifest{Sources: []dataset.Source{
		{Attribution: "U.S. Survey of Elms, U.S. Bureau"},
		{},
		{Attribution: "Adapted from Elm, 2021"},
		{Attribution: "Adapted from Elm, 2021. Contains data of Oak"},
		{Attribution: "U.S. Survey of Elms, U.S. Bureau"},
		{Attribution: "Contains data of Oak."},
		{Attribution: "By Ash & friends."},
	}}
	want := []string{"U.S. Survey of Elms, U.S. Bureau", "Adapted from Elm, 2021", "Contains data of Oak", "By Ash & friends."}
	if diff := cmp.Diff(want, m.Attributions()); diff != "" {
		t.Errorf("attributions (-want +got):\n%s", diff)
	}
	if got := (dataset.Manifest{}).Attributions(); got != nil {
		t.Errorf("attributions of nothing: %q", got)
	}
}

func openPlain(t testing.TB, path string) *store.Dataset {
	t.Helper()
	d, err := sqlite.Open(path)
	check(t, err)
	return d
}

// TestCloseConcurrent closes a dataset under readers and a verification: each
// call ends with its answer or with ErrClosed.
func TestCloseConcurrent(t *testing.T) {
	path := small().file(t)
	for range 20 {
		d := openPlain(t, path)
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() {
				for {
					for _, f := range []func() error{
						func() error { return d.Ping(t.Context()) },
						func() error { return d.Verify(t.Context()) },
						func() error { _, err := d.FSADetail(t.Context(), first(d.FSAs()).FSA); return err },
					} {
						if err := f(); errors.Is(err, store.ErrClosed) {
							return
						} else if err != nil {
							t.Error(err)
							return
						}
					}
				}
			})
		}
		check(t, d.Close())
		wg.Wait()
	}
}

func first[T any](seq func(func(T) bool)) (v T) {
	for v = range seq {
		break
	}
	return v
}

// TestRefused calls what reads the file, with a canceled context and after Close. What was read
// before is still returned.
func TestRefused(t *testing.T) {
	d := openPlain(t, small().file(t))
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	calls := map[string]func(ctx context.Context) error{
		"Ping":           d.Ping,
		"Verify":         d.Verify,
		"ZIPDetail":      func(ctx context.Context) error { _, err := d.ZIPDetail(ctx, 90210); return err },
		"FSADetail":      func(ctx context.Context) error { _, err := d.FSADetail(ctx, fsa("K1A")); return err },
		"ZIP4":           func(ctx context.Context) error { _, err := d.ZIP4(ctx, 90210, 1001); return err },
		"Streets":        func(ctx context.Context) error { _, err := d.Streets(ctx, 90210, "BEVERLY", nil); return err },
		"Diff":           func(ctx context.Context) error { _, err := diff.Summarize(ctx, d, d); return err },
		"ZIPOverlaps":    func(ctx context.Context) error { _, err := d.Overlaps(ctx, store.CodeOfZIP(90210)); return err },
		"CodesIn":        func(ctx context.Context) error { _, err := d.CodesIn(ctx, store.LayerFederalDistrict, 0); return err },
		"PostalAreas":    func(ctx context.Context) error { _, err := d.PostalAreas(ctx, postal("K1A 0B1")); return err },
		"SchoolDistrict": func(ctx context.Context) error { _, err := d.SchoolDistrict(ctx, 1); return err },
		"Containing": func(ctx context.Context) error {
			_, err := d.Layer(store.LayerFederalDistrict).Containing(ctx, geo.MustLatLng(45.5, -75.5), nil)
			return err
		},
		"StreetRecords": func(ctx context.Context) error {
			for _, err := range d.StreetRecords(ctx, 90210) {
				return err
			}
			return nil
		},
		"ACSRow": func(ctx context.Context) error {
			_, _, err := d.ACSRow(ctx, d.ACSTable(store.ACSZCTA, 2019, "DP03"), 0, nil)
			return err
		},
		"Roads": func(ctx context.Context) error {
			_, err := d.Roads(ctx, store.CodeOfZIP(90210), "A", nil)
			return err
		},
	}
	school := d.Layer(store.LayerSchoolDistrict)
	check(t, school.Prepare(t.Context()))
	d.ACSTables()
	check(t, d.Load(t.Context(), store.SectionRoads))
	for name, call := range calls {
		if name != "Roads" { // without any it reads nothing
			t.Run(name+" canceled", func(t *testing.T) { wantError(t, call(canceled), context.Canceled) })
		}
	}
	check(t, d.Close())
	check(t, d.Close())
	for name, call := range calls {
		t.Run(name+" closed", func(t *testing.T) { wantError(t, call(t.Context()), store.ErrClosed) })
	}
	if row, ok := d.ZIP(90210); !ok || row.City != "Beverly Hills" {
		t.Errorf("the look-up in memory gives %v, %t", row, ok)
	}
	if got, err := school.Containing(t.Context(), geo.MustLatLng(34.1, -118.6), nil); err != nil || len(got) != 1 {
		t.Errorf("Containing = %v, %v", got, err)
	}
}

func absent[K, R any](t *testing.T, find func(K) (R, bool), keys ...K) {
	t.Helper()
	for _, k := range keys {
		if row, ok := find(k); ok {
			t.Errorf("%v is %v", k, row)
		}
	}
}

func TestNotFound(t *testing.T) {
	d := open(t, small().file(t))
	_, err := d.ZIPDetail(t.Context(), 12345)
	wantError(t, err, store.ErrNotFound)
	_, err = d.FSADetail(t.Context(), fsa("M5V"))
	wantError(t, err, store.ErrNotFound)
	absent(t, d.ZIP, 1, 90211, postcode.NumZIPs, 1<<32-1)
	absent(t, d.FSA, 1, postcode.NumFSAs, 65535)
	absent(t, d.PostalCode, 1, postcode.NumPostalCodes, 1<<32-1)
	if s := d.State(200); s == nil || *s != (store.State{}) {
		t.Errorf("State(200) = %v, want the zero state", s)
	}
	if c := d.County(0); c == nil || *c != (store.County{}) {
		t.Errorf("County(0) = %v, want the zero county", c)
	}
	if id, ok := d.CountyByFIPS("06023"); !ok || d.County(id).Name != "Humboldt County" {
		t.Errorf("CountyByFIPS = %d, %t", id, ok)
	}
	if id, ok := d.StateByAbbr(store.CA, "ON"); !ok || d.State(id).Name != "Ontario" {
		t.Errorf("StateByAbbr = %d, %t", id, ok)
	}
	if id, ok := d.StateByAbbr(store.US, "ON"); ok {
		t.Errorf("StateByAbbr(US, ON) = %d", id)
	}
}

func TestHotAllocations(t *testing.T) {
	d := open(t, small().file(t))
	p, at := postal("K1A 0B1"), geo.MustLatLng(34.05, -118.5)
	if n := testing.AllocsPerRun(100, func() {
		d.ZIP(90210)
		d.FSA(p.FSA())
		d.PostalCode(p)
		d.HasZIP4(90210)
		d.CountyByFIPS("06037")
		d.StateByAbbr(store.US, "CA")
		d.ZoneShares(store.CodeOfZIP(90210))
		d.ZoneShares(store.CodeOfFSA(p.FSA()))
		d.Population(store.CodeOfZIP(90210))
		d.Land(store.CodeOfFSA(p.FSA()))
		d.ZIPAreas().Find(90210)
		d.ZIPAreas().Containing(at)
	}); n > 0 {
		t.Errorf("%v allocations, want none", n)
	}
}

// TestSQL runs the queries of docs/dataset.md on the sample, as any SQLite tool would.
func TestSQL(t *testing.T) {
	good, err := fs.ReadFile(sample.FS(), sample.Name)
	check(t, err)
	path := filepath.Join(t.TempDir(), "sample.db")
	check(t, os.WriteFile(path, good, 0o600))
	page, err := os.ReadFile("../../docs/dataset.md")
	check(t, err)
	db := openSQL(t, path)
	defer db.Close()
	queries := regexp.MustCompile("(?m)^-- .*\n(SELECT .*);$").FindAllSubmatch(page, -1)
	if len(queries) < 10 {
		t.Errorf("%d queries, want at least 10", len(queries))
	}
	for _, q := range queries {
		var n int
		check(t, db.QueryRow("SELECT count(*) FROM ("+string(q[1])+")").Scan(&n))
		if n == 0 {
			t.Errorf("no rows of %s", q[1])
		}
	}
}

// openSQL opens a file for changes that need not outlive a power cut.
func openSQL(t *testing.T, path string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=journal_mode(OFF)&_pragma=synchronous(OFF)")
	check(t, err)
	db.SetMaxOpenConns(1)
	return db
}

// sealPages gives the pages of a dataset that was changed by SQL their checksums.
func sealPages(t *testing.T, path string) {
	t.Helper()
	page := bytesOf(t, path)[:8192]
	if page[20] != 16 { // no dataset: its pages have no room
		return
	}
	check(t, store.SealPages(path, binary.LittleEndian.Uint64(page[len(page)-16:])))
}
