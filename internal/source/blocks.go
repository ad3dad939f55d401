package source

import (
	"bytes"
	"iter"
	"math"
	"strings"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/source/format"
	"github.com/postgeo/postgeo/internal/store"
)

// A Block is a block of the census of 2020, or a part of a block group.
type Block struct {
	GEOID   string     // fifteen digits of a block, twelve of a block group
	People  int64      // residents
	Housing int64      // housing units; -1 unknown
	Land    int64      // square meters; -1 unknown
	At      geo.LatLng // not valid if unknown
	Line    int
}

// blockColumns are the usual columns of files of blocks, as [columnsOf] has them.
var blockColumns = map[string][]string{
	"geoid":   {"geoid", "geoid20", "blockid", "block2020", "blockgroupgeoid"},
	"people":  {"pop20", "pop2020", "population", "pop"},
	"housing": {"housing20", "housing2020", "housing"},
	"land":    {"aland20", "aland"},
	"lat":     {"intptlat20", "intptlat", "latitude", "lat"},
	"lng":     {"intptlon20", "intptlon", "longitude", "lon", "lng"},
}

// Blocks reads blocks at the path, of TIGER/Line outlines (tabblock20) or of delimited
// text with columns of the same names.
func Blocks(name string) iter.Seq2[Block, error] {
	if lower := strings.TrimSuffix(strings.ToLower(name), ".gz"); !strings.HasSuffix(lower, ".csv") && !strings.HasSuffix(lower, ".txt") {
		var columns map[string]string // mostly the same for all
		return ownShapes(name, nil, func(s format.Shape) (Block, error) {
			if !s.Has(columns["geoid"]) || !s.Has(columns["people"]) {
				columns = columnsOf(s.Names(), blockColumns)
			}
			return blockOf(renamed{s, columns}, s.Record())
		})
	}
	return opened(func() (*format.Input, error) { return format.Open(name, format.OpenOptions{}) }, blockRows, func(b Block) (Block, error) { return b, nil })
}

func blockRows(in *format.Input) iter.Seq2[Block, error] {
	t, err := format.NewTable(in, textOptions(in))
	if err != nil {
		return failed[Block](err)
	}
	columns := columnsOf(t.Header(), blockColumns)
	if columns["geoid"] == "" || columns["people"] == "" {
		return failed[Block](&format.Error{File: in.Name(), Line: 1, Reason: "the header " + strings.Join(t.Header(), ",") + " lacks a column of blocks (GEOID20) or of residents (POP20)", Err: format.ErrColumns})
	}
	return parsed(t.Rows(), func(r format.Row) (Block, error) { return blockOf(renamed{r, columns}, r.Line()) })
}

func blockOf(f fields, line int) (b Block, err error) {
	b = Block{GEOID: strings.Clone(f.Get("geoid")), Line: line}
	if !isDigits(b.GEOID, 15) && !isDigits(b.GEOID, 12) {
		return b, f.Errorf("geoid", "%q is not the 15 digits of a block or the 12 of a block group", b.GEOID)
	}
	for _, of := range [...]struct {
		name string
		to   *int64
		most int64
	}{{"people", &b.People, math.MaxInt32}, {"housing", &b.Housing, math.MaxInt32 - 1}, {"land", &b.Land, store.MaxBlockLand}} {
		if *of.to = -1; f.Get(of.name) == "" && of.to != &b.People {
			continue
		}
		if *of.to, err = count(f, of.name); err == nil && *of.to > of.most {
			err = f.Errorf(of.name, "%d, expected at most %d", *of.to, of.most)
		}
		if err != nil {
			return b, err
		}
	}
	b.At, err = point(f, "lat", "lng")
	return b, err
}

// columnsOf returns the column of each meaning: the first of its usual names that a file
// has, in small letters and without anything but letters and digits.
func columnsOf(headers []string, usual map[string][]string) map[string]string {
	plain, found := make(map[string]string, len(headers)), map[string]string{}
	for i := len(headers) - 1; i >= 0; i-- { // the first of the same name counts
		plain[plainHeader(headers[i])] = headers[i]
	}
	for meaning, names := range usual {
		for _, name := range names {
			if h, ok := plain[name]; ok {
				found[meaning] = h
				break
			}
		}
	}
	return found
}

// renamed are fields by the meaning of their columns.
type renamed struct {
	fields
	columns map[string]string
}

// Get returns a field, "" if the file lacks its column or it has a word for blank.
func (r renamed) Get(meaning string) string {
	column, ok := r.columns[meaning]
	if !ok {
		return ""
	}
	if s := r.fields.Get(column); !strings.EqualFold(s, "not stated") && !strings.EqualFold(s, "null") {
		return s
	}
	return ""
}

// textOptions returns the form of delimited text, whose first line shows the
// delimiter.
func textOptions(in *format.Input) format.TableOptions {
	head, _ := in.Peek(1 << 10)
	head, _, _ = bytes.Cut(head, []byte("\n"))
	for _, d := range []byte{'|', '\t'} {
		if bytes.IndexByte(head, d) >= 0 {
			return format.TableOptions{Delimiter: d}
		}
	}
	return format.TableOptions{Delimiter: ',', Quoted: true}
}
