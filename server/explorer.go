package server

import (
	"context"
	"encoding/json"
	"time"

	"github.com/paulmach/orb/simplify"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/internal/draw"
)

// An explorerSetup describes the dataset to the map page.
type explorerSetup struct {
	Dataset struct {
		Version string `json:"version"`
		Built   string `json:"built"` // day
		Sample  bool   `json:"sample"`
		Sources int    `json:"sources"`
	} `json:"dataset"`
	Keys    bool          `json:"keys"`            // keys are required
	Survey  int           `json:"survey,omitzero"` // newest year of the survey; 0 if there is none
	Sources []setupSource `json:"sources"`
}

// A setupSource is a source of the dataset, for figures that name their origin.
type setupSource struct {
	ID      string `json:"id"`
	Title   string `json:"title"`
	Vintage string `json:"vintage,omitzero"`
}

// setup returns /explorer/setup.json.
func (c *call) setup() (*printed, error) {
	info := c.s.db.Info()
	return c.s.setupPage.get(info.Version, func() ([]byte, error) {
		// The page is kept for other requests, even if this caller leaves.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(c.r.Context()), c.s.live.Load().RequestTimeout)
		defer cancel()
		out := explorerSetup{Keys: c.s.cfg.Accounts != nil, Sources: []setupSource{}}
		d := &out.Dataset
		d.Version, d.Built, d.Sample, d.Sources = info.Version, info.Built.UTC().Format(time.DateOnly), info.Sample, len(info.Sources)
		for _, source := range info.Sources {
			out.Sources = append(out.Sources, setupSource{source.ID, source.Title, source.Vintage})
		}
		years, err := c.s.db.ACSYears(ctx, acs.ZCTA)
		if err != nil {
			return nil, err
		}
		if len(years) > 0 {
			out.Survey = years[0]
		}
		return json.Marshal(out)
	})
}

// The ground is drawn at the scale of states; these values make 187 kB of JSON of it, once
// for each dataset.
const (
	groundStep = 0.02  // grid of the ground of maps, in degrees
	groundArea = 0.004 // triangles of vertices below it are omitted, in square degrees
)

// A drawnGround is the background of maps.
type drawnGround struct {
	Tolerance float64      `json:"tolerance"` // degrees of a step in rings
	Land      []groundLand `json:"land"`
}

type groundLand struct {
	State string     `json:"state"` // two letters
	Rings draw.Rings `json:"rings"` // pairs of longitude and latitude in steps, relative to their predecessors
}

// ground returns /explorer/ground.json, the outlines of states and provinces for
// the background of maps.
func (c *call) ground() (*printed, error) {
	return c.s.mapGround.get(c.s.db.Info().Version, func() ([]byte, error) {
		out := drawnGround{Tolerance: groundStep, Land: []groundLand{}}
		for area, err := range c.s.db.StateOutlines(context.Background()) { // for all callers
			if err != nil {
				return nil, err
			}
			outline := simplify.VisvalingamThreshold(groundArea).MultiPolygon(area.Outline.Clone())
			out.Land = append(out.Land, groundLand{area.State, draw.NewRings(outline, groundStep)})
		}
		return json.Marshal(out)
	})
}
