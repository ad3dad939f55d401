package source

import (
	"archive/tar"
	"errors"
	"fmt"
	"io"
	"iter"
	"path"
	"strings"

	"github.com/postgeo/postgeo/internal/source/format"
)

// A ClockRow is a zone of the tz database.
type ClockRow struct {
	Zone  string // e.g. "America/New_York"
	Rules string // TZif file
}

// maxClockMember is the most bytes of a TZif file that are read. Those of the
// tz database have at most 4,000.
const maxClockMember = 1 << 15

// Clocks reads a release of the tz database as python/tzdata packs it: a tar
// archive with a TZif file for each zone below src/tzdata/zoneinfo/. It sets
// release to the name in the first line of tzdata.zi, e.g. "2026f".
func Clocks(f format.File, release *string) iter.Seq2[ClockRow, error] {
	return func(yield func(ClockRow, error) bool) {
		in, err := f.Open()
		if err != nil {
			yield(ClockRow{}, err)
			return
		}
		defer in.Close()
		archive := tar.NewReader(in)
		for {
			row, err := nextClock(archive, release)
			if errors.Is(err, io.EOF) {
				if _, err = io.Copy(io.Discard, in); err == nil { // its checksum comes last
					return
				}
			}
			var known *format.Error // of the compressed stream
			if err != nil && !errors.As(err, &known) {
				err = &format.Error{File: in.Name, Reason: err.Error() + "; fetch the file again", Err: format.ErrTruncated}
			}
			if (row.Rules != "" || err != nil) && !yield(row, err) || err != nil {
				return
			}
		}
	}
}

// nextClock reads the next member of the archive. Only a TZif file gives rules. The
// folder at the top of the archive has the name of the release, so that paths are
// compared from src on.
func nextClock(archive *tar.Reader, release *string) (row ClockRow, err error) {
	member, err := archive.Next()
	if err != nil {
		return row, err
	}
	_, name, ok := strings.Cut(path.Clean(member.Name), "/src/tzdata/zoneinfo/")
	if !ok || member.Typeflag != tar.TypeReg {
		return row, nil
	}
	text, err := io.ReadAll(io.LimitReader(archive, maxClockMember+1))
	switch first, _, _ := strings.Cut(string(text), "\n"); {
	case err != nil:
		return row, fmt.Errorf("%s: %w", name, err)
	case name == "tzdata.zi":
		version, ok := strings.CutPrefix(first, "# version ")
		if *release = strings.TrimSpace(version); !ok || *release == "" {
			return row, fmt.Errorf("%s: the first line is %.40q, expected \"# version\" and the release", name, first)
		}
	case strings.HasPrefix(first, "TZif"):
		if len(text) > maxClockMember {
			return row, fmt.Errorf("%s: more than %d bytes", name, maxClockMember)
		}
		row = ClockRow{name, string(text)}
	}
	return row, nil
}
