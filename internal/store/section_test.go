package store_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/sample"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/sqlite"
	"github.com/postgeo/postgeo/lookup"
)

// sections are all sections with a part of each that the sample has.
var sections = map[string]struct {
	section store.Sections
	column  string
	use     func(context.Context, *store.Dataset) error // an operation that needs the section and returns an error; may be nil
}{
	"postal codes": {store.SectionPostalCodes, "SELECT data FROM cache WHERE name = 'postal_code'", nil},
	"points":       {store.SectionPoints, "SELECT data FROM search_index WHERE name = 'code_points'", nil},
	"density":      {store.SectionDensity, "SELECT data FROM cache WHERE name = 'zip_density'", nil},
	"zone shares":  {store.SectionZoneShares, "SELECT data FROM cache WHERE name = 'zip_zones'", nil},
	"states":       {store.SectionStateAreas, "SELECT data FROM outline WHERE outline = 'state'", nil},
	"counties": {store.SectionCountyAreas, "SELECT data FROM outline WHERE outline = 'county'", func(ctx context.Context, d *store.Dataset) error {
		_, err := d.Layer(store.LayerCounty).Polygons(ctx, 0)
		return err
	}},
	"ZIPs":     {store.SectionZIPAreas, "SELECT data FROM outline WHERE outline = 'zip'", nil},
	"FSAs":     {store.SectionFSAAreas, "SELECT data FROM outline WHERE outline = 'fsa'", nil},
	"zones":    {store.SectionZoneAreas, "SELECT data FROM outline WHERE outline = 'zone'", nil},
	"entities": {store.SectionEntities, "SELECT data FROM search_index WHERE name = 'place_keys'", nil},
	"overlaps": {store.SectionOverlaps, "SELECT data FROM cache WHERE name = 'overlap.codes'", func(ctx context.Context, d *store.Dataset) error {
		_, err := d.CodesIn(ctx, store.LayerTract, 0)
		return err
	}},
	"streets": {store.SectionStreets, "SELECT data FROM cache WHERE name = 'street_zip'", func(ctx context.Context, d *store.Dataset) error {
		_, err := d.ZIP4(ctx, 10001, 1)
		return err
	}},
	"roads": {store.SectionRoads, "SELECT data FROM cache WHERE name = 'road_area'", func(ctx context.Context, d *store.Dataset) error {
		_, err := d.Roads(ctx, store.CodeOfZIP(10118), "5", nil)
		return err
	}},
	"survey":  {store.SectionSurvey, "SELECT data FROM cache WHERE name = 'acs_column'", nil},
	"centers": {store.SectionCenters, "SELECT data FROM center WHERE fips = 6", nil},
	"plans": {nextCongress.Section(), "SELECT data FROM cache WHERE name = 'area.congressional_district.2'", func(ctx context.Context, d *store.Dataset) error {
		_, err := d.Layer(nextCongress).Around(ctx, rowOf(d, 10001).Location, rowOf(d, 10001).State, nil)
		return err
	}},
	"tracts": {store.LayerTract.Section(), "SELECT data FROM cache WHERE name = 'area.tract'", func(ctx context.Context, d *store.Dataset) error {
		_, err := d.Layer(store.LayerTract).Containing(ctx, rowOf(d, 10001).Location, nil)
		return err
	}},
}

// nextCongress has the districts of the 120th Congress.
var nextCongress = store.PlanLayer(store.LayerCongressionalDistrict, 1)

func rowOf(d *store.Dataset, z postcode.ZIP) store.ZIPRow {
	row, _ := d.ZIP(z)
	return row
}

// TestLateDamage damages a column of each section. Open and the sections without a
// part in the damaged page succeed; each use of the section fails until the bytes are repaired.
func TestLateDamage(t *testing.T) {
	good, err := fs.ReadFile(sample.FS(), sample.Name)
	check(t, err)
	for name, s := range sections {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			at := placeOfData(t, good, s.column)
			path := filepath.Join(t.TempDir(), "x.db")
			check(t, os.WriteFile(path, good, 0o600))
			file, err := os.OpenFile(path, os.O_WRONLY, 0)
			check(t, err)
			defer file.Close()
			write := func(b byte) {
				_, err := file.WriteAt([]byte{b}, int64(at))
				check(t, err)
			}
			write(^good[at])

			d, err := sqlite.Open(path)
			if errors.Is(err, store.ErrDamaged) {
				t.Skip("the column is so small that Open reads its page")
			}
			check(t, err)
			defer d.Close()
			ctx := t.Context()
			for range 2 {
				wantError(t, d.Load(ctx, s.section), store.ErrDamaged)
				wantError(t, d.Prepare(ctx), store.ErrDamaged)
				if s.use != nil {
					wantError(t, s.use(ctx, d), store.ErrDamaged)
				}
			}
			loaded := 0
			for other, o := range sections {
				if o.section&s.section == 0 {
					if err := d.Load(ctx, o.section); err != nil && !errors.Is(err, store.ErrDamaged) {
						t.Errorf("%s cannot be read: %v", other, err)
					} else if err == nil {
						loaded++
					}
				}
			}
			if loaded < 8 {
				t.Errorf("%d other sections can be read", loaded)
			}
			if _, ok := d.ZIP(90210); !ok {
				t.Errorf("a ZIP of Open is gone")
			}
			write(good[at])
			if d.Prepare(ctx) != nil { // SQLite kept the damaged page
				check(t, d.Prepare(ctx))
			}
			if s.use != nil {
				check(t, s.use(ctx, d))
			}
			write(^good[at]) // does not affect memory
			check(t, d.Prepare(ctx))
		})
	}
}

// placeOfData returns the offset in a file of bytes that only the result of a query has.
func placeOfData(t *testing.T, file []byte, query string) int {
	t.Helper()
	path := filepath.Join(t.TempDir(), "column.db")
	check(t, os.WriteFile(path, file, 0o600))
	db := openSQL(t, path)
	defer db.Close()
	var data []byte
	check(t, db.QueryRow(query).Scan(&data))
	return placeOf(t, file, data)
}

// placeOf returns the offset in a file of bytes that only the column has.
func placeOf(t *testing.T, file, column []byte) int {
	t.Helper()
	const n = 16
	for from := 0; from+n <= len(column); from += n {
		part := column[from : from+n]
		if at := bytes.Index(file, part); at >= 0 && bytes.LastIndex(file, part) == at {
			return at
		}
	}
	t.Fatal("no part of the column is in the file once")
	return 0
}

// TestLoadTogether reads and uses all sections from many more goroutines than there are
// connections.
func TestLoadTogether(t *testing.T) {
	d := lookuptest.Sample(t)
	done := func(int) error { return nil }
	use := []func() error{
		func() error { return done(d.NumPostalCodes()) }, func() error { return done(d.ZIPAreas().Len()) }, func() error { return done(d.Entities().Len()) },
		func() error { return done(len(d.ACSTables())) }, func() error { x, _ := d.CodePoints(); return done(x.Len()) }, func() error { _, err := d.ZIP4(t.Context(), 10001, 1); return err },
		func() error { _, err := d.ZIPDetail(t.Context(), 90210); return err }, func() error { return d.Prepare(t.Context()) },
		func() error { _, err := d.CodesIn(t.Context(), store.LayerCounty, 1); return err },
		func() error {
			_, err := d.Layer(store.LayerTract).Containing(t.Context(), rowOf(d, 10001).Location, nil)
			return err
		},
	}
	var wait sync.WaitGroup
	for i := range 20 * len(use) {
		wait.Go(func() {
			if err := use[i%len(use)](); err != nil {
				t.Error(err)
			}
		})
	}
	wait.Wait()
}

// TestLoadCanceled ends a load with its context; the next call reads on.
func TestLoadCanceled(t *testing.T) {
	d := lookuptest.Sample(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	wantError(t, d.Prepare(ctx), context.Canceled)
	check(t, d.Prepare(t.Context()))
	check(t, d.Prepare(ctx)) // needs no reading
	check(t, d.Close())
	check(t, d.Prepare(t.Context()))

	d = lookuptest.Sample(t)
	check(t, d.Close())
	wantError(t, d.Prepare(t.Context()), store.ErrClosed)
}

// TestBytesRead bounds the bytes that one lookup reads: the tables of Open, the
// pages that describe the file, and its own row.
func TestBytesRead(t *testing.T) {
	data, err := fs.ReadFile(sample.FS(), sample.Name)
	check(t, err)
	disk := &disk{FS: fstest.MapFS{"x.db": {Data: data}}}
	db, err := postgeo.OpenFS(disk, "x.db", postgeo.OpenOptions{})
	check(t, err)
	defer db.Close()
	_, err = db.Lookup(t.Context(), "90210", lookup.Options{})
	check(t, err)
	one := disk.read.Load()
	check(t, db.Prepare(t.Context()))
	whole := disk.read.Load()

	t.Logf("one lookup reads %d bytes of %d; Prepare reads %d", one, len(data), whole-one)
	if one > int64(len(data))/6 || whole == one {
		t.Errorf("one lookup reads %d bytes, want at most a sixth of %d", one, len(data))
	}
}
