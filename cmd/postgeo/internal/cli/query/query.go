// Package query holds the commands that look up and search codes, addresses and
// areas.
package query

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/lookup"
)

// Headings of the commands in the help.
const (
	codes = "Codes, places and addresses"
	areas = "Searches and areas"
)

// Commands returns the commands in the order of the help.
func Commands() []*cobra.Command {
	return []*cobra.Command{
		command.New(command.Of(operation.Lookup, codes, "--columns also takes the fields of postgeo enrich, such as nearest.code, with the enrichments that they need."), (*lookupOptions).run,
			"postgeo lookup 90210", "everything about a ZIP Code",
			"postgeo lookup 90210 10001 K1A 0B1 --quick -f csv", "city, state and location of several codes",
			"postgeo lookup 34.09,-118.41 -i census,cd", "the code, tract and district around a point",
			"postgeo lookup - --quick -f csv < codes.txt", "codes in a file, one per line",
			"postgeo lookup 902", "the people of the ZIP Codes that begin so, and whether data without identities may name them"),
		command.New(command.Of(operation.Suggest, codes, "json writes the item with its matches, jsonl, csv and tsv one match per line."), (*suggestOptions).run,
			"postgeo suggest san francisco", "everything with this name",
			"postgeo suggest -i address 350 5th av", "addresses with this beginning",
			"postgeo suggest bev -i place,county -n 5", "places and counties with this beginning"),
		command.New(command.About{Name: "address", Group: codes, Short: "Match US addresses to ZIP+4 records, or parse them."}, (*addressOptions).run,
			"postgeo address 350 5th Ave New York NY 10118", "the ZIP+4 and standard form",
			`postgeo address --parse "350 5th Ave Apt 4, New York NY"`, "the parts, without a dataset",
			"postgeo address --street '350 5th Ave' --unit 500 --city 'New York' --state NY", "an address in parts"),
		command.New(command.Of(operation.Geocode, codes, eachLine), (*geocodeOptions).run,
			"postgeo geocode 350 5th Ave, New York, NY 10118", "the position of an address",
			`postgeo geocode "5th Ave & W 34th St, New York, NY"`, "of a crossing",
			"postgeo geocode - --format jsonl", "of the addresses on standard input"),
		command.New(command.Of(operation.Reverse, codes, eachLine), (*reverseOptions).run, "postgeo reverse 40.7484,-73.9857", "the address of a point"),
		command.New(command.About{Name: "distance", Group: codes, Short: "Measure distances and bearings between codes or coordinates."}, (*distanceOptions).run,
			"postgeo distance 90210 10001", "miles, kilometers and bearing",
			"postgeo distance 34.1,-118.4 90210 60601", "from a point to each of the others",
			"postgeo distance 90210 - < codes.txt", "to the codes in a file"),
		command.New(command.Of(operation.Radius, areas, "The format json writes the search with its matches and aggregates; jsonl, csv and tsv write one match per line. The format geojson writes matches as features. With several centers, json has a search for each, and the other formats a match per line with its center."), (*radiusOptions).run,
			"postgeo radius 90210 --max 5", "codes with locations within 5 miles",
			"postgeo radius 90210 --max 5 --mode spatial", "codes with areas within 5 miles, with the share inside",
			"postgeo radius - --max 25 -f csv < codes.txt", "rows of a center, a code and its distance",
			"postgeo radius 34.1 -118.4 --max auto -f geojson", "a radius with 250,000 people, for a map"),
		command.New(command.Of(operation.Nearest, areas, "json writes the center with its matches, jsonl, csv and tsv one match per line, geojson the matches with their areas, or locations, as features."), (*nearestOptions).run,
			"postgeo nearest 34.1,-118.4 -n 5", "the five nearest codes"),
		command.New(command.Of(operation.Inside, areas, "The file has a geometry, a feature or a collection of one feature. The format json writes one object with its matches; jsonl, csv and tsv write one match per line. The format geojson writes matches as features."), (*insideOptions).run,
			"postgeo inside area.geojson", "codes with the share of each inside",
			"postgeo inside - --mode centroid -f csv < area.geojson", "codes with locations inside"),
		command.New(command.Of(operation.CodesIn, areas, "json writes the area with its codes, jsonl, csv and tsv one code per line, geojson the codes with their areas, or locations, as features."), (*codesInOptions).run,
			"postgeo codes-in county 06037", "the ZIP Codes of Los Angeles County",
			"postgeo codes-in cd 0632 -f csv", "the ZIP Codes of a congressional district",
			`postgeo codes-in place "Austin, TX"`, "the ZIP Codes of a city"),
		command.New(command.Of(operation.Neighbors, areas, "json writes the code with its neighbors, jsonl, csv and tsv one neighbor per line, geojson the neighbors with their areas as features."), (*neighborsOptions).run,
			"postgeo neighbors 90210", "the codes that touch it, and the miles of the common border",
			"postgeo neighbors 06037 --layer county", "the counties that touch Los Angeles County"),
		command.New(command.Of(operation.Crosswalk, areas, ""), (*crosswalkOptions).run,
			"postgeo crosswalk zip county -f csv", "each ZIP Code with its counties, the largest part first",
			"postgeo crosswalk cd zip --state CA --weight people", "each district with its ZIP Codes, by residents",
			"postgeo crosswalk tract cd --plan cd120 --min-share 1", "census tracts and the districts of the 120th Congress"),
		command.New(command.About{
			Name: "boundary", Group: areas, Short: "Write the boundaries of codes, or of areas, as GeoJSON.",
			Long: "Writes a GeoJSON collection: the area of each code, or its location if it has no area, and the outline of each area.",
		}, (*boundaryOptions).run,
			"postgeo boundary 90210 K1A > codes.geojson", "areas of codes",
			"postgeo boundary county 06037 -o county.geojson", "the outline of a county"),
		command.New(command.About{Name: "map", Group: areas, Short: "Draw the area of a code as SVG."}, (*mapOptions).run,
			"postgeo map 90210 -o map.svg", "a code among its neighbors"),
	}
}

func codeInput(code string) envelope.Input { return envelope.Input{Code: code} }

// checkInclude refuses unknown flags. The server ignores them, as the contract requires; at a
// command line a flag that is ignored is a typo that nobody sees.
func checkInclude(o *operation.Operation, unknown []string) error {
	if len(unknown) == 0 {
		return nil
	}
	known, flag := o.Param("include").Values, unknown[0]
	near := command.NearName(flag, known)
	if id, ok := lookup.ParseLayer(flag); ok {
		near = familyFlag(id)
	}
	if slices.Contains(known, near) {
		return command.Usage(`unknown enrichment %q in --include; did you mean %s?`, flag, near)
	}
	if slices.Contains(known, "census") {
		known = slices.Concat(known, store.NamedLayers(), []string{"layers.NAME"})
	}
	return command.Usage(`unknown enrichment %q in --include; available: %s`, flag, strings.Join(known, ", "))
}

// familyFlag returns the flag of the family that has the areas of a layer.
func familyFlag(layer lookup.Layer) string {
	switch layer {
	case lookup.LayerCongressionalDistrict, lookup.LayerFederalDistrict:
		return "cd"
	case lookup.LayerStateUpper, lookup.LayerStateLower:
		return "state_leg"
	case lookup.LayerSchoolDistrict:
		return "school_district"
	default:
	}
	if slices.Contains(store.NamedLayers(), string(layer)) {
		return string(layer)
	}
	return "census"
}

// enrichments are the flags of the members of records that are not always there.
var enrichments = map[string]string{
	"timezone": "timezone", "census": "census", "congressional_district": "cd", "federal_electoral_district": "cd", "state_legislative": "state_leg",
	"school_district": "school_district", "layers": anyLayer, "demographics": "demographics", "medicare": "medicare", "quality": "quality", "acs": "acs_",
}

// anyLayer keeps the columns of layers, whatever flags include.
const anyLayer = "layers."

// included returns the columns of the members that flags include. within is the member
// that holds them, with a dot, or "". A record has over two hundred possible columns, and
// most would be empty.
func included(columns []output.Column, flags []string, within string) []output.Column {
	return slices.DeleteFunc(columns, func(c output.Column) bool {
		member, ok := strings.CutPrefix(c.Header, within)
		member, _, _ = strings.Cut(member, ".")
		needed, optional := enrichments[member]
		return ok && optional && !slices.ContainsFunc(flags, func(flag string) bool {
			return flag == needed || (needed == anyLayer || needed == "acs_") && strings.HasPrefix(flag, needed)
		})
	})
}

// inputs returns the columns of items whose input has only the given parts.
func inputs(columns []output.Column, shown ...string) []output.Column {
	return slices.DeleteFunc(columns, func(c output.Column) bool {
		part, ok := strings.CutPrefix(c.Header, "input.")
		return ok && !slices.Contains(shown, part)
	})
}

// replace replaces a column by others, if it is there.
func replace(columns []output.Column, header string, others func() ([]output.Column, error)) ([]output.Column, error) {
	i := slices.IndexFunc(columns, func(c output.Column) bool { return c.Header == header })
	if i < 0 {
		return columns, nil
	}
	by, err := others()
	return slices.Replace(columns, i, i+1, by...), err
}

// layerColumns returns the columns of layers of the user.
func layerColumns(names []string) (columns []output.Column) {
	for _, name := range names {
		columns = append(columns, command.Paths("layers."+name+".source", "layers."+name+".basis", "layers."+name+".areas")...)
	}
	return columns
}

func lastTractYear(c *command.Call) int {
	if c.DB == nil {
		return acs.LastYear
	}
	return operation.LastYear(c.Context, c.DB, acs.Tract)
}
