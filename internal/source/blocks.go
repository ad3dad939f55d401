package source

import (
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

// blockColumns are the usual columns of files of blocks, see [usual].
var blockColumns = usual(map[string][]string{
	"GEOID20": {"geoid", "geoid20", "blockid", "block2020", "blockgroupgeoid"},
	"POP20":   {"pop20", "pop2020", "population", "pop"},
	"housing": {"housing20", "housing2020", "housing"},
	"land":    {"aland20", "aland"},
	"lat":     {"intptlat20", "intptlat", "latitude", "lat"},
	"lng":     {"intptlon20", "intptlon", "longitude", "lon", "lng"},
})

// Blocks reads blocks of TIGER/Line outlines (tabblock20) or of delimited text with columns
// of the same names, such as GEOID20 and POP20.
func Blocks(f format.File) iter.Seq2[Block, error] {
	return parsed(f.Rows(format.Options{Quoted: true, Columns: []string{"GEOID20", "POP20"}, Meanings: blockColumns}), blockOf)
}

func blockOf(f format.Row) (b Block, err error) {
	b = Block{GEOID: strings.Clone(f.Get("GEOID20")), Line: f.Number}
	if !isDigits(b.GEOID, 15) && !isDigits(b.GEOID, 12) {
		return b, f.Errorf("GEOID20", "%q is not the 15 digits of a block or the 12 of a block group", b.GEOID)
	}
	for _, of := range [...]struct {
		name string
		to   *int64
		most int64
	}{{"POP20", &b.People, math.MaxInt32}, {"housing", &b.Housing, math.MaxInt32 - 1}, {"land", &b.Land, store.MaxBlockLand}} {
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
