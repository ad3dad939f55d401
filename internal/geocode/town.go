package geocode

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/address"
	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/dataset/pub28"
)

// prepare builds the indexes of codes.
func (e *Engine) prepare() {
	e.once.Do(func() {
		e.canada = map[string][]dataset.RoadArea{}
		inCounty := map[dataset.CountyID][]dataset.RoadArea{}
		var points []geo.LatLng
		for row := range e.data.ZIPs() {
			if row.Class == dataset.General {
				a := dataset.RoadAreaOfZIP(row.ZIP)
				e.areas, points = append(e.areas, a), append(points, row.Location)
				inCounty[row.County] = append(inCounty[row.County], a)
			}
		}
		e.counties = map[string][]dataset.RoadArea{}
		for id, areas := range inCounty {
			county := e.data.County(id)
			state, name := e.data.State(county.State).Abbr, county.Name
			keys := []string{countyKey(state, name)}
			if i := strings.LastIndexByte(name, ' '); i > 0 { // Queens County
				keys = append(keys, countyKey(state, name[:i]))
			}
			for _, k := range keys {
				e.counties[k] = append(e.counties[k], areas...)
				slices.Sort(e.counties[k])
			}
		}
		for row := range e.data.FSAs() {
			a := dataset.RoadAreaOfFSA(row.FSA)
			e.areas, points = append(e.areas, a), append(points, row.Location)
			name, _, _ := strings.Cut(row.City, "(")
			for _, s := range [...]string{name, row.Municipality} {
				if key := townKey(e.data.State(row.Province).Abbr, s); s != "" && !slices.Contains(e.canada[key], a) {
					e.canada[key] = append(e.canada[key], a)
				}
			}
		}
		e.points = geo.NewPointIndex(points)
	})
}

func townKey(state, city string) string { return state + pub28.Key(address.Clean(city)) }

// A townIndex finds the census subdivisions of Canada by their names.
type townIndex struct {
	once  sync.Once
	areas map[string][]int // by townKey
}

// of returns the forward sortation areas that overlap the census subdivisions with a name.
func (t *townIndex) of(ctx context.Context, d *dataset.Dataset, key string) (list []dataset.RoadArea, err error) {
	const layer = dataset.LayerCensusSubdivision
	l := d.Layer(layer)
	if err := l.Load(ctx); err != nil {
		return nil, err
	}
	t.once.Do(func() {
		t.areas = map[string][]int{}
		for i := range l.Len() {
			a := l.Area(i)
			for _, names := range [...]string{a.Name, a.NameFR} {
				for name := range strings.SplitSeq(names, "/") { // GRAND FALLS / GRAND-SAULT
					name, _, _ = strings.Cut(name, "(")
					k := townKey(d.State(a.State).Abbr, name)
					if name != "" && !slices.Contains(t.areas[k], i) {
						t.areas[k] = append(t.areas[k], i)
					}
				}
			}
		}
	})
	for _, i := range t.areas[key] {
		codes, err := d.FSAsIn(ctx, layer, i)
		if err != nil {
			return nil, err
		}
		for _, c := range codes {
			list = append(list, dataset.RoadAreaOfFSA(c.Code))
		}
	}
	return list, nil
}

// town returns the codes of a city of a state or province.
func (q *query) town(state *dataset.State, city string) (list []dataset.RoadArea, err error) {
	if state.Country == dataset.CA {
		key := townKey(state.Abbr, city)
		if list = q.canada[key]; len(list) > 0 {
			return list, nil
		}
		return q.towns.of(q.ctx, q.data, key)
	}
	zips, err := q.addresses.TownZIPs(q.ctx, state.Abbr, city)
	for _, z := range zips {
		list = append(list, dataset.RoadAreaOfZIP(z))
	}
	if len(list) == 0 && err == nil {
		list = q.counties[countyKey(state.Abbr, city)]
	}
	return list, err
}

func countyKey(state, name string) string { return state + strings.ToUpper(name) }

// locate sets the codes of the last line: the given one, then those of the city.
func (q *query) locate(a *address.Address) error {
	if z, ok := dataset.ParseZIP(a.ZIP); ok {
		if _, known := q.data.ZIP(z); known {
			q.areas, q.given = append(q.areas, scope{dataset.RoadAreaOfZIP(z), 0}), true
		}
	} else if len(a.ZIP) >= 3 {
		if f, ok := dataset.ParseFSA(a.ZIP[:3]); ok {
			if _, known := q.data.FSA(f); known {
				q.areas, q.given = append(q.areas, scope{dataset.RoadAreaOfFSA(f), 0}), true
			}
		}
	}
	if a.State == "" && !q.given {
		if q.anywhere {
			return nil
		}
		q.anywhere = true
		return q.locateAnywhere()
	}
	state, ok := q.state(a.State)
	if !ok || a.City == "" {
		return nil
	}
	list, err := q.town(state, a.City)
	if err != nil {
		return err
	}
	for _, x := range list {
		if !q.given {
			q.areas = append(q.areas, scope{x, 0})
		} else if x != q.areas[0].RoadArea {
			q.areas = append(q.areas, scope{x, costArea})
		}
	}
	return nil
}

// state returns the state or province with an abbreviation.
func (e *Engine) state(abbr string) (s *dataset.State, ok bool) {
	id, ok := e.data.StateByAbbr(dataset.US, abbr)
	if !ok {
		id, ok = e.data.StateByAbbr(dataset.CA, abbr)
	}
	return e.data.State(id), ok
}

// locateAnywhere sets the codes that have streets, of the cities with the name in all
// states.
func (q *query) locateAnywhere() error {
	for i := range q.reads {
		first := ""
		for _, state := range q.data.States() {
			if q.reads[i].City == "" {
				break
			}
			list, err := q.town(&state, q.reads[i].City)
			if err != nil {
				return err
			}
			for _, x := range list {
				if q.data.RoadCoverage(x).Roads == 0 {
					continue
				}
				first = cmp.Or(first, state.Abbr)
				q.areas, q.vague = append(q.areas, scope{x, costDoubt}), q.vague || first != state.Abbr
			}
		}
		if len(q.areas) > 0 {
			break
		}
	}
	if len(q.areas) > 0 && !q.vague {
		if _, ok := q.areas[0].FSA(); ok {
			for i := range q.reads {
				q.reads[i].Country = "CA"
				canadian(&q.reads[i])
			}
		}
	}
	return nil
}
