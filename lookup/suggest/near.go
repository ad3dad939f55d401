package suggest

import (
	"context"
	"math"
	"net/netip"
	"strings"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store"
)

// Proximity adds to the rank of an entity: nearMost at the point, half of it at
// nearHalf miles, and nothing from nearEnd miles. If the proximity is a state, it
// adds nearState to entities in that state.
const (
	rankUnit  = 2048 // of a doubling of residents
	nearMost  = 8 * rankUnit
	nearState = 6 * rankUnit
	nearHalf  = 40.0  // miles
	nearEnd   = 400.0 // miles

	milesPerDegree = 69.0
)

// near adds to the ranks around a point or in a state. The table has an upper bound of the
// gain for each cell of one degree, so that most keys are rejected by their cell; the gain
// itself needs the point of the entity. It is filled and cleared for each query, at the
// cells within reach only, and has an entry for noCell, which stays 0.
type near struct {
	on       bool
	lat, lng float64
	cosLat   float64
	state    store.StateID // instead of a point
	table    []uint16      // by cell: the maximum gain
	cells    []int         // with a gain
}

// Cells are of one degree.
const (
	cellColumns = 360
	cellRows    = 180
)

func cellOf(p geo.LatLng) uint16 {
	if !p.IsValid() {
		return noCell
	}
	row, column := min(int(p.Lat()+90), cellRows-1), int(p.Lng()+180)%cellColumns
	return uint16(row*cellColumns + column)
}

// set computes the gains around a point.
func (n *near) set(p geo.LatLng) {
	if n.table == nil {
		n.table = make([]uint16, noCell+1)
	}
	n.on, n.lat, n.lng = true, p.Lat(), p.Lng()
	n.cosLat = math.Cos(n.lat * math.Pi / 180)
	rows, columns := int(math.Ceil(nearEnd/milesPerDegree)), cellColumns/2
	if n.cosLat > 0.05 {
		columns = min(columns, int(math.Ceil(nearEnd/milesPerDegree/n.cosLat)))
	}
	for i := -rows; i <= rows; i++ {
		row := int(math.Floor(n.lat)) + i + 90
		if row < 0 || row >= cellRows {
			continue
		}
		dy := n.lat - clamp(n.lat, float64(row-90), float64(row-89))
		for dx := -columns; dx <= columns; dx++ {
			west := math.Floor(n.lng) + float64(dx)
			x := (n.lng - clamp(n.lng, west, west+1)) * n.cosLat
			gain := gainAt(milesPerDegree * math.Sqrt(x*x+dy*dy))
			if gain == 0 {
				continue
			}
			column := ((int(west)+180)%cellColumns + cellColumns) % cellColumns
			cell := row*cellColumns + column
			if n.table[cell] == 0 {
				n.cells = append(n.cells, cell)
			}
			n.table[cell] = max(n.table[cell], uint16(gain)+rankUnit/4) // with a margin, because distances are planar
		}
	}
}

func clamp(v, lo, hi float64) float64 { return min(max(v, lo), hi) }

// forget clears the table for the next search.
func (s *search) forget() {
	for _, c := range s.near.cells {
		s.near.table[c] = 0
	}
	s.near.cells = s.near.cells[:0]
}

// distance returns the planar distance in miles, with an error of a few percent
// within nearEnd. A rank needs no more.
func (n *near) distance(lat, lng float64) float64 {
	dx := math.Remainder(lng-n.lng, cellColumns) * n.cosLat
	dy := lat - n.lat
	return milesPerDegree * math.Sqrt(dx*dx+dy*dy)
}

func gainAt(miles float64) int32 {
	if miles >= nearEnd {
		return 0
	}
	const atEnd = nearMost / (1 + nearEnd/nearHalf)
	return int32((nearMost/(1+miles/nearHalf) - atEnd) * nearMost / (nearMost - atEnd))
}

// most returns an upper bound of the gain of an entity.
func (n *near) most(cell, class uint16) int32 {
	switch {
	case !n.on:
		return 0
	case n.state == 0:
		return int32(n.table[cell])
	case class&0xff == uint16(n.state):
		return nearState
	default:
		return 0
	}
}

func (n *near) exact(e *Engine, entity int, class uint16) int32 {
	if !n.on || n.state != 0 {
		return n.most(0, class)
	}
	return n.at(e.t.At(entity).Location)
}

func (n *near) at(p geo.LatLng) int32 {
	if !n.on || n.state != 0 || !p.IsValid() {
		return 0
	}
	return gainAt(n.distance(p.Lat(), p.Lng()))
}

// locate parses the proximity and reports whether it is usable.
func (s *search) locate(ctx context.Context, opt Options) bool {
	text := strings.TrimSpace(opt.Proximity)
	p, state, ok := s.e.proximity(ctx, text, opt)
	switch {
	case !ok:
		return false
	case state != 0:
		s.near.on, s.near.state = true, state
	default:
		s.near.set(p)
	}
	return true
}

// proximity parses auto, coordinates, an IP address, an FSA, a ZIP, or a state or
// province.
func (e *Engine) proximity(ctx context.Context, text string, opt Options) (p geo.LatLng, state store.StateID, ok bool) {
	const longest = 100
	if text == "" || len(text) > longest {
		return p, 0, false
	}
	if strings.EqualFold(text, "auto") {
		return e.locateIP(ctx, opt.Client, opt)
	}
	upper := strings.ToUpper(text)
	if id, found := e.state(upper); found {
		return p, id, true
	}
	if z, found := postcode.ParseZIP(upper); found {
		row, known := e.d.ZIP(z)
		return row.Location, 0, known && row.Location.IsValid()
	}
	if f, found := postcode.ParseFSA(upper); found {
		row, known := e.d.FSA(f)
		return row.Location, 0, known && row.Location.IsValid()
	}
	if strings.Contains(text, ",") {
		p, err := geo.ParseLatLng(text)
		return p, 0, err == nil
	}
	if addr, err := netip.ParseAddr(text); err == nil {
		return e.locateIP(ctx, addr, opt)
	}
	return p, 0, false
}

func (e *Engine) locateIP(ctx context.Context, addr netip.Addr, opt Options) (geo.LatLng, store.StateID, bool) {
	if opt.Locator == nil || !addr.IsValid() {
		return geo.LatLng{}, 0, false
	}
	p, ok := opt.Locator.LocateIP(ctx, addr.Unmap())
	return p, 0, ok && p.IsValid()
}
