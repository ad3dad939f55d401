package lookup

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/notice"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store"
)

// Containing returns the ZIP or FSA whose area holds the point: never the
// nearest one. If ZIPs overlap, the smaller area wins, and between equals the
// lower code. The same holds for FSAs. A ZIP takes precedence over an FSA. PO
// Box, unique and military ZIPs have no area.
//
// The error matches [envelope.ErrNotFound], or [envelope.ErrUnavailable] if the
// dataset contains no areas; otherwise it is the context's or a failure of the
// dataset.
func (r *Reader) Containing(ctx context.Context, p geo.LatLng) (Code, error) {
	c, err := r.containing(ctx, p)
	if err == nil && !c.IsValid() {
		err = r.notContained(p)
	}
	return c, err
}

// containing returns the code of [Reader.Containing], or the zero Code if no area
// holds the point.
func (r *Reader) containing(ctx context.Context, p geo.LatLng) (Code, error) {
	if err := r.data.Load(ctx, store.SectionZIPAreas|store.SectionFSAAreas); err != nil {
		return Code{}, fmt.Errorf("lookup: area around %v: %w", p, err)
	}
	if z, ok := r.zipAround(p); ok {
		return zipCode(z), nil
	}
	if f, ok := r.data.FSAAreas().Containing(p); ok {
		return fsaCode(f), nil
	}
	return Code{}, nil
}

// noCode returns why no area holds a point.
func (r *Reader) noCode() envelope.Kind {
	if r.data.ZIPAreas().Len() == 0 && r.data.FSAAreas().Len() == 0 {
		return envelope.KindUnavailable
	}
	return envelope.KindNotFound
}

// notContained returns the error of a point that no area holds.
func (r *Reader) notContained(p geo.LatLng) error {
	e := &envelope.Failure{Op: op, Kind: r.noCode(), Thing: envelope.ThingCoordinates, Input: PointCode(p).String()}
	if e.Kind == envelope.KindUnavailable {
		e.Lacks = "boundaries"
	}
	return e
}

// zipAround returns the general ZIP whose area holds the point: the smallest, before those that
// only have it on their edge.
func (r *Reader) zipAround(p geo.LatLng) (postcode.ZIP, bool) {
	areas := r.data.ZIPAreas()
	z, ok := areas.Containing(p)
	if !ok {
		return 0, false
	}
	if row, _ := r.data.ZIP(z); row.Class == store.General {
		return z, true
	}
	x := areas.Index()
	for _, i := range x.AppendContaining(x.AppendAround(nil, p), p) {
		z := areas.Keys()[i]
		if row, _ := r.data.ZIP(z); row.Class == store.General {
			return z, true
		}
	}
	return 0, false
}

// noArea reports whether an error of Containing means that no area is known to
// hold the point.
func noArea(err error) bool {
	return errors.Is(err, envelope.ErrNotFound) || errors.Is(err, envelope.ErrUnavailable)
}

// findAround finds the code whose area holds a coordinate. If the dataset has
// areas of zones, the coordinate gets its exact time zone, even beyond all
// codes.
func (r *Reader) findAround(ctx context.Context, p geo.LatLng, h *hit) (Code, error) {
	code, err := r.findContaining(ctx, p, h)
	if err != nil && !noArea(err) {
		return code, err
	}
	at, zoneErr := r.zoneAround(ctx, p, err == nil)
	if zoneErr != nil {
		return code, zoneErr
	}
	if at != 0 {
		h.row.Zone = at
	}
	return code, err
}

// findContaining finds the code whose area holds a coordinate.
func (r *Reader) findContaining(ctx context.Context, p geo.LatLng, h *hit) (Code, error) {
	code, err := r.Containing(ctx, p)
	if err == nil {
		r.find(code, h)
	}
	return code, err
}

// pointNotices returns the notices that a coordinate is used, and was normalized if so.
func pointNotices(c Code, input string) []envelope.Notice {
	trimmed := strings.TrimFunc(input, isBlank)
	text := c.pointText(trimmed)
	list := make([]envelope.Notice, 0, 2) // often one more follows
	if text != trimmed {
		list = append(list, notice.Normalized(trimmed, text))
	}
	lat, lon, _ := strings.Cut(text, ",")
	return append(list, notice.Points(lat, lon))
}

func resolved(c, code Code, input string) []envelope.Notice {
	return append(pointNotices(c, input), notice.Resolved(string(code.Type()), code.String()))
}

// point returns a coordinate as its own place, with the country, city, state
// and county of the area that holds it (decision D35).
func (r *Reader) point(ctx context.Context, c Code, input string) (Place, error) {
	p := Place{Notices: pointNotices(c, input)}
	var h hit
	if _, err := r.findAround(ctx, c.point, &h); err == nil {
		var id Identity
		r.fill(&id, &h)
		p.Country, p.City, p.State, p.StateName, p.StateFIPS = id.Country, id.City, id.State, id.StateName, id.StateFIPS
		p.County, p.CountyFIPS = id.County, id.CountyFIPS
	} else if !noArea(err) {
		return Place{}, err
	}
	p.CodeType = Coordinates
	p.Location = c.point
	p.clock = r.clock(h.row.Zone)
	return p, nil
}

// zoneShares returns the time zones of a code: the shares of its area, that of
// its row first, else the zone of its point. If the dataset has areas of zones,
// that zone has 100 percent of a code without an area. The result is nil if no
// zone is known.
func (r *Reader) zoneShares(shares []store.ZoneShare, zone store.ZoneID, area bool, at time.Time) *TimeZones {
	var out *TimeZones
	for _, s := range firstOf(shares, zone) {
		t := r.zone(s.Zone, at)
		pct := geo.Round(float64(s.Percent), 1)
		if t == nil || pct == 0 {
			continue
		}
		if out == nil {
			out = &TimeZones{Source: t.Source}
		}
		out.Zones = append(out.Zones, ZoneShare{Zone: t.Zone, PctOfZIP: &pct})
	}
	if out != nil {
		return out
	}
	t := r.zone(zone, at)
	if t == nil {
		return nil
	}
	share := ZoneShare{Zone: t.Zone}
	if !area && r.data.ZoneAreas().Len() > 0 {
		whole := 100.0
		share.PctOfZIP = &whole
	}
	return &TimeZones{Source: t.Source, Zones: []ZoneShare{share}}
}

func firstOf(shares []store.ZoneShare, zone store.ZoneID) []store.ZoneShare {
	at := slices.IndexFunc(shares, func(s store.ZoneShare) bool { return s.Zone == zone })
	if at <= 0 {
		return shares
	}
	return slices.Concat(shares[at:at+1], shares[:at], shares[at+1:])
}
