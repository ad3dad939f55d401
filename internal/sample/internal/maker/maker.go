// Package maker makes the embedded sample dataset.
package maker

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/builder"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/sample/internal/facts"
	"github.com/postgeo/postgeo/internal/synth"
)

// built is the time that the sample bears; it changes with the facts.
var built = time.Date(2026, time.November, 1, 0, 0, 0, 0, time.UTC)

// version is the data version of the sample; it changes with the facts.
const version = "sample-2026-11"

// zip4Records is the number of ZIP+4 records of zip4ZIPs. These are codes of all
// classes, most of them from the documentation.
const zip4Records = 5_000

var zip4ZIPs = []dataset.ZIP{
	501, 601, 2108, 6103, 7030, 9012, 10001, 10008, 10118, 11201, 14301, 19103, 20001, 20500, 20815, 22314, 30301, 30303,
	32504, 33139, 48226, 60601, 63101, 70112, 73301, 77002, 78701, 80202, 85004, 89101, 90012, 90210, 90211, 90401,
	94105, 96813, 96910, 96950, 97204, 98101, 99501, 99546,
}

// surveyed are the ZIPs of demonstrations. Their ZCTAs, the nearest tracts, and
// one metropolitan area have tables of the American Community Survey.
var surveyed = []dataset.ZIP{601, 10001, 30301, 32504, 33139, 60601, 90210, 96950, 98101}

// surveyedSince maps a ZIP to the first year of its ZCTA, as after a census that
// redrew it.
var surveyedSince = map[dataset.ZIP]int{77002: 2020}

const (
	surveyedMetro  = "42660" // Seattle
	surveyedTracts = 40
)

func survey() synth.SurveyOptions {
	o := synth.SurveyOptions{ZIPs: surveyed, CBSAs: []string{surveyedMetro}, Since: surveyedSince, Tracts: surveyedTracts}
	for y := acs.FirstYear; y <= acs.LastYear; y++ {
		o.Years = append(o.Years, y)
		if y > acs.LastYear-3 {
			o.TractYears = append(o.TractYears, y)
		}
	}
	return o
}

// Make writes the sample dataset to a path and returns the report of its
// build. Source files are written to a temporary folder and removed.
func Make(ctx context.Context, path string) (*builder.Report, error) {
	f, err := facts.Load()
	if err != nil {
		return nil, err
	}
	c, err := synth.FromFacts(f)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "postgeo-sample-*")
	if err != nil {
		return nil, fmt.Errorf("maker: %w", err)
	}
	defer os.RemoveAll(dir)
	if err := c.WriteMirror(ctx, dir); err != nil {
		return nil, err
	}
	tables, err := c.WriteSurvey(ctx, filepath.Join(dir, "acs"), survey())
	if err != nil {
		return nil, err
	}
	usps := filepath.Join(dir, "usps")
	if err := c.WriteProducts(ctx, usps, synth.ZIP4Options{Records: zip4Records, ZIPs: zip4ZIPs, Landmarks: landmarks}, nil); err != nil {
		return nil, err
	}
	points := filepath.Join(usps, "landmarks.csv")
	if err := writeLandmarks(points); err != nil {
		return nil, fmt.Errorf("maker: writing landmarks: %w", err)
	}
	return builder.Build(ctx, builder.Options{
		Output: path, Mirror: dir, Offline: true, Cache: filepath.Join(dir, "cache"), Layers: []string{"all"},
		USPSZIP4: filepath.Join(usps, synth.ZIP4File), USPSCityState: filepath.Join(usps, synth.CityStateFile),
		USPSDeliveryStats: filepath.Join(usps, synth.DeliveryStatisticsFile), ZIP4Points: filepath.Join(usps, synth.ZIP4PointsFile),
		AddressPoints: []string{points},
		ACS:           tables,
		Version:       version, Builder: "postgeo sample", Sample: true, SourceDateEpoch: built,
	})
}

// writeLandmarks writes the landmarks as address points in the columns of
// OpenAddresses.
func writeLandmarks(path string) error {
	rows := [][]string{{"LON", "LAT", "NUMBER", "STREET", "UNIT", "CITY", "DISTRICT", "REGION", "POSTCODE", "ID", "HASH"}}
	for _, l := range landmarks {
		street := strings.Join(strings.Fields(strings.Join([]string{l.PreDir, l.Street, l.Suffix, l.PostDir}, " ")), " ")
		rows = append(rows, []string{
			strconv.FormatFloat(l.Location.Lng(), 'f', -1, 64), strconv.FormatFloat(l.Location.Lat(), 'f', -1, 64),
			strconv.Itoa(l.Number), street, "", "", "", "", l.ZIP.String(), "", "",
		})
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(csv.NewWriter(f).WriteAll(rows), f.Close())
}

// landmarks are city halls, stations, museums and the like, so that an address
// that comes to a newcomer's mind may match. Number, street and ZIP Code are
// real; ranges, add-ons and units of the sample are invented.
var landmarks = []synth.Landmark{
	{ZIP: 2108, Number: 24, Street: "BEACON", Suffix: "ST", Location: geo.MustLatLng(42.3588, -71.0638)},
	{ZIP: 6103, Number: 550, Street: "MAIN", Suffix: "ST", Location: geo.MustLatLng(41.7630, -72.6736)},
	{ZIP: 7030, Number: 94, Street: "WASHINGTON", Suffix: "ST", Location: geo.MustLatLng(40.7379, -74.0309)},
	{ZIP: 10001, Number: 421, Street: "8TH", Suffix: "AVE", Location: geo.MustLatLng(40.7512, -73.9959)},
	{ZIP: 10118, Number: 350, Street: "5TH", Suffix: "AVE", Building: "EMPIRE STATE BUILDING", Location: geo.MustLatLng(40.7484, -73.9857)},
	{ZIP: 11201, Number: 209, Street: "JORALEMON", Suffix: "ST", Location: geo.MustLatLng(40.6927, -73.9903)},
	{ZIP: 19103, Number: 1901, Street: "VINE", Suffix: "ST", Location: geo.MustLatLng(39.9592, -75.1710)},
	{ZIP: 20500, Number: 1600, Street: "PENNSYLVANIA", Suffix: "AVE", PostDir: "NW", Location: geo.MustLatLng(38.8977, -77.0365)},
	{ZIP: 22314, Number: 301, Street: "KING", Suffix: "ST", Location: geo.MustLatLng(38.8048, -77.0432)},
	{ZIP: 30303, Number: 55, Street: "TRINITY", Suffix: "AVE", PostDir: "SW", Location: geo.MustLatLng(33.7486, -84.3905)},
	{ZIP: 33139, Number: 1700, Street: "CONVENTION CENTER", Suffix: "DR", Location: geo.MustLatLng(25.7922, -80.1355)},
	{ZIP: 48226, Number: 2, Street: "WOODWARD", Suffix: "AVE", Building: "COLEMAN A YOUNG MUNICIPAL CENTER", Location: geo.MustLatLng(42.3293, -83.0442)},
	{ZIP: 60601, Number: 200, PreDir: "E", Street: "RANDOLPH", Suffix: "ST", Building: "AON CENTER", Location: geo.MustLatLng(41.8853, -87.6216)},
	{ZIP: 60601, Number: 100, PreDir: "W", Street: "RANDOLPH", Suffix: "ST", Location: geo.MustLatLng(41.8854, -87.6316)},
	{ZIP: 70112, Number: 1300, Street: "PERDIDO", Suffix: "ST", Location: geo.MustLatLng(29.9527, -90.0776)},
	{ZIP: 77002, Number: 901, Street: "BAGBY", Suffix: "ST", Location: geo.MustLatLng(29.7602, -95.3694)},
	{ZIP: 78701, Number: 1100, Street: "CONGRESS", Suffix: "AVE", Location: geo.MustLatLng(30.2747, -97.7404)},
	{ZIP: 78701, Number: 301, PreDir: "W", Street: "2ND", Suffix: "ST", Location: geo.MustLatLng(30.2649, -97.7473)},
	{ZIP: 80202, Number: 1701, Street: "WYNKOOP", Suffix: "ST", Location: geo.MustLatLng(39.7533, -105.0003)},
	{ZIP: 85004, Number: 1625, PreDir: "N", Street: "CENTRAL", Suffix: "AVE", Location: geo.MustLatLng(33.4673, -112.0733)},
	{ZIP: 89101, Number: 495, PreDir: "S", Street: "MAIN", Suffix: "ST", Location: geo.MustLatLng(36.1672, -115.1486)},
	{ZIP: 90012, Number: 200, PreDir: "N", Street: "SPRING", Suffix: "ST", Location: geo.MustLatLng(34.0537, -118.2430)},
	{ZIP: 90012, Number: 800, PreDir: "N", Street: "ALAMEDA", Suffix: "ST", Location: geo.MustLatLng(34.0560, -118.2368)},
	{ZIP: 90210, Number: 455, PreDir: "N", Street: "REXFORD", Suffix: "DR", Location: geo.MustLatLng(34.0730, -118.4003)},
	{ZIP: 90401, Number: 1685, Street: "MAIN", Suffix: "ST", Location: geo.MustLatLng(34.0116, -118.4914)},
	{ZIP: 94105, Number: 415, Street: "MISSION", Suffix: "ST", Building: "SALESFORCE TOWER", Location: geo.MustLatLng(37.7898, -122.3972)},
	{ZIP: 96813, Number: 530, PreDir: "S", Street: "KING", Suffix: "ST", Location: geo.MustLatLng(21.3045, -157.8556)},
	{ZIP: 97204, Number: 1221, PreDir: "SW", Street: "4TH", Suffix: "AVE", Location: geo.MustLatLng(45.5152, -122.6793)},
	{ZIP: 98101, Number: 85, Street: "PIKE", Suffix: "ST", Location: geo.MustLatLng(47.6097, -122.3420)},
	{ZIP: 99501, Number: 632, PreDir: "W", Street: "6TH", Suffix: "AVE", Location: geo.MustLatLng(61.2167, -149.8937)},
}
