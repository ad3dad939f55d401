package dataset

import (
	"context"
	"fmt"
	"iter"
	"strconv"
)

// A PostalArea is an area of the census that a full postal code of Canada was
// assigned to.
type PostalArea struct {
	Layer LayerID
	GEOID string
	Area  int // its number in the layer; -1 for dissemination areas and blocks, of which there is no table
}

// blockDigits is the length of the code of a dissemination block.
const blockDigits = 11

// PostalAreas reads the areas that a full postal code was assigned to: that of
// each layer which holds most of its addresses. They are in ascending order of
// the layers, each at most once; nil where the dataset does not know them.
func (d *layersReader) PostalAreas(ctx context.Context, p PostalCode) ([]PostalArea, error) {
	if err := d.file.load(ctx, SectionOverlaps|d.layersOf(CA)); err != nil {
		return nil, err
	}
	fsa := uint32(p) / numLDUs
	if _, ok := d.postalAreas.row(fsa); !ok || p >= NumPostalCodes {
		return nil, d.file.usable()
	}
	payload, err := d.file.row(ctx, postalAreaRows, int64(fsa))
	if err != nil {
		return nil, err
	}
	e := decoder{b: payload}
	for next := uint64(0); len(e.b) > 0; {
		next += e.max(numLDUs)
		switch unit := uint64(p) % numLDUs; {
		case next < unit:
			e.skipPostalAreas()
		case next > unit:
			return nil, nil
		default:
			areas, err := d.decodePostalAreas(&e)
			if err != nil {
				return nil, d.file.damaged("%s: %v", postalAreaRows.noun(int64(fsa)), err)
			}
			return areas, nil
		}
		next++
	}
	if e.err != nil {
		return nil, d.file.damaged("%s: %v", postalAreaRows.noun(int64(fsa)), e.err)
	}
	return nil, nil
}

// skipPostalAreas passes over the areas of one code.
func (d *decoder) skipPostalAreas() {
	for range d.max(uint64(endOfLayers)) {
		d.byte()
		d.uint()
	}
}

// HasPostalAreas reports whether the dataset knows the areas of any full
// postal code.
func (d *layersReader) HasPostalAreas() bool {
	d.file.need(SectionOverlaps)
	return d.postalAreas.count > 0
}

// decodePostalAreas reads the areas of one code: how many, and for each its
// layer and number, which for a dissemination area or block is its code.
func (d *layersReader) decodePostalAreas(e *decoder) ([]PostalArea, error) {
	n := e.max(uint64(endOfLayers))
	list := make([]PostalArea, 0, n)
	for i := range int(n) {
		a := PostalArea{Layer: LayerID(e.byte()), Area: -1}
		v := e.uint()
		if e.err != nil {
			return nil, e.err
		}
		if a.Layer.Country() != CA || i > 0 && a.Layer <= list[i-1].Layer {
			return nil, fmt.Errorf("the layer number %d is not of Canada or out of order", uint8(a.Layer))
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
func codeDigits(id LayerID) int {
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
	data encoder
}

// AddPostalAreas adds the areas that a full postal code was assigned to, in
// ascending order of their layers; Area is left aside, the GEOID counts. Codes
// come in ascending order, each once; layers come before, with SetLayer, but
// for dissemination areas and blocks, of which there is no table.
func (w *layersWriter) AddPostalAreas(p PostalCode, areas []PostalArea) error {
	if err := w.out.open(); err != nil {
		return err
	}
	if p >= NumPostalCodes {
		return invalid("areas of postal code number %d; expected at most %d", uint32(p), NumPostalCodes-1)
	}
	fsa, unit := uint32(p)/numLDUs, uint32(p)%numLDUs
	page := &w.postalPage
	n := len(w.postalAreas)
	if n > 0 && (fsa < page.fsa || fsa == page.fsa && unit < page.next) {
		return invalid("areas of %s after those of a later code; expected ascending order, each code once", p)
	}
	if n == 0 || fsa != page.fsa {
		if err := w.spoolPostalPage(); err != nil {
			return err
		}
		*page = postalPage{fsa: fsa}
		w.postalAreas = append(w.postalAreas, fsa)
	}
	page.data.uint(uint64(unit - page.next))
	page.next = unit + 1
	page.data.uint(uint64(len(areas)))
	for i, a := range areas {
		v, err := w.postalArea(a)
		if err == nil && (a.Layer.Country() != CA || i > 0 && a.Layer <= areas[i-1].Layer) {
			err = fmt.Errorf("the layer %q is not of Canada or out of order", a.Layer)
		}
		if err != nil {
			return invalidRow("areas of "+p.String(), err)
		}
		page.data.byte(byte(a.Layer))
		page.data.uint(v)
	}
	return nil
}

// postalArea returns the number that stands for an area.
func (w *layersWriter) postalArea(a PostalArea) (uint64, error) {
	if digits := codeDigits(a.Layer); digits > 0 {
		v, ok := digitsValue(a.GEOID, digits)
		if !ok || a.GEOID[0] == '0' {
			return 0, fmt.Errorf("%q is not a code of %d digits of the layer %s", a.GEOID, digits, a.Layer)
		}
		return v, nil
	}
	if a.Layer < endOfLayers && w.layers[a.Layer] != nil {
		if i, ok := w.layers[a.Layer].find(a.GEOID); ok {
			return uint64(i), nil
		}
	}
	return 0, fmt.Errorf("the layer %q has no area %q", a.Layer, a.GEOID)
}

func (w *layersWriter) spoolPostalPage() error {
	if len(w.postalPage.data.b) == 0 {
		return nil
	}
	return w.out.spoolRow(postalAreaRows, int64(w.postalPage.fsa), w.postalPage.data.b)
}

var postalAreaRows = &rowKind{name: "postal_areas", noun: func(id int64) string { return "the areas of the postal codes of FSA " + FSA(id).String() }}

var postalAreasTable = rowTable[*layersReader]{
	rowKind: postalAreaRows,
	ids:     func(d *layersReader) iter.Seq[int64] { return ids(&d.postalAreas) },
	check: func(d *layersReader, id int64, payload []byte) error {
		e := decoder{b: payload}
		for next := uint64(0); len(e.b) > 0; next++ {
			next += e.max(numLDUs)
			if _, err := d.decodePostalAreas(&e); err != nil {
				return err
			}
			if next >= numLDUs {
				return fmt.Errorf("the unit number %d; an FSA has %d", next, numLDUs)
			}
			if _, _, postal := codeSets(d.codes); !postal.has(uint32(id)*numLDUs + uint32(next)) {
				return fmt.Errorf("it has areas of %s, which the dataset does not hold", PostalCode(uint32(id)*numLDUs+uint32(next)))
			}
		}
		return e.end()
	},
}

var postalAreaCodesTable = rowCodesTable("postal_areas.fsas", NumFSAs,
	func(w *layersWriter) []uint32 { return w.postalAreas },
	func(d *layersReader) (*codeSet, *codeSet) {
		_, fsas, _ := codeSets(d.codes)
		return &d.postalAreas, fsas
	})
