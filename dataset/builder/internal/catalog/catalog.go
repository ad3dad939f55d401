package catalog

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/source/fetch"
)

// builtIn is the document of sources, publishers, licenses and layers. A source that is a
// file of outlines, a new address, or a layer needs an entry there and no code. A source
// has the terms of its publisher unless it has its own. The word for redistribution
// follows from the license. So each fact stands in one place.
//
//go:embed catalog.json
var builtIn []byte

// A Catalog lists the sources that a build can read.
type Catalog struct {
	entries    []*Entry
	publishers map[string]Terms
	licenses   map[string]string // redistribution by license
	layers     []LayerSpec
}

// An Entry is a source of the document. {county} or {state} in the address, the title
// and the addresses of older files stands for the part of the country.
type Entry struct {
	fetch.Source

	Publisher string              `json:"publisher"` // entry of publishers that has license and attribution
	Older     []Older             `json:"older"`     // older files, for a mirror or server that lacks this one, the newest first
	Columns   source.LayerColumns `json:"columns"`   // of outlines
}

// Older is an older file of a source. Zero fields are those of the source, but Note.
type Older struct {
	URL     string `json:"url"`
	Vintage string `json:"vintage"`
	Title   string `json:"title"`
	Rows    int64  `json:"rows"`
	Note    string `json:"note"`
}

// Load returns the catalog. change, unless nil, is called with every source, for tests.
// Every call parses the document, so that callers may change their copy. Layers and
// columns, which are only read, come from one shared copy; see [Layer] and [Columns].
func Load(change func(*fetch.Source)) *Catalog {
	var d struct {
		Publishers map[string]Terms  `json:"publishers"`
		Licenses   map[string]string `json:"licenses"` // redistribution by license
		Sources    []*Entry          `json:"sources"`
		Layers     []LayerSpec       `json:"layers"`
	}
	if err := json.Unmarshal(builtIn, &d); err != nil {
		panic(err) // the tests read it
	}
	c := &Catalog{entries: d.Sources, publishers: d.Publishers, licenses: d.Licenses, layers: d.Layers}
	for _, e := range c.entries {
		if change != nil {
			change(&e.Source)
		}
		of := c.publishers[e.Publisher]
		c.credit(&e.Source, Terms{cmp.Or(e.License, of.License), cmp.Or(e.Attribution, of.Attribution), e.Redistribution})
	}
	return c
}

func (c *Catalog) entry(id string) *Entry {
	if i := slices.IndexFunc(c.entries, func(e *Entry) bool { return e.ID == id }); i >= 0 {
		return c.entries[i]
	}
	return nil
}

// Files returns the sources in the order of manifests, with one for each state in place of
// those that have a file for each. Street segments are not among them.
func (c *Catalog) Files() []fetch.Source {
	return c.list(func(e *Entry) (all []fetch.Source) {
		for _, fips := range stateCodes {
			all = append(all, e.source(fips))
		}
		return all
	})
}

// Described returns the sources for a list: one for all files of states, whose address
// has SS in place of the state's code. Street segments are not among them.
func (c *Catalog) Described() []fetch.Source {
	return c.list(func(e *Entry) []fetch.Source {
		s := e.source("SS")
		s.ID = e.ID
		s.Size *= int64(len(stateCodes))
		return []fetch.Source{s}
	})
}

func (c *Catalog) list(states func(*Entry) []fetch.Source) (all []fetch.Source) {
	for _, e := range c.entries {
		switch e.division() {
		case "":
			all = append(all, e.source(""))
		case "state":
			all = append(all, states(e)...)
		}
	}
	return all
}

// stateCodes are the FIPS codes of the states, the District of Columbia and the islands.
var stateCodes = strings.Fields(`01 02 04 05 06 08 09 10 11 12 13 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33
	34 35 36 37 38 39 40 41 42 44 45 46 47 48 49 50 51 53 54 55 56 60 66 69 72 78`)

// Segments returns the source of the street segments of a county, as five digits.
func (c *Catalog) Segments(county string) fetch.Source {
	return c.entry(RoadSegments).source(county)
}

// Find returns a source by its identifier, and the identifier of its entry if it is a part
// of the country, such as "tiger-streets-30059". Its ID is "" if there is none.
func (c *Catalog) Find(id string) (s fetch.Source, entry string) {
	if e := c.entry(id); e != nil && e.division() == "" {
		return e.source(""), ""
	}
	if at := strings.LastIndexByte(id, '-'); at > 0 {
		if e := c.entry(id[:at]); e != nil && e.division() != "" {
			return e.source(id[at+1:]), e.ID
		}
	}
	return s, ""
}

// Source returns the source with an identifier, which must be known.
func (c *Catalog) Source(id string) fetch.Source { return c.entry(id).source("") }

// divisions are the placeholders of parts of the country that have a file each.
var divisions = [...]string{"county", "state"}

// division returns the placeholder of a part of the country in the address, or "".
func (e *Entry) division() string {
	for _, d := range divisions {
		if strings.Contains(e.URL, "{"+d+"}") {
			return d
		}
	}
	return ""
}

// source returns the source of a part of the country, "" for all of it, with its older
// files. An older file is a source of the same identifier at another address. Usual names
// the vintage that it stands in for, and its own note replaces that of the newer file.
func (e *Entry) source(part string) fetch.Source {
	s, placeholder := e.Source, "{"+e.division()+"}"
	if part != "" {
		s.ID += "-" + part
	}
	s.URL, s.Title = strings.ReplaceAll(s.URL, placeholder, part), strings.ReplaceAll(s.Title, placeholder, part)
	for _, o := range e.Older {
		older := s
		older.URL, older.Vintage, older.Usual = strings.ReplaceAll(o.URL, placeholder, part), o.Vintage, s.Vintage
		older.Title, older.Rows, older.Note = cmp.Or(o.Title, s.Title), cmp.Or(o.Rows, s.Rows), o.Note
		s.Older = append(s.Older, older)
	}
	return s
}
