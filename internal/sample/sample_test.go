package sample_test

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/internal/sample"
	"github.com/postgeo/postgeo/internal/sample/internal/facts"
	"github.com/postgeo/postgeo/internal/sample/internal/maker"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/sqlite"
)

// largest is how large the embedded file may be.
const largest = 6 << 20

func open(t *testing.T) *store.Dataset {
	t.Helper()
	d, err := sqlite.OpenFS(sample.FS(), sample.Name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

// TestSampleIsReproducible makes the sample again from its facts.
func TestSampleIsReproducible(t *testing.T) {
	if testing.Short() {
		t.Skip("long, in one goroutine")
	}
	path := filepath.Join(t.TempDir(), sample.Name)
	if _, err := maker.Make(context.Background(), path); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want, err := fs.ReadFile(sample.FS(), sample.Name)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("the embedded file (%d bytes) is not what its facts make (%d bytes); run go generate ./dataset/sample", len(want), len(got))
	}
	if len(want) > largest {
		t.Errorf("the embedded file has %d bytes; at most %d", len(want), largest)
	}
}

func TestManifestSaysSample(t *testing.T) {
	m := open(t).Manifest()
	if !m.Sample || !strings.HasPrefix(m.Version, "sample") {
		t.Errorf("version %q, sample %v", m.Version, m.Sample)
	}
	if len(m.Sources) == 0 {
		t.Error("no sources")
	}
	for _, s := range m.Sources {
		if !strings.Contains(strings.ToLower(s.Title+s.Vintage+s.Note), "sample") {
			t.Errorf("source %s does not say that it is a sample: %q, %q, %q", s.ID, s.Title, s.Vintage, s.Note)
		}
	}
}

func TestSampleHoldsItsFacts(t *testing.T) {
	ctx := context.Background()
	d := open(t)
	if err := d.Verify(ctx); err != nil {
		t.Error(err)
	}
	f, err := facts.Load()
	if err != nil {
		t.Fatal(err)
	}
	zips, fsas := len(f.Military), 0
	for _, r := range f.Regions {
		for _, z := range r.ZIPs {
			zips++
			row, ok := d.ZIP(z.Code)
			if !ok || row.City != z.City || d.County(row.County).FIPS != z.County || row.Class != z.Class || row.Location != z.Point {
				t.Errorf("%v: found %v, %s, %s, %c, %v; want %s, %s, %c, %v", z.Code, ok, row.City, d.County(row.County).FIPS, row.Class, row.Location, z.City, z.County, z.Class, z.Point)
			}
			if z.Place != "" && d.State(row.State).Abbr != "PR" && row.Municipality != z.Place {
				t.Errorf("%v: municipality %q, want %q", z.Code, row.Municipality, z.Place)
			}
		}
		for _, a := range r.FSAs {
			fsas++
			row, ok := d.FSA(a.Code)
			if !ok || row.City != a.City || a.HasArea && row.Municipality != a.Municipality {
				t.Errorf("%v: found %v, %s, %s; want %s, %s", a.Code, ok, row.City, row.Municipality, a.City, a.Municipality)
			}
		}
	}
	if d.NumZIPs() != zips || d.NumFSAs() != fsas {
		t.Errorf("%d ZIPs and %d FSAs, want %d and %d", d.NumZIPs(), d.NumFSAs(), zips, fsas)
	}
	if zips < 600 || fsas < 80 || d.NumPostalCodes() < 1000 {
		t.Errorf("%d ZIPs, %d FSAs, %d postal codes; the sample has at least 600, 80 and 1,000", zips, fsas, d.NumPostalCodes())
	}
	for _, c := range f.Counties {
		id, ok := d.CountyByFIPS(c.FIPS)
		if !ok {
			t.Errorf("no county %s", c.FIPS)
			continue
		}
		county := d.County(id)
		if county.Name != c.Name || d.CBSA(county.CBSA).Code != c.CBSA || d.Division(county.Division).Code != c.Division {
			t.Errorf("county %s is %s, %s, %s; want %s, %s, %s", c.FIPS, county.Name, d.CBSA(county.CBSA).Code, d.Division(county.Division).Code, c.Name, c.CBSA, c.Division)
		}
	}
}

func TestDemoCodes(t *testing.T) {
	d := open(t)
	for _, code := range []string{"90210", "10001", "10118", "32504", "00601", "96950", "33139", "60601", "98101", "30301"} {
		z, _ := dataset.ParseZIP(code)
		if _, ok := d.ZIP(z); !ok {
			t.Errorf("no ZIP Code %s", code)
		}
		if !d.HasZIP4(z) {
			t.Errorf("ZIP Code %s has no ZIP+4 records", code)
		}
	}
	for _, code := range []string{"K1A", "M5V"} {
		f, _ := dataset.ParseFSA(code)
		if _, ok := d.FSA(f); !ok {
			t.Errorf("no FSA %s", code)
		}
	}
	p, _ := dataset.ParsePostalCode("K1A 0B1")
	if row, ok := d.PostalCode(p); !ok || row.City != "Ottawa" {
		t.Errorf("K1A 0B1: %v, %+v", ok, row)
	}
}

func TestZIP4RecordsOfEveryType(t *testing.T) {
	ctx := context.Background()
	d := open(t)
	kinds := map[byte]int{}
	var records, located, alternates int
	for z := range d.ZIPs() {
		if !d.HasZIP4(z.ZIP) {
			continue
		}
		for p := range dataset.Plus4(10_000) {
			if p > 1500 && p < 9999 {
				continue // the sample has none there
			}
			found, err := d.ZIP4(ctx, z.ZIP, p)
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range found {
				if r.Low != p {
					continue
				}
				records++
				kinds[r.RecordType]++
				if r.Location.IsValid() {
					located++
				}
				if r.Alternate {
					alternates++
				}
			}
		}
	}
	for _, k := range []byte("SHFPGR") {
		if kinds[k] == 0 {
			t.Errorf("no record of type %c", k)
		}
	}
	if records < 3000 || located < 2000 || alternates == 0 {
		t.Errorf("%d ZIP+4 records, %d with a point, %d alternates", records, located, alternates)
	}
	t.Logf("%d ZIP+4 records, %d with a point: %d street, %d high-rise, %d firm, %d PO box, %d general delivery, %d rural route",
		records, located, kinds['S'], kinds['H'], kinds['F'], kinds['P'], kinds['G'], kinds['R'])
}
