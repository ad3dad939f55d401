// Package maker makes the embedded sample dataset from the publishers' files.
package maker

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/postgeo/postgeo/dataset/builder"
)

// built is the time that the sample bears, and version its data version; they change with its
// codes.
var built = time.Date(2026, time.November, 1, 0, 0, 0, 0, time.UTC)

const version = "sample-2026-11"

// fsas are the forward sortation areas. The ZIP Codes are in codes.csv.
var fsas = strings.Fields(`A1A A1B A1C B3H B3J C1A E1C E3B G1K G1R H2X H2Y H2Z H3A H3B H3C J8X K1A K1M K1N K1P K1R K1S K2P K7L L2A L2E L2G
	L8P M4W M4Y M5A M5B M5C M5E M5G M5H M5J M5R M5S M5T M5V M5X M6G M6J M6K N6A N8X N9A N9B R3B R3C S4P S7K T2P T5J
	V5T V5Z V6A V6B V6C V6E V6G V6Z V8W X0A X1A Y1A`)

// counted are the FSAs whose full postal codes are in the sample, all of them.
var counted = []string{"K1A", "K1P", "M5V", "M5X", "N9A"}

// invented are the sources that no publisher gives away: the postal products, and
// most tables of the survey. Their files are in invented.zip.
var invented = []string{"usps-zip4", "usps-city-state", "usps-delivery-stats", "zip4-points", "address-points", "acs"}

// catalog describes codes.csv, a list of the project's own.
const catalog = `{"sources": [{"id": "zip-database", "title": "Codes of the sample", "url": "https://github.com/postgeo/postgeo",
	"license": "MIT", "attribution": "postgeo", "redistribution": "attribution", "note": "class, city, county and area codes"}]}`

// Make writes the sample to a path from the publishers' files in a mirror, and from
// the lists in the folder of package sample.
func Make(ctx context.Context, mirror, lists, path string) (report *builder.Report, err error) {
	list := filepath.Join(lists, "codes.csv")
	c, err := newClip(ctx, mirror, list)
	if err != nil {
		return nil, fmt.Errorf("maker: %w", err)
	}
	dir, err := os.MkdirTemp("", "postgeo-sample-*")
	if err != nil {
		return nil, fmt.Errorf("maker: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	tables, err := unpack(filepath.Join(lists, "invented.zip"), dir)
	if err != nil {
		return nil, fmt.Errorf("maker: %w", err)
	}
	changes := filepath.Join(dir, "catalog.json")
	if err := os.WriteFile(changes, []byte(catalog), 0o600); err != nil {
		return nil, err
	}
	in := func(name string) string { return filepath.Join(dir, name) }
	return builder.Build(ctx, builder.Options{
		Output: path, Mirror: mirror, Offline: true, Cache: in("cache"), Layers: []string{"all"}, Catalog: changes, ZIPDatabase: list,
		USPSZIP4: in("zip4.txt"), USPSCityState: in("ctystate.txt"), USPSDeliveryStats: in("delstat.txt"), ZIP4Points: in("zip4_points.csv"),
		AddressPoints: []string{in("landmarks.csv")}, ACS: tables,
		Version: version, Builder: "postgeo sample", Sample: true, Invented: invented, Filter: c.keep, SourceDateEpoch: built,
	})
}

// unpack unpacks the invented files and returns the paths of the tables of the survey.
func unpack(path, dir string) (tables []string, err error) {
	z, err := zip.OpenReader(path)
	if err != nil {
		return nil, err
	}
	defer z.Close()
	for _, f := range z.File {
		name := filepath.Join(dir, filepath.Base(f.Name))
		in, err := f.Open()
		if err != nil {
			return nil, err
		}
		text, err := io.ReadAll(in)
		if err := errors.Join(err, in.Close(), os.WriteFile(name, text, 0o600)); err != nil {
			return nil, err
		}
		if strings.HasPrefix(f.Name, "acs/") {
			tables = append(tables, name)
		}
	}
	return tables, nil
}
