package lookup

import (
	"context"
	"fmt"
	"slices"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store"
)

// FamiliesAt returns the requested boundary families of a coordinate: the areas
// that contain the point, without shares. It ignores other flags. unavailable
// has the flags of families that the dataset or the coordinate's country lacks.
// A family without any area at the point has no Current. The basis of the
// primary congressional district is [ContainsPoint]. If the point is of a ZIP Code,
// county is the FIPS code of its postal county, which counties report.
//
// The first calls read outlines from the file; later calls read memory. An error
// is the context's error or a failure of the dataset.
func (r *Reader) FamiliesAt(ctx context.Context, p geo.LatLng, county string, opt Options) (fam Families, unavailable []string, err error) {
	fam, rest, err := r.familiesAt(ctx, p, county, opt, selection{})
	return fam, rest.Flags(), err
}

// familiesAt returns the families, and the options of those that are unavailable.
func (r *Reader) familiesAt(ctx context.Context, p geo.LatLng, county string, opt Options, only selection) (fam Families, rest Options, err error) {
	if !opt.boundaries() {
		return fam, rest, nil
	}
	f := finder{r: r, ctx: ctx, point: p, county: county}
	if f.country, f.state, err = r.stateAround(ctx, p); err != nil {
		return fam, rest, err
	}
	opt = opt.families()
	if f.only = only; opt.needsPlans() {
		if f.plans, err = r.planChoice(opt.AsOf, opt.At, opt.Plan); err != nil {
			return fam, rest, err
		}
	}
	err = f.families(&fam, &opt)
	return fam, opt, err
}

// stateAround returns the country and state or province that contain the
// point, or the United States and no state if none does. Census divisions
// cover the parts of Canada that the outlines of FSAs leave out.
func (r *Reader) stateAround(ctx context.Context, p geo.LatLng) (store.Country, store.StateID, error) {
	if err := r.data.Load(ctx, store.SectionCountyAreas|store.SectionFSAAreas); err != nil {
		return 0, 0, fmt.Errorf("lookup: state at %v: %w", p, err)
	}
	if id, ok := r.data.CountyAreas().Containing(p); ok {
		return store.US, r.data.County(id).State, nil
	}
	if id, ok := r.data.FSAAreas().Containing(p); ok {
		row, _ := r.data.FSA(id)
		return store.CA, row.Province, nil
	}
	var room [4]int
	l := r.data.Layer(store.LayerCensusDivision)
	around, err := l.Containing(ctx, p, room[:0])
	if err != nil {
		return 0, 0, fmt.Errorf("lookup: areas of the layer %s: %w", store.LayerCensusDivision, err)
	}
	if len(around) > 0 {
		return store.CA, l.Area(around[0]).State, nil
	}
	return store.US, 0, nil
}

// codeFamilies fills the families of a record and deselects them.
func (r *Reader) codeFamilies(ctx context.Context, fam *Families, opt *Options, only selection, s *subject) error {
	f := finder{r: r, ctx: ctx}
	var err error
	if f.only = only; opt.needsPlans() {
		if f.plans, err = r.planChoice(opt.AsOf, opt.At, opt.Plan); err != nil {
			return err
		}
	}
	compared, err := f.setCode(s, only.layers(opt))
	switch {
	case err != nil:
		return err
	case !compared:
		return f.ownLayers(fam, opt)
	}
	return f.families(fam, opt)
}

// setCode sets the code whose areas are found. It reports false for a code that the
// dataset compares with no area: its point, if any, decides. Of areas of other layers
// than the given ones it may know nothing, if there are some.
func (f *finder) setCode(s *subject, layers []store.LayerID) (compared bool, err error) {
	r, ctx := f.r, f.ctx
	switch {
	case s.around.IsValid(): // a coordinate, regardless of its code
		f.point, f.country, f.state = s.around, s.country, s.state
	case s.zip != nil:
		f.measured, f.country, f.state, f.county = true, store.US, s.state, r.data.County(s.zip.County).FIPS
		if f.overlaps, err = r.overlapsOf(ctx, zipCode(s.zip.ZIP), layers...); err != nil {
			return false, err
		}
	case s.postal != nil:
		f.country, f.state, f.point = store.CA, s.state, s.postal.Location
		if f.assigned, err = r.data.PostalAreas(ctx, s.postal.Code); err != nil {
			return false, fmt.Errorf("lookup: areas of postal code %s: %w", s.postal.Code, err)
		}
		if f.assigned == nil && !f.point.IsValid() {
			return false, nil
		}
	default:
		f.measured, f.country, f.state = true, store.CA, s.state
		if f.overlaps, err = r.overlapsOf(ctx, fsaCode(s.fsa), layers...); err != nil {
			return false, err
		}
	}
	// The code has neither an outline nor a point there. Layers of users, which the builder
	// may not have compared with it, still take its point.
	if f.measured && !f.overlaps.Known() {
		f.measured = false
		if s.zip != nil {
			f.point = s.zip.Location
		} else if row, ok := r.data.FSA(s.fsa); ok {
			f.point = row.Location
		}
		return false, nil
	}
	return true, nil
}

// overlapsOf returns the overlaps of a ZIP Code or FSA with the areas of layers. Given
// layers, it may lack those of others, unless no area of the given ones is served.
func (r *Reader) overlapsOf(ctx context.Context, c Code, layers ...store.LayerID) (o store.CodeOverlaps, err error) {
	kind, code := "ZIP code", store.CodeOfZIP(postcode.ZIP(c.num))
	served := func(id store.LayerID) bool {
		return o.AtPoint() && len(o.Of(id)) > 0 || slices.ContainsFunc(o.Of(id), thresholdOf(id).Serves)
	}
	if c.typ == fsaKind {
		kind, code = "FSA", store.CodeOfFSA(postcode.FSA(c.num))
	}
	if o, err = r.data.Overlaps(ctx, code, layers...); err != nil {
		err = fmt.Errorf("lookup: areas of %s %s: %w", kind, c, err)
	} else if len(layers) > 0 && !slices.ContainsFunc(layers, served) {
		return r.overlapsOf(ctx, c)
	}
	return o, err
}

// families fills the requested families that are available, and deselects them.
func (f *finder) families(fam *Families, opt *Options) error {
	inc := &opt.Include
	if err := f.r.data.LoadLayers(f.ctx, f.country); err != nil {
		return fmt.Errorf("lookup: %w", err)
	}
	if err := f.ownLayers(fam, opt); err != nil {
		return err
	}
	if opt.Likely {
		likely, err := f.likelyOfPlace(inc)
		if err != nil {
			return err
		}
		fam.Likely, opt.Likely = likely, likely == nil
	}
	if f.country == store.CA {
		return f.canada(fam, inc)
	}
	if inc.Census {
		c, err := f.usCensus()
		if err != nil {
			return err
		}
		fam.Census, inc.Census = c, c == nil
	}
	if err := f.congress(fam, inc); err != nil {
		return err
	}
	if err := f.legislature(fam, inc); err != nil {
		return err
	}
	if inc.SchoolDistrict {
		c, err := f.schools()
		if err != nil {
			return err
		}
		fam.SchoolDistrict, inc.SchoolDistrict = c, c == nil
	}
	return nil
}
