package source

import (
	"iter"
	"path/filepath"
	"regexp"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/dataset/build/format"
)

var addrfeatFile = regexp.MustCompile(`_\d{2}(\d{3})_addrfeat`)

// AddressFeatures reads the zipped ADDRFEAT shapefile of a county of the Census
// Bureau's TIGER/Line files. It has ranges of house numbers along the two sides
// of each street, with ZIP Codes and without add-ons. A range's location is the
// middle of its segment. A side without numbers or ZIP Code gives none.
//
// An error that matches [format.ErrValue] is about one side, and reading
// continues after it; any other error is the last pair.
func AddressFeatures(path string) iter.Seq2[StreetRange, error] {
	return func(yield func(StreetRange, error) bool) {
		required := []string{"FULLNAME", "LFROMHN", "LTOHN", "RFROMHN", "RTOHN", "ZIPL", "ZIPR", "PARITYL", "PARITYR"}
		file, err := format.OpenShapefile(path, format.ShapefileOptions{Required: required, Lines: true})
		if err != nil {
			yield(StreetRange{}, err)
			return
		}
		defer file.Close()
		county := ""
		if m := addrfeatFile.FindStringSubmatch(filepath.Base(path)); m != nil {
			county = m[1]
		}
		for s, err := range file.Shapes() {
			if err != nil {
				yield(StreetRange{}, err)
				return
			}
			for _, side := range [...]string{"L", "R"} {
				if s.Get("ZIP"+side) == "" || s.Get(side+"FROMHN") == "" || s.Get(side+"TOHN") == "" || s.Get("FULLNAME") == "" {
					continue
				}
				r, err := addressFeature(s, side)
				r.CountyFIPS = county
				if !yield(r, err) {
					return
				}
			}
		}
	}
}

// A RoadPiece is a segment with the numbers and ZIP Codes of its sides.
type RoadPiece struct {
	Name        dataset.RoadName
	Segment     dataset.RoadSegment
	Left, Right dataset.ZIP
	HasLeft     bool // the left side has numbers and a ZIP Code
	HasRight    bool
	Record      int
}

// RoadPieces reads the segments of an ADDRFEAT shapefile with their lines.
// Segments without numbers and ZIP Code on either side are left out, and so are
// sides whose ends differ in more than a number.
//
// An error that matches [format.ErrValue] is about one segment, and reading
// continues after it; any other error is the last pair.
func RoadPieces(path string) iter.Seq2[RoadPiece, error] {
	return func(yield func(RoadPiece, error) bool) {
		required := []string{"FULLNAME", "LFROMHN", "LTOHN", "RFROMHN", "RTOHN", "ZIPL", "ZIPR", "PARITYL", "PARITYR"}
		file, err := format.OpenShapefile(path, format.ShapefileOptions{Required: required, Lines: true})
		if err != nil {
			yield(RoadPiece{}, err)
			return
		}
		defer file.Close()
		for s, err := range file.Shapes() {
			if err != nil {
				yield(RoadPiece{}, err)
				return
			}
			p, err := roadPiece(s)
			if err == nil && !p.HasLeft && !p.HasRight {
				continue
			}
			if !yield(p, err) {
				return
			}
		}
	}
}

func roadPiece(s format.Shape) (RoadPiece, error) {
	p := RoadPiece{Record: s.Record(), Name: roadName(s.Get("FULLNAME"))}
	p.Left, p.Segment.Left, p.HasLeft = sideOf(s, "L")
	p.Right, p.Segment.Right, p.HasRight = sideOf(s, "R")
	if !p.HasLeft && !p.HasRight {
		return p, nil
	}
	if p.Name.Name == "" || len(p.Name.String()) > maxStreetText {
		return p, s.Errorf("FULLNAME", "%q, expected a name of 1 to %d bytes", s.Get("FULLNAME"), maxStreetText)
	}
	if len(s.Lines) == 0 || len(s.Lines[0]) < 2 {
		return p, s.Errorf("FULLNAME", "its segment has no line")
	}
	for _, v := range s.Lines[0] {
		at, err := geo.LatLngFromDegrees(v.Lat(), v.Lon())
		if err != nil {
			return p, s.Errorf("FULLNAME", "its segment is not on the Earth: %v", err)
		}
		p.Segment.Line = append(p.Segment.Line, at)
	}
	return p, nil
}

func sideOf(s format.Shape, side string) (z dataset.ZIP, r dataset.NumberRange, ok bool) {
	from, okFrom := dataset.ParseHouseNumber(s.Get(side + "FROMHN"))
	to, okTo := dataset.ParseHouseNumber(s.Get(side + "TOHN"))
	if z, ok = dataset.ParseZIP(s.Get("ZIP" + side)); !ok || !okFrom || !okTo || from.Prefix != to.Prefix {
		return z, dataset.NumberRange{}, false
	}
	r = dataset.NumberRange{Prefix: from.Prefix, From: from.Value, To: to.Value, Parity: 'B'}
	switch p := s.Get("PARITY" + side); {
	case p == "O" || p == "E" || p == "B":
		r.Parity = p[0]
	case from.Value%2 == to.Value%2:
		r.Parity = "EO"[from.Value%2]
	}
	return z, r, true
}

func addressFeature(s format.Shape, side string) (StreetRange, error) {
	r := StreetRange{Record: s.Record()}
	r.RecordType, r.NoPlus4 = 'S', true
	var ok bool
	if r.ZIP, ok = dataset.ParseZIP(s.Get("ZIP" + side)); !ok {
		return r, s.Errorf("ZIP"+side, "%q, expected five digits", s.Get("ZIP"+side))
	}
	setStreet(&r.ZIP4Record, s.Get("FULLNAME"))
	if r.Street == "" {
		return r, s.Errorf("FULLNAME", "%q, expected a name with letters or digits", s.Get("FULLNAME"))
	}
	if err := setRange(&r.ZIP4Record, s.Get(side+"FROMHN"), s.Get(side+"TOHN"), s.Get("PARITY"+side)); err != nil {
		return r, s.Errorf(side+"FROMHN", "%v", err)
	}
	if middle, ok := middleOf(s.Lines); ok {
		at, err := geo.LatLngFromDegrees(middle.Lat(), middle.Lon())
		if err != nil {
			return r, s.Errorf("FULLNAME", "its segment is not on the Earth: %v", err)
		}
		r.Location = at
	}
	return r, nil
}

func middleOf(lines orb.MultiLineString) (orb.Point, bool) {
	if len(lines) == 0 || len(lines[0]) < 2 {
		return orb.Point{}, false
	}
	line, total := lines[0], 0.0
	meters := func(i int) float64 {
		a, errA := geo.LatLngFromDegrees(line[i-1].Lat(), line[i-1].Lon())
		b, errB := geo.LatLngFromDegrees(line[i].Lat(), line[i].Lon())
		if errA != nil || errB != nil {
			return 0
		}
		return float64(geo.Distance(a, b))
	}
	for i := 1; i < len(line); i++ {
		total += meters(i)
	}
	left := total / 2
	for i := 1; i < len(line); i++ {
		d := meters(i)
		if d > 0 && d >= left {
			t := left / d
			return orb.Point{line[i-1][0] + t*(line[i][0]-line[i-1][0]), line[i-1][1] + t*(line[i][1]-line[i-1][1])}, true
		}
		left -= d
	}
	return line[0], true
}
