package source

import (
	"bytes"
	"iter"
	"math"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/source/format"
	"github.com/postgeo/postgeo/internal/store"
)

// A Block is a block or block group of the census of 2020.
type Block struct {
	GEOID    string // fifteen digits of a block, twelve of a block group
	District string // code of a district within its state; "" in files of blocks
	People   int64  // residents; -1 unknown
	Housing  int64  // housing units; -1 unknown
	Land     int64  // square meters; -1 unknown
	At       geo.LatLng
	Polygon  orb.MultiPolygon
	Line     int
}

// IsBlockFile reports whether the file lists blocks and their districts: text, or a
// zip with text.
func IsBlockFile(name string) bool {
	lower := strings.TrimSuffix(strings.ToLower(name), ".gz")
	switch filepath.Ext(lower) {
	case ".txt", ".csv":
		return true
	case ".zip":
		names, err := textMembers(name)
		return err == nil && len(names) > 0 && !hasShapefile(name)
	}
	return false
}

func textMembers(name string) (names []string, err error) {
	a, err := format.OpenArchive(name, format.Limits{})
	if err != nil {
		return nil, err
	}
	defer a.Close()
	for _, n := range a.Names() {
		if ext := strings.ToLower(path.Ext(n)); ext == ".txt" || ext == ".csv" {
			names = append(names, n)
		}
	}
	return names, nil
}

// BlockDistricts reads a block equivalency file or a block assignment file at the
// path: text with columns of blocks and of districts. The columns c replace the usual
// ones. Of a zip it reads the national member, else those whose names end with the
// layer, such as _CD.txt, else all.
func BlockDistricts(name, layer string, c LayerColumns) iter.Seq2[Block, error] {
	return func(yield func(Block, error) bool) {
		members := []string{""}
		if strings.EqualFold(filepath.Ext(name), ".zip") {
			all, err := textMembers(name)
			if err != nil {
				yield(Block{}, err)
				return
			}
			members = all
			for _, part := range []string{"national", "_" + layer + "."} {
				named := slices.DeleteFunc(slices.Clone(all), func(n string) bool { return !strings.Contains(strings.ToLower(path.Base(n)), part) })
				if len(named) > 0 {
					members = named
					break
				}
			}
		}
		for _, member := range members {
			for b, err := range openedText(name, member, func(in *format.Input) iter.Seq2[Block, error] { return blockRows(in, c, true) }) {
				if !yield(b, err) {
					return
				}
			}
		}
	}
}

// Blocks reads blocks at the path. They are outlines with the attribute GEOID20 or
// GEOID, the geographic header of a P.L. 94-171 file (xxgeo2020.pl), plain or in its
// zip, or text. Text has the numbers and residents of blocks. Outlines of TIGER/Line
// (tabblock20) and headers have residents, housing units, land and a point.
func Blocks(name string) iter.Seq2[Block, error] {
	lower := strings.TrimSuffix(strings.ToLower(name), ".gz")
	if member, ok := headerMember(name); ok || strings.HasSuffix(lower, ".pl") {
		return openedText(name, member, headerBlocks)
	}
	if strings.HasSuffix(lower, ".csv") || strings.HasSuffix(lower, ".txt") {
		return openedText(name, "", func(in *format.Input) iter.Seq2[Block, error] { return blockRows(in, LayerColumns{}, false) })
	}
	return ownShapes(name, nil, false, func(s format.Shape) (Block, error) {
		a, err := ownArea(s, LayerColumns{})
		b := Block{GEOID: a.ID, Polygon: a.Polygon, Line: a.Record}
		if err != nil {
			return b, err
		}
		if !isBlock(b.GEOID) {
			return b, s.Errorf("GEOID", "%q is not the 15 digits of a block or the 12 of a block group", b.GEOID)
		}
		get := func(usual []string) (string, string) { column := firstOf(s, usual); return column, s.Get(column) }
		err = b.measure(get, s.Errorf)
		return b, err
	})
}

// measure reads the figures and the point of a block from its attributes. Blank ones
// are unknown.
func (b *Block) measure(get func(usual []string) (column, text string), fail func(column, format string, args ...any) error) error {
	for _, of := range [...]struct {
		usual []string
		into  *int64
		most  int64
		noun  string
	}{{blockPeople, &b.People, math.MaxInt32, "residents"}, {blockHousing, &b.Housing, math.MaxInt32 - 1, "housing units"}, {blockLand, &b.Land, store.MaxBlockLand, "square meters"}} {
		*of.into = -1
		column, text := get(of.usual)
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		whole, decimals, _ := strings.Cut(text, ".") // spreadsheets write 12.0
		n, err := strconv.ParseInt(whole, 10, 64)
		if err != nil || n < 0 || n > of.most || strings.Trim(decimals, "0") != "" {
			return fail(column, "%q is not a number of %s from 0 to %d", text, of.noun, of.most)
		}
		*of.into = n
	}
	column, latText := get(blockLatitudes)
	_, lngText := get(blockLongitudes)
	if latText = strings.TrimSpace(latText); latText == "" {
		return nil
	}
	lat, err1 := strconv.ParseFloat(latText, 64)
	lng, err2 := strconv.ParseFloat(strings.TrimSpace(lngText), 64)
	at, err := geo.LatLngFromDegrees(lat, lng)
	if err1 != nil || err2 != nil || err != nil {
		return fail(column, "%q, %q is not a point", latText, lngText)
	}
	b.At = at
	return nil
}

// headerMember returns the geographic header in a zip of a P.L. 94-171 file.
func headerMember(name string) (string, bool) {
	if !strings.EqualFold(filepath.Ext(name), ".zip") {
		return "", false
	}
	a, err := format.OpenArchive(name, format.Limits{})
	if err != nil {
		return "", false
	}
	defer a.Close()
	for _, n := range a.Names() {
		if base := strings.ToLower(path.Base(n)); strings.HasSuffix(base, ".pl") && strings.Contains(base, "geo") {
			return n, true
		}
	}
	return "", false
}

// The geographic header of the 2020 P.L. 94-171 files has no names.
const (
	headerFields = 97
	headerLevel  = "SUMLEV"
	headerGEOID  = "GEOCODE"

	headerBlock = "750" // summary level of blocks
)

// headerNames are the columns of a geographic header that are read.
var headerNames = map[int]string{2: headerLevel, 9: headerGEOID, 84: "AREALAND", 90: "POP100", 91: "HU100", 92: "INTPTLAT", 93: "INTPTLON"}

// headerBlocks reads the blocks of a geographic header.
func headerBlocks(in *format.Input) iter.Seq2[Block, error] {
	names := make([]string, headerFields)
	for i, name := range headerNames {
		names[i] = name
	}
	t, err := format.NewTable(in, format.TableOptions{Delimiter: '|', Names: names, Encoding: format.Latin1})
	if err != nil {
		return failed[Block](err)
	}
	figures := blockFigures(t)
	return parsed(t.Rows(), func(row format.Row) (Block, error) {
		if row.Get(headerLevel) != headerBlock {
			return Block{}, errSkip
		}
		return blockOf(row, []string{headerGEOID}, "", figures)
	})
}

// isBlock reports whether a text is the GEOID of a block or a block group.
func isBlock(s string) bool {
	return (len(s) == 15 || len(s) == 12) && strings.Trim(s, "0123456789") == ""
}

// The usual columns of files of blocks; letter case does not matter.
var (
	blockIDs       = []string{"GEOID", "GEOID20", "BLOCKID", "BLOCKID20", "BLOCK", "BLOCK_2020", "BLOCK_GROUP", "BLOCK_GROUP_GEOID"}
	blockParts     = []string{"STATEFP", "COUNTYFP", "TRACTCE", "BLOCKCE"}
	blockDistricts = []string{"CDFP", "DISTRICT", "CD", "SLDUST", "SLDLST", "SLDU", "SLDL", "DISTRICTID", "DIST"}
	blockPeople    = []string{"POP20", "POP_2020", "POPULATION", "POP", "P0010001", "POP100"}
	blockHousing   = []string{"HOUSING20", "HOUSING_2020", "HOUSING", "HU100", "H0010001"}
	blockLand      = []string{"ALAND20", "ALAND", "AREALAND"}

	blockLatitudes  = []string{"INTPTLAT20", "INTPTLAT", "LATITUDE", "LAT"}
	blockLongitudes = []string{"INTPTLON20", "INTPTLON", "LONGITUDE", "LON", "LNG"}
)

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

// column returns the given column of a table, or the first of the usual ones; ""
// without one. Letter case does not matter.
func column(t *format.Table, given string, usual []string) string {
	if given != "" {
		usual = []string{given}
	}
	for _, name := range usual {
		for _, h := range t.Header() {
			if strings.EqualFold(strings.TrimSpace(h), name) {
				return h
			}
		}
	}
	return ""
}

// blockRows reads delimited text.
func blockRows(in *format.Input, c LayerColumns, districts bool) iter.Seq2[Block, error] {
	t, err := format.NewTable(in, textOptions(in))
	if err != nil {
		return failed[Block](err)
	}
	find := func(given string, usual []string) string { return column(t, given, usual) }
	id := []string{find(c.ID, blockIDs)}
	if id[0] == "" {
		id = nil
		for _, part := range blockParts {
			id = append(id, find("", []string{part, part + "20"}))
		}
	}
	district := find(c.Name, blockDistricts)
	var figures map[string]string
	if !districts {
		figures = blockFigures(t)
	}
	if district == "" {
		for _, h := range t.Header() {
			if n, ok := strings.CutPrefix(strings.ToUpper(h), "CD"); ok && strings.Trim(n, "0123456789FP") == "" {
				district = h
			}
		}
	}
	if slices.Contains(id, "") || districts && district == "" {
		return failed[Block](&format.Error{File: in.Name(), Line: 1, Reason: "the header " + strings.Join(t.Header(), ",") + " lacks a column of blocks or of districts; give id=COLUMN,name=COLUMN", Err: format.ErrColumns})
	}
	return parsed(t.Rows(), func(row format.Row) (Block, error) { return blockOf(row, id, district, figures) })
}

// blockFigures finds the columns of figures and points by the first of the usual ones.
func blockFigures(t *format.Table) map[string]string {
	columns := map[string]string{}
	for _, usual := range [...][]string{blockPeople, blockHousing, blockLand, blockLatitudes, blockLongitudes} {
		columns[usual[0]] = column(t, "", usual)
	}
	return columns
}

func blockOf(row format.Row, id []string, district string, columns map[string]string) (Block, error) {
	b := Block{Line: row.Line()}
	for _, column := range id {
		b.GEOID += row.Get(column)
	}
	if !isBlock(b.GEOID) {
		return b, row.Errorf(id[0], "%q is not the GEOID of a block or block group", b.GEOID)
	}
	b.GEOID = strings.Clone(b.GEOID)
	if district != "" {
		b.District = strings.Clone(row.Get(district))
	}
	get := func(usual []string) (string, string) {
		column := columns[usual[0]]
		if column == "" {
			return "", ""
		}
		return column, row.Get(column)
	}
	err := b.measure(get, row.Errorf)
	return b, err
}
