package lookup

import (
	"context"
	"fmt"
	"time"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store"
)

// An Area describes one area of a layer.
type Area struct {
	Layer  Layer  `json:"layer,omitzero"`   // kind of area
	Kind   string `json:"kind,omitzero"`    // state or city, of an area without a layer
	GEOID  string `json:"geoid"`            // the Census Bureau's or Statistics Canada's code
	Plan   string `json:"plan,omitzero"`    // ID of the plan of a district, e.g. "cd119"
	Name   string `json:"name,omitzero"`    // official name
	NameFR string `json:"name_fr,omitzero"` // official name in French
	State  string `json:"state,omitzero"`   // two letters
	LandWater
	Source  string     `json:"source,omitzero"`   // source of the data
	Vintage string     `json:"vintage,omitzero"`  // release of the boundaries
	Point   geo.LatLng `json:"location,omitzero"` // in degrees of WGS84
}

// CodesInOptions configures a list of the codes of an area. The zero value
// lists the codes whose records show the area.
type CodesInOptions struct {
	// Slivers adds every code whose outline meets the area's, however little.
	Slivers bool
	// AsOf selects the plans of districts in force on the day in UTC. Zero means
	// today.
	AsOf time.Time
	// Plan is the ID of a plan of districts for any day, such as "cd120".
	Plan string
	// At is the time of the call. Zero means now.
	At time.Time
}

// CodesIn are the ZIPs or FSAs of an area.
type CodesIn struct {
	Area  Area        `json:"area"`
	Codes []CodeShare `json:"codes"` // the largest part of the area first, then those without an outline by their codes
}

// A CodeShare is a code with its overlap with an area.
type CodeShare struct {
	Code             string     `json:"code"`                        // canonical form
	CodeType         CodeType   `json:"code_type"`                   // what kind of code it is
	City             string     `json:"city"`                        // city of the code, in proper case
	State            string     `json:"state"`                       // two letters
	Classification   string     `json:"classification,omitzero"`     // what kind of ZIP it is
	Location         geo.LatLng `json:"location,omitzero"`           // in degrees of WGS84
	Basis            Basis      `json:"basis"`                       // largest_area, contains_point for a code without an outline, or most_people for a plan without outlines
	IntersectionSqMi *float64   `json:"intersection_sq_mi,omitzero"` // 2 decimals; nil for a point
	Share
	PctOfPeople *float64 `json:"pct_of_people,omitzero"` // share of the ZIP's residents who live in the district, 0 to 100
	IsSplit     Flag     `json:"is_split,omitzero"`      // at least 1 % of the ZIP's residents live in a second district; false if none has 1 % of residents or area; else absent
}

// CodesIn returns the codes of an area of a layer: the ZIPs of one in the
// United States, the FSAs of one in Canada. A code without an outline is listed
// if the area contains its point. Shares are omitted if the layer's outlines
// are too coarse for them. ZIPs of a district have the share of residents that
// their records have.
//
// The error matches [envelope.ErrInvalidParam] if no dataset has such a layer,
// [envelope.ErrUnavailable] if this one lacks it, and [envelope.ErrNotFound] if the layer
// lacks the area. Others are the context's or a failure of the dataset.
func (r *Reader) CodesIn(ctx context.Context, layer Layer, geoid string, opt CodesInOptions) (*CodesIn, error) {
	l, i, err := r.areaOn(ctx, layer, geoid, opt.AsOf, opt.At, opt.Plan)
	if err != nil {
		return nil, err
	}
	people, err := r.residentsOf(ctx, l, i, &opt)
	if err != nil {
		return nil, err
	}
	out := &CodesIn{Area: r.describe(l, i)}
	id := l.ID()
	list, err := r.data.CodesIn(ctx, id, i)
	if err != nil {
		return nil, fmt.Errorf("lookup: codes of %s %s: %w", id, geoid, err)
	}
	for _, o := range list {
		if f, ok := o.Code.FSA(); ok && (o.AtPoint || shows(id, opt.Slivers, o.Overlap)) {
			s := r.fsaShare(f)
			s.measure(l, o.Overlap, o.AtPoint)
			out.Codes = append(out.Codes, s)
		}
	}
	for _, o := range list {
		z, ok := o.Code.ZIP()
		if ok && (o.AtPoint || shows(id, opt.Slivers, o.Overlap) || id == store.LayerCounty && o.Intersection > 0 && r.postalCounty(z) == geoid) {
			s := r.zipShare(z)
			s.measure(l, o.Overlap, o.AtPoint)
			if err := people.measure(&s, z, o); err != nil {
				return nil, err
			}
			out.Codes = append(out.Codes, s)
		}
	}
	return out, nil
}

// A residents finds the shares of the residents of ZIP Codes in a district.
type residents struct {
	finder
	base store.LayerID // 0 if the area lacks numbers of residents
}

func (r *Reader) residentsOf(ctx context.Context, l *store.Layer, area int, opt *CodesInOptions) (p *residents, err error) {
	p = &residents{finder: finder{r: r, ctx: ctx, measured: true, country: store.US}}
	if info := l.Info(); !info.People || info.Plan.IsRough(l.StateOf(area)) {
		return p, nil
	}
	if err := r.data.LoadLayers(ctx, store.US); err != nil {
		return nil, fmt.Errorf("lookup: %w", err)
	}
	p.base = store.BaseLayer(l.ID())
	p.plans, err = r.planChoice(opt.AsOf, opt.At, opt.Plan)
	return p, err
}

// measure sets the shares of residents as the record of the ZIP Code has them.
func (p *residents) measure(s *CodeShare, z postcode.ZIP, o store.CodeOverlap) (err error) {
	if p.base == 0 || o.AtPoint {
		return nil
	}
	row, _ := p.r.data.ZIP(z)
	p.state = row.State
	if p.overlaps, err = p.r.overlapsOf(p.ctx, zipCode(z)); err != nil {
		return err
	}
	d, err := p.districts(p.base)
	if err != nil || d == nil {
		return err
	}
	if store.IsOwnLayer(p.base) { // its areas may overlap and leave gaps; those of Congress do neither
		d.people = 0
		for _, district := range p.overlaps.Of(store.LayerCongressionalDistrict) {
			d.people += district.People
		}
	}
	if d.people == 0 {
		return nil
	}
	s.IsSplit = d.split()
	s.PctOfPeople = p.figure(percent(100 * float64(o.People) / float64(d.people)))
	return nil
}

func shows(id store.LayerID, slivers bool, o store.Overlap) bool {
	return slivers && (o.Intersection > 0 || o.People > 0) || thresholdOf(id).Serves(o)
}

func (r *Reader) postalCounty(z postcode.ZIP) string {
	row, _ := r.data.ZIP(z)
	return r.data.County(row.County).FIPS
}

func (r *Reader) describe(l *store.Layer, i int) Area {
	a, info := l.Area(i), l.Info()
	f := finder{r: r}
	return Area{
		Layer: layerOf(store.BaseLayer(info.ID)), Plan: info.Plan.ID, GEOID: a.GEOID, Name: a.Name, NameFR: a.NameFR, State: r.data.State(a.State).Abbr,
		LandWater: f.landWater(&a), Source: info.Source, Vintage: info.Vintage, Point: a.Point,
	}
}

func (r *Reader) zipShare(z postcode.ZIP) CodeShare {
	row, _ := r.data.ZIP(z)
	return CodeShare{
		Code: z.String(), CodeType: ZIP, City: row.City, State: r.data.State(row.State).Abbr,
		Classification: row.Class.Letter(), Location: row.Location,
	}
}

func (r *Reader) fsaShare(f postcode.FSA) CodeShare {
	row, _ := r.data.FSA(f)
	return CodeShare{Code: f.String(), CodeType: FSA, City: row.City, State: r.data.State(row.Province).Abbr, Location: row.Location}
}

// measure sets the extent and percentages of the overlap of a code and an area.
func (s *CodeShare) measure(l *store.Layer, o store.Overlap, atPoint bool) {
	if s.Basis = basisOf(atPoint); !atPoint && l.Info().People && !l.HasOutlines() {
		s.Basis = MostPeople
	}
	if atPoint || coarse(l, o.Area) {
		return
	}
	miles, code, area := geo.Round(float64(o.Intersection.SquareMiles()), 2), percent(o.PercentOfCode), percent(o.PercentOfArea)
	s.IntersectionSqMi, s.PctOfArea = &miles, &area
	if s.CodeType == FSA {
		s.PctOfFSA = &code
	} else {
		s.PctOfZIP = &code
	}
}

// AreaOutline returns an area of a layer and its outline, which is nil if the
// dataset has none. Outer rings run counterclockwise, each followed by its
// holes. A ring that crosses longitude 180 continues past it.
//
// The error matches [envelope.ErrInvalidParam] if no dataset has such a layer,
// [envelope.ErrUnavailable] if this one lacks it, and [envelope.ErrNotFound] if the layer
// lacks the area. Others are the context's or a failure of the dataset.
func (r *Reader) AreaOutline(ctx context.Context, layer Layer, geoid string) (Area, orb.MultiPolygon, error) {
	l, i, err := r.areaOn(ctx, layer, geoid, time.Time{}, time.Time{}, "")
	if err != nil {
		return Area{}, nil, err
	}
	m, err := l.Polygons(ctx, i)
	if err != nil {
		return Area{}, nil, fmt.Errorf("lookup: outline of %s %s: %w", layer, geoid, err)
	}
	return r.describe(l, i), m, nil
}
