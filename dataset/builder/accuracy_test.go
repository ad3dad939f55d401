package builder_test

import (
	"archive/zip"
	"compress/gzip"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"text/tabwriter"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/scoretest"
	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/source/format"
	"github.com/postgeo/postgeo/internal/store"
)

// addressPoints are the mirror's files of address points that carry a ZIP.
var addressPoints = []struct {
	name, path, member string
	zip, lat, lng      string // columns
}{
	{"Vermont", "data.transportation.gov/download/fc2s-wawr/application/x-zip-compressed", "TXT/NAD_r23.txt", "Zip_Code", "Latitude", "Longitude"},
	{"Baltimore County, MD", "data.openaddresses.io/openaddr-collected-us_south.zip", "us/md/baltimore_county.csv", "POSTCODE", "LAT", "LON"},
	{"Plymouth, MA", "data.openaddresses.io/openaddr-collected-us_northeast.zip", "us/ma/town_of_plymouth.csv", "POSTCODE", "LAT", "LON"},
	{"Milwaukee County, WI", "data.openaddresses.io/openaddr-collected-us_midwest.zip", "us/wi/milwaukee.csv", "POSTCODE", "LAT", "LON"},
	{"Virginia, three cities", "../address/va_address_points.csv.gz", "", "zip", "lat", "lon"},
}

// openMember opens a gzip file, or a member of a zip.
func openMember(t *testing.T, path, member string) io.Reader {
	t.Helper()
	if member == "" {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		z, err := gzip.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		return z
	}
	z, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { z.Close() })
	r, err := z.Open(member)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// gzippedRows returns the rows of a gzipped CSV file, the header first.
func gzippedRows(t *testing.T, path string) [][]string {
	t.Helper()
	rows, err := csv.NewReader(openMember(t, path, "")).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// readAddressPoints returns the points of a file by ZIP.
func readAddressPoints(t *testing.T, in io.Reader, zip, lat, lng string) map[postcode.ZIP][]geo.LatLng {
	t.Helper()
	r := csv.NewReader(in)
	r.ReuseRecord = true
	header, err := r.Read()
	if err != nil {
		t.Fatal(err)
	}
	at := func(name string) int { return slices.Index(header, name) }
	zipAt, latAt, lngAt := at(zip), at(lat), at(lng)
	points := map[postcode.ZIP][]geo.LatLng{}
	for {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			return points
		}
		if err != nil {
			t.Fatal(err)
		}
		code, ok := postcode.ParseZIP(row[zipAt])
		y, errY := strconv.ParseFloat(row[latAt], 64)
		x, errX := strconv.ParseFloat(row[lngAt], 64)
		p, err := geo.LatLngFromDegrees(y, x)
		if ok && errors.Join(errY, errX, err) == nil {
			points[code] = append(points[code], p)
		}
	}
}

// TestAccuracyOfPoints measures the distance of addresses from the point of
// their ZIP, in miles, over general ZIPs. In each source every address counts
// the same; in all together every ZIP does. The distances are longer than those
// of all addresses: the sources lack their largest towns.
func TestAccuracyOfPoints(t *testing.T) {
	b := openNational(t)
	ours := map[postcode.ZIP]geo.LatLng{}
	for row := range b.ZIPs() {
		if row.Class == store.General {
			ours[row.ZIP] = row.Location
		}
	}
	table, mean, p99 := measurePoints(t, nationalMirror, ours)
	scoretest.Hold(t, "national", table)
	if mean > 2.2 || p99 > 7.6 {
		t.Errorf("addresses lie %.2f miles from the point of their ZIP, p99 %.2f; want 2.2 and 7.6 at most", mean, p99)
	}
}

// measurePoints compares points of ZIPs with the Gazetteer's and GeoNames'. It returns
// the table of all sources, and the mean and 99th percentile of the first list.
func measurePoints(t *testing.T, mirror string, ours map[postcode.ZIP]geo.LatLng) (scores scoretest.Table, mean, p99 float64) {
	t.Helper()
	lists := append([]pointList{{"postgeo", ours}}, otherPoints(t, mirror)...)
	type sample struct{ miles, weight float64 }
	all := make([][]sample, len(lists))
	var table strings.Builder
	w := tabwriter.NewWriter(&table, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "addresses\tZIPs\tpoints\tmean\tmedian\tp90\tp99\t")
	var last [][]any
	miles := func(v float64) string { return fmt.Sprintf("%.2f", v) }
	line := func(name string, zips, list int, s []sample) (mean, p99 float64) {
		slices.SortFunc(s, func(a, b sample) int { return int(1e6 * (a.miles - b.miles)) })
		sum, weight := 0.0, 0.0
		for _, v := range s {
			sum += v.miles * v.weight
			weight += v.weight
		}
		quantile := func(q float64) float64 {
			passed := 0.0
			for _, v := range s {
				if passed += v.weight; passed >= q*weight {
					return v.miles
				}
			}
			return 0
		}
		mean, p99 = sum/weight, quantile(0.99)
		cells := []any{lists[list].name, miles(mean), miles(quantile(0.5)), miles(quantile(0.9)), miles(p99)}
		fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%s\t%s\t%s\t\n", append([]any{name, zips}, cells...)...)
		last = append(last, cells)
		return mean, p99
	}
	const enough = 20 // addresses that a ZIP must have
	zips := 0
	for _, file := range addressPoints {
		path := filepath.Join(mirror, filepath.FromSlash(file.path))
		points := readAddressPoints(t, openMember(t, path, file.member), file.zip, file.lat, file.lng)
		kept := 0
		samples := make([][]sample, len(lists))
		for code, ps := range points {
			if len(ps) < enough || slices.ContainsFunc(lists, func(l pointList) bool { return !l.at[code].IsValid() }) {
				continue
			}
			kept++
			for i, l := range lists {
				for _, p := range ps {
					d := float64(geo.Distance(p, l.at[code]).Miles())
					samples[i] = append(samples[i], sample{d, 1})
					all[i] = append(all[i], sample{d, 1 / float64(len(ps))})
				}
			}
		}
		zips += kept
		for i := range lists {
			line(file.name, kept, i, samples[i])
		}
	}
	last = nil
	for i := range lists {
		m, p := line("all", zips, i, all[i])
		if i == 0 {
			mean, p99 = m, p
		}
	}
	w.Flush()
	t.Log("\n" + table.String())
	return scoretest.Table{
		Title: "points", Rows: last,
		Columns: []string{"points of " + strconv.Itoa(zips) + " ZIP Codes", ">mean", ">median", ">90th percentile", ">99th percentile"},
	}, mean, p99
}

// A pointList is the points of ZIPs that a source has.
type pointList struct {
	name string
	at   map[postcode.ZIP]geo.LatLng
}

// otherPoints returns the Gazetteer's points and GeoNames'.
func otherPoints(t *testing.T, mirror string) []pointList {
	t.Helper()
	gazetteer, geoNames := map[postcode.ZIP]geo.LatLng{}, map[postcode.ZIP]geo.LatLng{}
	file := func(path string) format.File {
		return format.File{Path: filepath.Join(mirror, filepath.FromSlash(path))}
	}
	for r, err := range source.Gazetteer(5)(file("www2.census.gov/geo/docs/maps-data/data/gazetteer/2025_Gazetteer/2025_Gaz_zcta_national.zip")) {
		if code, ok := postcode.ParseZIP(r.GEOID); ok && err == nil {
			gazetteer[code] = r.Location
		}
	}
	for r, err := range source.GeoNames(file("download.geonames.org/export/zip/US.zip")) {
		if code, ok := postcode.ParseZIP(r.Code); ok && err == nil && r.Location.IsValid() {
			geoNames[code] = r.Location
		}
	}
	return []pointList{{"Gazetteer", gazetteer}, {"GeoNames", geoNames}}
}
