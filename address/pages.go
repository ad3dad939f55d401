package address

import (
	"container/list"
	"context"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/pub28"
)

// pagesKeys bounds the keys of streets that a Pages keeps, at about 30 bytes
// each.
const pagesKeys = 1_000_000

// Pages is a Reference of the street records and places of a dataset. It reads
// the records of a street on request and caches the street lists of recent ZIPs.
// An area is the ZIPs with one finance number, or those without one that share
// a preferred city.
type Pages struct {
	data   *dataset.Dataset
	places []atomic.Pointer[place] // by ZIP, made on first use

	once  sync.Once
	towns map[string]map[string][]dataset.ZIP // by state and key of the city
	names map[string][]string                 // keys of the cities by state, sorted
	areas map[string][]dataset.ZIP            // with records

	mu     sync.Mutex
	held   map[listOf]*list.Element // of *streetList
	recent *list.List               // most recent first
	keys   int
}

// A place is what the last line of a ZIP's addresses may be.
type place struct {
	cities []City // none of a ZIP that does not exist
	area   string
}

// A streetList is the streets of a ZIP or of an area.
type streetList struct {
	of   listOf
	keys []string
}

// listOf names a list of streets: that of an area, or of a ZIP.
type listOf struct {
	area string
	zip  dataset.ZIP
}

// NewPages returns the reference of a dataset, which stays the caller's to
// close.
func NewPages(d *dataset.Dataset) *Pages {
	return &Pages{data: d, places: make([]atomic.Pointer[place], dataset.NumZIPs), held: map[listOf]*list.Element{}, recent: list.New()}
}

// prepare makes the index of places.
func (p *Pages) prepare(ctx context.Context) error {
	if err := p.data.Load(ctx, dataset.SectionStreets); err != nil {
		return err
	}
	p.once.Do(func() {
		p.towns, p.names, p.areas = map[string]map[string][]dataset.ZIP{}, map[string][]string{}, map[string][]dataset.ZIP{}
		var cities []dataset.CityName
		for row := range p.data.ZIPs() {
			state := p.data.State(row.State).Abbr
			if p.towns[state] == nil {
				p.towns[state] = map[string][]dataset.ZIP{}
			}
			add := func(name string) {
				key := pub28.Key(name)
				if zips := p.towns[state][key]; key != "" && (len(zips) == 0 || zips[len(zips)-1] != row.ZIP) {
					p.towns[state][key] = append(zips, row.ZIP)
				}
			}
			add(Clean(row.City))
			add(Clean(row.Municipality))
			cities = p.data.CityNames(row.ZIP, cities[:0])
			for i := range cities {
				add(cities[i].Name)
				if short := cities[i].Abbreviation; short != "" {
					add(short)
				}
			}
		}
		for z := range p.data.StreetZIPs() {
			area := p.areaOf(z)
			p.areas[area] = append(p.areas[area], z)
		}
		for state, byKey := range p.towns {
			for key := range byKey {
				p.names[state] = append(p.names[state], key)
			}
			slices.Sort(p.names[state])
		}
	})
	return nil
}

// areaOf returns the area of a ZIP that has records or a place.
func (p *Pages) areaOf(z dataset.ZIP) string {
	if n := p.data.Finance(z); n != "" {
		return n
	}
	row, ok := p.data.ZIP(z)
	if !ok {
		return ""
	}
	return p.data.State(row.State).Abbr + " " + row.City
}

// Streets implements [Reference].
func (p *Pages) Streets(ctx context.Context, z dataset.ZIP, key string, into []Record) ([]Record, error) {
	return p.data.Streets(ctx, z, key, into)
}

// StreetKeys implements [Reference].
func (p *Pages) StreetKeys(ctx context.Context, z dataset.ZIP) ([]string, error) {
	return p.list(listOf{zip: z}, func() ([]string, error) { return p.data.StreetKeys(ctx, z) })
}

// list returns a list of streets that is kept, or reads it.
func (p *Pages) list(of listOf, read func() ([]string, error)) ([]string, error) {
	p.mu.Lock()
	if e := p.held[of]; e != nil {
		p.recent.MoveToFront(e)
		p.mu.Unlock()
		return e.Value.(*streetList).keys, nil
	}
	p.mu.Unlock()
	keys, err := read()
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.held[of] == nil {
		p.held[of] = p.recent.PushFront(&streetList{of, keys})
		p.keys += len(keys)
		for p.keys > pagesKeys && p.recent.Len() > 1 {
			last := p.recent.Remove(p.recent.Back()).(*streetList)
			delete(p.held, last.of)
			p.keys -= len(last.keys)
		}
	}
	return keys, nil
}

// Area implements [Reference].
func (p *Pages) Area(ctx context.Context, z dataset.ZIP) (string, error) {
	at, err := p.place(ctx, z)
	if err != nil {
		return "", err
	}
	return at.area, nil
}

// StreetZIPs implements [Reference].
func (p *Pages) StreetZIPs(ctx context.Context, area, key string, into []dataset.ZIP) ([]dataset.ZIP, error) {
	if err := p.prepare(ctx); err != nil {
		return nil, err
	}
	for _, z := range p.areas[area] {
		if !p.data.MayHaveStreet(z, key) {
			continue
		}
		keys, err := p.StreetKeys(ctx, z)
		if err != nil {
			return nil, err
		}
		if _, found := slices.BinarySearch(keys, key); found {
			into = append(into, z)
		}
	}
	return into, nil
}

// AreaKeys implements [Reference].
func (p *Pages) AreaKeys(ctx context.Context, area string) ([]string, error) {
	if err := p.prepare(ctx); err != nil {
		return nil, err
	}
	return p.list(listOf{area: area}, func() ([]string, error) {
		var all []string
		for _, z := range p.areas[area] {
			keys, err := p.StreetKeys(ctx, z)
			if err != nil {
				return nil, err
			}
			all = append(all, keys...)
		}
		slices.Sort(all)
		return slices.Compact(all), nil
	})
}

// Aliases implements [Reference].
func (p *Pages) Aliases(ctx context.Context, z dataset.ZIP, key string, into []Alias) ([]Alias, error) {
	return p.data.StreetAliases(ctx, z, key, into)
}

// AddOn implements [Reference].
func (p *Pages) AddOn(ctx context.Context, z dataset.ZIP, a dataset.Plus4, into []Record) ([]Record, error) {
	records, err := p.data.ZIP4(ctx, z, a)
	for _, r := range records {
		into = append(into, Record{ZIP4Record: r})
	}
	return into, err
}

// Cities implements [Reference].
func (p *Pages) Cities(ctx context.Context, z dataset.ZIP) ([]City, error) {
	at, err := p.place(ctx, z)
	if err != nil {
		return nil, err
	}
	return at.cities, nil
}

// place returns what is known of the last line of a ZIP's addresses.
func (p *Pages) place(ctx context.Context, z dataset.ZIP) (*place, error) {
	if int(z) >= len(p.places) {
		return &place{}, nil
	}
	if at := p.places[z].Load(); at != nil {
		return at, nil
	}
	if err := p.data.Load(ctx, dataset.SectionStreets); err != nil {
		return nil, err
	}
	cities, err := p.cities(ctx, z)
	if err != nil {
		return nil, err
	}
	for i := range cities {
		cities[i].keyed()
	}
	at := &place{cities: cities, area: p.areaOf(z)}
	p.places[z].Store(at)
	return at, nil
}

func (p *Pages) cities(ctx context.Context, z dataset.ZIP) ([]City, error) {
	var buf [8]dataset.CityName
	if names := p.data.CityNames(z, buf[:0]); len(names) > 0 {
		cities := make([]City, len(names))
		for i := range names {
			n := &names[i]
			cities[i] = City{
				Name: n.Name, Key: n.Key, LastLineKey: n.LastLineKey, Facility: n.Facility,
				Mailing: n.Mailing, Preferred: n.Preferred, State: n.State, Abbreviation: n.Abbreviation,
			}
		}
		return cities, nil
	}
	row, ok := p.data.ZIP(z)
	if !ok {
		return nil, nil
	}
	detail, err := p.data.ZIPDetail(ctx, z)
	if err != nil {
		return nil, err
	}
	state := p.data.State(row.State).Abbr
	first := City{Name: Clean(row.City), Mailing: true, Preferred: true, State: state}
	if detail.FacilityCode != "" {
		first.Facility = detail.FacilityCode[0]
	}
	cities := []City{first}
	for _, a := range detail.Aliases {
		cities = append(cities, City{Name: Clean(a.City), Mailing: strings.EqualFold(a.MailingName, "Y"), State: state})
	}
	return cities, nil
}

// CityZIPs implements [Reference].
func (p *Pages) CityZIPs(ctx context.Context, state, key string, into []dataset.ZIP) ([]dataset.ZIP, error) {
	if err := p.prepare(ctx); err != nil {
		return nil, err
	}
	return append(into, p.towns[state][key]...), nil
}

// CityKeys implements [Reference].
func (p *Pages) CityKeys(ctx context.Context, state string) ([]string, error) {
	if err := p.prepare(ctx); err != nil {
		return nil, err
	}
	return p.names[state], nil
}

// County implements [Reference].
func (p *Pages) County(state, number string) (fips, name string) {
	id, ok := p.data.StateByAbbr(dataset.US, state)
	if !ok {
		return "", ""
	}
	fips = p.data.State(id).FIPS + number
	county, ok := p.data.CountyByFIPS(fips)
	if !ok {
		return "", ""
	}
	return fips, p.data.County(county).Name
}

// Class implements [Reference].
func (p *Pages) Class(_ context.Context, z dataset.ZIP) (dataset.Class, error) {
	row, _ := p.data.ZIP(z)
	return row.Class, nil
}
