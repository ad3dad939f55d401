package synth

import (
	"archive/zip"
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/transform"

	"github.com/postgeo/postgeo/geo"
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
			t.row(f.path, c.vintage(f.path), itoa(counts[i]), itoa(counts[i]), "yes", c.Label+" data, not the publisher's")
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

// vintage returns the vintage of a file. Outlines of school districts are those of
// the contract's school year, not of the published files.
func (c *Country) vintage(path string) string {
	for _, name := range []string{"_unsd_", "_elsd_", "_scsd_", "_sdadm"} {
		if strings.Contains(path, name) {
			return c.Label + " school year 2024-25"
		}
	}
	return c.Label
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

// A form is a form of delimited text. In CSV files values are quoted if they
// must be; the official files with other delimiters have no quotes.
type form struct {
	delimiter byte
	quoted    bool // quote every value
	crlf      bool
	mark      bool // begin with a byte order mark
	latin1    bool // else UTF-8
}

var (
	csv       = form{delimiter: ','}
	quotedCSV = form{delimiter: ',', quoted: true}
	pipes     = form{delimiter: '|'}
	tabs      = form{delimiter: '\t'}
)

// A table writes rows of delimited text.
type table struct {
	form
	w     *bufio.Writer
	count int // rows so far
}

// file returns a file of the mirror with the rows that write adds. See
// [archived] for member.
func (f form) file(path, member string, write func(t *table)) mirrorFile {
	return archived(path, member, func(_ context.Context, w io.Writer) (int, error) {
		var latin1 io.Closer
		if f.latin1 {
			encoder := transform.NewWriter(w, encoding.ReplaceUnsupported(charmap.ISO8859_1.NewEncoder()))
			w, latin1 = encoder, encoder
		}
		t := &table{form: f, w: bufio.NewWriterSize(w, 1<<16)}
		if f.mark {
			t.w.WriteString("\ufeff")
		}
		write(t)
		err := t.w.Flush()
		if latin1 != nil {
			err = errors.Join(err, latin1.Close())
		}
		return t.count, err
	})
}

// list returns a file of the mirror whose first row has the columns, which are
// separated by commas.
func (f form) list(path, columns string, write func(t *table)) mirrorFile {
	return f.file(path, "", func(t *table) {
		t.line(strings.Split(columns, ",")...)
		write(t)
	})
}

// row writes a row. Errors are reported when the table is flushed.
func (t *table) row(values ...string) {
	t.count++
	t.line(values...)
}

// line writes a row that does not count, such as a header or a duplicate.
func (t *table) line(values ...string) {
	for i, v := range values {
		if i > 0 {
			t.w.WriteByte(t.delimiter)
		}
		if t.quoted || t.delimiter == ',' && strings.ContainsAny(v, ",\"\n") {
			t.w.WriteByte('"')
			t.w.WriteString(strings.ReplaceAll(v, `"`, `""`))
			t.w.WriteByte('"')
		} else {
			t.w.WriteString(v)
		}
	}
	if t.crlf {
		t.w.WriteByte('\r')
	}
	t.w.WriteByte('\n')
}

// all iterates over the elements of a slice by pointer.
func all[T any](s []T) iter.Seq2[int, *T] {
	return func(yield func(int, *T) bool) {
		for i := range s {
			if !yield(i, &s[i]) {
				return
			}
		}
	}
}

func itoa[T int | int32 | int64](v T) string { return strconv.FormatInt(int64(v), 10) }

// decimal formats a number with at most digits digits after the point.
func decimal(v float64, digits int) string {
	s := strconv.FormatFloat(v, 'f', digits, 64)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

// latLng formats the latitude and the longitude with up to six digits. Both are
// empty if p is not valid.
func latLng(p geo.LatLng) (lat, lng string) {
	if !p.IsValid() {
		return "", ""
	}
	return decimal(p.Lat(), 6), decimal(p.Lng(), 6)
}

// squareMeters returns land and water in square meters.
func (a Area) squareMeters() []string { return []string{itoa(a.Land), itoa(a.Water)} }

// squareMiles returns land and water in square miles, with three digits as in
// the Gazetteer.
func (a Area) squareMiles() []string {
	const meters = 2589988.110336
	return []string{decimal(float64(a.Land)/meters, 3), decimal(float64(a.Water)/meters, 3)}
}

// squareKilometers formats the land as Statistics Canada does.
func (a Area) squareKilometers() string { return strconv.FormatFloat(float64(a.Land)/1e6, 'f', 4, 64) }
