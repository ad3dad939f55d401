package layers

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/store/internal/codes"
	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// AddZIPOverlaps adds the overlaps of a ZIP Code's outline with the areas of
// layers, or the areas that contain its point, in any order. It ignores the
// percentages. Add ZIP Codes in ascending order, each once and also with AddZIP,
// after their layers with SetLayer.
func (w *Writer) AddZIPOverlaps(z dataset.ZIP, c CodeOverlaps) error {
	if z >= dataset.NumZIPs {
		return file.Invalid("overlaps of ZIP number %d; expected at most %d", uint32(z), dataset.NumZIPs-1)
	}
	return w.addOverlaps("ZIP "+z.String(), codes.US, zipOverlapRows, &w.zipOverlaps, uint32(z), c)
}

// AddFSAOverlaps adds the overlaps of a forward sortation area's outline with
// the areas of the layers. It is like AddZIPOverlaps.
func (w *Writer) AddFSAOverlaps(f dataset.FSA, c CodeOverlaps) error {
	if f >= dataset.NumFSAs {
		return file.Invalid("overlaps of FSA number %d; expected at most %d", uint16(f), dataset.NumFSAs-1)
	}
	return w.addOverlaps("FSA "+f.String(), codes.CA, fsaOverlapRows, &w.fsaOverlaps, uint32(f), c)
}

func (w *Writer) addOverlaps(noun string, country codes.Country, table *file.RowKind, codes *[]uint32, code uint32, c CodeOverlaps) error {
	if err := w.out.Usable(); err != nil {
		return err
	}
	if n := len(*codes); n > 0 && code <= (*codes)[n-1] {
		return file.Invalid("overlaps of %s after those of a later code; expected ascending order, each code once", noun)
	}
	if !possibleExtent(float64(c.Outline)) {
		return file.Invalid("overlaps of %s: its outline has %v m²; expected at least 0", noun, float64(c.Outline))
	}
	sorted := CodeOverlaps{Outline: c.Outline, Layers: slices.Clone(c.Layers)}
	slices.SortFunc(sorted.Layers, func(p, q LayerOverlaps) int { return cmp.Compare(p.Layer, q.Layer) })
	for i := range sorted.Layers {
		l := &sorted.Layers[i]
		if i > 0 && l.Layer == sorted.Layers[i-1].Layer {
			return file.Invalid("overlaps of %s: the layer %s was given twice", noun, l.Layer)
		}
		layer := w.layer(l.Layer)
		if l.Layer.Country() != country || layer == nil || Added(l.Layer) {
			return file.Invalid("overlaps of %s with the layer %q; expected one of %s that SetLayer was given", noun, l.Layer, country)
		}
		var err error
		if l.Overlaps, err = layer.meet(code, l.Overlaps, c.Outline > 0); err != nil {
			return file.InvalidRow("overlaps of "+noun+" with the layer "+l.Layer.String(), err)
		}
	}
	sorted.Layers = slices.DeleteFunc(sorted.Layers, func(l LayerOverlaps) bool { return len(l.Overlaps) == 0 })
	*codes = append(*codes, code)
	return w.out.Spool(table, int64(code), EncodeOverlaps(&sorted, func(id ID) bool { return w.layer(id).info.People }))
}

// meet notes the code for each area that it meets, and returns the overlaps as
// they are stored. A code without an outline shares nothing with them.
func (l *layerWriter) meet(code uint32, overlaps []Overlap, outline bool) ([]Overlap, error) {
	list := slices.Clone(overlaps)
	if l.codes == nil {
		l.codes = make([][]uint32, len(l.areas))
	}
	for i := range list {
		o := &list[i]
		if o.Area < 0 || o.Area >= len(l.areas) {
			return nil, fmt.Errorf("the area %d; expected 0 to %d", o.Area, len(l.areas)-1)
		}
		if !possibleExtent(math.Abs(float64(o.Intersection))) || !outline && o.Intersection != 0 {
			return nil, fmt.Errorf("the area %s shares %v m²", l.areas[o.Area].GEOID, float64(o.Intersection))
		}
		o.Intersection = geo.SquareMeters(math.Round(float64(o.Intersection)*overlapUnits) / overlapUnits)
		if o.People < 0 || o.People > math.MaxInt32 {
			return nil, fmt.Errorf("the area %s shares %d people", l.areas[o.Area].GEOID, o.People)
		}
		of := &l.codes[o.Area]
		if n := len(*of); n > 0 && (*of)[n-1] == code {
			return nil, fmt.Errorf("the area %s was given twice", l.areas[o.Area].GEOID)
		}
		*of = append(*of, code)
	}
	slices.SortFunc(list, byIntersection)
	return list, nil
}

// spoolCodes spools the codes of each area for Finish.
func (w *Writer) spoolCodes() error {
	for _, l := range w.layers {
		if id := l.info.ID; Added(id) || !w.countryHasOverlaps(id.Country()) {
			continue
		}
		if l.codes == nil {
			l.codes = make([][]uint32, len(l.areas))
		}
		if err := w.out.Spool(layerCodeRows, int64(l.info.ID), encodeCodesOf(l.codes)); err != nil {
			return err
		}
	}
	return nil
}

func (w *Writer) countryHasOverlaps(c codes.Country) bool {
	if c == codes.CA {
		return len(w.fsaOverlaps) > 0
	}
	return len(w.zipOverlaps) > 0
}

var (
	zipOverlapRows = &file.RowKind{Name: "zip_overlaps", Noun: func(id int64) string { return "the overlaps of ZIP " + dataset.ZIP(id).String() }}

	zipOverlapsTable = file.RowTable[*Reader]{
		RowKind: zipOverlapRows,
		Check:   checkOverlaps,
	}
	fsaOverlapRows = &file.RowKind{Name: "fsa_overlaps", Noun: func(id int64) string { return "the overlaps of FSA " + dataset.FSA(id).String() }}

	fsaOverlapsTable = file.RowTable[*Reader]{
		RowKind: fsaOverlapRows,
		Check:   checkOverlaps,
	}
	layerCodeRows = &file.RowKind{Name: "layer_codes", Noun: func(id int64) string { return "the codes of the layer " + ID(id).String() }}

	layerCodesTable = file.RowTable[*Reader]{
		RowKind: layerCodeRows,
		Check: func(d *Reader, id int64, payload []byte) error {
			_, err := d.Layer(ID(id)).DecodeCodes(payload)
			return err
		},
	}
)

func checkOverlaps(d *Reader, _ int64, payload []byte) error {
	_, err := DecodeOverlaps(d, payload)
	return err
}

var (
	zipOverlapCodesTable = rowCodesTable("zip_overlaps.codes", dataset.NumZIPs,
		func(w *Writer) []uint32 { return w.zipOverlaps },
		func(d *Reader) (*file.CodeSet, *file.CodeSet) {
			zips, _, _ := codes.Sets(d.codes)
			return &d.zipOverlaps, zips
		})
	fsaOverlapCodesTable = rowCodesTable("fsa_overlaps.codes", dataset.NumFSAs,
		func(w *Writer) []uint32 { return w.fsaOverlaps },
		func(d *Reader) (*file.CodeSet, *file.CodeSet) {
			_, fsas, _ := codes.Sets(d.codes)
			return &d.fsaOverlaps, fsas
		})
)

// rowCodesTable stores the codes with a row in a table, or nothing if all codes
// lack one.
func rowCodesTable(name string, limit uint32, codes func(*Writer) []uint32, sets func(*Reader) (set, owners *file.CodeSet)) table {
	return table{
		Name: name,
		Encode: func(w *Writer, c *file.Columns) error {
			if list := codes(w); len(list) > 0 {
				file.AddCodes(c, name, list)
			}
			return nil
		},
		Decode: func(d *Reader, c *file.Columns) (err error) {
			if c.Has(name) {
				set, owners := sets(d)
				*set, err = file.TakeCodes(c, name, limit, owners)
			}
			return err
		},
	}
}
