package server

import (
	"context"
	"slices"
	"time"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/address/geocode"
	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/notice"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/lookup"
)

var (
	// addressParams follow the address; its include is a string, never a list.
	addressParams = []*param{
		operation.Address.Param("include").But(func(p *param) { p.List, p.Commas, p.Chars, p.Values = false, true, operation.MaxListChars, nil }),
		operation.Address.Param("as_of"), operation.Address.Param("plan"),
	}
	addressesParams = append([]*param{operation.Address.Param("include").But(func(p *param) { p.Example = "" })}, addressParams[1:]...)

	paramAddresses = &param{
		Name: "addresses", Required: true, List: true, Help: "List of 1 to 250 addresses.",
		Entry: operation.Address.Param("address"), Size: 250, Example: `["101 N Aspen Dr Ste 101, New York, NY 10118", "PO Box 5, New York, NY 10001"]`,
	}
	paramPlaces = paramAddresses.But(func(p *param) {
		p.Entry, p.Example = operation.Geocode.Param("address"), `["350 5th Ave, New York, NY 10118", "5th Ave & W 34th St, New York, NY"]`
	})
	paramPoints = &param{
		Name: "points", Required: true, List: true, Help: "List of 1 to 100 points.",
		Entry: operation.Reverse.Param("point"), Example: `["40.7484,-73.9857", "34.0731,-118.4004"]`,
	}
)

// An enriched is a task with areas around an address.
type enriched struct {
	asked   address.Options
	unknown []string // flags
	missed  bool     // the address was parsed but not matched
	inBatch bool     // it is an item
	lacking []string // requested flags that are unavailable, of an item
}

func (e *enriched) areas() *enriched { return e }

func (e *enriched) notices() []envelope.Notice {
	var list []envelope.Notice
	if e.unmatched() {
		list = append(list, notice.AddressUnmatched())
	}
	return append(list, operation.Ignored(e.unknown)...)
}

// quote is the quote of a position or of the address at one.
func (e *enriched) quote() billing.Cost { return billing.QuoteGeocode(e.asked.Enrichments()...) }

// unmatched reports whether areas were requested for an address without a match.
func (e *enriched) unmatched() bool { return e.missed && len(e.asked.Enrichments()) > 0 }

// withhold returns the notices of a result. Those of an item omit unavailable flags,
// which [enrichedNotices] reports once for the whole batch.
func (e *enriched) withhold(lacking []string, list []envelope.Notice) []envelope.Notice {
	if !e.inBatch {
		return list
	}
	e.lacking = lacking
	return slices.DeleteFunc(slices.Clone(list), func(n envelope.Notice) bool { return n.Code == envelope.EnrichmentUnavailable })
}

// enrichedNotices returns the notices of a batch about unavailable enrichments,
// addresses without a match, and unknown flags.
func enrichedNotices(items []jobItem) (list []envelope.Notice) {
	var unavailable, unknown []string
	missedSome := false
	for i := range items {
		t, ok := items[i].task.(interface{ areas() *enriched })
		if !ok {
			return nil
		}
		e := t.areas()
		unknown = e.unknown // the same for all
		missedSome = missedSome || e.unmatched()
		for _, f := range e.lacking {
			if !slices.Contains(unavailable, f) {
				unavailable = append(unavailable, f)
			}
		}
	}
	if len(unavailable) > 0 {
		list = append(list, notice.UnavailableEnrichments(unavailable))
	}
	if missedSome {
		list = append(list, notice.AddressUnmatched())
	}
	return append(list, operation.Ignored(unknown)...)
}

// An addressTask is a request of /v2/address, which matches an address with a ZIP+4
// record.
type addressTask struct {
	operation.AddressInput
	enriched
}

func (t *addressTask) copy() task { c := *t; return &c }

func (t *addressTask) input() any { return &t.AddressInput }

func (t *addressTask) options(in *input) {
	o, unknown := t.Options(in.lastYear(acs.Tract))
	t.enriched = enriched{asked: o, unknown: unknown, inBatch: in.batch}
}

func (t *addressTask) check(*input) error { return address.Check(t.Address) }

func (t *addressTask) allow(id *billing.Identity) error { return checkAddress(id, t.Address) }

func (t *addressTask) quote() billing.Cost {
	return billing.QuoteAddress(t.asked.Include.Coordinates, t.asked.Enrichments()...)
}

// work matches the address. In a batch, an address without a match is a result.
func (t *addressTask) work(ctx context.Context, db DB, at time.Time) (any, error) {
	t.asked.At = at
	m, err := db.MatchAddress(ctx, t.Address, t.asked)
	t.missed = address.Unmatched(err)
	switch {
	case t.missed && t.inBatch:
		m = &address.Match{Matched: lookup.False}
		m.Success = true
		e := envelope.Links{}.Error(err)
		m.Notices = []envelope.Notice{{Code: e.Code, Message: e.Message, Class: envelope.ClassMatch}}
		return m, nil
	case err != nil:
		return nil, err
	case t.inBatch:
		m.Matched = lookup.True
	}
	m.Notices = t.withhold(m.Unavailable(), m.Notices)
	return m, nil
}

func (t *addressTask) price(result any, err error) billing.Cost {
	if err != nil {
		return billing.ForAddressError(t.asked.Include.Coordinates, err)
	}
	return billing.ForAddress(t.asked.Include.Coordinates, result.(*address.Match))
}

func (t *addressTask) request() any { return &t.AddressInput }

func (t *addressTask) total(n int) any {
	return &operation.AddressesRequest{AddressesCount: n, AddressParams: t.AddressParams}
}

func (t *addressTask) same() string { return address.Clean(t.Address) }

// A geocodeTask is a request of /v2/geocode, the position of an address.
type geocodeTask struct {
	operation.GeocodeInput
	enriched
	opt geocode.Options
}

func (t *geocodeTask) copy() task { c := *t; return &c }

func (t *geocodeTask) input() any { return &t.GeocodeInput }

func (t *geocodeTask) options(in *input) {
	t.opt, t.unknown = t.Options(in.lastYear(acs.Tract))
	t.asked, t.inBatch = address.Options{Include: t.opt.Include, Likely: t.opt.Likely}, in.batch
}

func (t *geocodeTask) check(*input) error { return address.Check(t.Address) }

func (t *geocodeTask) allow(id *billing.Identity) error { return checkAddress(id, t.Address) }

func (t *geocodeTask) work(ctx context.Context, db DB, at time.Time) (any, error) {
	t.opt.At = at
	r, err := db.Geocode(ctx, t.Address, t.opt)
	if t.missed = address.Unmatched(err); err != nil {
		return nil, err
	}
	r.Notices = t.withhold(r.Unavailable(), r.Notices)
	return r, nil
}

func (t *geocodeTask) price(result any, err error) billing.Cost {
	if err != nil {
		return billing.ForAddressError(false, err)
	}
	return billing.QuoteGeocode(result.(*geocode.Result).Delivered()...)
}

func (t *geocodeTask) request() any { return &t.GeocodeInput }

func (t *geocodeTask) total(n int) any {
	return &operation.GeocodesRequest{AddressesCount: n, GeocodeParams: t.GeocodeParams}
}

func (t *geocodeTask) same() string { return address.Clean(t.Address) }

// A reverseTask is a request of /v2/reverse, the address nearest to a point.
type reverseTask struct {
	operation.ReverseInput
	enriched
	opt geocode.ReverseOptions
	at  lookup.Code // the point
}

func (t *reverseTask) copy() task { c := *t; return &c }

func (t *reverseTask) input() any { return &t.ReverseInput }

func (t *reverseTask) options(in *input) {
	t.opt, t.unknown = t.Options(in.lastYear(acs.Tract))
	t.asked, t.inBatch = address.Options{Include: t.opt.Include, Likely: t.opt.Likely}, in.batch
}

func (t *reverseTask) check(*input) (err error) {
	t.at, err = operation.ParsePoint(t.Point)
	return err
}

func (t *reverseTask) allow(id *billing.Identity) error { return checkCode(id, t.at) }

func (t *reverseTask) work(ctx context.Context, db DB, at time.Time) (any, error) {
	t.opt.At = at
	r, err := db.Reverse(ctx, t.at.LatLng(), t.opt)
	if err != nil {
		return nil, err
	}
	r.Notices = t.withhold(r.Unavailable(), r.Notices)
	return r, nil
}

func (t *reverseTask) price(result any, err error) billing.Cost {
	if err != nil {
		return billing.ForError(err)
	}
	return billing.QuoteGeocode(result.(*geocode.Nearest).Delivered()...)
}

func (t *reverseTask) request() any {
	return &operation.ReverseInput{Point: t.at.String(), ReverseParams: t.ReverseParams}
}

func (t *reverseTask) total(n int) any {
	return &operation.PointsRequest{PointsCount: n, ReverseParams: t.ReverseParams}
}

func (t *reverseTask) same() string { return t.at.String() }
