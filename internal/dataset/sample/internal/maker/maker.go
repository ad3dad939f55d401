// Package maker makes the embedded sample dataset.
package maker

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/postgeo/postgeo/internal/acs"
	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/dataset/build"
	"github.com/postgeo/postgeo/internal/dataset/sample/internal/facts"
	"github.com/postgeo/postgeo/internal/dataset/synth"
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
func Make(ctx context.Context, path string) (*build.Report, error) {
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
	products, err := writeProducts(ctx, c, filepath.Join(dir, "usps"))
	if err != nil {
		return nil, err
	}
	return build.Build(ctx, build.Options{
		Output: path, Mirror: dir, Offline: true, Cache: filepath.Join(dir, "cache"), Layers: []string{"all"},
		USPSZIP4: products.zip4, USPSCityState: products.cityState, USPSDeliveryStats: products.deliveryStats, ZIP4Points: products.points,
		AddressPoints: []string{products.landmarks},
		ACS:           tables,
		Version:       version, Builder: "postgeo sample", Sample: true, SourceDateEpoch: built,
	})
}

// products are the paths of the postal products, which a user supplies.
type products struct {
	zip4, points, cityState, deliveryStats, landmarks string
}

// writeProducts writes the user's files of the country to a folder.
func writeProducts(ctx context.Context, c *synth.Country, dir string) (products, error) {
	p := products{
		filepath.Join(dir, "zip4.txt"), filepath.Join(dir, "zip4_points.csv"), filepath.Join(dir, "ctystate.txt"), filepath.Join(dir, "delstat.txt"),
		filepath.Join(dir, "landmarks.csv"),
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return p, fmt.Errorf("maker: %w", err)
	}
	o := synth.ZIP4Options{Records: zip4Records, ZIPs: zip4ZIPs, Landmarks: landmarks}
	for _, f := range []struct {
		path  string
		write func(io.Writer) (int64, error)
	}{
		{p.zip4, func(w io.Writer) (int64, error) { return c.WriteZIP4(ctx, w, o) }},
		{p.points, func(w io.Writer) (int64, error) { return c.WriteZIP4Points(ctx, w, o) }},
		{p.cityState, func(w io.Writer) (int64, error) { return c.WriteCityState(ctx, w) }},
		{p.deliveryStats, func(w io.Writer) (int64, error) { return c.WriteDeliveryStatistics(ctx, w) }},
		{p.landmarks, writeLandmarks},
	} {
		file, err := os.Create(f.path)
		if err != nil {
			return p, fmt.Errorf("maker: %w", err)
		}
		_, err = f.write(file)
		if err := errors.Join(err, file.Close()); err != nil {
			return p, fmt.Errorf("maker: writing %s: %w", filepath.Base(f.path), err)
		}
	}
	return p, nil
}

// writeLandmarks writes the landmarks as address points in the columns of
// OpenAddresses.
func writeLandmarks(w io.Writer) (n int64, err error) {
	table := csv.NewWriter(w)
	rows := [][]string{{"LON", "LAT", "NUMBER", "STREET", "UNIT", "CITY", "DISTRICT", "REGION", "POSTCODE", "ID", "HASH"}}
	for _, l := range landmarks {
		street := strings.Join(strings.Fields(strings.Join([]string{l.PreDir, l.Street, l.Suffix, l.PostDir}, " ")), " ")
		rows = append(rows, []string{
			strconv.FormatFloat(l.Location.Lng(), 'f', -1, 64), strconv.FormatFloat(l.Location.Lat(), 'f', -1, 64),
			strconv.Itoa(l.Number), street, "", "", "", "", l.ZIP.String(), "", "",
		})
	}
	return int64(len(landmarks)), table.WriteAll(rows)
}
