package operation

import (
	"cmp"
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/lookup"
	"github.com/postgeo/postgeo/lookup/suggest"
)

// A NamedPlace is the place that a name in place of a code means.
type NamedPlace struct {
	Text  string // as given
	Code  string // latitude,longitude of the place
	Match suggest.Match
}

// Name returns the name of the place with its state or province.
func (p *NamedPlace) Name() string { return named(&p.Match) }

// ResolveNames replaces names of places, such as "Beverly Hills, CA", in the
// parameters of an input that take codes. It returns the places. Codes, coordinates
// and texts that are not names of places remain. The error of a name that several
// places have lists them.
func ResolveNames(ctx context.Context, db DB, params []*Param, in reflect.Value) (found []NamedPlace, err error) {
	replace := func(v reflect.Value) error {
		p, ok, err := FindNamed(ctx, db, v.String())
		if ok {
			v.SetString(p.Code)
			found = append(found, p)
		}
		return err
	}
	for _, p := range params {
		if !p.Named {
			continue
		}
		field := in.FieldByIndex(p.Index)
		if field.Kind() != reflect.Slice {
			if err := replace(field); err != nil {
				return found, err
			}
			continue
		}
		for i := range field.Len() {
			if err := replace(field.Index(i)); err != nil {
				return found, err
			}
		}
	}
	return found, nil
}

// FindNamed finds the place with a name. It returns false for other texts. The error of a
// name that only a county or metropolitan area has names the area: it is too large for
// its point to stand for it.
func FindNamed(ctx context.Context, db DB, text string) (p NamedPlace, ok bool, err error) {
	if _, err := lookup.ParseCode(text); err == nil || !nameLike(text) {
		return p, false, nil
	}
	list, _, err := suggested(ctx, db, text, []suggest.Type{suggest.Place, suggest.City, suggest.State})
	switch {
	case err != nil:
		return p, false, err
	case len(list) == 0:
		return p, false, namesArea(ctx, db, text)
	case len(list) > 1:
		return p, false, ambiguous(text, list)
	}
	return NamedPlace{Text: text, Code: list[0].Location.String(), Match: list[0]}, true, nil
}

// namesArea returns the error of a text that is the name of a county or metropolitan area,
// nil for others.
func namesArea(ctx context.Context, db DB, text string) error {
	list, _, err := suggested(ctx, db, text, []suggest.Type{suggest.County, suggest.CBSA})
	if err != nil || len(list) == 0 {
		return err
	}
	var areas []string
	for i := range list {
		m := &list[i]
		area := named(m)
		if m.Type != suggest.County || m.Country != store.CA.String() { // divisions of the Canadian census are not a layer
			area += fmt.Sprintf(" (%s %s)", m.Type, m.GEOID)
		}
		areas = append(areas, area)
	}
	return &envelope.Failure{
		Kind: envelope.KindInvalidParam, Thing: envelope.ThingQuery, Input: text,
		Detail: fmt.Sprintf("%q is the name of an area, not of a code or place: %s; give a code or place in it; codes-in lists the codes of an area such as county 06037, and boundary writes its outline",
			text, listed(areas)),
	}
}

// listed joins the first names of a list for an error, with the number of the others.
func listed(names []string) string {
	const most = 10
	if len(names) <= most {
		return strings.Join(names, "; ")
	}
	return fmt.Sprintf("%s and %d others", strings.Join(names[:most], "; "), len(names)-most)
}

// nameLike reports whether a text can be the name of a place. A text with digits is a code or
// an address with a mistake, whose own error helps more.
func nameLike(text string) bool {
	const most = 100
	letters := 0
	for _, r := range text {
		switch {
		case unicode.IsLetter(r):
			letters++
		case unicode.IsDigit(r):
			return false
		}
	}
	return letters > 2 && len(text) <= most
}

// suggested returns the matches of suggestions of some types whose name the text is, best
// first. If the text is the name of counties that ended, it reports their end.
func suggested(ctx context.Context, db DB, text string, types []suggest.Type) (list []suggest.Match, ended string, err error) {
	const most = 50
	// The comma ends the last word, which suggestions would otherwise complete.
	r, err := db.Suggest(ctx, strings.TrimSpace(text)+",", suggest.Options{Include: types, Limit: most})
	if err != nil {
		if envelope.AsFailure(err) != nil {
			err = nil // a text that suggestions refuse is not a name
		}
		return nil, "", err
	}
	for _, n := range r.Notices {
		ended += strings.TrimSuffix(n.Message, ".")
	}
	return namesakes(r.Matches), ended, nil
}

// namesakes returns the places among matches, best first, whose name the text is.
func namesakes(matches []suggest.Match) (list []suggest.Match) {
	for i := range matches {
		m := matches[i]
		if m.Bucket > suggest.ExactAlias || !m.Location.IsValid() {
			continue
		}
		if m.Bucket == suggest.ExactAlias && slices.ContainsFunc(list, func(o suggest.Match) bool { return o.Bucket < suggest.ExactAlias }) {
			continue // a first name precedes other names
		}
		// A census place and the city of its post office are one place with two records. New
		// York, NY, and the state of New York are two.
		same := func(o suggest.Match) bool {
			return o.Name == m.Name && region(&o) == region(&m) && region(&m) != "" && (o.Type == suggest.State) == (m.Type == suggest.State)
		}
		if !slices.ContainsFunc(list, same) {
			list = append(list, m)
		}
	}
	return list
}

// region returns the state or province of a match.
func region(m *suggest.Match) string { return cmp.Or(m.State, m.Province) }

// named returns the name of a match with its region.
func named(m *suggest.Match) string {
	if r := region(m); r != "" && m.Type != suggest.State && !strings.Contains(m.Name, ", "+r) {
		return m.Name + ", " + r
	}
	return m.Name
}

// ambiguous returns the error of a name of several places.
func ambiguous(text string, list []suggest.Match) error {
	var names []string
	for i := range list {
		names = append(names, fmt.Sprintf("%s (%s)", named(&list[i]), list[i].Location.String()))
	}
	return &envelope.Failure{
		Kind: envelope.KindInvalidParam, Thing: envelope.ThingQuery, Input: text,
		Detail: fmt.Sprintf("%q is the name of several places: %s; add the state, or give a code or a point", text, listed(names)),
	}
}
