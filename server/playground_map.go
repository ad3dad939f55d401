package server

import (
	"context"
	"encoding/json"
	"iter"
	"math"
	"slices"
	"strings"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/internal/billing"
	"github.com/postgeo/postgeo/internal/envelope"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/internal/wording"
)

// An outliner is a DB that has outlines.
type outliner interface {
	CodeOutline(ctx context.Context, code string) (orb.MultiPolygon, error)
	StateOutlines(ctx context.Context) iter.Seq2[postgeo.StateOutline, error]
}

// An outline is the simplified shape of a code's area, for a map on a page.
type outline struct {
	Code     string           `json:"code"`
	Polygons [][][][2]float64 `json:"polygons"` // rings of longitude and latitude
}

// maxOutlines is the maximum number of codes of a request for outlines.
const maxOutlines = 60

// outlines returns /playground/outlines.json?codes=…;…. It is free, so a server with
// accounts supports only the demo codes.
func (c *call) outlines() ([]byte, error) {
	out := []outline{}
	db, ok := c.s.db.(outliner)
	if !ok {
		return json.Marshal(out)
	}
	q, err := parseQuery(c.r.URL.RawQuery)
	if err != nil {
		return nil, err
	}
	codes, _ := q.get("codes")
	list := strings.Split(codes, ";")
	if len(list) > maxOutlines {
		return nil, envelope.NewFault(envelope.ValidationInvalidParam, wording.TooManyFlags("codes", maxOutlines))
	}
	slices.Sort(list) // repeated codes are drawn once
	list = slices.Compact(list)
	c.meter, c.size = &c.s.outlineCost, len(list)
	if err := c.admit(c.meter.Expect(c.size)); err != nil {
		return nil, timedOut(c.deadline(), err)
	}
	defer c.turn.Pause()
	defer c.took(c.stint())
	for _, code := range list {
		if c.s.cfg.Accounts != nil && !slices.Contains(billing.DemoCodes(), code) {
			continue
		}
		area, err := db.CodeOutline(c.deadline(), code)
		if err != nil || len(area) == 0 {
			continue // missing outlines are not drawn
		}
		out = append(out, outline{code, thin(area, 300, 1e6)})
	}
	text, err := json.Marshal(out)
	c.cost.Bytes = int64(len(text))
	return text, err
}

// thin removes vertices that are close to the previous one, and small rings. The
// distance is the area's extent divided by part. Coordinates are rounded to 1/unit
// degrees.
func thin(area orb.MultiPolygon, part, unit float64) [][][][2]float64 {
	bound := area.Bound()
	least := max(bound.Right()-bound.Left(), bound.Top()-bound.Bottom()) / part
	out := [][][][2]float64{}
	for _, polygon := range area {
		rings := [][][2]float64{}
		for _, ring := range polygon {
			var kept [][2]float64
			for _, p := range ring {
				if n := len(kept); n > 0 && math.Abs(kept[n-1][0]-p[0]) < least && math.Abs(kept[n-1][1]-p[1]) < least {
					continue
				}
				kept = append(kept, [2]float64{math.Round(p[0]*unit) / unit, math.Round(p[1]*unit) / unit})
			}
			if len(kept) < 3 {
				if len(rings) == 0 {
					break // the polygon is too small
				}
				continue
			}
			rings = append(rings, kept)
		}
		if len(rings) > 0 {
			out = append(out, rings)
		}
	}
	return out
}

const (
	groundStep  = 0.01 // grid of the ground of maps, in degrees
	groundError = 5    // largest distance of an omitted vertex from its line, in steps
	groundIslet = 32   // size of the smallest islands, in steps
)

// A drawnGround is the background of maps.
type drawnGround struct {
	Tolerance float64      `json:"tolerance"` // degrees of a step in rings
	Land      []groundLand `json:"land"`
}

type groundLand struct {
	State string          `json:"state"` // two letters
	Rings operation.Rings `json:"rings"` // pairs of longitude and latitude in steps, relative to their predecessors
}

// ground returns /playground/ground.json, the outlines of states and provinces for
// the background of maps.
func (c *call) ground() (*printed, error) {
	return c.s.mapGround.get(c.s.db.Info().Version, func() ([]byte, bool, error) {
		out := drawnGround{Tolerance: groundStep, Land: []groundLand{}}
		var outlines []orb.MultiPolygon
		if db, ok := c.s.db.(outliner); ok {
			for area, err := range db.StateOutlines(context.Background()) { // for all callers
				if err != nil {
					return nil, false, err
				}
				out.Land = append(out.Land, groundLand{State: area.State})
				outlines = append(outlines, area.Outline)
			}
		}
		for i, rings := range operation.NewGround(outlines, groundStep, groundError, groundIslet) {
			out.Land[i].Rings = rings
		}
		body, err := json.Marshal(out)
		return body, true, err
	})
}
