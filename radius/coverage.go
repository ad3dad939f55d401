package radius

import (
	"fmt"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/notice"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/spatial"
	"github.com/postgeo/postgeo/internal/store"
)

// A coverage lists, for each mode, the states and provinces without codes in the
// dataset: ZIP Codes of a state; in a province full postal codes in centroid
// mode and FSAs in spatial mode.
type coverage struct {
	lacking [2][]store.StateID // centroid, spatial
	// sight is true if provinces with codes of one kind have no outline. Their other points in
	// the circle then show that it touches them.
	sight bool
}

// leastTouch is the area of a state below which a circle does not count as
// touching it: neighbors' outlines overlap in slivers.
const leastTouch = geo.SquareMeters(100_000)

// newCoverage looks through the codes of the dataset, once for all searches. A complete dataset
// lacks nothing, and its searches then skip the measuring of states.
func (e *Engine) newCoverage() *coverage {
	d := e.data
	var zips, fsas [256]bool
	for row := range d.ZIPs() {
		zips[row.State] = true
	}
	for row := range d.FSAs() {
		fsas[row.Province] = true
	}
	c := &coverage{}
	outlines := d.StateAreas()
	for i := range d.States() {
		id := store.StateID(i + 1)
		has := [2]bool{zips[id], zips[id]}
		canadian := d.State(id).Country == store.CA
		if canadian {
			has = [2]bool{d.HasPostalCodes(id), fsas[id]}
		}
		for mode := range has {
			if !has[mode] {
				c.lacking[mode] = append(c.lacking[mode], id)
			}
		}
		if canadian && has[0] != has[1] && !hasOutline(outlines, id) {
			c.sight = true
		}
	}
	return c
}

func hasOutline(outlines *store.Areas[store.StateID], id store.StateID) bool {
	area, ok := outlines.Find(id)
	return ok && outlines.Index().HasPolygon(area)
}

// cover adds the notice that names states and provinces inside the circle
// without codes in the dataset (decision D54). A circle touches the state of its
// center and the states whose outlines it overlaps. It touches a state without
// an outline if it contains the point of any of its codes.
func (e *Engine) cover(res *Result, center geo.LatLng, opt *Options) error {
	mode := 0
	if opt.Mode == Spatial {
		mode = 1
	}
	lacking := e.coverage.lacking[mode]
	if len(lacking) == 0 {
		return nil
	}
	var touched []store.StateID
	touch := func(id store.StateID) {
		if slices.Contains(lacking, id) && !slices.Contains(touched, id) {
			touched = append(touched, id)
		}
	}
	at := &res.Search.Center
	country := store.US
	if at.Country == "CA" {
		country = store.CA
	}
	if id, ok := e.data.StateByAbbr(country, at.State); ok {
		touch(id)
	}
	circle, err := spatial.NewCircle(center, opt.Max.Meters())
	if err != nil {
		return fmt.Errorf("radius: %w", err)
	}
	outlines := e.data.StateAreas()
	for _, id := range lacking {
		if hasOutline(outlines, id) {
			area, _ := outlines.Find(id)
			x := outlines.Index()
			if x.Share(area, circle)/100*float64(x.Area(area)) >= float64(leastTouch) {
				touch(id)
			}
		}
	}
	if e.coverage.sight {
		e.sighted(center, opt.Max, touch)
	}
	if len(touched) > 0 {
		res.Notices = append(res.Notices, notice.NotLoaded(e.missing(touched, opt.Mode)))
	}
	return nil
}

// sighted calls touch with the states and provinces of all points in a circle.
func (e *Engine) sighted(center geo.LatLng, limit geo.Miles, touch func(store.StateID)) {
	s := e.scratch.Get().(*scratch)
	defer e.scratch.Put(s)
	for _, set := range [...]*pointSet{&e.codes, &e.areas} {
		s.near = set.index.AppendWithin(s.near[:0], center, 0, limit.Meters())
		for _, n := range s.near {
			if n.Index < set.zips {
				continue // states have no codes of another kind
			}
			if number := set.numbers[n.Index]; set == &e.codes {
				row, _ := e.data.PostalCode(postcode.PostalCode(number))
				touch(row.Province)
			} else {
				row, _ := e.data.FSA(postcode.FSA(number))
				touch(row.Province)
			}
		}
	}
}

// missing names the codes that the dataset lacks, e.g. "ZIP Codes of Nevada;
// postal codes of Alberta, Manitoba".
func (e *Engine) missing(touched []store.StateID, mode Mode) string {
	var names [2][]string
	for _, id := range touched {
		s := e.data.State(id)
		at := 0
		if s.Country == store.CA {
			at = 1
		}
		names[at] = append(names[at], s.Name)
	}
	kinds := [2]string{"ZIP Codes", "postal codes"}
	if mode == Spatial {
		kinds[1] = "FSAs"
	}
	var parts []string
	for i, list := range names {
		if len(list) > 0 {
			slices.Sort(list)
			parts = append(parts, kinds[i]+" of "+strings.Join(list, ", "))
		}
	}
	return strings.Join(parts, "; ")
}
