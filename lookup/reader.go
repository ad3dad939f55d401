package lookup

import (
	"context"
	"fmt"
	"strings"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/envelope"
)

// A Reader answers lookups from one open dataset. It is safe for concurrent
// use until the dataset is closed.
type Reader struct {
	data    *dataset.Dataset
	zones   []TimeZone // by ZoneID - 1
	periods periods
	schools schoolDetails
	states  coverage
	acs     *acs.Reader
}

// NewReader prepares the dataset's time zones. The dataset stays the caller's
// to close. It is an error when the dataset names a time zone that the tz
// database does not know.
func NewReader(d *dataset.Dataset) (*Reader, error) {
	zones, err := timeZones(d.Zones(), d.Manifest().Built)
	if err != nil {
		return nil, fmt.Errorf("lookup: prepare dataset: %w", err)
	}
	r := &Reader{
		data: d, zones: zones, periods: newPeriods(d), acs: acs.NewReader(d),
		schools: make(schoolDetails, d.Layer(dataset.LayerSchoolDistrict).Len()),
	}
	return r, nil
}

// Dataset returns the dataset that the reader reads.
func (r *Reader) Dataset() *dataset.Dataset { return r.data }

// TimeZone returns the time zone of an id, or false for none.
func (r *Reader) TimeZone(id dataset.ZoneID) (TimeZone, bool) {
	if t := r.zone(id); t != nil {
		return *t, true
	}
	return TimeZone{}, false
}

// QuickOptions say what a quick lookup shall add.
type QuickOptions struct {
	// Timezone adds the time zone of the code's point.
	Timezone bool
}

// Options say what a full lookup shall add.
type Options struct {
	// Include are the enrichments; what the dataset does not hold for the
	// code is named in a notice ENRICHMENT_UNAVAILABLE.
	Include Include
	// ACS says which fields the blocks of the American Community Survey hold;
	// the zero value takes the contract's.
	ACS acs.Options
}

// Quick returns the identity of a code. A full Canadian postal code that the
// dataset does not hold is answered by its FSA, with a notice FALLBACK_USED. A
// coordinate is answered by the code whose area holds it, with the notices
// COORDINATES_USED and REVERSE_GEOCODE.
//
// Everything but a ZIP+4 is answered from memory. Errors are [*ParseError],
// [*NotFoundError], the context's error, or a failure of the dataset.
func (r *Reader) Quick(ctx context.Context, input string, opt QuickOptions) (*QuickRecord, error) {
	c, err := ParseCode(input)
	if err != nil {
		return nil, err
	}
	if !opt.Timezone {
		rec := new(QuickRecord)
		if _, err := r.quick(ctx, rec, c, input); err != nil {
			return nil, err
		}
		return rec, nil
	}
	rec := new(zonedRecord)
	zone, err := r.quick(ctx, &rec.QuickRecord, c, input)
	if err != nil {
		return nil, err
	}
	if t := r.zone(zone); t != nil {
		rec.zone = *t
		rec.Timezone = &rec.zone
	} else {
		rec.Notices = append(rec.Notices, envelope.UnavailableEnrichments([]string{"timezone"}))
	}
	return &rec.QuickRecord, nil
}

// A zonedRecord has room for the time zone, so that a record with one is a
// single allocation too and shares nothing with other records.
type zonedRecord struct {
	QuickRecord
	zone TimeZone
}

// quick fills a record, but for its time zone.
func (r *Reader) quick(ctx context.Context, rec *QuickRecord, c Code, input string) (dataset.ZoneID, error) {
	if c.typ == Coordinates {
		return r.quickPoint(rec, c, input)
	}
	zone, fallback, detail, err := r.resolve(ctx, c, &rec.Identity)
	if err != nil {
		return 0, err
	}
	rec.Success = true
	rec.Detail = detail
	rec.Notices = rec.name(c, fallback, input)
	return zone, nil
}

// resolve fills the identity of a code, but for the code itself. fallback says
// that a postal code's FSA stands in for it.
func (r *Reader) resolve(ctx context.Context, c Code, id *Identity) (zone dataset.ZoneID, fallback bool, detail *Detail, err error) {
	switch c.typ {
	case ZIP:
		if row, ok := r.data.ZIP(dataset.ZIP(c.num)); ok {
			r.zip(id, &row)
			return row.Zone, false, nil, nil
		}
	case ZIP4:
		row, ok := r.data.ZIP(dataset.ZIP(c.num))
		if !ok {
			break
		}
		detail, err := r.zip4(ctx, id, c, &row)
		if err != nil {
			return 0, false, nil, err
		}
		if detail != nil && detail.Valid == False {
			break
		}
		return row.Zone, false, detail, nil
	case FSA:
		if row, ok := r.data.FSA(dataset.FSA(c.num)); ok {
			r.fsa(id, &row)
			return row.Zone, false, nil, nil
		}
	case Postal:
		if row, ok := r.data.PostalCode(dataset.PostalCode(c.num)); ok {
			r.postal(id, &row)
			return row.Zone, false, nil, nil
		}
		if row, ok := r.data.FSA(c.FSA()); ok {
			r.fsa(id, &row)
			return row.Zone, true, nil, nil
		}
	case Coordinates: // are resolved by their area
	}
	return 0, false, nil, &NotFoundError{Code: c}
}

// name sets the code of an identity and its parent, and returns what the
// caller should know of the way there from the input.
func (id *Identity) name(c Code, fallback bool, input string) []envelope.Notice {
	if fallback {
		id.CodeType = FSA
		id.Code = c.FSA().String()
		return append(notices(c, input), envelope.Fallback(c.String(), id.Code))
	}
	id.CodeType = c.typ
	id.Code = c.canonical(input)
	switch c.typ { // a code begins with its parent
	case ZIP4:
		id.ParentCode = id.Code[:5]
	case Postal:
		id.ParentCode = id.Code[:3]
	default: // no parent
	}
	if id.Code == input {
		return nil
	}
	return notices(c, input)
}

// notices returns the notice that a code was normalized, or none.
func notices(c Code, input string) []envelope.Notice {
	if c.Normalizes(input) {
		return []envelope.Notice{envelope.Normalized(strings.TrimFunc(input, isBlank), c.String())}
	}
	return nil
}

// zone returns the time zone of an id, or nil.
func (r *Reader) zone(id dataset.ZoneID) *TimeZone {
	if id == 0 || int(id) > len(r.zones) {
		return nil
	}
	return &r.zones[id-1]
}

// zip fills the identity of a ZIP, but for its code.
func (r *Reader) zip(id *Identity, row *dataset.ZIPRow) {
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
			id.MultiCounty = FlagOf(row.MultiCounty == dataset.Yes)
		}
	}
	id.Classification = Classification(row.Class)
	id.ClassificationName = id.Classification.Name()
	id.Municipality = row.Municipality
	id.Location = row.Location
}

// fsa fills the identity of an FSA, but for its code.
func (r *Reader) fsa(id *Identity, row *dataset.FSARow) {
	r.canadian(id, row.Province)
	id.City = row.City
	id.Municipality = row.Municipality
	id.Location = row.Location
}

// postal fills the identity of a postal code, but for its code.
func (r *Reader) postal(id *Identity, row *dataset.PostalRow) {
	r.canadian(id, row.Province)
	id.City = row.City
	id.Municipality = row.Municipality
	id.Location = row.Location
}

func (r *Reader) canadian(id *Identity, province dataset.StateID) {
	state := r.data.State(province)
	id.Country = "CA"
	id.State = state.Abbr
	id.StateName = state.Name
}

// zip4 fills the identity of a ZIP+4 from its ZIP's row and reads its detail.
// The detail is nil where the dataset has no ZIP+4 records of the ZIP, and not
// valid where it has some but not this one (decision D33).
func (r *Reader) zip4(ctx context.Context, id *Identity, c Code, row *dataset.ZIPRow) (*Detail, error) {
	r.zip(id, row)
	if !r.data.HasZIP4(row.ZIP) {
		return nil, nil
	}
	records, err := r.data.ZIP4(ctx, row.ZIP, c.plus4)
	if err != nil {
		return nil, fmt.Errorf("lookup: ZIP+4 %s: %w", c, err)
	}
	if len(records) == 0 {
		return &Detail{ZIP4: c.plus4.String(), Valid: False}, nil
	}
	first := &records[0]
	if first.Location.IsValid() {
		id.Location = first.Location
	}
	return newDetail(c.plus4, first), nil
}
