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
	"testing"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/checktest"
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
		check(t, err)
		t.Cleanup(func() { f.Close() })
		z, err := gzip.NewReader(f)
		check(t, err)
		return z
	}
	z, err := zip.OpenReader(path)
	check(t, err)
	t.Cleanup(func() { z.Close() })
	r, err := z.Open(member)
	check(t, err)
	return r
}

// gzippedRows returns the rows of a gzipped CSV file, the header first.
func gzippedRows(t *testing.T, path string) [][]string {
	t.Helper()
	rows, err := csv.NewReader(openMember(t, path, "")).ReadAll()
	check(t, err)
	return rows
}

// readAddressPoints returns the points of a file by ZIP.
func readAddressPoints(t *testing.T, in io.Reader, zip, lat, lng string) map[postcode.ZIP][]geo.LatLng {
	t.Helper()
	r := csv.NewReader(in)
	r.ReuseRecord = true
	header, err := r.Read()
	check(t, err)
	at := func(name string) int { return slices.Index(header, name) }
	zipAt, latAt, lngAt := at(zip), at(lat), at(lng)
	points := map[postcode.ZIP][]geo.LatLng{}
	for {
		row, err := r.Read()
		if errors.Is(err, io.EOF) {
			return points
		}
		check(t, err)
		code, ok := postcode.ParseZIP(row[zipAt])
		y, errY := strconv.ParseFloat(row[latAt], 64)
		x, errX := strconv.ParseFloat(row[lngAt], 64)
		p, err := geo.LatLngFromDegrees(y, x)
		if ok && errors.Join(errY, errX, err) == nil {
			points[code] = append(points[code], p)
		}
	}
}

// TestAccuracyOfPoints measures the distance of addresses from the point of their general
// ZIP, in miles, in postgeo and in other lists. Every ZIP counts the same. The distances
// are longer than those of all addresses: the sources lack their largest towns.
func TestAccuracyOfPoints(t *testing.T) {
	b := openNational(t)
	ours := map[postcode.ZIP]geo.LatLng{}
	for row := range b.ZIPs() {
		if row.Class == store.General {
			ours[row.ZIP] = row.Location
		}
	}
	type sample struct{ miles, weight float64 }
	lists := append([]pointList{{"postgeo", ours}}, otherPoints(t, nationalMirror)...)
	all, zips := make([][]sample, len(lists)), 0
	const enough = 20 // addresses that a ZIP must have
	for _, file := range addressPoints {
		path := filepath.Join(nationalMirror, filepath.FromSlash(file.path))
		for code, ps := range readAddressPoints(t, openMember(t, path, file.member), file.zip, file.lat, file.lng) {
			if len(ps) < enough || slices.ContainsFunc(lists, func(l pointList) bool { return !l.at[code].IsValid() }) {
				continue
			}
			zips++
			for i, l := range lists {
				for _, p := range ps {
					all[i] = append(all[i], sample{float64(geo.Distance(p, l.at[code]).Miles()), 1 / float64(len(ps))})
				}
			}
		}
	}
	table := scoretest.Table{
		Title: "points", Columns: []string{"points of " + strconv.Itoa(zips) + " ZIP Codes", ">mean", ">median", ">90th percentile", ">99th percentile"},
	}
	miles := func(v float64) string { return fmt.Sprintf("%.2f", v) }
	for i, s := range all {
		slices.SortFunc(s, func(a, b sample) int { return int(1e6 * (a.miles - b.miles)) })
		sum, weight := 0.0, 0.0
		for _, v := range s {
			sum, weight = sum+v.miles*v.weight, weight+v.weight
		}
		quantile := func(q float64) float64 {
			passed := 0.0
			at := slices.IndexFunc(s, func(v sample) bool { passed += v.weight; return passed >= q*weight })
			return s[at].miles
		}
		mean, p99 := sum/weight, quantile(0.99)
		table.Rows = append(table.Rows, []any{lists[i].name, miles(mean), miles(quantile(0.5)), miles(quantile(0.9)), miles(p99)})
		if i == 0 && (mean > 2.2 || p99 > 7.6) {
			t.Errorf("addresses lie %.2f miles from the point of their ZIP, p99 %.2f; want 2.2 and 7.6 at most", mean, p99)
		}
	}
	scoretest.Hold(t, "national", table)
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

var check = checktest.Check
