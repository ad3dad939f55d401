package synth

import (
	"archive/zip"
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// stamp is the modification time of every file inside an archive.
var stamp = time.Date(2025, time.January, 1, 0, 0, 0, 0, time.UTC)

// Folders of the official hosts.
const (
	geoNamesDir  = "download.geonames.org/export/zip/"
	gazetteerDir = "www2.census.gov/geo/docs/maps-data/data/gazetteer/2025_Gazetteer/"
	tigerDir     = "www2.census.gov/geo/tiger/"
	shp2024      = tigerDir + "GENZ2024/shp/"
	ncesDir      = "nces.ed.gov/"
	statCanDir   = "www12.statcan.gc.ca/census-recensement/2021/geo/sip-pis/boundary-limites/files-fichiers/"
	auxDir       = "aux.local/"
	statCanLocal = "statcan.local/"
)

// A mirrorFile is one file of the mirror.
type mirrorFile struct {
	path  string // below the root
	write func(context.Context, io.Writer) (rows int, err error)
}

// files lists the files that WriteMirror writes.
func (c *Country) files() []mirrorFile {
	return slices.Concat(c.zipTables(), c.gazetteer(), c.usTables(), c.summaryFiles(), c.medicareTables(), c.businessTables(),
		c.boundaries(), c.heldBoundaries(), c.schoolTables(), c.metroBoundaries(), c.canadianTables())
}

// WriteMirror writes the country's source files below dir, each at
// <host>/<path> of its official address. It replaces existing files. The file
// ACTUAL.csv marks every file as invented.
func (c *Country) WriteMirror(ctx context.Context, dir string) error {
	files := c.files()
	counts := make([]int, len(files))
	actual := csv.file("ACTUAL.csv", "", func(t *table) {
		t.line("path", "vintage", "rows", "official_rows", "fit_for_shares", "note")
		for i, f := range files {
			t.row(f.path, c.Label, itoa(counts[i]), itoa(counts[i]), "yes", c.Label+" data, not the publisher's")
		}
	})
	for i, f := range append(files, actual) {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := f.create(ctx, dir)
		if err != nil {
			return fmt.Errorf("synth: writing %s: %w", f.path, err)
		}
		if i < len(files) {
			counts[i] = n
		}
	}
	return nil
}

// create writes the file below dir and returns the number of its rows.
func (f mirrorFile) create(ctx context.Context, dir string) (rows int, err error) {
	path := filepath.Join(dir, filepath.FromSlash(f.path))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return 0, err
	}
	file, err := os.Create(path)
	if err != nil {
		return 0, err
	}
	b := bufio.NewWriterSize(file, 1<<18)
	rows, err = f.write(ctx, b)
	return rows, errors.Join(err, b.Flush(), file.Close())
}

// archived returns a file of the mirror. A file with a member name is a zip
// archive of that member. A file with the extension .gz is compressed, without
// name and time.
func archived(path, member string, write func(context.Context, io.Writer) (int, error)) mirrorFile {
	switch {
	case member != "":
		return mirrorFile{path, func(ctx context.Context, w io.Writer) (int, error) {
			z := zip.NewWriter(w)
			m, err := zipMember(z, member)
			if err != nil {
				return 0, err
			}
			rows, err := write(ctx, m)
			return rows, errors.Join(err, z.Close())
		}}
	case strings.HasSuffix(path, ".gz"):
		return mirrorFile{path, func(ctx context.Context, w io.Writer) (int, error) {
			z := gzip.NewWriter(w)
			rows, err := write(ctx, z)
			return rows, errors.Join(err, z.Close())
		}}
	}
	return mirrorFile{path, write}
}

func zipMember(z *zip.Writer, name string) (io.Writer, error) {
	return z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: stamp})
}
