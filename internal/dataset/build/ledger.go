package build

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/dataset/build/internal/draft"
	"github.com/postgeo/postgeo/internal/dataset/build/internal/plan"
	"github.com/postgeo/postgeo/internal/dataset/build/internal/streets"
)

// CodeChanges is the earlier dataset of a build, nil without one, and the changes of
// codes since then.
type CodeChanges struct {
	from    *dataset.Dataset
	earlier []dataset.CodeEvent // of the ledger before
	found   []dataset.CodeEvent // without edition
}

// previous opens the earlier dataset.
func (b *builder) previous() (*CodeChanges, error) {
	c, path := &CodeChanges{earlier: b.o.CodeChanges}, b.o.Previous
	if path == "" {
		return c, nil
	}
	d, err := dataset.Open(path)
	if err != nil {
		return nil, err
	}
	c.from = d
	return c, nil
}

func (c *CodeChanges) close() error {
	if c.from == nil {
		return nil
	}
	return c.from.Close()
}

// since returns the earlier changes, then those of the edition.
func (c *CodeChanges) since(edition string) []dataset.CodeEvent {
	for i := range c.found {
		c.found[i].Edition = edition
	}
	return append(slices.Clip(c.earlier), c.found...)
}

// ledger compares the codes of the earlier dataset with those of the new one. Kinds of
// codes that one of them lacks are left out.
type ledger struct {
	*plan.Env
	States  *draft.States
	ZIPs    *draft.ZIPs           `reads:"*"`
	FSAs    *draft.FSAs           `reads:"*"`
	Postal  *draft.Postal         `reads:"*"`
	Codes   *streets.AddressCodes `reads:"rows" writes:"rows"` // it builds its index on first use
	Changes *CodeChanges          `writes:"rows"`
}

// A codeOf is a code with its place in one of the datasets.
type codeOf struct {
	code, city, state string
	point             geo.LatLng
}

func (b *ledger) Run(ctx context.Context) error {
	d := b.Changes.from
	if d == nil {
		return nil
	}
	if err := d.Load(ctx, dataset.SectionLedger|dataset.SectionPostalCodes|dataset.SectionZIPAreas|dataset.SectionFSAAreas); err != nil {
		return err
	}
	b.Changes.earlier = append(slices.Clip(b.Changes.earlier), d.Ledger()...)
	before, after := map[string]codeOf{}, map[string]codeOf{}
	for z := range d.ZIPs() {
		before[z.ZIP.String()] = codeOf{z.ZIP.String(), z.City, d.State(z.State).Abbr, z.Location}
	}
	for _, z := range b.ZIPs.List {
		after[z.Row.ZIP.String()] = codeOf{z.Row.ZIP.String(), z.Row.City, b.States.Abbr(z.Row.State), z.Row.Location}
	}
	b.compare(before, after, func(was codeOf) ([]string, string) {
		zip, _ := dataset.ParseZIP(was.code)
		return successors(d.ZIPAreas(), zip, was.point, func(p geo.LatLng) (dataset.RoadArea, dataset.CodeBasis, bool) { return b.Codes.At(p, dataset.US) })
	})
	clear(before)
	clear(after)
	for f := range d.FSAs() {
		before[f.FSA.String()] = codeOf{f.FSA.String(), f.City, d.State(f.Province).Abbr, f.Location}
	}
	for _, f := range b.FSAs.List {
		after[f.Row.FSA.String()] = codeOf{f.Row.FSA.String(), f.Row.City, b.States.Abbr(f.Row.Province), f.Row.Location}
	}
	b.compare(before, after, func(was codeOf) ([]string, string) {
		fsa, _ := dataset.ParseFSA(was.code)
		return successors(d.FSAAreas(), fsa, was.point, func(p geo.LatLng) (dataset.RoadArea, dataset.CodeBasis, bool) { return b.Codes.At(p, dataset.CA) })
	})
	fsas := maps.Clone(after)
	clear(before)
	clear(after)
	for p := range d.PostalCodes() {
		before[p.Code.String()] = codeOf{p.Code.String(), p.City, d.State(p.Province).Abbr, p.Location}
	}
	for _, p := range b.Postal.Rows {
		after[p.Code.String()] = codeOf{p.Code.String(), p.City, b.States.Abbr(p.Province), p.Location}
	}
	b.compare(before, after, func(was codeOf) ([]string, string) {
		if _, ok := fsas[was.code[:3]]; !ok {
			return nil, ""
		}
		return []string{was.code[:3]}, "first three characters"
	})
	b.Table("changes of codes", len(b.Changes.found))
	return nil
}

// compare adds the changes of a kind of codes.
func (b *ledger) compare(before, after map[string]codeOf, successors func(codeOf) ([]string, string)) {
	if len(before) == 0 || len(after) == 0 {
		return
	}
	add := func(e dataset.CodeEvent) { b.Changes.found = append(b.Changes.found, e) }
	for _, code := range slices.Sorted(maps.Keys(before)) {
		was := before[code]
		is, ok := after[code]
		if !ok {
			list, evidence := successors(was)
			add(dataset.CodeEvent{Code: code, Change: dataset.CodeGone, Before: was.place(), Successors: list, Evidence: evidence})
			continue
		}
		if was.state != is.state || was.point.IsValid() && is.point.IsValid() && geo.Distance(was.point, is.point) > movedFrom {
			add(dataset.CodeEvent{Code: code, Change: dataset.CodeMoved, Before: was.where(), After: is.where()})
		}
		if !strings.EqualFold(was.city, is.city) {
			add(dataset.CodeEvent{Code: code, Change: dataset.CodeRenamed, Before: was.city, After: is.city})
		}
	}
	for _, code := range slices.Sorted(maps.Keys(after)) {
		if _, ok := before[code]; !ok {
			add(dataset.CodeEvent{Code: code, Change: dataset.CodeBorn, After: after[code].place()})
		}
	}
}

// movedFrom is the smallest distance in meters of a move. Corrections of a point within
// its area are shorter.
const movedFrom = 10_000

func (c codeOf) place() string { return strings.Trim(c.city+" "+c.state, " ") }

func (c codeOf) where() string {
	if !c.point.IsValid() {
		return c.state
	}
	return strings.TrimSpace(fmt.Sprintf("%s %s", c.state, c.point))
}

// oldAreas are the outlines of an earlier dataset.
type oldAreas[K cmp.Ordered] interface {
	Find(K) (area int, ok bool)
	Index() *geo.PolygonIndex
	Containing(geo.LatLng) (K, bool)
}

// successors returns the codes that have the area of a discontinued code now, the
// largest part first. Their outlines have at least a twentieth of its old outline.
// Without these it is the code whose outline has the old point, else the nearest one.
func successors[K cmp.Ordered](old oldAreas[K], code K, point geo.LatLng, at func(geo.LatLng) (dataset.RoadArea, dataset.CodeBasis, bool)) (list []string, evidence string) {
	const share = 20
	inside, found := 0, map[string]int{}
	if area, ok := old.Find(code); ok {
		for p := range raster(old.Index().Box(area)) {
			if k, ok := old.Containing(p); !ok || k != code {
				continue
			}
			inside++
			if now, basis, ok := at(p); ok && basis == dataset.CodeOfOutline {
				found[now.String()]++
			}
		}
	}
	for _, now := range slices.Sorted(maps.Keys(found)) {
		if found[now]*share >= inside {
			list = append(list, now)
		}
	}
	if len(list) > 0 {
		slices.SortStableFunc(list, func(a, b string) int { return cmp.Compare(found[b], found[a]) })
		return list, "outline"
	}
	if !point.IsValid() {
		return nil, ""
	}
	now, basis, ok := at(point)
	switch {
	case !ok:
		return nil, ""
	case basis == dataset.CodeOfOutline:
		return []string{now.String()}, "point"
	default:
		return []string{now.String()}, "nearest code"
	}
}

// raster yields 32 by 32 points of a box.
func raster(box geo.Box) iter.Seq[geo.LatLng] {
	const steps = 32
	low, high := box.SouthWest, box.NorthEast
	return func(yield func(geo.LatLng) bool) {
		for i := range steps * steps {
			x, y := (float64(i%steps)+0.5)/steps, (float64(i/steps)+0.5)/steps
			p, err := geo.LatLngFromDegrees(low.Lat()+y*(high.Lat()-low.Lat()), low.Lng()+x*(high.Lng()-low.Lng()))
			if err == nil && !yield(p) {
				return
			}
		}
	}
}
