package builder

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/paulmach/orb"
	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/builder/internal/catalog"
	"github.com/postgeo/postgeo/dataset/builder/internal/draft"
	"github.com/postgeo/postgeo/internal/source"
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
	// data profiles (DP02 to DP05) of ZCTAs or census tracts, as the Census Bureau
	// publishes them, zipped or not.
	ACS []string
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
	// place of one, or false to leave it out, and with functions that change sources of
	// the catalog and of the manifest. They are unexported fields of Options, so that the
	// sample takes the same way as every dataset, and no other caller has them.
	filter   func(source string, row any) (any, bool)
	simplify func(kind string, outline orb.MultiPolygon) orb.MultiPolygon
	change   func(*fetch.Source)
	describe func(*dataset.Source)
	download fetch.Options // its HTTP
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

// layers returns the chosen layers in the order of [Layers], whatever the order of
// o.Layers.
func (o Options) layers() ([]fetch.Layer, error) {
	chosen := map[fetch.Layer]bool{catalog.Identity: true}
	for _, name := range o.Layers {
		name = strings.ToLower(strings.TrimSpace(name))
		if name == "all" {
			for _, l := range layers {
				chosen[l.Name] = chosen[l.Name] || !l.Named
			}
			continue
		}
		if !slices.ContainsFunc(layers, func(l LayerInfo) bool { return string(l.Name) == name }) {
			return nil, fmt.Errorf("build: unknown layer %q; known layers: %s, all", name, layerNames())
		}
		chosen[fetch.Layer(name)] = true
	}
	if len(o.Plans)+len(o.OwnLayers) > 0 || slices.ContainsFunc(catalog.Compared[:], func(l fetch.Layer) bool { return chosen[l] }) {
		chosen[catalog.Boundaries] = true // overlaps are measured with the outlines of codes
	}
	var list []fetch.Layer
	for _, l := range layers {
		if chosen[l.Name] {
			list = append(list, l.Name)
		}
	}
	return list, nil
}

func layerNames() string {
	names := make([]string, len(layers))
	for i, l := range layers {
		names[i] = string(l.Name)
	}
	return strings.Join(names, ", ")
}

func (o Options) mirrorServer() bool { return strings.Contains(o.Mirror, "://") }

// A userFile is a file that the user named for a source.
type userFile struct {
	id, of string // identifier, and that of the first file of the source
	path   string
	terms  catalog.Terms

	title string // of plans and layers
}

// userFiles returns the files that the user named, in the order of manifests. Of several
// files of one source, the first has its identifier and the others have numbers behind
// it, from "acs-2" on. Own layers and plans share one list of numbers: the position of a
// file in it is how the draft finds the request that belongs to the file.
func (o Options) userFiles() (files []userFile, err error) {
	add := func(of string, texts ...string) {
		for i, text := range texts {
			path, terms, bad := catalog.ParseTerms(text)
			if bad != nil {
				err = fmt.Errorf("build: %w", bad)
			}
			if path != "" {
				files = append(files, userFile{id: catalog.Repeated(of, i), of: of, path: path, terms: terms})
			}
		}
	}
	add(catalog.ACS, o.ACS...)
	add(catalog.AddrFeat, o.AddrFeat...)
	add(catalog.AddressPoints, o.AddressPoints...)
	requests, bad := o.requests()
	for i, r := range requests {
		files = append(files, userFile{id: catalog.Repeated(catalog.OwnAreas, i), of: catalog.OwnAreas, path: r.File, title: r.Describe(), terms: r.Terms})
	}
	add(catalog.Blocks, o.Blocks...)
	add(catalog.ZIPDatabase, o.ZIPDatabase)
	add(catalog.USPSZIP4, o.USPSZIP4)
	add(catalog.USPSCityState, o.USPSCityState)
	add(catalog.USPSDeliveryStats, o.USPSDeliveryStats)
	add(catalog.ZIP4Points, o.ZIP4Points)
	add(catalog.ZIPPolygons, o.ZIPPolygons)
	return files, cmp.Or(bad, err)
}

// CheckAdded verifies the texts of Plans and OwnLayers.
func CheckAdded(o Options) error {
	_, err := o.requests()
	return err
}

// requests returns the plans and layers that the options add.
func (o Options) requests() (list []draft.Request, err error) {
	add := func(texts []string, parse func(string) (draft.Request, error)) {
		for _, text := range texts {
			r, bad := parse(text)
			if list = append(list, r); bad != nil && err == nil {
				err = fmt.Errorf("build: %w", bad)
			}
		}
	}
	add(o.Plans, draft.ParsePlan)
	add(o.OwnLayers, draft.ParseLayer)
	return list, err
}

var stateOrCounty = regexp.MustCompile(`^\s*([A-Za-z]{2}|\d{2}|\d{5})\s*$`)

// IsStateOrCounty reports whether a text has the form of Options.Streets: the
// letters or FIPS code of a state, or the FIPS code of a county.
func IsStateOrCounty(text string) bool { return stateOrCounty.MatchString(text) }

func (o Options) streets() []string {
	list := make([]string, len(o.Streets))
	for i, text := range o.Streets {
		list[i] = strings.ToUpper(strings.TrimSpace(text))
	}
	return list
}

// provinces returns the letters of the provinces among Options.Streets; nil means all,
// for a road network file of the user and for the layer streets.
func (o Options) provinces() map[string]bool {
	var found map[string]bool
	for _, text := range o.streets() {
		if source.IsProvince(text) {
			if found == nil {
				found = map[string]bool{}
			}
			found[text] = true
		}
	}
	return found
}

// LayerInfo describes a layer.
type LayerInfo struct {
	Name  fetch.Layer
	About string // one line
	Named bool   // it is built only by its name, not with all layers
}

var layers = []LayerInfo{
	{Name: catalog.Identity, About: "ZIP Codes and FSAs with city, state, county, metro, point and population"},
	{Name: catalog.TimeZones, About: "time zones of ZIP Codes and FSAs"},
	{Name: catalog.Places, About: "municipalities, doubtful counties and misplaced FSA points by outline"},
	{Name: catalog.Boundaries, About: "outlines of ZIP Codes, FSAs, states, provinces, counties and time zones"},
	{Name: catalog.Census, About: "counties, places, tracts and the other areas of both censuses, with what each code shares with them"},
	{Name: catalog.Districts, About: "congressional, state legislative and federal electoral districts, with what each code shares with them"},
	{Name: catalog.Schools, About: "school districts, with what each ZIP Code shares with them"},
	{Name: catalog.PUMA, About: "Public Use Microdata Areas, for crosswalks; not part of all", Named: true},
	{Name: catalog.Urban, About: "urban areas, for crosswalks; not part of all", Named: true},
	{Name: catalog.Tribal, About: "American Indian, Alaska Native and Native Hawaiian areas, for crosswalks; not part of all", Named: true},
	{Name: catalog.VTD, About: "voting districts of 2020, for crosswalks; not part of all", Named: true},
	{Name: catalog.PostalCodes, About: "full Canadian postal codes, as far as open sources list them"},
	{Name: catalog.Medicare, About: "SSA codes and rating areas of ZIP Codes, for the enrichment medicare"},
	{Name: catalog.Business, About: "establishments, employees and payrolls of ZIP Codes, for the enrichment demographics"},
	{Name: catalog.Streets, About: "street segments with house numbers of every US county, for geocoding (about 4 GB); not part of all", Named: true},
	{Name: catalog.Points, About: "US address points of the National Address Database, for geocoding; not part of all", Named: true},
}

// unverified is added to the name of a file that has not been read back; see [produce].
const unverified = ".unverified"

// Layers returns the layers that can be built.
func Layers() []LayerInfo { return slices.Clone(layers) }

// Catalog returns the sources of the catalog, in the order of manifests. Sizes are
// approximate. A source with a file for each state has SS in its address.
func Catalog() []fetch.Source { return catalog.Load(nil).Described() }
