package cli

import (
	"bytes"
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
	Of []string `arg:"" join:"codes" help:"Codes, e.g. 90210 K1A, - reads them from standard input, one a line; or a kind of area and its codes, e.g. county 06037 06059." name:"code"`

	outputFlag
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
	var file bytes.Buffer
	w := output.NewWriter(&file, output.Options{Format: output.GeoJSON, Feature: f.feature})
	fails := failures{env: env, several: len(c.Of) > 1, sample: path == ""}
	found := 0
	layer, isLayer := postgeo.ParseLayer(c.Of[0])
	switch {
	case isLayer && len(c.Of) == 1:
		return &usageError{reason: fmt.Sprintf("%s is a kind of area; name areas of it too, such as 'postgeo boundary county 06037'", c.Of[0]), command: "postgeo boundary"}
	case isLayer:
		found, err = c.areas(ctx, env, db, layer, w, &fails)
	default:
		if err = needAreas(db, path, "are asked for"); err == nil {
			found, err = c.codes(ctx, env, db, w, &fails)
		}
	}
	if err != nil {
		return err
	}
	if found > 0 || fails.n == 0 {
		if err := errors.Join(w.Close(), f.err); err != nil {
			return err
		}
		if err := c.write(env, file.Bytes(), path); err != nil {
			return err
		}
	}
	return fails.result()
}

// codes writes the areas of codes and returns how many there were.
func (c *boundaryCmd) codes(ctx context.Context, env *Env, db *postgeo.DB, w *output.Writer, fails *failures) (found int, err error) {
	for code, err := range inputCodes(c.Of, env.Stdin, w.Flush) {
		if err != nil {
			return found, err
		}
		r, err := db.QuickLookup(ctx, code, postgeo.QuickLookupOptions{})
		if err != nil {
			if _, ok := fails.item(envelope.Input{Code: code}, err); !ok {
				return found, err
			}
			continue
		}
		if err := w.Write(r); err != nil {
			return found, err
		}
		found++
	}
	return found, nil
}

// areas writes the outlines of areas of a layer and returns how many there
// were.
func (c *boundaryCmd) areas(ctx context.Context, env *Env, db *postgeo.DB, layer postgeo.LayerID, w *output.Writer, fails *failures) (found int, err error) {
	for _, geoid := range c.Of[1:] {
		area, outline, err := db.AreaOutline(ctx, layer, geoid)
		if err != nil {
			if err := failedArea(ctx, env, db, err); !errors.Is(err, errReported) {
				return found, err
			}
			fails.n++
			continue
		}
		if err := w.Write(&outlined{Area: area, outline: outline}); err != nil {
			return found, err
		}
		found++
	}
	return found, nil
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
