package builder

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/postgeo/postgeo/acs"
	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
	"github.com/postgeo/postgeo/internal/source/fetch"
)

// Options configures a build. Output must be set, and Cache unless Mirror is a
// folder. The path of a file of the user may be followed by its terms, as
// PATH[,license=TEXT][,attribution=TEXT][,redistribution=WORD]. By default the
// word of [dataset.Source] follows from a known license.
type Options struct {
	// Output is the path of the dataset file. It is replaced only when the
	// build has succeeded.
	Output string
	// Mirror is a folder or address that stands in for the official hosts, as
	// fetch.Options has it. "" takes the official addresses.
	Mirror string
	// Offline uses only the cache or the mirror folder.
	Offline bool
	// Cache is the folder that keeps downloads.
	Cache string
	// Layers are the names of the layers to build, see [Layers]. Empty means
	// identity; "all" means every layer that is not built by its name only. Identity is
	// always built, and boundaries with layers of areas, such as census.
	Layers []string
	// Catalog is the path of a file with changes of the built-in catalog of sources,
	// see [Catalog]. "" means none.
	Catalog string
	// ZIPDatabase is the path of a zip_code_database.csv. "" takes the
	// mirror's, if any.
	ZIPDatabase string
	// USPSZIP4 is the path of a ZIP+4 product file.
	USPSZIP4 string
	// USPSCityState is the path of a City State product file.
	USPSCityState string
	// USPSDeliveryStats is the path of a Delivery Statistics product file.
	USPSDeliveryStats string
	// ZIP4Points is the path of a CSV with a point for each ZIP+4 Code.
	ZIP4Points string
	// AddressRanges are the paths of public files of house number ranges with
	// ZIP Codes and, some, add-ons: delimited text with a header row.
	AddressRanges []string
	// AddrFeat are the paths of zipped shapefiles of street segments: TIGER/Line
	// ADDRFEAT files, one a county, or Statistics Canada's road network file.
	AddrFeat []string
	// Streets are the US counties and Canadian provinces whose street segments are
	// added. Each is five digits of a county, two of a state, or letters of a state
	// or province. The layer streets adds all.
	Streets []string
	// Plans are files with further plans of districts, as
	// NAME=FILE,layer=cd,from=2027-01-03. See docs/dataset.md for the options.
	Plans []string
	// Blocks are files of census blocks for crosswalks: outlines, or text with residents.
	Blocks []string
	// OwnLayers are files with layers of the user, as NAME=FILE,id=COLUMN.
	OwnLayers []string
	// AddressPoints are the paths of address points as CSV or GeoJSON. They may come
	// from the National Address Database, OpenAddresses, Statistics Canada, a state,
	// a county or a city.
	AddressPoints []string
	// ZIPPolygons is the path of outlines of ZIP Codes, a zipped shapefile or
	// GeoJSON, for the boundaries layer. ZIP Codes that it lacks take the
	// outline of the ZCTA of the same code.
	ZIPPolygons string
	// ACS are the paths of tables of the American Community Survey. They are
	// data profiles (DP02 to DP05) of ZCTAs or census tracts in any published
	// layout, zipped or not. A table of population has the columns zcta and
	// pop_YYYY.
	ACS []string
	// ACSFields is the path of a list of fields in the form of
	// acs/registry.csv, for profiles of a year that this release does not
	// know. "" takes the built-in list.
	ACSFields string
	// Progress receives transfers and steps. nil disables it.
	Progress Progress
	// SourceDateEpoch is the build time to write into the file. Zero takes the
	// newest date among the vintages of the sources.
	SourceDateEpoch time.Time
	// Version is the version of the data to write into the file. "" takes the
	// build time's date.
	Version string
	// Builder is the name and version of the program, for the manifest.
	// "" means "postgeo".
	Builder string
	// Sample marks the dataset as a sample.
	Sample bool
	// Of tests. The sample is built with a filter, which returns a row of a source in the
	// place of one, or false to leave it out, and with a function that describes sources.
	filter   func(source string, row any) (any, bool)
	describe func(*dataset.Source)
	client   func(*fetch.Options)
}

// Progress receives the progress of a build, from the goroutine that called
// Build.
type Progress interface {
	fetch.Progress
	// Step means that the build begins a step, e.g. "ZIP Codes: counties".
	Step(name string)
}

// CutTerms divides the text of a file of the user before its terms, see [Options].
func CutTerms(text string) (path, terms string) { return catalog.CutTerms(text) }

// layers returns the chosen layers in the order of [Layers].
func (o Options) layers() ([]fetch.Layer, error) {
	chosen := map[fetch.Layer]bool{catalog.Identity: true}
	for _, name := range o.Layers {
		name = strings.ToLower(strings.TrimSpace(name))
		if name == "all" {
			for _, l := range catalog.All {
				chosen[l.Name] = chosen[l.Name] || !l.Named
			}
			continue
		}
		if !slices.ContainsFunc(catalog.All, func(l catalog.Choice) bool { return string(l.Name) == name }) {
			return nil, fmt.Errorf("build: unknown layer %q; known layers: %s, all", name, layerNames())
		}
		chosen[fetch.Layer(name)] = true
	}
	if len(o.Plans)+len(o.OwnLayers) > 0 || slices.ContainsFunc(catalog.Compared[:], func(l fetch.Layer) bool { return chosen[l] }) {
		chosen[catalog.Boundaries] = true // overlaps are measured with the outlines of codes
	}
	var layers []fetch.Layer
	for _, l := range catalog.All {
		if chosen[l.Name] {
			layers = append(layers, l.Name)
		}
	}
	return layers, nil
}

func layerNames() string {
	names := make([]string, len(catalog.All))
	for i, l := range catalog.All {
		names[i] = string(l.Name)
	}
	return strings.Join(names, ", ")
}

func (o Options) mirrorServer() bool { return strings.Contains(o.Mirror, "://") }

// supplied returns the path that the user named for a source, or "".
func (o Options) supplied(id string) string {
	path, _ := catalog.CutTerms(o.named(id))
	return path
}

// named returns the path and the terms that the user named for a source, or "".
func (o Options) named(id string) string {
	for _, s := range o.userFiles() {
		for i, path := range s.paths {
			if id == catalog.Repeated(s.id, i) {
				return path
			}
		}
	}
	return ""
}

// A userFile is a source with the files that the user named for it.
type userFile struct {
	id    string
	paths []string
}

func (o Options) userFiles() []userFile {
	return append(
		o.repeatedSources(), userFile{catalog.ZIPDatabase, []string{o.ZIPDatabase}}, userFile{catalog.USPSZIP4, []string{o.USPSZIP4}},
		userFile{catalog.USPSCityState, []string{o.USPSCityState}}, userFile{catalog.USPSDeliveryStats, []string{o.USPSDeliveryStats}},
		userFile{catalog.ZIP4Points, []string{o.ZIP4Points}}, userFile{catalog.ZIPPolygons, []string{o.ZIPPolygons}},
	)
}

// repeatedSources are the sources that may have several files of the user.
func (o Options) repeatedSources() []userFile {
	return []userFile{
		{catalog.ACS, o.ACS},
		{catalog.AddressRanges, o.AddressRanges},
		{catalog.AddrFeat, o.AddrFeat},
		{catalog.AddressPoints, o.AddressPoints},
		{catalog.OwnAreas, o.ownFiles()},
		{catalog.Blocks, o.Blocks},
	}
}

// registry returns the list of fields that tables are compared with.
func (o Options) registry() (*acs.Registry, error) {
	if o.ACSFields == "" {
		return acs.BuiltIn(), nil
	}
	f, err := os.Open(o.ACSFields)
	if err != nil {
		return nil, fmt.Errorf("list of fields: %w", err)
	}
	defer f.Close()
	return acs.ParseRegistry(f)
}
