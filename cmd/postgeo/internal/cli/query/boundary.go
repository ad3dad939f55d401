package query

import (
	"bytes"

	"github.com/spf13/cobra"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/geo/geojson"
	"github.com/postgeo/postgeo/lookup"
)

type boundaryOptions struct {
	Codes []string `arg:"" join:"codes" help:"Codes, such as 90210 K1A, or a layer and IDs of areas, such as county 06037. - reads codes from standard input, one per line." name:"code"`

	command.OutputFile
	command.Data
}

func boundaryCommand() *cobra.Command {
	return command.New(command.Spec[boundaryOptions, outlined]{
		Name: "boundary", Group: areas, Short: "Write the boundaries of codes, or of areas, as GeoJSON.",
		Long: "Writes a GeoJSON collection: the area of each code, or its location if it has no area, and the outline of each area.",
		Examples: command.Examples(
			"postgeo boundary 90210 K1A > codes.geojson", "areas of codes",
			"postgeo boundary county 06037 -o county.geojson", "the outline of a county",
		),
		Check: func(o *boundaryOptions, _ *command.Env) error {
			if _, isLayer := lookup.ParseLayer(o.Codes[0]); isLayer && len(o.Codes) == 1 {
				return command.UsageOf("postgeo boundary", `missing areas of %s: 'postgeo boundary county 06037'`, o.Codes[0])
			}
			return nil
		},
		Run: (*boundaryOptions).run,
	})
}

func (o *boundaryOptions) run(c *command.Call) (command.Result, error) {
	c.Several = len(o.Codes) > 1
	features := o.codes
	if layer, isLayer := lookup.ParseLayer(o.Codes[0]); isLayer {
		features = func(c *command.Call, write func(any) error) error { return o.areas(c, layer, write) }
	} else if err := c.NeedAreas("boundaries"); err != nil {
		return command.Result{}, err
	}
	var file bytes.Buffer
	w := output.NewWriter(&file, output.Options{Format: output.GeoJSON, Feature: c.Feature})
	found := 0
	err := features(c, func(item any) error {
		found++
		return w.Write(item)
	})
	if err == nil && (found > 0 || c.Failures() == 0) {
		if err = w.Close(); err == nil {
			err = o.Save(c.Env, "geojson", file.Bytes(), c.Path)
		}
	}
	return command.Result{}, err
}

func (o *boundaryOptions) codes(c *command.Call, write func(any) error) error {
	for code, err := range c.Inputs(o.Codes) {
		if err != nil {
			return err
		}
		r, err := c.DB.QuickLookup(c.Context, code, lookup.QuickOptions{})
		if err == nil {
			err = write(r)
		} else {
			err = c.FailInput(codeInput(code), err)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (o *boundaryOptions) areas(c *command.Call, layer lookup.Layer, write func(any) error) error {
	for _, geoid := range o.Codes[1:] {
		area, outline, err := c.DB.AreaOutline(c.Context, layer, geoid)
		if err == nil {
			err = write(&outlined{Area: area, outline: outline})
		} else {
			err = failArea(c, err)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// An outlined is an area of a layer with its outline.
type outlined struct {
	lookup.Area
	outline orb.MultiPolygon
}

// Feature implements [command.Located].
func (o *outlined) Feature(*command.Call) output.Feature {
	f := output.Feature{ID: o.GEOID, Source: o.Source}
	if o.outline != nil {
		f.Geometry = geojson.AppendPolygons(nil, o.outline)
	} else if o.Point.IsValid() {
		f.Geometry = geojson.AppendPoint(nil, o.Point)
	}
	return f
}
