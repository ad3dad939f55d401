package source

import (
	"errors"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/source/format"
	"github.com/postgeo/postgeo/internal/store"
)

// A RoadPiece is a segment with the numbers of its sides. A side without a ZIP Code
// is in Canada.
type RoadPiece struct {
	Name        store.RoadName
	Segment     store.RoadSegment
	Left, Right PieceSide
	Record      int
}

// A PieceSide is the place of a side. The zero value has no numbers.
type PieceSide struct {
	ZIP      postcode.ZIP // 0 in Canada
	Province string       // two digits of Statistics Canada; "" in the United States
}

// Has reports whether the side has numbers and a place.
func (s PieceSide) Has() bool { return s != PieceSide{} }

// A pieceLayout lists the attributes of a file of segments.
type pieceLayout struct {
	required []string
	name     func(format.Row) string
	side     func(s format.Row, side string) (PieceSide, store.NumberRange)
}

// pieceLayouts lists the Census Bureau's ADDRFEAT files and Statistics Canada's road
// network file (92-500-X). ADDRFEAT has the ZIP Code of each side. The road network file
// has only the province, and the builder finds the FSA by the segment's middle.
var pieceLayouts = []pieceLayout{
	{
		[]string{"FULLNAME", "LFROMHN", "LTOHN", "RFROMHN", "RTOHN", "ZIPL", "ZIPR", "PARITYL", "PARITYR"},
		func(s format.Row) string { return s.Get("FULLNAME") },
		func(s format.Row, side string) (PieceSide, store.NumberRange) {
			z, ok := postcode.ParseZIP(s.Get("ZIP" + side))
			r := numberRange(s.Get(side+"FROMHN"), s.Get(side+"TOHN"), s.Get("PARITY"+side))
			if !ok || z == 0 || r.Parity == 0 {
				return PieceSide{}, store.NumberRange{}
			}
			return PieceSide{ZIP: z}, r
		},
	},
	{
		[]string{"NAME", "TYPE", "DIR", "AFL_VAL", "ATL_VAL", "AFR_VAL", "ATR_VAL", "PRUID_L", "PRUID_R"},
		func(s format.Row) string {
			return strings.Join([]string{s.Get("NAME"), s.Get("TYPE"), s.Get("DIR")}, " ")
		},
		func(s format.Row, side string) (PieceSide, store.NumberRange) {
			r, province := numberRange(s.Get("AF"+side+"_VAL"), s.Get("AT"+side+"_VAL"), ""), s.Get("PRUID_"+side)
			if r.Parity == 0 || province == "" {
				return PieceSide{}, store.NumberRange{}
			}
			return PieceSide{Province: province}, r
		},
	},
}

// Provinces are the letters of the provinces by Statistics Canada's two digits.
var Provinces = map[string]string{
	"10": "NL", "11": "PE", "12": "NS", "13": "NB", "24": "QC", "35": "ON", "46": "MB", "47": "SK", "48": "AB", "59": "BC",
	"60": "YT", "61": "NT", "62": "NU",
}

// IsProvince reports whether two letters mean a province.
func IsProvince(letters string) bool {
	return slices.Contains(slices.Collect(maps.Values(Provinces)), letters)
}

// RoadPieces reads the segments of an ADDRFEAT shapefile or of Canada's road network
// file with their lines. Segments without numbers and a place on either side are left
// out, and so are sides whose ends differ in more than a number.
func RoadPieces(f format.File) iter.Seq2[RoadPiece, error] {
	layout := &pieceLayouts[0]
	if IsRoadNetwork(f) {
		layout = &pieceLayouts[1]
	}
	names := roadNames{}
	return parsed(layout.rows(f), func(s format.Row) (RoadPiece, error) { return layout.piece(s, names) })
}

func (l *pieceLayout) rows(f format.File) iter.Seq2[format.Row, error] {
	return f.Rows(format.Options{Columns: l.required, Lines: true})
}

// IsRoadNetwork reports whether a file has the attributes of Canada's road network
// file.
func IsRoadNetwork(f format.File) bool {
	for _, err := range pieceLayouts[1].rows(f) {
		var of *format.Error // of its content
		return err == nil || errors.As(err, &of) && !errors.Is(err, format.ErrColumns)
	}
	return false
}

func (l *pieceLayout) piece(s format.Row, names roadNames) (RoadPiece, error) {
	full := l.name(s)
	p := RoadPiece{Record: s.Number}
	p.Left, p.Segment.Left = l.side(s, "L")
	p.Right, p.Segment.Right = l.side(s, "R")
	if !p.Left.Has() && !p.Right.Has() {
		return p, errSkip
	}
	p.Name = names.of(full)
	column := l.required[0]
	if p.Name.Name == "" || len(p.Name.String()) > maxStreetText {
		return p, s.Errorf(column, "%q, expected a name of 1 to %d bytes", full, maxStreetText)
	}
	if len(s.Lines) == 0 || len(s.Lines[0]) < 2 {
		return p, s.Errorf(column, "its segment has no line")
	}
	for _, v := range s.Lines[0] {
		at, err := geo.LatLngFromDegrees(v.Lat(), v.Lon())
		if err != nil {
			return p, s.Errorf(column, "its segment is not on the Earth: %v", err)
		}
		p.Segment.Line = append(p.Segment.Line, at)
	}
	return p, nil
}

// numberRange reads the range of a side. It is empty if the ends differ in more than
// a number. A parity other than O, E and B follows from the ends.
func numberRange(first, last, parity string) store.NumberRange {
	from, okFrom := store.ParseHouseNumber(first)
	to, okTo := store.ParseHouseNumber(last)
	if !okFrom || !okTo || from.Prefix != to.Prefix {
		return store.NumberRange{}
	}
	r := store.NumberRange{Prefix: from.Prefix, From: from.Value, To: to.Value, Parity: 'B'}
	switch {
	case parity == "O" || parity == "E" || parity == "B":
		r.Parity = parity[0]
	case from.Value%2 == to.Value%2:
		r.Parity = "EO"[from.Value%2]
	}
	return r
}
