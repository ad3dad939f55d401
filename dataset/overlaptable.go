package dataset

import (
	"fmt"
	"iter"
	"math"
	"slices"

	"github.com/postgeo/postgeo/geo"
)

// AddZIPOverlaps adds what the outline of a ZIP Code shares with the areas of
// the layers, or the areas that contain its point, in any order; percentages
// are left aside. ZIP Codes come in
// ascending order, each once, and AddZIP must be given them too; the layers
// come before, with SetLayer.
func (w *layersWriter) AddZIPOverlaps(z ZIP, c CodeOverlaps) error {
	if z >= NumZIPs {
		return invalid("overlaps of ZIP number %d; expected at most %d", uint32(z), NumZIPs-1)
	}
	return w.addOverlaps("ZIP "+z.String(), US, zipOverlapRows, &w.zipOverlaps, uint32(z), c)
}

// AddFSAOverlaps adds what the outline of a forward sortation area shares with
// the areas of the layers, as AddZIPOverlaps does for a ZIP Code.
func (w *layersWriter) AddFSAOverlaps(f FSA, c CodeOverlaps) error {
	if f >= NumFSAs {
		return invalid("overlaps of FSA number %d; expected at most %d", uint16(f), NumFSAs-1)
	}
	return w.addOverlaps("FSA "+f.String(), CA, fsaOverlapRows, &w.fsaOverlaps, uint32(f), c)
}

func (w *layersWriter) addOverlaps(noun string, country Country, table *rowKind, codes *[]uint32, code uint32, c CodeOverlaps) error {
	if err := w.out.open(); err != nil {
		return err
	}
	if n := len(*codes); n > 0 && code <= (*codes)[n-1] {
		return invalid("overlaps of %s after those of a later code; expected ascending order, each code once", noun)
	}
	if !possibleExtent(float64(c.Outline)) {
		return invalid("overlaps of %s: its outline has %v m²; expected at least 0", noun, float64(c.Outline))
	}
	sorted := CodeOverlaps{Outline: c.Outline, Layers: slices.Clone(c.Layers)}
	slices.SortFunc(sorted.Layers, func(p, q LayerOverlaps) int { return int(p.Layer) - int(q.Layer) })
	for i := range sorted.Layers {
		l := &sorted.Layers[i]
		if i > 0 && l.Layer == sorted.Layers[i-1].Layer {
			return invalid("overlaps of %s: the layer %s was given twice", noun, l.Layer)
		}
		if l.Layer.Country() != country || l.Layer >= endOfLayers || w.layers[l.Layer] == nil {
			return invalid("overlaps of %s with the layer %q; expected one of %s that SetLayer was given", noun, l.Layer, country)
		}
		var err error
		if l.Overlaps, err = w.layers[l.Layer].meet(code, l.Overlaps, c.Outline > 0); err != nil {
			return invalidRow("overlaps of "+noun+" with the layer "+l.Layer.String(), err)
		}
	}
	sorted.Layers = slices.DeleteFunc(sorted.Layers, func(l LayerOverlaps) bool { return len(l.Overlaps) == 0 })
	*codes = append(*codes, code)
	return w.out.spoolRow(table, int64(code), encodeOverlaps(&sorted))
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
		of := &l.codes[o.Area]
		if n := len(*of); n > 0 && (*of)[n-1] == code {
			return nil, fmt.Errorf("the area %s was given twice", l.areas[o.Area].GEOID)
		}
		*of = append(*of, code)
	}
	slices.SortFunc(list, byIntersection)
	return list, nil
}

// spoolCodes puts the codes of each area aside for Finish.
func (w *layersWriter) spoolCodes() error {
	for id, l := range w.layers {
		if l == nil || !w.countryHasOverlaps(LayerID(id).Country()) {
			continue
		}
		if l.codes == nil {
			l.codes = make([][]uint32, len(l.areas))
		}
		if err := w.out.spoolRow(layerCodeRows, int64(id), encodeCodesOf(l.codes)); err != nil {
			return err
		}
	}
	return nil
}

func (w *layersWriter) countryHasOverlaps(c Country) bool {
	if c == CA {
		return len(w.fsaOverlaps) > 0
	}
	return len(w.zipOverlaps) > 0
}

var (
	zipOverlapRows = &rowKind{name: "zip_overlaps", noun: func(id int64) string { return "the overlaps of ZIP " + ZIP(id).String() }}

	zipOverlapsTable = rowTable[*layersReader]{
		rowKind: zipOverlapRows,
		ids:     func(d *layersReader) iter.Seq[int64] { return ids(&d.zipOverlaps) },
		check:   checkOverlaps,
	}
	fsaOverlapRows = &rowKind{name: "fsa_overlaps", noun: func(id int64) string { return "the overlaps of FSA " + FSA(id).String() }}

	fsaOverlapsTable = rowTable[*layersReader]{
		rowKind: fsaOverlapRows,
		ids:     func(d *layersReader) iter.Seq[int64] { return ids(&d.fsaOverlaps) },
		check:   checkOverlaps,
	}
	layerCodeRows = &rowKind{name: "layer_codes", noun: func(id int64) string { return "the codes of the layer " + LayerID(id).String() }}

	layerCodesTable = rowTable[*layersReader]{
		rowKind: layerCodeRows,
		ids: func(d *layersReader) iter.Seq[int64] {
			return func(yield func(int64) bool) {
				for _, l := range d.Layers() {
					if l.hasCodes() && !yield(int64(l.info.ID)) {
						return
					}
				}
			}
		},
		check: func(d *layersReader, id int64, payload []byte) error {
			_, err := d.layers[id].decodeCodes(payload)
			return err
		},
	}
)

func checkOverlaps(d *layersReader, _ int64, payload []byte) error {
	_, err := d.decodeOverlaps(payload)
	return err
}

var (
	zipOverlapCodesTable = rowCodesTable("zip_overlaps.codes", NumZIPs,
		func(w *layersWriter) []uint32 { return w.zipOverlaps },
		func(d *layersReader) (*codeSet, *codeSet) {
			zips, _, _ := codeSets(d.codes)
			return &d.zipOverlaps, zips
		})
	fsaOverlapCodesTable = rowCodesTable("fsa_overlaps.codes", NumFSAs,
		func(w *layersWriter) []uint32 { return w.fsaOverlaps },
		func(d *layersReader) (*codeSet, *codeSet) {
			_, fsas, _ := codeSets(d.codes)
			return &d.fsaOverlaps, fsas
		})
)

// rowCodesTable stores which codes have a row of a table; nothing where none
// has.
func rowCodesTable(name string, limit uint32, codes func(*layersWriter) []uint32, sets func(*layersReader) (set, owners *codeSet)) layersTable {
	return layersTable{
		name: name,
		encode: func(w *layersWriter, c *columnSet) error {
			if list := codes(w); len(list) > 0 {
				data, rows := encodeCodes(slices.Values(list))
				c.add(column{name: name, rows: rows, data: data})
			}
			return nil
		},
		decode: func(d *layersReader, c *columnSet) error {
			if !c.has(name) {
				return nil
			}
			list, err := c.take(name, 0)
			if err != nil {
				return err
			}
			set, owners := sets(d)
			if *set, err = decodeCodes(list, limit); err != nil {
				return err
			}
			for i, code := range set.all() {
				if _, ok := owners.row(code); !ok {
					return fmt.Errorf("column %s: row %d is of a code that the dataset does not hold", name, i)
				}
			}
			return nil
		},
	}
}
