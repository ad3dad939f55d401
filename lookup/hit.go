package lookup

import (
	"context"
	"fmt"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store"
)

// A hit is the resident row of a code that exists. Callers pass a pointer to one on their
// stack, so that finding a code allocates nothing.
type hit struct {
	// row is the row of the ZIP. For a Canadian code it has the common fields,
	// with the province as its state.
	row      store.ZIPRow
	canadian bool
	fallback bool    // row belongs to the FSA of a postal code
	detail   *Detail // of a ZIP+4
}

// load reads the sections of the dataset that find needs.
func (r *Reader) load(ctx context.Context, c Code) error {
	if c.typ != postalKind {
		return nil
	}
	if err := r.data.Load(ctx, store.SectionPostalCodes); err != nil {
		return fmt.Errorf("lookup: %s: %w", c, err)
	}
	return nil
}

// find looks a ZIP, ZIP+4, FSA or postal code up in memory; a ZIP+4 is its ZIP.
func (r *Reader) find(c Code, h *hit) bool {
	switch c.typ {
	case zipKind, zip4Kind:
		row, ok := r.data.ZIP(postcode.ZIP(c.num))
		h.row = row
		return ok
	case fsaKind:
		return r.findFSA(postcode.FSA(c.num), h)
	case postalKind:
		row, ok := r.data.PostalCode(postcode.PostalCode(c.num))
		h.setCanadian(row.City, row.Municipality, row.Province, row.Zone, row.Location)
		return ok
	default: // a coordinate is found by its area
		return false
	}
}

func (r *Reader) findFSA(f postcode.FSA, h *hit) bool {
	row, ok := r.data.FSA(f)
	h.setCanadian(row.City, row.Municipality, row.Province, row.Zone, row.Location)
	return ok
}

func (h *hit) setCanadian(city, municipality string, province store.StateID, zone store.ZoneID, at geo.LatLng) {
	h.canadian = true
	h.row.City, h.row.Municipality, h.row.State, h.row.Zone, h.row.Location = city, municipality, province, zone, at
}

// resolve finds a code for quick lookups. An unknown postal code is replaced by
// its FSA. A ZIP+4 gets its detail, and its own point if it has one.
func (r *Reader) resolve(ctx context.Context, c Code, h *hit) error {
	if err := r.load(ctx, c); err != nil {
		return err
	}
	ok := r.find(c, h)
	switch c.typ {
	case zip4Kind:
		if !ok {
			break
		}
		if err := r.addOn(ctx, c, h); err != nil {
			return err
		}
		ok = h.detail == nil || h.detail.Valid != False
	case postalKind:
		if !ok {
			ok = r.findFSA(c.fsa(), h)
			h.fallback = true
		}
	default:
	}
	if !ok {
		return r.notFound(c)
	}
	return nil
}

// addOn reads the detail of a ZIP+4 whose ZIP was found. It is nil if the dataset
// has no ZIP+4 records of the ZIP, and not valid if it has others only (decision
// D33).
func (r *Reader) addOn(ctx context.Context, c Code, h *hit) error {
	if err := r.data.Load(ctx, store.SectionStreets); err != nil {
		return fmt.Errorf("lookup: ZIP+4 %s: %w", c, err)
	}
	if !r.data.HasZIP4(h.row.ZIP) {
		return nil
	}
	records, err := r.data.ZIP4(ctx, h.row.ZIP, c.plus4)
	if err != nil {
		return fmt.Errorf("lookup: ZIP+4 %s: %w", c, err)
	}
	if len(records) == 0 {
		h.detail = &Detail{ZIP4: c.plus4.String(), Valid: False}
		return nil
	}
	first := &records[0]
	if first.Location.IsValid() {
		h.row.Location = first.Location
	}
	h.detail = newDetail(c.plus4, first)
	return nil
}

// fill fills an identity, but for the code itself.
func (r *Reader) fill(id *Identity, h *hit) {
	row := &h.row
	if !h.canadian {
		r.zip(id, row)
		return
	}
	r.canadian(id, row.State)
	id.City = row.City
	id.Municipality = row.Municipality
	id.Location = row.Location
}

func (r *Reader) zip(id *Identity, row *store.ZIPRow) {
	state := r.data.State(row.State)
	id.Country = "US"
	id.City = row.City
	id.State = state.Abbr
	id.StateName = state.Name
	id.StateFIPS = state.FIPS
	if row.County != 0 {
		county := r.data.County(row.County)
		id.County = county.Name
		id.CountyFIPS = county.FIPS
		if row.MultiCounty.Known() {
			id.MultiCounty = flagOf(row.MultiCounty == store.Yes)
		}
	}
	id.Classification = Classification(row.Class.Letter())
	id.ClassificationName = ClassificationName(row.Class.Name())
	id.Municipality = row.Municipality
	id.Location = row.Location
}

func (r *Reader) canadian(id *Identity, province store.StateID) {
	state := r.data.State(province)
	id.Country = "CA"
	id.State = state.Abbr
	id.StateName = state.Name
}
