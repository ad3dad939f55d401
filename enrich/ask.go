package enrich

import (
	"context"
	"errors"
	"strings"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/lookup"
)

// answers are what the operations say of one row.
type answers struct {
	identity lookup.Identity
	zone     *lookup.TimeZone
	record   *lookup.Record
	address  *address.Data
	distance *postgeo.DistanceResult
	radius   *postgeo.RadiusResult
}

// ask answers a row. Only failures of the dataset and the context are errors.
func (e *Enricher) ask(ctx context.Context, key string, a *answers) (Outcome, error) {
	if key == "" {
		return Outcome{Status: Empty}, nil
	}
	out := Outcome{Status: Matched}
	err := e.answer(ctx, key, a, &out)
	if err == nil {
		return out, nil
	}
	if ctx.Err() != nil {
		return out, ctx.Err()
	}
	bad, ok := failed(err)
	if !ok {
		return out, err
	}
	bad.LostZeros = out.LostZeros
	return bad, nil
}

func (e *Enricher) answer(ctx context.Context, key string, a *answers, out *Outcome) error {
	around := key
	if e.opt.Kind == Address {
		var err error
		if key, around, err = e.matchAddress(ctx, key, a, out); err != nil {
			return err
		}
	} else if padded, ok := restoreZeros(key); ok && e.opt.Kind == Code {
		if e.opt.RestoreZeros {
			key, around = padded, padded
			out.tell(ZerosRestored)
		} else {
			out.LostZeros = true
		}
	}
	if e.opt.Kind != Address || e.identity || e.record {
		if err := e.lookUp(ctx, key, a, out); err != nil {
			return err
		}
	}
	if e.opt.Kind == Address {
		a.atAddress()
	} else if a.identity.CodeType != lookup.ZIP4 && out.Status == Fallback {
		around = a.identity.Code
	}
	return e.measure(ctx, around, a, out)
}

// matchAddress returns the ZIP of the record, which the rest is looked up by,
// and the record's point or else its ZIP.
func (e *Enricher) matchAddress(ctx context.Context, text string, a *answers, out *Outcome) (zip, around string, err error) {
	m, err := e.db.MatchAddress(ctx, text, e.match)
	if err != nil {
		return "", "", err
	}
	out.note(m.Notices)
	a.address = m.Data
	zip = m.Data.Components.ZIP
	if l := m.Data.Location; l != nil {
		if p := point(l.Latitude, l.Longitude); p.IsValid() {
			return zip, p.String(), nil
		}
	}
	return zip, zip, nil
}

// atAddress puts what the record of an address says over what its ZIP says.
func (a *answers) atAddress() {
	c := &a.address.Components
	if a.identity.Code != "" && c.Plus4 != "" {
		a.identity.ParentCode = a.identity.Code
		a.identity.Code += "-" + c.Plus4
		a.identity.CodeType = lookup.ZIP4
	}
	if l := a.address.Location; l != nil {
		a.identity.Location = point(l.Latitude, l.Longitude)
	}
	if county := a.address.Details.County; county != nil && county.FIPS != "" && county.Name != "" {
		a.identity.County, a.identity.CountyFIPS = county.Name, county.FIPS
	}
}

// lookUp asks for the identity of a code and for its full record. A postal
// code or ZIP+4 that the dataset does not have is answered by the code that it
// is a part of, whichever of the two is asked.
func (e *Enricher) lookUp(ctx context.Context, key string, a *answers, out *Outcome) error {
	if e.zone || !e.record {
		rec, err := e.db.QuickLookup(ctx, key, postgeo.QuickLookupOptions{Timezone: e.zone})
		if parent := parentOf(err); parent != "" {
			rec, err = e.db.QuickLookup(ctx, parent, postgeo.QuickLookupOptions{Timezone: e.zone})
			out.fallBack()
		}
		if err != nil {
			return err
		}
		a.identity, a.zone = rec.Identity, rec.Timezone
		out.note(rec.Notices)
	}
	if !e.record {
		return nil
	}
	opt := postgeo.LookupOptions{Include: e.include}
	rec, err := e.db.Lookup(ctx, key, opt)
	if parent := parentOf(err); parent != "" {
		rec, err = e.db.Lookup(ctx, parent, opt)
		out.fallBack()
	} else if err == nil && rec.Detail != nil && rec.Detail.Valid == lookup.False {
		rec.Code, rec.CodeType, rec.ParentCode = rec.ParentCode, lookup.ZIP, ""
		out.fallBack()
	}
	if err != nil {
		return err
	}
	a.record = rec
	a.identity = rec.Identity
	out.note(rec.Notices)
	return nil
}

func (o *Outcome) fallBack() {
	o.Status = Fallback
	o.tell(string(envelope.FallbackUsed))
}

// parentOf returns the code that a code which was not found is a part of, or "".
func parentOf(err error) string {
	var missing *lookup.NotFoundError
	if err == nil || !errors.As(err, &missing) {
		return ""
	}
	switch missing.Code.Type() {
	case lookup.ZIP4:
		return missing.Code.ZIP().String()
	case lookup.Postal:
		return missing.Code.FSA().String()
	default:
		return ""
	}
}

// measure asks for what lies around a row. A row without a point, such as a
// military ZIP, keeps its other fields.
func (e *Enricher) measure(ctx context.Context, around string, a *answers, out *Outcome) (err error) {
	if e.distance {
		if a.distance, err = e.db.Distance(ctx, around, e.opt.DistanceTo); err != nil {
			a.distance = nil
			if err = out.unmeasured(err); err != nil {
				return err
			}
		}
	}
	if e.radius {
		if a.radius, err = e.db.Radius(ctx, around, e.opt.Radius); err != nil {
			a.radius = nil
			return out.unmeasured(err)
		}
		out.note(a.radius.Notices)
	}
	return nil
}

// unmeasured tells that the place of an answered row is not known; any other
// error is returned.
func (o *Outcome) unmeasured(err error) error {
	if !errors.Is(err, lookup.ErrNotFound) {
		return err
	}
	o.tell(string(envelope.EnrichmentUnavailable))
	return nil
}

// restoreZeros gives a code back the leading zeros that it lost as a number. ok
// is false where the text does not look like such a number: three or four
// digits (a ZIP), seven or eight (a ZIP+4), or up to five before ".0".
func restoreZeros(text string) (padded string, ok bool) {
	digits, fraction, decimal := strings.Cut(text, ".")
	for i := range len(digits) {
		if digits[i] < '0' || digits[i] > '9' {
			return "", false
		}
	}
	if decimal && strings.Trim(fraction, "0") != "" {
		return "", false
	}
	const zip, zip4 = 5, 9
	switch n := len(digits); {
	case n == 3 || n == 4, n == zip && decimal:
		return strings.Repeat("0", zip-n) + digits, true
	case n == 7 || n == 8, n == zip4 && decimal:
		return strings.Repeat("0", zip4-n) + digits, true
	default:
		return "", false
	}
}
