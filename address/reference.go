package address

import (
	"context"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/postgeo/postgeo/internal/cache"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/pub28"
	"github.com/postgeo/postgeo/internal/store"
)

// A city is a name of a ZIP Code's place with the keys of the name and of its
// abbreviation.
type city struct {
	store.CityName
	key, shortKey string
}

// called reports whether the key belongs to the name or its abbreviation.
func (c *city) called(key string) bool {
	return key != "" && (c.key == key || c.shortKey == key)
}

// A reference holds the street records and places of a dataset. It caches the
// street lists of recent ZIP Codes. It is safe for concurrent use.
//
// pub28.Key makes the keys of streets and cities. An area is a group of ZIP
// Codes within which a wrong one may be corrected. They share a finance number,
// or a preferred city if they have none. The finance number is that of the post office
// which serves them.
//
// The indexes below once are built together by prepare and only read then, so that they
// need no lock.
type reference struct {
	*store.Dataset
	// places is by ZIP, made on first use. Its 100,000 pointers take 0.8 MB and need no
	// lock. Two searches may make the same place at once; either may stay.
	places []atomic.Pointer[place]

	once    sync.Once
	towns   map[string]map[string][]postcode.ZIP // by state and key of the city
	names   map[string][]string                  // keys of the cities by state, sorted
	areas   map[string][]postcode.ZIP            // with records
	covered map[string]bool                      // states with records

	withStreets []postcode.ZIP // ZIP Codes with records
	pointsOnly  map[string]int // by state: ZIP Codes with address points, but without records to complete

	onceCensus sync.Once
	census     map[string][]censusArea // by state and key of a place or county subdivision

	keys *cache.Recent[listOf, []string] // of the streets of ZIP Codes and areas
}

type censusArea struct {
	layer store.LayerID
	area  int
}

// maxKeys bounds the cached keys of streets, at about 30 bytes each: some 30 MB.
const maxKeys = 1_000_000

// A place holds the city names of a ZIP Code, the preferred one first, and its
// area. A ZIP Code that doesn't exist has no names.
type place struct {
	cities []city
	area   string
}

// listOf identifies the list of a ZIP Code, or of an area.
type listOf struct {
	area string
	zip  postcode.ZIP
}

func newReference(d *store.Dataset) *reference {
	return &reference{Dataset: d, places: make([]atomic.Pointer[place], postcode.NumZIPs), keys: cache.NewRecent[listOf, []string](maxKeys)}
}

// prepare builds the index of places.
func (r *reference) prepare(ctx context.Context) error {
	if err := r.Load(ctx, store.SectionStreets); err != nil {
		return err
	}
	r.once.Do(func() {
		r.towns, r.names, r.areas, r.covered = map[string]map[string][]postcode.ZIP{}, map[string][]string{}, map[string][]postcode.ZIP{}, map[string]bool{}
		r.pointsOnly = map[string]int{}
		var cities []store.CityName
		for row := range r.ZIPs() {
			state := r.State(row.State).Abbr
			r.addTown(state, Clean(row.City), row.ZIP)
			r.addTown(state, Clean(row.Municipality), row.ZIP)
			cities = r.CityNames(row.ZIP, cities[:0])
			for i := range cities {
				r.addTown(state, cities[i].Name, row.ZIP)
				r.addTown(state, cities[i].Abbreviation, row.ZIP)
			}
		}
		for z := range r.StreetZIPs() {
			area := r.areaOf(z)
			r.areas[area] = append(r.areas[area], z)
			r.withStreets = append(r.withStreets, z)
			if state := r.stateOf(z); state != "" {
				r.covered[state] = true
			}
		}
		for a := range r.RoadAreas() {
			if z, ok := a.ZIP(); ok && r.RoadCoverage(a).Points > 0 && !r.HasStreetsIn(z) {
				r.pointsOnly[r.stateOf(z)]++
			}
		}
		for state, byKey := range r.towns {
			for key := range byKey {
				r.names[state] = append(r.names[state], key)
			}
			slices.Sort(r.names[state])
		}
	})
	return nil
}

// stateOf returns the abbreviation of the state of a ZIP Code, "" if it is unknown.
func (r *reference) stateOf(z postcode.ZIP) string {
	row, ok := r.ZIP(z)
	if !ok {
		return ""
	}
	return r.State(row.State).Abbr
}

// addTown adds a ZIP Code to those of a city name. It is called with ascending
// ZIP Codes.
func (r *reference) addTown(state, name string, z postcode.ZIP) {
	key := pub28.Key(name)
	if key == "" {
		return
	}
	if r.towns[state] == nil {
		r.towns[state] = map[string][]postcode.ZIP{}
	}
	if zips := r.towns[state][key]; len(zips) == 0 || zips[len(zips)-1] != z {
		r.towns[state][key] = append(zips, z)
	}
}

// areaOf returns the area of a ZIP Code that has records or a place.
func (r *reference) areaOf(z postcode.ZIP) string {
	if n := r.Finance(z); n != "" {
		return n
	}
	row, ok := r.ZIP(z)
	if !ok {
		return ""
	}
	return r.State(row.State).Abbr + " " + row.City
}

// streetKeys returns the sorted keys of a ZIP Code's streets. The caller only
// reads them.
func (r *reference) streetKeys(ctx context.Context, z postcode.ZIP) ([]string, error) {
	return r.list(ctx, listOf{zip: z}, func() ([]string, error) { return r.StreetKeys(ctx, z) })
}

// list returns a cached list of streets, or reads it.
func (r *reference) list(ctx context.Context, of listOf, read func() ([]string, error)) ([]string, error) {
	return r.keys.Get(ctx, of, func() ([]string, int64, error) {
		keys, err := read()
		return keys, int64(len(keys)), err
	})
}

// streetZIPs appends the ZIP Codes of an area that have a street with the key, in
// ascending order.
func (r *reference) streetZIPs(ctx context.Context, area, key string, into []postcode.ZIP) ([]postcode.ZIP, error) {
	if err := r.prepare(ctx); err != nil {
		return nil, err
	}
	for _, z := range r.areas[area] {
		if !r.MayHaveStreet(z, key) {
			continue
		}
		keys, err := r.streetKeys(ctx, z)
		if err != nil {
			return nil, err
		}
		if _, found := slices.BinarySearch(keys, key); found {
			into = append(into, z)
		}
	}
	return into, nil
}

// areaKeys returns the sorted keys of an area's streets. The caller only reads
// them.
func (r *reference) areaKeys(ctx context.Context, area string) ([]string, error) {
	if err := r.prepare(ctx); err != nil {
		return nil, err
	}
	return r.list(ctx, listOf{area: area}, func() ([]string, error) {
		var all []string
		for _, z := range r.areas[area] {
			keys, err := r.streetKeys(ctx, z)
			if err != nil {
				return nil, err
			}
			all = append(all, keys...)
		}
		slices.Sort(all)
		return slices.Compact(all), nil
	})
}

func (r *reference) addOn(ctx context.Context, z postcode.ZIP, a postcode.Plus4, into []store.StreetRecord) ([]store.StreetRecord, error) {
	records, err := r.ZIP4(ctx, z, a)
	for _, x := range records {
		into = append(into, store.StreetRecord{ZIP4Record: x})
	}
	return into, err
}

// placeOf returns the names and area of a ZIP Code.
func (r *reference) placeOf(ctx context.Context, z postcode.ZIP) (*place, error) {
	if int(z) >= len(r.places) {
		return &place{}, nil
	}
	if at := r.places[z].Load(); at != nil {
		return at, nil
	}
	if err := r.Load(ctx, store.SectionStreets); err != nil {
		return nil, err
	}
	names := r.CityNames(z, nil)
	if len(names) == 0 {
		var err error
		if names, err = r.namesOf(ctx, z); err != nil {
			return nil, err
		}
	}
	at := &place{cities: make([]city, len(names)), area: r.areaOf(z)}
	for i, n := range names {
		at.cities[i] = city{n, pub28.Key(n.Name), pub28.Key(n.Abbreviation)}
	}
	r.places[z].Store(at)
	return at, nil
}

// namesOf returns the city names of a ZIP Code without City State records.
func (r *reference) namesOf(ctx context.Context, z postcode.ZIP) ([]store.CityName, error) {
	row, ok := r.ZIP(z)
	if !ok {
		return nil, nil
	}
	detail, err := r.ZIPDetail(ctx, z)
	if err != nil {
		return nil, err
	}
	state := r.State(row.State).Abbr
	first := store.CityName{Name: Clean(row.City), Mailing: true, Preferred: true, State: state}
	if detail.FacilityCode != "" {
		first.Facility = detail.FacilityCode[0]
	}
	names := []store.CityName{first}
	for _, a := range detail.Aliases {
		names = append(names, store.CityName{Name: Clean(a.City), Mailing: strings.EqualFold(a.MailingName, "Y"), State: state})
	}
	return names, nil
}

// cityZIPs returns the ZIP Codes of a city name in a state in ascending order,
// whether it is a mailing name or not. The caller only reads them.
func (r *reference) cityZIPs(ctx context.Context, state, name string) ([]postcode.ZIP, error) {
	if err := r.prepare(ctx); err != nil {
		return nil, err
	}
	if zips := r.towns[state][pub28.Key(name)]; len(zips) > 0 {
		return zips, nil
	}
	id, ok := r.StateByAbbr(store.US, state)
	if !ok {
		return nil, nil
	}
	var room [4]int
	list, err := r.placesNamed(ctx, id, name, room[:0])
	var zips []postcode.ZIP
	for _, i := range list {
		switch more := r.Entities().At(i).ZIPs; {
		case len(zips) == 0:
			zips = more
		case !slices.Equal(more, zips): // two cities of one name, or a place without ZIP Codes
			zips = slices.Concat(zips, more)
			slices.Sort(zips)
			zips = slices.Compact(zips)
		}
	}
	return zips, err
}

// areaZIPs returns the ZIP Codes that overlap the places and county
// subdivisions with a name. People also write the name of their township. The index of these
// names is made when the first city is not one of the Postal Service's.
func (r *reference) areaZIPs(ctx context.Context, state, name string) ([]postcode.ZIP, error) {
	layers := [...]store.LayerID{store.LayerPlace, store.LayerCountySubdivision}
	for _, id := range layers {
		if err := r.Layer(id).Load(ctx); err != nil {
			return nil, err
		}
	}
	r.onceCensus.Do(func() {
		r.census = map[string][]censusArea{}
		for _, id := range layers {
			for i := range r.Layer(id).Len() {
				a := r.Layer(id).Area(i)
				name := r.State(a.State).Abbr + pub28.Key(Clean(plainName(a.Name)))
				r.census[name] = append(r.census[name], censusArea{id, i})
			}
		}
	})
	var zips []postcode.ZIP
	for _, c := range r.census[state+pub28.Key(name)] {
		list, err := r.CodesIn(ctx, c.layer, c.area)
		if err != nil {
			return nil, err
		}
		for _, x := range list {
			if z, ok := x.Code.ZIP(); ok {
				zips = append(zips, z)
			}
		}
	}
	slices.Sort(zips)
	return slices.Compact(zips), nil
}

// plainName returns the name of an area without its legal description: Bell of
// Bell city.
func plainName(name string) string {
	words := strings.Fields(name)
	for len(words) > 1 {
		last := words[len(words)-1]
		if last != "CDP" && last != "CCD" && last[0] != '(' && !(last[0] >= 'a' && last[0] <= 'z') {
			break
		}
		words = words[:len(words)-1]
	}
	return strings.Join(words, " ")
}

// county returns the code and name of a county by its number in the state; both
// are "" if it is unknown.
func (r *reference) county(state, number string) (fips, name string) {
	id, ok := r.StateByAbbr(store.US, state)
	if !ok {
		return "", ""
	}
	fips = r.State(id).FIPS + number
	county, ok := r.CountyByFIPS(fips)
	if !ok {
		return "", ""
	}
	return fips, r.County(county).Name
}

func (r *reference) class(z postcode.ZIP) store.Class {
	row, _ := r.ZIP(z)
	return row.Class
}
