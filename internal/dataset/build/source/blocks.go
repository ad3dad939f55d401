package source

import (
	"bytes"
	"iter"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/internal/dataset/build/format"
)

// A Block is a block or block group of the census of 2020.
type Block struct {
	GEOID    string // fifteen digits of a block, twelve of a block group
	District string // code of a district within its state; "" in files of blocks
	People   int64  // residents; -1 unknown
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
			for b, err := range opened(func() (*format.Input, error) {
				return format.Open(name, format.OpenOptions{Member: member})
			}, func(in *format.Input) iter.Seq2[Block, error] { return blockRows(in, c, true) }, same) {
				if !yield(b, err) {
					return
				}
			}
		}
	}
}

func same(b Block) (Block, error) { return b, nil }

// Blocks reads blocks at the path: outlines with the attribute GEOID20 or GEOID, or
// text with the numbers and residents of blocks.
func Blocks(name string) iter.Seq2[Block, error] {
	if lower := strings.TrimSuffix(strings.ToLower(name), ".gz"); strings.HasSuffix(lower, ".csv") || strings.HasSuffix(lower, ".txt") {
		rows := func(in *format.Input) iter.Seq2[Block, error] { return blockRows(in, LayerColumns{}, false) }
		return opened(func() (*format.Input, error) { return format.Open(name, format.OpenOptions{}) }, rows, same)
	}
	return func(yield func(Block, error) bool) {
		for a, err := range OwnAreas(name, LayerColumns{}) {
			if !yield(Block{GEOID: a.ID, People: -1, Polygon: a.Polygon, Line: a.Record}, err) {
				return
			}
		}
	}
}

// The usual columns of files of blocks; letter case does not matter.
var (
	blockIDs       = []string{"GEOID", "GEOID20", "BLOCKID", "BLOCKID20", "BLOCK", "BLOCK_2020", "BLOCK_GROUP", "BLOCK_GROUP_GEOID"}
	blockParts     = []string{"STATEFP", "COUNTYFP", "TRACTCE", "BLOCKCE"}
	blockDistricts = []string{"CDFP", "DISTRICT", "CD", "SLDUST", "SLDLST", "SLDU", "SLDL", "DISTRICTID", "DIST"}
	blockPeople    = []string{"POP20", "POP_2020", "POPULATION", "POP", "P0010001"}
)

// blockRows reads delimited text, whose first line shows the delimiter.
func blockRows(in *format.Input, c LayerColumns, districts bool) iter.Seq2[Block, error] {
	head, _ := in.Peek(1 << 10)
	head, _, _ = bytes.Cut(head, []byte("\n"))
	o := format.TableOptions{Delimiter: ',', Quoted: true}
	for _, d := range []byte{'|', '\t'} {
		if bytes.IndexByte(head, d) >= 0 {
			o = format.TableOptions{Delimiter: d}
		}
	}
	return func(yield func(Block, error) bool) {
		t, err := format.NewTable(in, o)
		if err != nil {
			yield(Block{}, err)
			return
		}
		find := func(given string, usual []string) string {
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
		id := []string{find(c.ID, blockIDs)}
		if id[0] == "" {
			id = nil
			for _, part := range blockParts {
				id = append(id, find("", []string{part, part + "20"}))
			}
		}
		district, people := find(c.Name, blockDistricts), find("", blockPeople)
		if district == "" {
			for _, h := range t.Header() {
				if n, ok := strings.CutPrefix(strings.ToUpper(h), "CD"); ok && strings.Trim(n, "0123456789FP") == "" {
					district = h
				}
			}
		}
		if slices.Contains(id, "") || districts && district == "" {
			yield(Block{}, &format.Error{File: in.Name(), Line: 1, Reason: "the header " + strings.Join(t.Header(), ",") + " lacks a column of blocks or of districts; give id=COLUMN,name=COLUMN", Err: format.ErrColumns})
			return
		}
		for row, err := range t.Rows() {
			b := Block{People: -1, Line: row.Line()}
			if err == nil {
				b, err = blockOf(row, id, district, people)
			}
			if !yield(b, err) {
				return
			}
		}
	}
}

func blockOf(row format.Row, id []string, district, people string) (Block, error) {
	b := Block{People: -1, Line: row.Line()}
	for _, column := range id {
		b.GEOID += row.Get(column)
	}
	if n := len(b.GEOID); n != 15 && n != 12 || strings.Trim(b.GEOID, "0123456789") != "" {
		return b, row.Errorf(id[0], "%q is not the GEOID of a block or block group", b.GEOID)
	}
	b.GEOID = strings.Clone(b.GEOID)
	if district != "" {
		b.District = strings.Clone(row.Get(district))
	}
	if people != "" {
		n, err := strconv.ParseInt(row.Get(people), 10, 64)
		if err != nil || n < 0 {
			return b, row.Errorf(people, "%q is not a number of residents", row.Get(people))
		}
		b.People = n
	}
	return b, nil
}
