package enrich

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/envelope/fault"
	"github.com/postgeo/postgeo/internal/edit"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/radius"
)

// A FieldError indicates a path that is unknown or lacks an option.
type FieldError struct {
	Path string   // as given
	Near []string // similar paths, most similar first; may be empty

	Option string // of [Options] that the field requires; "" if none is missing
	why    string // another reason; "" if the path is unknown
}

// Error returns the path and similar ones.
func (e *FieldError) Error() string { return "enrich: " + e.Text(e.Option) }

// Text returns the message with a caller's name for the option.
func (e *FieldError) Text(option string) string {
	if e.Option != "" {
		return fmt.Sprintf("field %q requires "+e.why, e.Path, option)
	}
	if e.why != "" {
		return fmt.Sprintf("field %q %s", e.Path, e.why)
	}
	s := fmt.Sprintf("unknown field %q", e.Path)
	if len(e.Near) == 0 {
		return s
	}
	return s + "; similar: " + strings.Join(e.Near, ", ")
}

// mostNear is the number of similar paths in an error.
const mostNear = 5

// shortNames are names that people try, and paths that they mean.
var shortNames = map[string]string{
	"cbsa":       "census.metro_micro_cbsa_statistical_area.cbsa_code",
	"cd":         "congressional_district",
	"fips":       "county_fips",
	"lat":        "location.lat",
	"latitude":   "location.lat",
	"lng":        "location.lon",
	"longitude":  "location.lon",
	"population": "demographics.population",
	"income":     "households.median_income",
	"postcode":   "code",
	"tz":         "timezone",
	"zip":        "code",
	"zipcode":    "code",
}

// unknown returns the error of an unknown path. That of a layer lists the members of the
// layer, or the layers of the dataset.
func (p paths) unknown(path string) *FieldError {
	given := strings.Split(strings.ToLower(path), ".")
	flag := given[0]
	if flag == "layers" {
		flag = strings.Join(given[:min(2, len(given))], ".")
	}
	name, ok := lookup.LayerFlag(flag)
	switch {
	case ok && p.hasLayer([]string{"layers", name}):
		return &FieldError{Path: path, Near: p.layerMembers(name)}
	case ok:
		return &FieldError{Path: path, why: p.missingLayer(name)}
	case given[0] == "layers":
		return &FieldError{Path: path, why: "has no layer, as layers.NAME.id has" + p.heldLayers()}
	}
	if id, ok := lookup.ParseLayer(given[0]); ok && len(given) > 1 { // a short name
		given[0] = string(id)
	}
	return &FieldError{Path: path, Near: near(strings.Join(given, "."), p.own())}
}

// layerMembers lists the paths of a layer with this name.
func (p paths) layerMembers(name string) (list []string) {
	for _, m := range []string{"id", "name", "pct", "areas.id", "areas.name", "areas.pct"} {
		if path := "layers." + name + "." + m; p.known(path) {
			list = append(list, path)
		}
	}
	return list
}

// missingLayer returns why a path of a layer is unknown: the dataset does not have it.
func (p paths) missingLayer(name string) (why string) {
	for _, id := range lookup.LayersNamed(name) {
		for _, err := range p.db.AreaIDs(context.Background(), id) {
			if e := fault.As(err); e != nil {
				why = "needs a layer: " + e.Detail // of the catalog's layer, which comes last
			}
			break
		}
	}
	return why + p.heldLayers()
}

func (p paths) known(path string) bool {
	_, ok := p.resolve(path)
	return ok
}

// heldLayers lists the layers of the dataset that paths can name, at the end of an error.
func (p paths) heldLayers() string {
	var list []string
	own, err := p.db.OwnLayers(context.Background())
	if err != nil {
		return "" // the rows report it
	}
	for _, id := range own {
		list = append(list, string(id))
	}
	for _, name := range lookup.NamedLayers() {
		if segs := []string{"layers", name}; p.hasLayer(segs) {
			list = append(list, strings.Join(segs, "."))
		}
	}
	if len(list) == 0 {
		return ""
	}
	return "; it has " + strings.Join(list, ", ")
}

// near returns the paths of the catalog, and of further fields, that are
// similar to an unknown one. For a path of user-supplied places or areas it
// returns only such paths, by default the first ones.
func near(path string, further []Field) []string {
	path = strings.ToLower(strings.TrimSpace(path))
	var names []string
	for _, f := range slices.Concat(further, Catalog()) {
		names = append(names, f.Path)
	}
	root, _, _ := strings.Cut(path, ".")
	if root != placeRoot && root != areaRoot {
		if long, ok := shortNames[path]; ok {
			path = long
		}
		return edit.NearPaths(path, names, mostNear)
	}
	names = slices.DeleteFunc(names, func(name string) bool { return !strings.HasPrefix(name, root+".") })
	if found := edit.NearPaths(path, names, mostNear); len(found) > 0 {
		return found
	}
	return names[:min(mostNear, len(names))]
}

// measures reports whether any field depends on the surroundings of rows.
func (e *Enricher) measures() bool {
	return e.distance || e.radius || e.nearest.Count > 0 || e.places > 0 || e.areas || e.neighbors || e.boundary
}

// measure searches around a row. A row without a point, such as a military ZIP,
// keeps its other fields.
func (e *Enricher) measure(ctx context.Context, around string, a *results, out *Outcome) (err error) {
	a.distance, err = query(err, e.distance && a.to != "", out, func() (*radius.DistanceResult, error) { return e.distanceTo(ctx, around, a.to, out) })
	a.radius, err = query(err, e.radius, out, func() (*radius.Result, error) { return e.db.Radius(ctx, around, e.opt.Radius) })
	a.nearest, err = query(err, e.nearest.Count > 0, out, func() (*radius.NearestResult, error) { return e.db.Nearest(ctx, around, e.nearest) })
	a.neighbors, err = query(err, e.neighbors, out, func() (*lookup.Neighbors, error) {
		return e.db.Neighbors(ctx, around, lookup.NeighborOptions{})
	})
	a.boundary, err = query(err, e.boundary, out, func() (*radius.BoundaryResult, error) { return e.db.Boundary(ctx, around, e.opt.BoundaryOf) })
	if err != nil {
		return err
	}
	if a.radius != nil {
		out.note(a.radius.Notices)
	}
	if a.neighbors != nil && a.neighbors.BorderMi == 0 { // it has no area
		a.neighbors = nil
		out.addReason(string(envelope.EnrichmentUnavailable))
	}
	if e.places > 0 || e.areas {
		a.locate(around)
		if !a.at.IsValid() {
			out.addReason(string(envelope.EnrichmentUnavailable))
			return nil
		}
	}
	if e.places > 0 {
		a.places = e.opt.Places.nearest(a.at, e.places, e.opt.Nearest.Max)
	}
	if e.areas {
		a.area, a.inArea = e.opt.Areas.index.Containing(a.at)
	}
	return nil
}

// distanceTo measures to a place. If the place of a row is not valid, the
// result is nil and the outcome has the reason.
func (e *Enricher) distanceTo(ctx context.Context, around, to string, out *Outcome) (*radius.DistanceResult, error) {
	d, err := e.db.Distance(ctx, around, to, radius.DistanceOptions{})
	if e := fault.As(err); e != nil && e.Param == "to" {
		bad, _ := failed(err)
		out.addReason(bad.Reason)
		return nil, nil
	}
	return d, err
}

// query calls an operation if it is needed and none before failed. If the row
// has no known place, the result is nil and the outcome has the reason.
func query[T any](before error, needed bool, out *Outcome, call func() (*T, error)) (*T, error) {
	if before != nil || !needed {
		return nil, before
	}
	result, err := call()
	if errors.Is(err, postgeo.ErrNotFound) {
		out.addReason(string(envelope.EnrichmentUnavailable))
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return result, nil
}

// locate sets the point of a row: its coordinate, or the point of its match.
func (a *results) locate(around string) {
	if c, err := lookup.ParseCode(around); err == nil && c.Type() == lookup.Coordinates {
		a.at = c.LatLng()
	} else {
		a.at = a.identity.Location
	}
}
