package cli

import (
	"context"
	"errors"

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
	if layer, ok := postgeo.ParseLayer(c.Of[0]); ok && len(c.Of) > 1 {
		for _, geoid := range c.Of[1:] {
			area, outline, err := db.AreaOutline(ctx, layer, geoid)
			if err != nil {
				return errors.Join(err, w.Close())
			}
			if err := w.Write(&outlined{Area: area, outline: outline}); err != nil {
				return err
			}
		}
		return errors.Join(w.Close(), f.err)
	}
	fails := failures{env: env, several: len(c.Of) > 1, sample: path == ""}
	for _, code := range c.Of {
		r, err := db.QuickLookup(ctx, code, postgeo.QuickLookupOptions{})
		if err != nil {
			if _, ok := fails.item(envelope.Input{Code: code}, err); !ok {
				return errors.Join(err, w.Close())
			}
			continue
		}
		if err := w.Write(r); err != nil {
			return err
		}
	}
	if err := errors.Join(w.Close(), f.err); err != nil {
		return err
	}
	return fails.result()
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
