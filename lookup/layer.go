package lookup

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/store"
)

// A Layer is the name of a kind of area: a geography of the census, a district, or a
// layer that a user added, such as "layers.sales". Methods also take the usual short
// names; see [ParseLayer].
type Layer string

// The layers of the United States and of Canada.
const (
	LayerCounty                  Layer = "county"                 // counties and their equivalents; planning regions in Connecticut
	LayerCountySubdivision       Layer = "county_subdivision"     // towns, townships, census county divisions
	LayerPlace                   Layer = "place"                  // incorporated and census designated places
	LayerTract                   Layer = "tract"                  // census tracts
	LayerBlockGroup              Layer = "block_group"            // census block groups
	LayerCBSA                    Layer = "cbsa"                   // metropolitan and micropolitan statistical areas
	LayerMetropolitanDivision    Layer = "metropolitan_division"  // divisions of the largest metropolitan areas
	LayerCongressionalDistrict   Layer = "congressional_district" // districts of the House of Representatives, at-large and delegate districts included
	LayerStateUpper              Layer = "state_upper"            // districts of upper chambers; of Nebraska's only one
	LayerStateLower              Layer = "state_lower"            // districts of lower chambers
	LayerSchoolDistrict          Layer = "school_district"        // unified, elementary and secondary school districts, which may lie within one another
	LayerCensusDivision          Layer = "census_division"
	LayerCensusSubdivision       Layer = "census_subdivision" // municipalities
	LayerCensusTract             Layer = "census_tract"
	LayerMetroArea               Layer = "metro_area" // census metropolitan areas and census agglomerations
	LayerEconomicRegion          Layer = "economic_region"
	LayerPopulationCentre        Layer = "population_centre"
	LayerConsolidatedSubdivision Layer = "consolidated_subdivision"
	LayerDesignatedPlace         Layer = "designated_place"
	LayerDisseminationArea       Layer = "dissemination_area"
	LayerDisseminationBlock      Layer = "dissemination_block"
	LayerFederalDistrict         Layer = "federal_district" // federal electoral districts
	LayerPUMA                    Layer = "puma"             // Public Use Microdata Areas
	LayerUrbanArea               Layer = "urban_area"
	LayerTribalArea              Layer = "tribal_area"     // American Indian, Alaska Native and Native Hawaiian areas
	LayerVotingDistrict          Layer = "voting_district" // precincts, wards and their like, as states reported them for the census
)

// buildFlags are the values of "postgeo dataset build --layers" that are not "census".
var buildFlags = map[store.LayerID]string{
	store.LayerPUMA: "puma", store.LayerUrbanArea: "urban", store.LayerTribalArea: "tribal", store.LayerVotingDistrict: "vtd",
	store.LayerCongressionalDistrict: "districts", store.LayerStateUpper: "districts", store.LayerStateLower: "districts", store.LayerFederalDistrict: "districts",
	store.LayerSchoolDistrict: "schools",
}

// ParseLayer reads the name of a layer, e.g. "county", "state_upper" or
// "state-upper", or one of the usual short names, e.g. "cd", "sldu", "cousub",
// "school", "csd".
func ParseLayer(name string) (Layer, bool) {
	id, ok := store.ParseLayerName(name)
	return layerOf(id), ok
}

// Layers returns every layer of the catalog, whether a dataset has it or not.
func Layers() (list []Layer) {
	for _, id := range store.LayerIDs() {
		list = append(list, layerOf(id))
	}
	return list
}

func layerOf(id store.LayerID) Layer { return Layer(id.String()) }

// id returns the number of a layer in files, 0 for none.
func (l Layer) id() store.LayerID {
	id, _ := store.ParseLayerName(string(l))
	return id
}

// missingLayer returns the error of an operation for a layer that the dataset lacks, or
// that no dataset has.
func missingLayer(op string, layer Layer) error {
	if layer.id() == 0 {
		return &envelope.Failure{
			Op: op, Kind: envelope.KindInvalidParam, Param: "layer", Input: string(layer),
			Range: "one of " + strings.Join(catalogLayers(), ", ") + ", or layers.NAME for a layer of the user",
		}
	}
	remedy := "build one with --layers " + cmp.Or(buildFlags[layer.id()], "census")
	if store.IsOwnLayer(layer.id()) {
		remedy = "add it with --layer"
	}
	return &envelope.Failure{
		Op: op, Kind: envelope.KindUnavailable, Thing: envelope.ThingLayer, Input: string(layer), Lacks: "layer " + string(layer),
		Detail: fmt.Sprintf("the dataset does not have the layer %s; %s", layer, remedy),
	}
}

func (r *Reader) layer(ctx context.Context, layer Layer) (*store.Layer, error) {
	l := r.data.Layer(layer.id())
	if l == nil {
		return nil, missingLayer(op, layer)
	}
	if err := l.Load(ctx); err != nil {
		return nil, fmt.Errorf("lookup: the layer %s: %w", layer, err)
	}
	return l, nil
}

// areaOn returns an area of a layer, of the plan in force in its state.
func (r *Reader) areaOn(ctx context.Context, layer Layer, geoid string, asOf, at time.Time, plan string) (*store.Layer, int, error) {
	id := layer.id()
	choice, err := r.planChoice(asOf, at, plan)
	if err != nil {
		return nil, 0, err
	}
	for _, l := range r.data.Plans(id)[min(1, len(r.data.Plans(id))):] {
		if err := l.Load(ctx); err != nil {
			return nil, 0, fmt.Errorf("lookup: the layer %s: %w", id, err)
		}
		if i, ok := l.Find(geoid); ok && r.data.InForce(id, choice, l.StateOf(i)).Areas == l {
			return l, i, nil
		}
	}
	l, i, err := r.area(ctx, layer, geoid)
	if err == nil && len(r.data.Plans(id)) > 1 && r.data.InForce(id, choice, l.StateOf(i)).Areas != l {
		err = unknownArea(l, id, geoid)
	}
	return l, i, err
}

// coarse reports whether the outline of an area is too coarse for shares.
func coarse(l *store.Layer, area int) bool {
	info := l.Info()
	return !info.FitForShares || len(info.Plan.Rough) > 0 && info.Plan.IsRough(l.StateOf(area))
}

func (r *Reader) area(ctx context.Context, layer Layer, geoid string) (*store.Layer, int, error) {
	l, err := r.layer(ctx, layer)
	if err != nil {
		return nil, 0, err
	}
	i, ok := l.Find(geoid)
	if !ok {
		return nil, 0, unknownArea(l, l.ID(), geoid)
	}
	return l, i, nil
}

// unknownArea returns the error for an area that a layer lacks. For a county that ended
// it names its successors.
func unknownArea(l *store.Layer, id store.LayerID, geoid string) error {
	detail := fmt.Sprintf("the layer %s has no area %q", id, geoid)
	if f, ok := store.FormerCountyOf(geoid); ok && id == store.LayerCounty {
		detail = f.Report(func(fips string) string {
			i, ok := l.Find(fips)
			if !ok {
				return ""
			}
			return l.Area(i).Name
		})
	}
	return &envelope.Failure{Op: op, Kind: envelope.KindNotFound, Thing: envelope.ThingArea, Param: "geoid", Input: geoid, Layer: id.String(), Detail: detail}
}
