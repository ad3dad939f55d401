package synth

import (
	"archive/zip"
	"bufio"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
)

// stamp is the time that every file inside an archive bears.
var stamp = time.Date(2025, time.January, 1, 0, 0, 0, 0, time.UTC)

// Folders of the official hosts.
const (
	geoNamesDir  = "download.geonames.org/export/zip/"
	gazetteerDir = "www2.census.gov/geo/docs/maps-data/data/gazetteer/2025_Gazetteer/"
	tigerDir     = "www2.census.gov/geo/tiger/"
	statCanDir   = "www12.statcan.gc.ca/census-recensement/2021/geo/sip-pis/boundary-limites/files-fichiers/"
	auxDir       = "aux.local/"
	statCanLocal = "statcan.local/"
)

// A mirrorFile is one file of the mirror: its path under the root and what
// writes it.
type mirrorFile struct {
	path  string
	rows  int
	write func(context.Context, io.Writer) error
}

// files lists everything that WriteMirror writes, in the order of the paths'
// hosts.
func (c *Country) files() []mirrorFile {
	var files []mirrorFile
	files = append(files, c.zipTables()...)
	files = append(files, c.gazetteer()...)
	files = append(files, c.usTables()...)
	files = append(files, c.summaryFiles()...)
	files = append(files, c.medicareTables()...)
	files = append(files, c.businessTables()...)
	files = append(files, c.boundaries()...)
	files = append(files, c.heldBoundaries()...)
	files = append(files, c.canadianTables()...)
	return files
}

// WriteMirror writes the country's source files below a folder, each at
// <host>/<path> of its official address, and ACTUAL.csv, which says of each
// that it is invented. Files that exist are replaced.
func (c *Country) WriteMirror(ctx context.Context, dir string) error {
	files := c.files()
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := writeFile(ctx, filepath.Join(dir, filepath.FromSlash(f.path)), f.write); err != nil {
			return fmt.Errorf("synth: writing %s: %w", f.path, err)
		}
	}
	return writeFile(ctx, filepath.Join(dir, "ACTUAL.csv"), func(_ context.Context, w io.Writer) error {
		return c.writeActual(w, files)
	})
}

// writeActual writes what every file of the mirror really is.
func (c *Country) writeActual(w io.Writer, files []mirrorFile) error {
	t := newTable(w, ',')
	t.row("path", "vintage", "rows", "official_rows", "fit_for_shares", "note")
	for _, f := range files {
		t.row(f.path, c.Label, itoa(f.rows), itoa(f.rows), "yes", c.Label+" data, not the publisher's")
	}
	return t.flush()
}

func writeFile(ctx context.Context, path string, write func(context.Context, io.Writer) error) (err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() {
		if e := f.Close(); err == nil {
			err = e
		}
	}()
	b := bufio.NewWriterSize(f, 1<<18)
	if err := write(ctx, b); err != nil {
		return err
	}
	return b.Flush()
}

// zipped wraps a writer of one file into a zip archive with that member.
func zipped(member string, write func(context.Context, io.Writer) error) func(context.Context, io.Writer) error {
	return func(ctx context.Context, w io.Writer) error {
		z := zip.NewWriter(w)
		m, err := zipMember(z, member)
		if err != nil {
			return err
		}
		if err := write(ctx, m); err != nil {
			return err
		}
		return z.Close()
	}
}

func zipMember(z *zip.Writer, name string) (io.Writer, error) {
	return z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: stamp})
}

// gzipped compresses what write writes, without name and time.
func gzipped(write func(context.Context, io.Writer) error) func(context.Context, io.Writer) error {
	return func(ctx context.Context, w io.Writer) error {
		z := gzip.NewWriter(w)
		if err := write(ctx, z); err != nil {
			return err
		}
		return z.Close()
	}
}
