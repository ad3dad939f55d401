package lookup

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/door"
	"github.com/postgeo/postgeo/internal/notice"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store"
)

// A Reader serves the lookups of a postgeo.DB from one dataset. It is safe for
// concurrent use until the dataset is closed.
type Reader struct {
	// A Reader works at two speeds. Quick answers from rows in memory and allocates little else than
	// the record. Full adds what the file has about a code: details, overlaps with areas,
	// profiles. Both start from a hit, the row of the code. A finder finds all areas, whether the
	// place is a code, a postal code or a coordinate.
	//
	// schools, states and zip3s cache values that are made on first use and never change. Their
	// pointers are set atomically: two goroutines may make a value twice, and either stays. A new
	// dataset has a new Reader, so that nothing is ever invalidated.

	data    *store.Dataset
	zones   []zoneClock // by ZoneID - 1, those of the dataset before the nautical ones
	periods periods
	schools schoolDetails
	states  coverage
	acs     *acs.Reader
	zip3s   atomic.Pointer[zip3Sums]
}

// Sibling packages take these functions through the door: they have types of internal
// packages, or are of no use to others.
var (
	_ = door.Offer(newReader)
	_ = door.Offer(func(r *Reader) *store.Dataset { return r.data })
	_ = door.Offer((*Reader).zone)
	_ = door.Offer((*Reader).checkPlan)
	_ = door.Offer((*Reader).planOfRecords)
	_ = door.Offer((*Reader).layersOf)
)

// newReader prepares the dataset's time zones. The dataset stays the caller's
// to close.
func newReader(d *store.Dataset) (*Reader, error) {
	zones, err := newClocks(d.Zones())
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", store.ErrDamaged, d.Path(), err)
	}
	r := &Reader{
		data: d, zones: zones, periods: newPeriods(d), acs: door.Take[func(*store.Dataset) *acs.Reader]()(d),
		schools: make(schoolDetails, d.Layer(store.LayerSchoolDistrict).Len()),
	}
	return r, nil
}

// QuickOptions selects the additions to a quick lookup.
type QuickOptions struct {
	// Timezone adds the time zone of the code's point.
	Timezone bool
	// At is the start of the twelve months of time zone rules. Zero means now.
	At time.Time
}

// Quick returns the identity of a code. A full Canadian postal code that the
// dataset does not hold is answered by its FSA, with a notice FALLBACK_USED. A
// coordinate is answered by the code whose area holds it, with the notices
// COORDINATES_USED and REVERSE_GEOCODE.
//
// Everything but a ZIP+4 is answered from memory. The error is a
// [*envelope.Failure], the context's, or a failure of the dataset.
func (r *Reader) Quick(ctx context.Context, input string, opt QuickOptions) (*QuickRecord, error) {
	return r.quick(ctx, input, opt, false)
}

// quick is [Reader.Quick]. A terse record has no notices about coordinates. One of a
// coordinate outside the areas of all codes exists too, if it has a state or province or
// a requested time zone. It has the county and state, no code, and a notice with the code
// of the error.
func (r *Reader) quick(ctx context.Context, input string, opt QuickOptions, terse bool) (*QuickRecord, error) {
	c, err := ParseCode(input)
	if err != nil {
		return nil, err
	}
	// The row is read before the record is allocated, because it may be far
	// away in memory. The common kinds fill the record without a hit: with one, an FSA took
	// 120 in place of 102 ns.
	switch c.typ {
	case zipKind:
		if row, ok := r.data.ZIP(postcode.ZIP(c.num)); ok {
			rec := r.newQuickRecord(row.Zone, opt)
			r.zip(&rec.Identity, &row)
			rec.Notices = rec.name(c, input)
			return rec.done(opt), nil
		}
	case fsaKind:
		if row, ok := r.data.FSA(postcode.FSA(c.num)); ok {
			rec := r.newQuickRecord(row.Zone, opt)
			r.canadian(&rec.Identity, row.Province)
			rec.City, rec.Municipality, rec.Location = row.City, row.Municipality, row.Location
			rec.Notices = rec.name(c, input)
			return rec.done(opt), nil
		}
	case postalKind:
		if err := r.load(ctx, c); err != nil {
			return nil, err
		}
		if row, ok := r.data.PostalCode(postcode.PostalCode(c.num)); ok {
			rec := r.newQuickRecord(row.Zone, opt)
			r.canadian(&rec.Identity, row.Province)
			rec.City, rec.Municipality, rec.Location = row.City, row.Municipality, row.Location
			rec.Notices = rec.name(c, input)
			return rec.done(opt), nil
		}
	default:
	}
	var h hit
	at := c
	switch {
	case c.typ == pointKind && opt.Timezone:
		at, err = r.findAround(ctx, c.point, &h)
	case c.typ == pointKind:
		at, err = r.findContaining(ctx, c.point, &h)
	default:
		err = r.resolve(ctx, c, &h)
	}
	if err != nil {
		if terse && c.typ == pointKind && noArea(err) {
			return r.outsideCodes(ctx, c.point, h.row.Zone, opt, err)
		}
		return nil, err
	}
	rec := r.newQuickRecord(h.row.Zone, opt)
	r.fill(&rec.Identity, &h)
	rec.Detail = h.detail
	if c.typ == pointKind {
		rec.Code, rec.CodeType = at.String(), at.Type()
		if !terse {
			rec.Notices = resolved(c, at, input)
		}
	} else {
		rec.Notices = r.nameHit(&rec.Identity, c, &h, input)
	}
	return rec.done(opt), nil
}

// done marks the record as found. A notice reports a requested time zone that
// is unknown.
func (r *QuickRecord) done(opt QuickOptions) *QuickRecord {
	r.Success = true
	if opt.Timezone && r.Timezone == nil {
		r.Notices = append(r.Notices, notice.UnavailableEnrichments([]string{"timezone"}))
	}
	return r
}

// newQuickRecord returns an empty record, with the time zone if requested and
// known. A record with one is a single allocation too and shares nothing with
// other records, since callers may change what they get.
func (r *Reader) newQuickRecord(id store.ZoneID, opt QuickOptions) *QuickRecord {
	if !opt.Timezone {
		return new(QuickRecord)
	}
	t := r.zone(id, opt.At)
	if t == nil {
		return new(QuickRecord)
	}
	rec := &struct {
		QuickRecord
		zone TimeZone
	}{zone: *t}
	rec.Timezone = &rec.zone
	return &rec.QuickRecord
}

// nameHit sets the code of an identity: the FSA of a postal code that was not found,
// and the ZIP of a ZIP+4 if the dataset has no ZIP+4 records of it (decision D70). It
// returns notices about that and about differences between the input and the code.
func (r *Reader) nameHit(id *Identity, c Code, h *hit, input string) []envelope.Notice {
	switch {
	case h.fallback:
		id.CodeType, id.Code = FSA, c.fsa().String()
		return append(notices(c, input), notice.Fallback(c.String(), id.Code, r.lacksPostalCodes(c)))
	case c.typ == zip4Kind && h.detail == nil:
		id.CodeType, id.Code = ZIP, c.zip().String()
		return append(notices(c, input), notice.NotLoaded("ZIP+4 records of "+id.Code))
	default:
		return id.name(c, input)
	}
}

// name sets the code of an identity and its parent. It returns notices about
// differences between the input and the code.
func (id *Identity) name(c Code, input string) []envelope.Notice {
	id.CodeType = c.Type()
	id.Code = c.canonical(input)
	switch c.typ { // a code begins with its parent
	case zip4Kind:
		id.ParentCode = id.Code[:5]
	case postalKind:
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
	if c.normalizes(input) {
		return []envelope.Notice{notice.Normalized(strings.TrimFunc(input, isBlank), c.String())}
	}
	return nil
}

// NormalizedNotices returns the notices that the codes of an input were
// normalized, for an item that fails after that (decision D55). Codes that
// cannot be parsed have none.
func NormalizedNotices(in envelope.Input) (list []envelope.Notice) {
	for _, text := range [...]string{in.Code, in.From, in.To} {
		if text == "" {
			continue
		}
		if c, err := ParseCode(text); err == nil {
			list = append(list, notices(c, text)...)
		}
	}
	return list
}

// zone returns the time zone of an id with its rules from a time on, or nil.
func (r *Reader) zone(id store.ZoneID, at time.Time) *TimeZone {
	if c := r.clock(id); c != nil {
		return c.at(orNow(at))
	}
	return nil
}

// clock returns the clock of an id, or nil for none.
func (r *Reader) clock(id store.ZoneID) *zoneClock {
	if id == 0 || int(id) > len(r.zones) {
		return nil
	}
	return &r.zones[id-1]
}
