package enrich

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/address/geocode"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/wording"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/radius"
)

// A row goes through these steps, each only if a column needs it:
//
//  1. The key becomes a code or point: an address is matched and a city is located, a
//     damaged code is repaired (fill).
//  2. The code is looked up: the quick record, the full record, or both (lookUp). A code
//     that the dataset lacks falls back to the larger one.
//  3. Values of an address's own record replace those of its ZIP (atAddress).
//  4. Searches run around the point: radius, nearest codes, places, areas (measure).
//
// The order matters: 3 must follow 2, or the ZIP's county would hide the address's, and 4
// needs the point of 1 to 3.
//
// Errors that the row causes, such as an unknown code, become its Outcome. All others end
// the run, because a failing dataset must not look like a table of unknown codes.

// results holds the results of the operations for one row, in the order of their numbers.
// Keys of its JSON begin the paths of fields, in the order of the catalog. A field's index
// is its operation: [operation] converts the first index of a path. Members that are not
// exported have no paths.
type results struct {
	lookup.Identity
	Timezone *lookup.TimeZone `json:"timezone"`
	full
	Address *address.Data   `json:"address"`
	Geocode *geocode.Result `json:"geocode"`
	ZIP3    *lookup.ZIP3    `json:"zip3"` // nil outside the US
	Radius  *radius.Result  `json:"radius"`
	Nearest []radius.Match  `json:"nearest"`

	at     geo.LatLng // the row's point, if places or areas are needed
	places []nearPlace
	area   int // in the list of areas, if inArea
	inArea bool
}

// full is a record, if one was read. Its "timezone" would hide that of the quick record,
// whose path users expect, so the time zones of its areas have a name of their own.
type full struct {
	*lookup.Record
	Zones *lookup.TimeZones `json:"timezone.zones"`
}

// zones are the time zones of a record; timezone is that of the point.
const zones = "timezone.zones"

// lookup processes a row. It returns an error only if the dataset or the context fails.
func (e *Enricher) lookup(ctx context.Context, key string, a *results) (Outcome, error) {
	if missingKeys(key) {
		return Outcome{Status: Empty}, nil
	}
	out := Outcome{Status: Matched}
	err := e.fill(ctx, key, a, &out)
	if err == nil {
		return out, nil
	}
	if ctx.Err() != nil { // before the error, which may only be its consequence
		return out, ctx.Err()
	}
	bad, ok := failed(err)
	if !ok {
		return out, err
	}
	switch {
	case e.opt.Kind == Code && bad.Status == Invalid:
		bad.Reason = cmp.Or(lookalike(key), bad.Reason)
	case e.opt.Kind == City && bad.Status == Ambiguous:
		bad.Reason = string(envelope.Ambiguous) + ": " + wording.CityAmbiguous
	case e.opt.Kind == City && bad.Status == NotFound:
		bad.Reason = string(envelope.NotFound) + ": " + wording.CityNotFound
	}
	return bad, nil
}

func (e *Enricher) fill(ctx context.Context, key string, a *results, out *Outcome) (err error) {
	around := key
	switch e.opt.Kind {
	case Address:
		if err = e.geocodeAddress(ctx, key, a, out); err == nil && e.matches {
			key, around, err = e.matchAddress(ctx, key, a, out)
		}
	case City:
		around, err = e.matchCity(ctx, key, a)
		key = around
	case Code:
		if plain, reason := plainCode(key, e.opt.RestoreZeros); plain != "" {
			key, out.Repaired = plain, true
			out.addReason(reason)
		}
		// after plainCode, because ="501" and 5.01E+02 become 501 first
		if padded, ok := restoreZeros(key); ok && e.opt.RestoreZeros {
			key, out.Repaired = padded, true
			out.addReason(ZerosRestored)
		}
		around = key
	default:
	}
	if err == nil {
		err = ctx.Err()
	}
	if err == nil && e.looksUp(key) {
		err = e.lookUp(ctx, key, a, out)
	}
	if err != nil {
		return err
	}
	switch {
	case e.opt.Kind == Address:
		if a.Address != nil {
			a.atAddress()
		}
	case e.opt.Kind == City:
		a.City = cmp.Or(a.Geocode.City, a.City)
		a.State = cmp.Or(a.State, a.Geocode.State)
	case a.CodeType != lookup.ZIP4 && out.Status == Fallback:
		around = a.Code // searches know only codes of the dataset
	}
	if e.needs[byZIP3] && a.Country == "US" {
		if a.ZIP3, err = e.db.ZIP3(ctx, a.Code); err != nil && envelope.AsFailure(err) == nil {
			return err
		}
	}
	return e.measure(ctx, around, a, out)
}

// looksUp reports whether a row is looked up by its code. A coordinate is skipped if only
// its surroundings are needed: one that lies in no code would be not found, although its
// nearest store is known. An address is looked up only for fields of its ZIP.
func (e *Enricher) looksUp(key string) bool {
	return e.needs[byIdentity] || e.needs[byRecord] || e.opt.Kind != Address && !(isPoint(key) && e.measures())
}

// measures reports whether any field depends on the surroundings of rows. Operations from
// byRadius on do.
func (e *Enricher) measures() bool {
	return e.places > 0 || slices.Contains(e.needs[byRadius:], true)
}

// geocodeAddress finds the position of an address, if it is needed. A position of the
// street, ZIP Code or city is a fallback.
func (e *Enricher) geocodeAddress(ctx context.Context, text string, a *results, out *Outcome) (err error) {
	if !e.needs[byGeocode] {
		return nil
	}
	if fields, ok := fieldsOf(text); ok {
		text = fields.String()
	}
	if a.Geocode, err = e.db.Geocode(ctx, text, e.place); err != nil {
		return err
	}
	switch a.Geocode.Precision {
	case geocode.Point, geocode.Interpolated, geocode.Intersection:
	default:
		out.fallBack()
	}
	out.note(a.Geocode.Notices)
	return nil
}

// matchCity returns the point of a city. [postgeo.DB.Geocode] also reads addresses and
// codes, which a column of cities does not hold: such a text is not found.
func (e *Enricher) matchCity(ctx context.Context, text string, a *results) (point string, err error) {
	if a.Geocode, err = e.db.Geocode(ctx, text, e.place); err != nil {
		return "", err
	}
	if a.Geocode.Precision != geocode.City { // a street or a code
		return "", &envelope.Failure{Op: "geocode", Kind: envelope.KindNotFound, Thing: envelope.ThingAddress, Input: text}
	}
	return a.Geocode.Location.String(), nil
}

// matchAddress returns the ZIP of the matched record for the lookup, and the record's
// point or else its ZIP.
func (e *Enricher) matchAddress(ctx context.Context, text string, a *results, out *Outcome) (zip, around string, err error) {
	var m *address.Match
	if fields, ok := fieldsOf(text); ok {
		m, err = e.db.MatchAddressFields(ctx, fields, e.match)
	} else {
		m, err = e.db.MatchAddress(ctx, text, e.match)
	}
	if err != nil {
		return "", "", err
	}
	out.note(m.Notices)
	a.Address = m.Data
	zip = m.Data.Components.ZIP
	if p := a.addressPoint(); p.IsValid() {
		return zip, p.String(), nil
	}
	return zip, zip, nil
}

// addressPoint returns the point of an address's record, or the invalid point.
func (a *results) addressPoint() geo.LatLng {
	l := a.Address.Location
	if l == nil {
		return geo.LatLng{}
	}
	p, err := geo.LatLngFromDegrees(float64(l.Latitude), float64(l.Longitude))
	if err != nil {
		return geo.LatLng{}
	}
	return p
}

// atAddress replaces the values of the ZIP by those of the address's record.
func (a *results) atAddress() {
	c := &a.Address.Components
	if a.Code != "" && c.Plus4 != "" {
		a.ParentCode = a.Code
		a.Code += "-" + c.Plus4
		a.CodeType = lookup.ZIP4
	}
	if a.Address.Location != nil {
		a.Location = a.addressPoint()
	}
	if county := a.Address.Details.County; county != nil && county.FIPS != "" && county.Name != "" {
		a.County, a.CountyFIPS = county.Name, county.FIPS
	}
}

// lookUp reads the identity of a code and its full record, as needed. The larger code
// replaces a postal code or ZIP+4 that the dataset lacks.
func (e *Enricher) lookUp(ctx context.Context, key string, a *results, out *Outcome) error {
	record := e.needs[byRecord]
	// The full record has the identity too, so the quick one is read only if a value is in it
	// alone: the time zone of the point, or the county of a point outside all codes.
	if e.needs[byZone] || !record || e.needs[byIdentity] && isPoint(key) {
		rec, err := e.quick(ctx, key)
		if parent := parentOf(err); parent != "" {
			rec, err = e.quick(ctx, parent)
			out.fallBack()
		}
		switch {
		case err == nil:
			a.Identity, a.Timezone = rec.Identity, rec.Timezone
			out.note(rec.Notices)
		case !record || !outside(err): // else the record may have families
			return err
		}
	}
	if !record {
		return nil
	}
	rec, err := e.full(ctx, key)
	if parent := parentOf(err); parent != "" {
		rec, err = e.full(ctx, parent)
		out.fallBack()
	} else if err == nil && rec.Detail != nil && rec.Detail.Valid == lookup.False {
		// A record of a ZIP+4 that does not exist is that of its ZIP (D33), but named +4.
		rec.Code, rec.CodeType, rec.ParentCode = rec.ParentCode, lookup.ZIP, ""
		out.fallBack()
	}
	switch {
	case (a.Timezone != nil || a.State != "") && outside(err): // the row has a county or a time zone
		return nil
	case err != nil:
		return err
	}
	a.full = full{rec, rec.Timezone}
	if rec.Code != "" {
		a.Identity = rec.Identity
	}
	out.note(rec.Notices)
	return nil
}

// isPoint reports whether a key is a coordinate.
func isPoint(key string) bool {
	c, err := lookup.ParseCode(key)
	return err == nil && c.Type() == lookup.Coordinates
}

// outside reports whether a coordinate is not in the area of a code. A malformed coordinate
// concerns the same thing but is not outside.
func outside(err error) bool {
	missing := envelope.AsFailure(err)
	return missing != nil && missing.Thing == envelope.ThingCoordinates && missing.Kind != envelope.KindInvalidCode
}

// parentOf returns the larger code of a code that was not found, or "". Only what was not
// found falls back: if the dataset lacks the records, the row is unavailable (D33).
func parentOf(err error) string {
	missing := envelope.AsFailure(err)
	if missing == nil || missing.Kind != envelope.KindNotFound || missing.Thing == envelope.ThingCoordinates {
		return ""
	}
	code, err := lookup.ParseCode(missing.Input)
	if err != nil {
		return ""
	}
	return code.Parent().String() // "" for a ZIP and an FSA
}

// measure searches around a row. A row without a point, such as a military ZIP, keeps its
// other fields: query turns its not-found error into a reason.
func (e *Enricher) measure(ctx context.Context, around string, a *results, out *Outcome) (err error) {
	a.Radius, err = query(err, e.needs[byRadius], out, func() (*radius.Result, error) { return e.db.Radius(ctx, around, e.opt.Radius) })
	nearest, err := query(err, e.needs[byNearest], out, func() (*radius.NearestResult, error) { return e.db.Nearest(ctx, around, e.nearest) })
	if err != nil {
		return err
	}
	if nearest != nil {
		a.Nearest = nearest.Matches
	}
	if a.Radius != nil {
		out.note(a.Radius.Notices)
	}
	if e.places == 0 && !e.needs[byArea] {
		return nil
	}
	a.at = a.Location // of its match
	if c, err := lookup.ParseCode(around); err == nil && c.Type() == lookup.Coordinates {
		a.at = c.LatLng()
	}
	if !a.at.IsValid() {
		out.addReason(string(envelope.EnrichmentUnavailable))
		return nil
	}
	if e.places > 0 {
		a.places = e.opt.Places.nearest(a.at, e.places, e.opt.Nearest.Max)
	}
	if e.needs[byArea] {
		a.area, a.inArea = e.opt.Areas.index.Containing(a.at)
	}
	return nil
}

// query calls an operation if it is needed and none before failed. If the row has no known
// place, the result is nil and the outcome has the reason.
func query[T any](before error, needed bool, out *Outcome, call func() (*T, error)) (*T, error) {
	if before != nil || !needed {
		return nil, before
	}
	result, err := call()
	if errors.Is(err, postgeo.ErrNotFound) {
		out.addReason(string(envelope.EnrichmentUnavailable))
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return result, nil
}

func number(v acs.Value) Value {
	if n, ok := v.Float64(); ok {
		return ValueOf(n)
	}
	return Value{}
}
