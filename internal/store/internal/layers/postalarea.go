package layers

import (
	"context"
	"fmt"
	"strconv"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/internal/store/internal/codes"
	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// A PostalArea is an area of the census that a full postal code of Canada was
// assigned to.
type PostalArea struct {
	Layer ID
	GEOID string
	Area  int // its number in the layer; -1 for dissemination areas and blocks, which have no table
}

// blockDigits is the length of the code of a dissemination block.
const blockDigits = 11

// PostalAreas reads the areas of a full postal code: in each layer the area with
// most of its addresses. Layers ascend, each at most once. It is nil if the
// areas are unknown.
func (d *Reader) PostalAreas(ctx context.Context, p dataset.PostalCode) ([]PostalArea, error) {
	if err := d.file.Load(ctx, SectionOverlaps|d.layersOf(codes.CA)); err != nil {
		return nil, err
	}
	fsa := uint32(p) / dataset.NumLDUs
	if _, ok := d.postalAreas.Row(fsa); !ok || p >= dataset.NumPostalCodes {
		return nil, d.file.Usable()
	}
	return file.ReadRow(ctx, d.file, postalAreaRows, int64(fsa), func(payload []byte) ([]PostalArea, error) { return d.postalAreasOf(payload, p) })
}

// postalAreasOf finds the areas of a code in the row of its FSA.
func (d *Reader) postalAreasOf(payload []byte, p dataset.PostalCode) ([]PostalArea, error) {
	e := file.Decoder{B: payload}
	for next := uint64(0); len(e.B) > 0; {
		next += e.Max(dataset.NumLDUs)
		switch unit := uint64(p) % dataset.NumLDUs; {
		case next < unit:
			skipPostalAreas(&e)
		case next > unit:
			return nil, nil
		default:
			return d.decodePostalAreas(&e)
		}
		next++
	}
	return nil, e.Err
}

// skipPostalAreas skips the areas of one code.
func skipPostalAreas(d *file.Decoder) {
	for range d.Max(uint64(endOfIDs)) {
		d.Byte()
		d.Uint()
	}
}

// decodePostalAreas reads the number of areas of one code and, for each area,
// its layer and number. The number of a dissemination area or block is its
// code.
func (d *Reader) decodePostalAreas(e *file.Decoder) ([]PostalArea, error) {
	n := e.Max(uint64(endOfIDs))
	list := make([]PostalArea, 0, n)
	for i := range int(n) {
		a := PostalArea{Layer: ID(e.Byte()), Area: -1}
		v := e.Uint()
		if e.Err != nil {
			return nil, e.Err
		}
		if a.Layer.Country() != codes.CA || i > 0 && a.Layer <= list[i-1].Layer {
			return nil, fmt.Errorf("the layer number %d is not of Canada or out of order", uint64(a.Layer))
		}
		if digits := codeDigits(a.Layer); digits > 0 {
			if a.GEOID = strconv.FormatUint(v, 10); len(a.GEOID) != digits {
				return nil, fmt.Errorf("the code %d of the layer %s has not %d digits", v, a.Layer, digits)
			}
		} else {
			l := d.Layer(a.Layer)
			if v >= uint64(l.Len()) {
				return nil, fmt.Errorf("area %d of the layer %s, which has %d", v, a.Layer, l.Len())
			}
			a.Area = int(v)
			a.GEOID = l.GEOID(a.Area)
		}
		list = append(list, a)
	}
	return list, nil
}

// codeDigits returns the length of the codes of a layer without a table; 0 for
// the others.
func codeDigits(id ID) int {
	switch id {
	case LayerDisseminationArea:
		return disseminationAreaDigits
	case LayerDisseminationBlock:
		return blockDigits
	default:
		return 0
	}
}

// postalPage is the areas of the codes of the FSA that is being added.
type postalPage struct {
	fsa  uint32
	next uint32 // the smallest unit that may come
	data file.Encoder
}

// AddPostalAreas adds the areas of a full postal code in ascending order of
// their layers. It uses the GEOID and ignores Area. Add codes in ascending order,
// each once, after their layers; dissemination areas and blocks need none.
func (w *Writer) AddPostalAreas(p dataset.PostalCode, areas []PostalArea) error {
	if err := w.out.Usable(); err != nil {
		return err
	}
	if p >= dataset.NumPostalCodes {
		return file.Invalid("areas of postal code number %d; expected at most %d", uint32(p), dataset.NumPostalCodes-1)
	}
	fsa, unit := uint32(p)/dataset.NumLDUs, uint32(p)%dataset.NumLDUs
	page := &w.postalPage
	n := len(w.postalAreas)
	if n > 0 && (fsa < page.fsa || fsa == page.fsa && unit < page.next) {
		return file.Invalid("areas of %s after those of a later code; expected ascending order, each code once", p)
	}
	if n == 0 || fsa != page.fsa {
		if err := w.spoolPostalPage(); err != nil {
			return err
		}
		*page = postalPage{fsa: fsa}
		w.postalAreas = append(w.postalAreas, fsa)
	}
	page.data.Uint(uint64(unit - page.next))
	page.next = unit + 1
	page.data.Uint(uint64(len(areas)))
	for i, a := range areas {
		v, err := w.postalArea(a)
		if err == nil && (a.Layer.Country() != codes.CA || i > 0 && a.Layer <= areas[i-1].Layer) {
			err = fmt.Errorf("the layer %q is not of Canada or out of order", a.Layer)
		}
		if err != nil {
			return file.InvalidRow("areas of "+p.String(), err)
		}
		page.data.Byte(byte(a.Layer))
		page.data.Uint(v)
	}
	return nil
}

// postalArea returns the number of an area.
func (w *Writer) postalArea(a PostalArea) (uint64, error) {
	if digits := codeDigits(a.Layer); digits > 0 {
		v, ok := file.DigitsValue(a.GEOID, digits)
		if !ok || a.GEOID[0] == '0' {
			return 0, fmt.Errorf("%q is not a code of %d digits of the layer %s", a.GEOID, digits, a.Layer)
		}
		return v, nil
	}
	if l := w.layer(a.Layer); l != nil {
		if i, ok := l.find(a.GEOID); ok {
			return uint64(i), nil
		}
	}
	return 0, fmt.Errorf("the layer %q has no area %q", a.Layer, a.GEOID)
}

func (w *Writer) spoolPostalPage() error {
	if len(w.postalPage.data.B) == 0 {
		return nil
	}
	return w.out.Spool(postalAreaRows, int64(w.postalPage.fsa), w.postalPage.data.B)
}

var postalAreaRows = &file.RowKind{Name: "postal_areas", Noun: func(id int64) string { return "the areas of the postal codes of FSA " + dataset.FSA(id).String() }}

// PostalAreasTable holds the areas of postal codes, one row per FSA.
var PostalAreasTable = file.RowTable[*Reader]{
	RowKind: postalAreaRows,
	Check: func(d *Reader, id int64, payload []byte) error {
		e := file.Decoder{B: payload}
		for next := uint64(0); len(e.B) > 0; next++ {
			next += e.Max(dataset.NumLDUs)
			if _, err := d.decodePostalAreas(&e); err != nil {
				return err
			}
			if next >= dataset.NumLDUs {
				return fmt.Errorf("the unit number %d; an FSA has %d", next, dataset.NumLDUs)
			}
			if _, _, postal := codes.Sets(d.codes); !postal.Has(uint32(id)*dataset.NumLDUs + uint32(next)) {
				return fmt.Errorf("it has areas of %s, which the dataset does not hold", dataset.PostalCode(uint32(id)*dataset.NumLDUs+uint32(next)))
			}
		}
		return e.End()
	},
}

var postalAreaCodesTable = rowCodesTable("postal_areas.fsas", dataset.NumFSAs,
	func(w *Writer) []uint32 { return w.postalAreas },
	func(d *Reader) (*file.CodeSet, *file.CodeSet) {
		_, fsas, _ := codes.Sets(d.codes)
		return &d.postalAreas, fsas
	})
