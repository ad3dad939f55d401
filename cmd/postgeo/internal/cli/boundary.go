package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/geo/geojson"
)

// boundaryCmd is "postgeo boundary".
type boundaryCmd struct {
	Of []string `arg:"" join:"codes" help:"Codes, e.g. 90210 K1A; or a kind of area and its codes, e.g. county 06037 06059." name:"code"`

	dataFlag
}

// Help explains the output.
func (boundaryCmd) Help() string {
	return "Writes a GeoJSON collection: the area of each code, or its point where it has no area, and the outline of each area."
}

// Run writes the boundaries as GeoJSON.
func (c *boundaryCmd) Run(ctx context.Context, env *Env) error {
	db, path, err := c.open(env)
	if err != nil {
		return err
	}
	defer db.Close()
	f := &featurer{db: db}
	w := output.NewWriter(env.Stdout, output.Options{Format: output.GeoJSON, Feature: f.feature})
	fails := failures{env: env, several: len(c.Of) > 1, sample: path == ""}
	layer, isLayer := postgeo.ParseLayer(c.Of[0])
	switch {
	case isLayer && len(c.Of) == 1:
		return &usageError{reason: fmt.Sprintf("%s is a kind of area; name areas of it too, such as 'postgeo boundary county 06037'", c.Of[0]), command: "postgeo boundary"}
	case isLayer:
		err = c.areas(ctx, env, db, layer, w, &fails)
	default:
		if err = needAreas(db, path, "are asked for"); err == nil {
			err = c.codes(ctx, db, w, &fails)
		}
	}
	if err != nil {
		return err
	}
	if fails.n < len(c.Of) && (!isLayer || fails.n < len(c.Of)-1) { // else there is nothing to write
		if err := errors.Join(w.Close(), f.err); err != nil {
			return err
		}
	}
	return fails.result()
}

// codes writes the areas of codes.
func (c *boundaryCmd) codes(ctx context.Context, db *postgeo.DB, w *output.Writer, fails *failures) error {
	for _, code := range c.Of {
		r, err := db.QuickLookup(ctx, code, postgeo.QuickLookupOptions{})
		if err != nil {
			if _, ok := fails.item(envelope.Input{Code: code}, err); !ok {
				return err
			}
			continue
		}
		if err := w.Write(r); err != nil {
			return err
		}
	}
	return nil
}

// areas writes the outlines of areas of a layer.
func (c *boundaryCmd) areas(ctx context.Context, env *Env, db *postgeo.DB, layer postgeo.LayerID, w *output.Writer, fails *failures) error {
	for _, geoid := range c.Of[1:] {
		area, outline, err := db.AreaOutline(ctx, layer, geoid)
		if err != nil {
			if err := failedArea(ctx, env, db, err); !errors.Is(err, errReported) {
				return err
			}
			fails.n++
			continue
		}
		if err := w.Write(&outlined{Area: area, outline: outline}); err != nil {
			return err
		}
	}
	return nil
}

// An outlined is an area of a layer with its outline.
type outlined struct {
	postgeo.Area
	outline orb.MultiPolygon
}

// feature tells where the area is: its outline, or its point where the dataset
// has none.
func (o *outlined) feature() output.Feature {
	f := output.Feature{ID: o.GEOID, Source: o.Source}
	if o.outline != nil {
		f.Geometry = geojson.AppendPolygons(nil, o.outline)
	} else if o.Point.IsValid() {
		f.Geometry = geojson.AppendPoint(nil, o.Point)
	}
	return f
}
