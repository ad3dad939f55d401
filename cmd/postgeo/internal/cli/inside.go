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

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/geo/geojson"
	"github.com/postgeo/postgeo/radius"
)

// insideCmd is "postgeo inside".
type insideCmd struct {
	File    string   `arg:"" help:"GeoJSON file with one polygon or multipolygon; - is standard input." type:"path"`
	Mode    string   `help:"spatial finds ZIPs and FSAs by their areas, with the share inside; centroid finds ZIPs and postal codes by their points." default:"spatial" placeholder:"MODE"`
	Include []string `help:"What to add to matches: timezone." placeholder:"FLAG" short:"i"`

	clockedDataFlag
	geoFormatFlag
}

// Help explains the formats.
func (insideCmd) Help() string {
	return "The file holds a geometry, a feature or a collection of one feature. json writes one object with its matches, jsonl, csv and tsv a match a line, geojson the matches with their areas, or points, as features."
}

// maxGeoJSON bounds the size of a file of polygons in bytes.
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
	data, err := readGeoJSON(path, stdin)
	if err != nil {
		return nil, err
	}
	g, err := parsePolygon(data)
	if err != nil {
		if path == "-" {
			path = "standard input"
		}
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return g, nil
}

// readGeoJSON reads a whole file without its byte order mark. The path "-"
// means stdin; a nil stdin makes it a file like others.
func readGeoJSON(path string, stdin io.Reader) ([]byte, error) {
	name, in := "standard input", stdin
	if path != "-" || stdin == nil {
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
		return nil, fmt.Errorf("%s has more than %d MiB; simplify its outlines", name, maxGeoJSON>>20)
	}
	return bytes.TrimPrefix(data, []byte("\ufeff")), nil
}

// parsePolygon reads the only geometry of a GeoJSON object, which must be a
// polygon or multipolygon.
func parsePolygon(data []byte) (orb.Geometry, error) {
	var object struct {
		Type     string            `json:"type"`
		Geometry json.RawMessage   `json:"geometry"`
		Features []json.RawMessage `json:"features"`
	}
	if err := geojson.Unmarshal(data, &object); err != nil {
		return nil, fmt.Errorf("not GeoJSON: %w", err)
	}
	switch object.Type {
	case "FeatureCollection":
		if n := len(object.Features); n != 1 {
			return nil, fmt.Errorf("the collection has %d features, expected one polygon", n)
		}
		var only feature
		if err := geojson.Unmarshal(object.Features[0], &only); err != nil {
			return nil, fmt.Errorf("not GeoJSON: %w", err)
		}
		return polygonsOf(only.Geometry)
	case "Feature":
		return polygonsOf(object.Geometry)
	default:
		return polygonsOf(data)
	}
}

// polygonsOf reads the geometry of a feature.
func polygonsOf(geometry []byte) (orb.MultiPolygon, error) {
	if len(geometry) == 0 || string(geometry) == "null" {
		return nil, errors.New("the feature has no geometry, expected a Polygon or MultiPolygon")
	}
	return geojson.ParsePolygons(geometry)
}
