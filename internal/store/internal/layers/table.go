package layers

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/postgeo/postgeo/internal/spatial"
	"github.com/postgeo/postgeo/internal/store/internal/codes"
	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// Data is the input of a [Writer] for one layer.
type Data struct {
	Info  Info
	Areas []Area // ascending by GEOID, each once; Parent is ignored
	// Packed has the outlines, area by area, as geo.PolygonIndexBuilder packs
	// them; the writer keeps it. It is nil for a layer without outlines, and
	// for counties, because SetCountyAreas sets their outlines.
	Packed []byte
	// Shared are the overlaps of a layer that users add. Those of other layers are
	// given code by code.
	Shared []Shared
}

// widestGEOID is how long the code of an area may be.
const widestGEOID = 20

// SetLayer gives a layer, once. Without it the dataset does not have the
// layer.
func (w *Writer) SetLayer(l Data) error {
	if err := w.out.Usable(); err != nil {
		return err
	}
	id := l.Info.ID
	noun := "layer " + id.String()
	at, given := w.place(id)
	switch {
	case !id.valid():
		return file.Invalid("layer number %d; expected 1 to %d, a plan of districts or an own layer", uint64(id), endOfLayers-1)
	case given || w.base.has(id):
		return file.Invalid("the %s was given twice", noun)
	case len(l.Areas) == 0:
		return file.Invalid("the %s has no areas; leave it out", noun)
	case id == LayerCounty && l.Packed != nil:
		return file.Invalid("the %s has separate outlines; give those of counties with SetCountyAreas", noun)
	}
	if err := l.Info.check(); err != nil {
		return file.InvalidRow(noun, err)
	}
	kept := &layerWriter{info: l.Info, areas: slices.Clone(l.Areas), packed: l.Packed != nil, names: &w.out.Names}
	if Added(id) {
		kept.names = &file.NameWriter{IDs: map[string]file.NameID{}}
	}
	for i := range l.Areas {
		a := &l.Areas[i]
		if i > 0 && a.GEOID <= l.Areas[i-1].GEOID {
			return file.Invalid("%s: the area %q after %q; expected ascending order, each code once", noun, a.GEOID, l.Areas[i-1].GEOID)
		}
		if err := checkLayerArea(a); err != nil {
			return file.InvalidRow(noun+": the area "+a.GEOID, err)
		}
		if err := kept.names.Add(a.Name, a.NameFR, a.Type); err != nil {
			return file.InvalidRow(noun+": the area "+a.GEOID, err)
		}
	}
	if l.Packed != nil {
		index, err := decodeLayerOutlines(l.Packed, len(l.Areas))
		if err == nil {
			err = index.Verify()
		}
		if err != nil {
			return file.InvalidRow(noun, err)
		}
		if err := w.out.Spool(layerOutlineRows, int64(id), l.Packed); err != nil {
			return err
		}
	}
	if Added(id) {
		payload, err := kept.encodeShared(l.Shared)
		if err != nil {
			return file.InvalidRow(noun, err)
		}
		if err := w.out.Spool(layerCodeRows, int64(id), payload); err != nil {
			return err
		}
	}
	w.layers = slices.Insert(w.layers, at, kept)
	return nil
}

// place returns the place of a layer in the list, and whether it was given.
func (w *Writer) place(id ID) (at int, given bool) {
	return slices.BinarySearchFunc(w.layers, id, func(l *layerWriter, id ID) int { return cmp.Compare(l.info.ID, id) })
}

// layer returns a layer that was given, or nil.
func (w *Writer) layer(id ID) *layerWriter {
	if at, given := w.place(id); given {
		return w.layers[at]
	}
	return nil
}

// has reports whether a file, which may be nil, has the layer.
func (d *Reader) has(id ID) bool { return d != nil && d.Layer(id) != nil }

// check reports texts and a year that the file could not hold.
func (i *Info) check() error {
	for _, s := range [...]string{i.Source, i.Vintage, i.Period, i.Title} {
		if !utf8.ValidString(s) {
			return fmt.Errorf("the text %q is not UTF-8", s)
		}
	}
	if i.Year < 0 || i.Year > 9999 {
		return fmt.Errorf("the year %d; expected 0 to 9999", i.Year)
	}
	return i.Plan.check(i.ID)
}

// layerWriter is a layer that waits for Finish.
type layerWriter struct {
	info   Info
	areas  []Area
	names  *file.NameWriter // of the areas
	packed bool
	codes  [][]uint32 // of the ZIPs or FSAs that meet each area, ascending
}

// find returns the number of the area with the GEOID.
func (l *layerWriter) find(geoid string) (int, bool) {
	return slices.BinarySearchFunc(l.areas, geoid, func(a Area, g string) int { return strings.Compare(a.GEOID, g) })
}

func checkLayerArea(a *Area) error {
	switch {
	case a.GEOID == "" || len(a.GEOID) > widestGEOID || strings.ContainsRune(a.GEOID, 0):
		return fmt.Errorf("its code has %d bytes, expected 1 to %d without zeros", len(a.GEOID), widestGEOID)
	case a.Land < UnknownArea || a.Water < UnknownArea:
		return fmt.Errorf("its land and water are %d and %d m², expected at least %d", a.Land, a.Water, UnknownArea)
	case !possibleExtent(float64(a.Outline)):
		return fmt.Errorf("its outline has %v m², expected at least 0", float64(a.Outline))
	}
	return nil
}

// possibleExtent reports whether a number of square meters fits on the Earth.
func possibleExtent(v float64) bool { return v >= 0 && v < 1e15 }

// decodeLayerOutlines reads the index of a layer of so many areas.
func decodeLayerOutlines(packed []byte, areas int) (*spatial.PolygonIndex, error) {
	index, err := spatial.DecodePolygonIndex(packed)
	if err != nil {
		return nil, err
	}
	if index.Len() != areas {
		return nil, fmt.Errorf("it holds %d outlines, expected %d", index.Len(), areas)
	}
	return index, nil
}

var layerOutlineRows = &file.RowKind{Name: "layer_outlines", Noun: func(id int64) string { return "the outlines of the layer " + ID(id).String() }}

var layerOutlinesTable = file.RowTable[*Reader]{
	RowKind: layerOutlineRows,
	Check: func(d *Reader, id int64, payload []byte) error {
		index, err := decodeLayerOutlines(payload, d.Layer(ID(id)).Len())
		if err != nil {
			return err
		}
		return index.Verify()
	},
}

// layerListTable describes the layers of the file. For each it holds the number
// and the source, the number of areas and the length of their codes.
var layerListTable = table{
	Name: "layers",
	Encode: func(w *Writer, c *file.Columns) error {
		if w.layer(LayerSchoolDistrict) != nil && !w.schools {
			return file.Invalid("the layer %s was given without SetSchoolDistricts", LayerSchoolDistrict)
		}
		list := slices.Clone(w.base.all())
		for _, l := range w.layers {
			list = append(list, &Layer{info: l.info, outlines: l.from(w), count: len(l.areas), width: l.width()})
		}
		slices.SortFunc(list, func(x, y *Layer) int { return cmp.Compare(x.info.ID, y.info.ID) })
		e := file.NewCoder(nil)
		for _, l := range list {
			l.code(&e)
		}
		data, err := e.Bytes()
		c.Add(file.Column{Name: "layers", Rows: len(list), Data: data})
		return err
	},
	Decode: func(d *Reader, c *file.Columns) error {
		col, err := c.Take("layers", 0)
		if err != nil {
			return err
		}
		e, last := file.DecodeWith(nil, col.Data), ID(0)
		for range min(col.Rows, len(col.Data)) {
			l := &Layer{d: d, names: &d.file.Names}
			l.code(&e)
			id := l.info.ID
			switch {
			case e.Err() != nil:
				return fmt.Errorf("layers: %w", e.Err())
			case id <= last || !id.valid():
				return fmt.Errorf("layers: number %d after %d", id, last)
			case l.count == 0 || l.width == 0 || l.width > widestGEOID:
				return fmt.Errorf("layer %s: %d areas with codes of %d bytes, expected 1 to %d", id, l.count, l.width, widestGEOID)
			case l.outlines >= endOfOutlines, l.outlines == countyOutlines && id != LayerCounty:
				return fmt.Errorf("layer %s: its outlines are kept in the way %d", id, l.outlines)
			}
			if err := l.info.Plan.check(id); err != nil {
				return fmt.Errorf("layer %s: %w", id, err)
			}
			if last = id; IsOwn(id) {
				d.own = append(d.own, l)
			} else {
				d.layers[id] = l
			}
		}
		d.listLayers()
		return e.End()
	},
}

// all returns the layers of a file, which may be nil.
func (d *Reader) all() []*Layer {
	if d == nil {
		return nil
	}
	return d.Layers()
}

// code lists the fields of the list of layers for both directions.
func (l *Layer) code(c *file.Coder) {
	file.Max(c, &l.info.ID, math.MaxInt64)
	if IsOwn(l.info.ID) {
		c.Text(&l.info.Title)
	}
	c.Text(&l.info.Source)
	file.Max(c, &l.info.Year, 9999)
	c.Text(&l.info.Vintage, &l.info.Period)
	c.Bool(&l.info.FitForShares)
	c.Bool(&l.info.People)
	l.info.Plan.code(c)
	file.Max(c, &l.outlines, math.MaxUint8)
	file.Max(c, &l.count, math.MaxInt32)
	file.Max(c, &l.width, math.MaxUint8)
}

// from returns the location of the layer's outlines.
func (l *layerWriter) from(w *Writer) outlinesFrom {
	switch {
	case l.packed:
		return ownOutlines
	case l.info.ID == LayerCounty && w.countyAreas != nil:
		return countyOutlines
	}
	return noOutlines
}

// width returns the length of the longest code.
func (l *layerWriter) width() int {
	width := 0
	for i := range l.areas {
		width = max(width, len(l.areas[i].GEOID))
	}
	return width
}

// layerAreasTable stores the codes and the areas of a layer; nothing for a
// layer that the file does not have.
func layerAreasTable(id ID) table {
	name := "layer." + id.String()
	return table{
		Name:    name,
		Section: id.Section(),
		Encode: func(w *Writer, c *file.Columns) error {
			if l := w.layer(id); l != nil {
				l.encode(c, name)
			}
			return nil
		},
		Decode: func(d *Reader, c *file.Columns) error {
			if l := d.layers[id]; l != nil {
				return l.decode(c, name)
			}
			return nil
		},
	}
}

// addedTable stores the same of the layers of users, and their names.
var addedTable = table{
	Name: "added_layers",
	Encode: func(w *Writer, c *file.Columns) error {
		list, err := w.base.addedWriters()
		if err != nil {
			return err
		}
		for _, l := range w.layers {
			if Added(l.info.ID) {
				list = append(list, l)
			}
		}
		slices.SortFunc(list, func(x, y *layerWriter) int { return cmp.Compare(x.info.ID, y.info.ID) })
		for _, l := range list {
			name := addedName(l.info.ID)
			l.names.Encode(c, name+".names")
			l.encode(c, name)
		}
		return nil
	},
	Decode: func(d *Reader, c *file.Columns) (err error) {
		for _, l := range d.Layers() {
			if !Added(l.info.ID) {
				continue
			}
			name := addedName(l.info.ID)
			names, err := file.DecodeNames(c, name+".names")
			if err != nil {
				return err
			}
			l.names = &names
			if err := l.decode(c, name); err != nil {
				return err
			}
		}
		return nil
	},
}

func addedName(id ID) string { return "added." + id.String() }

// addedWriters returns the layers of users in a file, which may be nil, to be
// written again.
func (d *Reader) addedWriters() (list []*layerWriter, err error) {
	for _, l := range d.all() {
		if !Added(l.info.ID) {
			continue
		}
		if err := l.Load(context.Background()); err != nil {
			return nil, err
		}
		kept := &layerWriter{info: l.info, names: &file.NameWriter{IDs: map[string]file.NameID{}}}
		for i := range l.Len() {
			a := l.Area(i)
			if err := kept.names.Add(a.Name, a.NameFR, a.Type); err != nil {
				return nil, err
			}
			kept.areas = append(kept.areas, a)
		}
		list = append(list, kept)
	}
	return list, nil
}

func (l *Layer) decode(c *file.Columns, name string) error {
	geoids, err := c.Take(name+".geoids", l.width)
	if err != nil {
		return err
	}
	if l.rows, err = c.Take(name+".areas", layerWidth); err != nil {
		return err
	}
	if l.rows.Rows != l.count || geoids.Rows != l.count {
		return fmt.Errorf("%s: %d codes and %d areas, expected %d", name, geoids.Rows, l.rows.Rows, l.count)
	}
	l.geoids = geoids.Data
	if err := l.check(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

func (l *layerWriter) encode(c *file.Columns, name string) {
	width := l.width()
	geoids := make([]byte, 0, width*len(l.areas))
	rows := make([]byte, 0, layerWidth*len(l.areas))
	for i := range l.areas {
		a := &l.areas[i]
		geoids = append(geoids, a.GEOID...)
		geoids = append(geoids, make([]byte, width-len(a.GEOID))...)
		for _, s := range [...]string{a.Name, a.NameFR, a.Type} {
			rows = binary.LittleEndian.AppendUint32(rows, uint32(l.names.IDs[s]))
		}
		rows = append(rows, byte(a.State))
		rows = binary.LittleEndian.AppendUint64(rows, uint64(a.Land))
		rows = binary.LittleEndian.AppendUint64(rows, uint64(a.Water))
		rows = binary.LittleEndian.AppendUint64(rows, math.Float64bits(float64(a.Outline)))
		rows = file.AppendPoint(rows, a.Point)
	}
	c.Add(file.Column{Name: name + ".geoids", Width: width, Rows: len(l.areas), Data: geoids})
	c.Add(file.Column{Name: name + ".areas", Width: layerWidth, Rows: len(l.areas), Data: rows})
}

// check looks at everything that the methods rely on.
func (l *Layer) check() error {
	for i := range l.Len() {
		id := l.geoidAt(i)
		short := bytes.TrimRight(id, "\x00")
		if len(short) == 0 || bytes.IndexByte(short, 0) >= 0 || !utf8.Valid(short) {
			return fmt.Errorf("area %d: its code %q is not text", i, id)
		}
		if i > 0 && bytes.Compare(l.geoidAt(i-1), id) >= 0 {
			return fmt.Errorf("area %d: %q does not come after %q", i, id, l.geoidAt(i-1))
		}
		b := l.rows.Row(i)
		for at := 0; at < 12; at += 4 {
			if err := l.names.Check(file.NameID(binary.LittleEndian.Uint32(b[at:]))); err != nil {
				return fmt.Errorf("area %s: %w", short, err)
			}
		}
		if err := codes.CheckState(l.d.codes, codes.StateID(b[12])); err != nil {
			return fmt.Errorf("area %s: %w", short, err)
		}
		land, water := int64(binary.LittleEndian.Uint64(b[13:])), int64(binary.LittleEndian.Uint64(b[21:]))
		if land < UnknownArea || water < UnknownArea || !possibleExtent(float64(l.outline(i))) {
			return fmt.Errorf("area %s has %d m² of land, %d of water, an outline of %v m²", short, land, water, float64(l.outline(i)))
		}
		if err := file.CheckPoint(b[37:]); err != nil {
			return fmt.Errorf("area %s: %w", short, err)
		}
	}
	return nil
}
