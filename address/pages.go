package address

import (
	"container/list"
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/pub28"
)

// pagesRecords bounds the records that a Pages keeps indexed, at about 400
// bytes each.
const pagesRecords = 150_000

// Pages is a Reference of the ZIP+4 records and places of a dataset. It indexes
// the records of a ZIP when they are first asked for and keeps the ZIPs that
// were asked for last. The ZIPs that share their first three digits and their
// state are one area.
type Pages struct {
	data *dataset.Dataset

	once  sync.Once
	towns map[string]map[string][]dataset.ZIP // by state and key of the city
	names map[string][]string                 // keys of the cities by state, sorted
	areas map[string][]dataset.ZIP            // with records

	mu      sync.Mutex
	held    map[dataset.ZIP]*list.Element // of *zipIndex
	recent  *list.List                    // the last one asked for in front
	records int
}

// A zipIndex holds the records of a ZIP by street.
type zipIndex struct {
	zip     dataset.ZIP
	streets map[string][]Record
	keys    []string
	count   int
}

// NewPages returns the reference of a dataset, which stays the caller's to
// close.
func NewPages(d *dataset.Dataset) *Pages {
	return &Pages{data: d, held: map[dataset.ZIP]*list.Element{}, recent: list.New()}
}

// prepare makes the index of places.
func (p *Pages) prepare() {
	p.once.Do(func() {
		p.towns, p.names, p.areas = map[string]map[string][]dataset.ZIP{}, map[string][]string{}, map[string][]dataset.ZIP{}
		for row := range p.data.ZIPs() {
			state := p.data.State(row.State).Abbr
			if p.towns[state] == nil {
				p.towns[state] = map[string][]dataset.ZIP{}
			}
			for _, name := range [2]string{row.City, row.Municipality} {
				key := pub28.Key(Clean(name))
				if zips := p.towns[state][key]; key != "" && (len(zips) == 0 || zips[len(zips)-1] != row.ZIP) {
					p.towns[state][key] = append(zips, row.ZIP)
				}
			}
			if p.data.HasZIP4(row.ZIP) {
				area := areaOf(row.ZIP, state)
				p.areas[area] = append(p.areas[area], row.ZIP)
			}
		}
		for state, byKey := range p.towns {
			for key := range byKey {
				p.names[state] = append(p.names[state], key)
			}
			slices.Sort(p.names[state])
		}
	})
}

func areaOf(z dataset.ZIP, state string) string { return state + z.String()[:3] }

// index returns the records of a ZIP, indexed.
func (p *Pages) index(ctx context.Context, z dataset.ZIP) (*zipIndex, error) {
	p.mu.Lock()
	if e := p.held[z]; e != nil {
		p.recent.MoveToFront(e)
		p.mu.Unlock()
		return e.Value.(*zipIndex), nil
	}
	p.mu.Unlock()
	x := &zipIndex{zip: z, streets: map[string][]Record{}}
	for r, err := range p.data.ZIP4Records(ctx, z) {
		if err != nil {
			return nil, err
		}
		key := pub28.Key(r.Street)
		if _, known := x.streets[key]; !known {
			x.keys = append(x.keys, key)
		}
		x.streets[key] = append(x.streets[key], Record{ZIP4Record: r})
		x.count++
	}
	slices.Sort(x.keys)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.held[z] == nil {
		p.held[z] = p.recent.PushFront(x)
		p.records += x.count
		for p.records > pagesRecords && p.recent.Len() > 1 {
			last := p.recent.Remove(p.recent.Back()).(*zipIndex)
			delete(p.held, last.zip)
			p.records -= last.count
		}
	}
	return x, nil
}

// Streets implements [Reference].
func (p *Pages) Streets(ctx context.Context, z dataset.ZIP, key string, into []Record) ([]Record, error) {
	x, err := p.index(ctx, z)
	if err != nil {
		return nil, err
	}
	return append(into, x.streets[key]...), nil
}

// StreetKeys implements [Reference].
func (p *Pages) StreetKeys(ctx context.Context, z dataset.ZIP) ([]string, error) {
	x, err := p.index(ctx, z)
	if err != nil {
		return nil, err
	}
	return x.keys, nil
}

// Area implements [Reference].
func (p *Pages) Area(_ context.Context, z dataset.ZIP) (string, error) {
	row, ok := p.data.ZIP(z)
	if !ok {
		return "", nil
	}
	return areaOf(z, p.data.State(row.State).Abbr), nil
}

// StreetZIPs implements [Reference].
func (p *Pages) StreetZIPs(ctx context.Context, area, key string, into []dataset.ZIP) ([]dataset.ZIP, error) {
	p.prepare()
	for _, z := range p.areas[area] {
		x, err := p.index(ctx, z)
		if err != nil {
			return nil, err
		}
		if len(x.streets[key]) > 0 {
			into = append(into, z)
		}
	}
	return into, nil
}

// AreaKeys implements [Reference].
func (p *Pages) AreaKeys(ctx context.Context, area string) ([]string, error) {
	p.prepare()
	var keys []string
	for _, z := range p.areas[area] {
		x, err := p.index(ctx, z)
		if err != nil {
			return nil, err
		}
		keys = append(keys, x.keys...)
	}
	slices.Sort(keys)
	return slices.Compact(keys), nil
}

// Aliases implements [Reference]: a dataset holds no other names of streets
// than those of its alternate records.
func (p *Pages) Aliases(_ context.Context, _ dataset.ZIP, _ string, into []Alias) ([]Alias, error) {
	return into, nil
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
func (p *Pages) CityZIPs(_ context.Context, state, key string, into []dataset.ZIP) ([]dataset.ZIP, error) {
	p.prepare()
	return append(into, p.towns[state][key]...), nil
}

// CityKeys implements [Reference].
func (p *Pages) CityKeys(_ context.Context, state string) ([]string, error) {
	p.prepare()
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
