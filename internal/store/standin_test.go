package store_test

import (
	"compress/gzip"
	"encoding/csv"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/store"
)

// shared returns the path of a file of the shared data, or skips the test.
func shared(t testing.TB, name string) string {
	t.Helper()
	root := os.Getenv("POSTGEO_SHARED")
	if root == "" {
		dir, err := os.Getwd()
		check(t, err)
		for {
			if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
				root = filepath.Join(dir, "..", "shared")
				break
			}
			if dir == filepath.Dir(dir) {
				t.Fatal("no go.mod above the working folder")
			}
			dir = filepath.Dir(dir)
		}
	}
	path := filepath.Join(root, name)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("needs the shared data file %s: set POSTGEO_SHARED to its folder", name)
	}
	return path
}

func gunzip(t testing.TB, path string) []byte {
	t.Helper()
	f, err := os.Open(path)
	check(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	check(t, err)
	b, err := io.ReadAll(z)
	check(t, err)
	return b
}

// standIn reads the ZIP+4 product file of the shared data with its points.
func standIn(t testing.TB) []store.ZIP4Record {
	t.Helper()
	points := standInPoints(t)
	text := gunzip(t, shared(t, "data/address/zip4.txt.gz"))
	var list []store.ZIP4Record
	for ; len(text) >= 182; text = text[182:] {
		// from and to are positions of the record layout, counted from 1.
		field := func(from, to int) string { return strings.TrimSpace(string(text[from-1 : to])) }
		char := func(at int) byte {
			if c := text[at-1]; c != ' ' {
				return c
			}
			return 0
		}
		if char(1) != 'D' {
			continue
		}
		low, ok := dataset.ParsePlus4(field(141, 144))
		high, ok2 := dataset.ParsePlus4(field(145, 148))
		z, ok3 := dataset.ParseZIP(field(2, 6))
		if !ok || !ok2 || !ok3 {
			t.Fatalf("record %q", text[:182])
		}
		list = append(list, store.ZIP4Record{
			ZIP: z, Low: low, High: high, RecordType: char(18), CarrierRoute: field(19, 22), PreDir: field(23, 24),
			Street: field(25, 52), Suffix: field(53, 56), PostDir: field(57, 58), AddrLow: field(59, 68), AddrHigh: field(69, 78),
			OddEven: char(79), Building: field(80, 119), SecAbbr: field(120, 123), SecLow: field(124, 131), SecHigh: field(132, 139),
			SecOddEven: char(140), Alternate: char(149) == 'A', LACS: char(150) == 'L', Government: char(151), Finance: field(152, 157),
			State: field(158, 159), CountyFIPS: field(160, 162), Congress: field(163, 164), Municipality: field(165, 170),
			Urbanization: field(171, 176), LastLine: field(177, 182), Location: points[field(2, 6)+low.String()],
		})
	}
	if len(list) < 20_000 {
		t.Fatalf("found %d records, expected at least 20,000", len(list))
	}
	return list
}

func standInPoints(t testing.TB) map[string]geo.LatLng {
	t.Helper()
	r := csv.NewReader(strings.NewReader(string(gunzip(t, shared(t, "data/address/zip4_points.csv.gz")))))
	points := map[string]geo.LatLng{}
	for {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			return points
		}
		check(t, err)
		lat, err := strconv.ParseFloat(row[2], 64)
		if err != nil {
			continue // the heading
		}
		lng, err := strconv.ParseFloat(row[3], 64)
		check(t, err)
		points[row[0]+row[1]] = geo.MustLatLng(lat, lng)
	}
}

// TestStandInZIP4 stores the product file and finds every record again, by
// every add-on of its range.
func TestStandInZIP4(t *testing.T) {
	records := standIn(t)
	c := &country{ZIP4: records}
	d := open(t, c.file(t))
	want := map[string][]store.ZIP4Record{}
	for _, alternate := range []bool{false, true} {
		for _, r := range records {
			for p := r.Low; p <= r.High && r.Alternate == alternate; p++ {
				key := r.ZIP.String() + p.String()
				want[key] = append(want[key], r)
			}
		}
	}
	for key, want := range want {
		z, _ := dataset.ParseZIP(key[:5])
		p, _ := dataset.ParsePlus4(key[5:])
		want = zip4Oracle(want, z, p)
		got, err := d.ZIP4(t.Context(), z, p)
		check(t, err)
		if !slices.Equal(want, got) {
			t.Fatalf("%s (-want +got):\n%s", key, cmp.Diff(want, got, equal))
		}
	}
}
