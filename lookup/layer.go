package lookup

import (
	"context"
	"fmt"

	"github.com/postgeo/postgeo/internal/fault"
	"github.com/postgeo/postgeo/internal/store"
)

// buildFlags are the layers that a build has by their names only.
var buildFlags = map[store.LayerID]string{
	store.LayerPUMA: "puma", store.LayerUrbanArea: "urban", store.LayerTribalArea: "tribal", store.LayerVotingDistrict: "vtd",
}

// ParseLayer reads the name of a layer, e.g. "county", "state_upper" or
// "state-upper", or one of the usual short names, e.g. "cd", "sldu", "cousub",
// "school", "csd".
func ParseLayer(name string) (store.LayerID, bool) { return store.ParseLayerName(name) }

// LayersNamed returns the layers that records have as "layers." and a name. A record has
// the first that is in the dataset.
func LayersNamed(name string) []store.LayerID { return store.LayersNamed(name) }

// NamedLayers returns the names of the layers of the catalog that records have by their
// names, as they have those of users.
func NamedLayers() (names []string) {
	for _, id := range store.LayerIDs() {
		if store.IsNamedLayer(id) {
			names = append(names, id.String())
		}
	}
	return names
}

// MissingLayer returns the error of an operation for a layer that the dataset lacks.
func MissingLayer(op string, id store.LayerID) error {
	remedy := "build one that does"
	if flag, ok := buildFlags[id]; ok {
		remedy = "build one with --layers " + flag
	}
	return &fault.Error{
		Op: op, Kind: fault.Unavailable, Thing: fault.Layer, Input: id.String(), Lacks: "layer " + id.String(),
		Detail: fmt.Sprintf("the dataset does not have the layer %s; %s", id, remedy),
	}
}

func (r *Reader) layer(ctx context.Context, id store.LayerID) (*store.Layer, error) {
	l := r.data.Layer(id)
	if l == nil {
		return nil, MissingLayer(op, id)
	}
	if err := l.Load(ctx); err != nil {
		return nil, fmt.Errorf("lookup: the layer %s: %w", id, err)
	}
	return l, nil
}

// areaOn returns an area of a layer, of the plan in force in its state.
func (r *Reader) areaOn(ctx context.Context, id store.LayerID, geoid string, opt PlanOptions) (*store.Layer, int, error) {
	choice, err := r.planChoice(opt)
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
	l, i, err := r.area(ctx, id, geoid)
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

func (r *Reader) area(ctx context.Context, id store.LayerID, geoid string) (*store.Layer, int, error) {
	l, err := r.layer(ctx, id)
	if err != nil {
		return nil, 0, err
	}
	i, ok := l.Find(geoid)
	if !ok {
		return nil, 0, unknownArea(l, id, geoid)
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
	return &fault.Error{Op: op, Kind: fault.NotFound, Thing: fault.Area, Param: "geoid", Input: geoid, Layer: id.String(), Detail: detail}
}
