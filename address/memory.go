package address

import (
	"context"
	"maps"
	"slices"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/pub28"
)

// Memory is a Reference that is held in memory. The zero Memory is empty and
// ready to be filled; once it is read, nothing may be added.
type Memory struct {
	zips  map[dataset.ZIP]*memoryZIP
	areas map[string]map[string][]dataset.ZIP // ZIPs by area and key
	names map[string]map[string][]dataset.ZIP // ZIPs by state and key of the city
	keys  map[string][]string                 // of areas, sorted
}

type memoryZIP struct {
	area    string
	class   dataset.Class
	cities  []City
	streets map[string][]Record
	keys    []string
	aliases map[string][]Alias
	addOns  map[dataset.Plus4][]Record
}

func (m *Memory) zip(z dataset.ZIP) *memoryZIP {
	if m.zips == nil {
		m.zips = map[dataset.ZIP]*memoryZIP{}
		m.areas, m.names = map[string]map[string][]dataset.ZIP{}, map[string]map[string][]dataset.ZIP{}
	}
	t := m.zips[z]
	if t == nil {
		t = &memoryZIP{streets: map[string][]Record{}, aliases: map[string][]Alias{}, addOns: map[dataset.Plus4][]Record{}}
		m.zips[z] = t
	}
	return t
}

// AddZIP adds a ZIP with its kind, the area that it belongs to and the names of
// its place, the preferred one first.
func (m *Memory) AddZIP(z dataset.ZIP, class dataset.Class, area string, cities []City) {
	t := m.zip(z)
	t.class, t.area, t.cities = class, area, slices.Clone(cities)
	for i := range t.cities {
		c := &t.cities[i]
		c.keyed()
		byName := m.names[c.State]
		if byName == nil {
			byName = map[string][]dataset.ZIP{}
			m.names[c.State] = byName
		}
		for _, key := range [...]string{c.key, c.shortKey} {
			if list := byName[key]; key != "" && !slices.Contains(list, z) {
				byName[key] = append(list, z)
				slices.Sort(byName[key])
			}
		}
	}
}

// AddRecord adds a record of a ZIP that AddZIP was given.
func (m *Memory) AddRecord(r Record) {
	t := m.zip(r.ZIP)
	key := pub28.Key(r.Street)
	list, known := t.streets[key]
	t.streets[key] = append(list, r)
	if !r.NoPlus4 {
		t.addOns[r.Low] = append(t.addOns[r.Low], r)
	}
	if known {
		return
	}
	at, _ := slices.BinarySearch(t.keys, key)
	t.keys = slices.Insert(t.keys, at, key)
	byKey := m.areas[t.area]
	if byKey == nil {
		byKey = map[string][]dataset.ZIP{}
		m.areas[t.area] = byKey
	}
	byKey[key] = append(byKey[key], r.ZIP)
	slices.Sort(byKey[key])
	m.keys = nil
}

// AddAlias adds another name of a ZIP's street.
func (m *Memory) AddAlias(z dataset.ZIP, a Alias) {
	t := m.zip(z)
	key := pub28.Key(a.Street)
	t.aliases[key] = append(t.aliases[key], a)
}

// Seal builds the lazy parts, after which several goroutines may read the
// Memory.
func (m *Memory) Seal() {
	m.keys = map[string][]string{}
	for area, byKey := range m.areas {
		m.keys[area] = slices.Sorted(maps.Keys(byKey))
	}
}

// Streets implements [Reference].
func (m *Memory) Streets(_ context.Context, z dataset.ZIP, key string, into []Record) ([]Record, error) {
	if t := m.zips[z]; t != nil {
		into = append(into, t.streets[key]...)
	}
	return into, nil
}

// StreetKeys implements [Reference].
func (m *Memory) StreetKeys(_ context.Context, z dataset.ZIP) ([]string, error) {
	if t := m.zips[z]; t != nil {
		return t.keys, nil
	}
	return nil, nil
}

// Area implements [Reference].
func (m *Memory) Area(_ context.Context, z dataset.ZIP) (string, error) {
	if t := m.zips[z]; t != nil {
		return t.area, nil
	}
	return "", nil
}

// StreetZIPs implements [Reference].
func (m *Memory) StreetZIPs(_ context.Context, area, key string, into []dataset.ZIP) ([]dataset.ZIP, error) {
	return append(into, m.areas[area][key]...), nil
}

// AreaKeys implements [Reference].
func (m *Memory) AreaKeys(_ context.Context, area string) ([]string, error) {
	if m.keys != nil {
		return m.keys[area], nil
	}
	return slices.Sorted(maps.Keys(m.areas[area])), nil
}

// Aliases implements [Reference].
func (m *Memory) Aliases(_ context.Context, z dataset.ZIP, key string, into []Alias) ([]Alias, error) {
	if t := m.zips[z]; t != nil {
		into = append(into, t.aliases[key]...)
	}
	return into, nil
}

// AddOn implements [Reference].
func (m *Memory) AddOn(_ context.Context, z dataset.ZIP, p dataset.Plus4, into []Record) ([]Record, error) {
	if t := m.zips[z]; t != nil {
		into = append(into, t.addOns[p]...)
	}
	return into, nil
}

// Cities implements [Reference].
func (m *Memory) Cities(_ context.Context, z dataset.ZIP) ([]City, error) {
	if t := m.zips[z]; t != nil {
		return t.cities, nil
	}
	return nil, nil
}

// CityZIPs implements [Reference].
func (m *Memory) CityZIPs(_ context.Context, state, key string, into []dataset.ZIP) ([]dataset.ZIP, error) {
	return append(into, m.names[state][key]...), nil
}

// County implements [Reference]: counties have no names in a Memory.
func (m *Memory) County(_, _ string) (fips, name string) { return "", "" }

// CityKeys implements [Reference].
func (m *Memory) CityKeys(_ context.Context, state string) ([]string, error) {
	return slices.Sorted(maps.Keys(m.names[state])), nil
}

// Class implements [Reference].
func (m *Memory) Class(_ context.Context, z dataset.ZIP) (dataset.Class, error) {
	if t := m.zips[z]; t != nil {
		return t.class, nil
	}
	return 0, nil
}
