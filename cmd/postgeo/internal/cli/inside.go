package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/geojson"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/radius"
)

// insideCmd is "postgeo inside".
type insideCmd struct {
	File    string   `arg:"" help:"GeoJSON file with one polygon or multipolygon; - is standard input." type:"path"`
	Mode    string   `help:"spatial finds ZIPs and FSAs by their areas, with the share inside; centroid finds ZIPs and postal codes by their points." default:"spatial" placeholder:"MODE"`
	Include []string `help:"What to add to matches: timezone." placeholder:"FLAG" short:"i"`

	dataFlag
	geoFormatFlag
}

// Help explains the formats.
func (insideCmd) Help() string {
	return "The file holds a geometry, a feature or a collection of one feature. json writes one object with its matches, jsonl, csv and tsv a match a line, geojson the matches with their areas, or points, as features."
}

// maxGeoJSON bounds the size of a polygon's file in bytes.
const maxGeoJSON = 64 << 20

// Run writes the codes inside the polygon.
func (c *insideCmd) Run(ctx context.Context, env *Env) error {
	include, unknown := radius.ParseInclude(c.Include)
	if len(unknown) > 0 {
		return wrongUse("--include has no %q; this version knows %s", unknown[0], strings.Join(knownFlags, ", "))
	}
	mode, err := radius.ParseMode(c.Mode)
	if err != nil {
		return err
	}
	opts, err := c.options(env, matchView(output.Columns[radius.Match](), include.Timezone, mode == radius.Spatial))
	if err != nil {
		return err
	}
	polygon, err := readPolygon(c.File, env.Stdin)
	if err != nil {
		return err
	}
	db, path, err := c.open(env)
	if err != nil {
		return err
	}
	defer db.Close()
	if mode == radius.Spatial {
		if err := needAreas(db, path, "--mode spatial goes by"); err != nil {
			return err
		}
	}

	f := &featurer{db: db}
	opts.Feature = f.feature
	result, err := db.InPolygon(ctx, polygon, postgeo.PolygonOptions{Mode: mode, Timezone: include.Timezone})
	if err != nil {
		return err
	}
	return answer(env, opts, f, result, result.Matches)
}

// readPolygon reads a file that holds a polygon; - is standard input.
func readPolygon(path string, stdin io.Reader) (orb.Geometry, error) {
	name, in := "standard input", stdin
	if path != "-" {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		name, in = path, f
	}
	data, err := io.ReadAll(io.LimitReader(in, maxGeoJSON+1))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	if len(data) > maxGeoJSON {
		return nil, fmt.Errorf("%s has more than %d MiB; give one polygon", name, maxGeoJSON>>20)
	}
	g, err := parsePolygon(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return g, nil
}

// parsePolygon reads a polygon of any GeoJSON object that holds exactly one
// geometry.
func parsePolygon(data []byte) (orb.Geometry, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	var object struct {
		Type string `json:"type"`
	}
	if err := json.Unmarshal(data, &object); err != nil {
		return nil, fmt.Errorf("this is no GeoJSON: %w", err)
	}
	var g orb.Geometry
	switch object.Type {
	case "FeatureCollection":
		collection, err := geojson.UnmarshalFeatureCollection(data)
		if err != nil {
			return nil, fmt.Errorf("this is no GeoJSON: %w", err)
		}
		if n := len(collection.Features); n != 1 {
			return nil, fmt.Errorf("the collection has %d features; give one polygon", n)
		}
		if f := collection.Features[0]; f != nil {
			g = f.Geometry
		}
	case "Feature":
		feature, err := geojson.UnmarshalFeature(data)
		if err != nil {
			return nil, fmt.Errorf("this is no GeoJSON: %w", err)
		}
		g = feature.Geometry
	default:
		geometry, err := geojson.UnmarshalGeometry(data)
		if err != nil {
			return nil, fmt.Errorf("this is no GeoJSON: %w", err)
		}
		g = geometry.Geometry()
	}
	switch g := g.(type) {
	case orb.Polygon, orb.MultiPolygon:
		return g, nil
	case nil:
		return nil, errors.New("there is no geometry; give a polygon or multipolygon")
	default:
		return nil, fmt.Errorf("the geometry is a %s; give a polygon or multipolygon", g.GeoJSONType())
	}
}
