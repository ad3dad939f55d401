package catalog

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/internal/source/fetch"
)

// Terms are the license and the attribution of a publisher or of one file.
type Terms struct {
	License        string `json:"license"`
	Attribution    string `json:"attribution"`
	Redistribution string `json:"redistribution"` // by default that of the license
}

const unknownTerms = "unknown"

// redistributions are the conditions of sources, the least strict first.
var redistributions = []string{"public-domain", "attribution", "share-alike", "restricted", unknownTerms}

// ParseTerms divides PATH[,license=TEXT][,attribution=TEXT][,redistribution=WORD] into
// the path and the terms of the file. A comma alone divides nothing, because paths and
// texts have commas. CutTerms finds the next known name with its comma and "=", and no
// other word can therefore reach the map of fields.
func ParseTerms(text string) (path string, t Terms, err error) {
	path, rest := CutTerms(text)
	fields := map[string]*string{"license": &t.License, "attribution": &t.Attribution, "redistribution": &t.Redistribution}
	for rest != "" {
		name, value, _ := strings.Cut(rest[1:], "=")
		value, rest = CutTerms(value)
		*fields[name] = strings.TrimSpace(value)
	}
	if t.Redistribution != "" && !slices.Contains(redistributions, t.Redistribution) {
		return "", t, fmt.Errorf("%s: redistribution %q, expected one of %s", path, t.Redistribution, strings.Join(redistributions, ", "))
	}
	return path, t, nil
}

// CutTerms returns a path without the terms after it, and these with their comma.
func CutTerms(text string) (path, terms string) {
	end := len(text)
	for _, name := range []string{",license=", ",attribution=", ",redistribution="} {
		if at := strings.Index(text, name); at >= 0 {
			end = min(end, at)
		}
	}
	return text[:end], text[end:]
}

// Credit gives a file of the user the terms that the user names. A name of another
// license replaces all others: the attribution of the catalog belongs to the catalog's
// license.
func (c *Catalog) Credit(s *fetch.Source, named Terms) {
	of := Terms{License: s.License, Attribution: s.Attribution}
	if named.License != "" {
		of = Terms{License: named.License}
	}
	c.credit(s, Terms{of.License, cmp.Or(named.Attribution, of.Attribution), named.Redistribution})
}

func (c *Catalog) credit(s *fetch.Source, t Terms) {
	s.License, s.Attribution, s.Redistribution = t.License, t.Attribution, cmp.Or(t.Redistribution, c.redistribution(t.License))
}

// redistribution returns the strictest condition of the licenses of a text, which "; "
// divides. An unlisted license is unknown, the strictest of all: nothing may be passed on
// by mistake.
func (c *Catalog) redistribution(licenses string) string {
	strictest := 0
	for name := range strings.SplitSeq(licenses, "; ") {
		strictest = max(strictest, slices.Index(redistributions, cmp.Or(c.licenses[name], unknownTerms)))
	}
	return redistributions[strictest]
}
