package source

import (
	"archive/tar"
	"bufio"
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
		fail := func(err error) {
			var known *format.Error // of the compressed stream
			if !errors.As(err, &known) {
				err = &format.Error{File: in.Name, Reason: err.Error() + "; fetch the file again", Err: format.ErrTruncated}
			}
			yield(ClockRow{}, err)
		}
		archive := tar.NewReader(in)
		for {
			member, err := archive.Next()
			if errors.Is(err, io.EOF) {
				if _, err := io.Copy(io.Discard, in); err != nil { // its checksum comes last
					fail(err)
				}
				return
			}
			if err != nil {
				fail(err)
				return
			}
			_, name, ok := strings.Cut(path.Clean(member.Name), "/src/tzdata/zoneinfo/")
			if !ok || member.Typeflag != tar.TypeReg {
				continue
			}
			content := bufio.NewReader(io.LimitReader(archive, maxClockMember+1))
			row := ClockRow{Zone: name}
			if name == "tzdata.zi" {
				*release, err = releaseOf(content)
			} else {
				row.Rules, err = rulesOf(content)
			}
			if err != nil {
				fail(fmt.Errorf("%s: %w", name, err))
				return
			}
			if row.Rules != "" && !yield(row, nil) {
				return
			}
		}
	}
}

// releaseOf returns the release that the first line of tzdata.zi names.
func releaseOf(in *bufio.Reader) (string, error) {
	line, err := in.ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", err
	}
	name, ok := strings.CutPrefix(line, "# version ")
	if name = strings.TrimSpace(name); !ok || name == "" {
		return "", fmt.Errorf("the first line is %.40q, expected \"# version\" and the release", line)
	}
	return name, nil
}

// rulesOf returns a TZif file, or "" for any other.
func rulesOf(in *bufio.Reader) (string, error) {
	magic, err := in.Peek(4)
	if string(magic) != "TZif" {
		if errors.Is(err, io.EOF) {
			err = nil
		}
		return "", err
	}
	rules, err := io.ReadAll(in)
	if err == nil && len(rules) > maxClockMember {
		err = fmt.Errorf("more than %d bytes", maxClockMember)
	}
	return string(rules), err
}
