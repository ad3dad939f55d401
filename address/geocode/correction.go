package geocode

import (
	"slices"
	"strings"

	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/notice"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/pub28"
	"github.com/postgeo/postgeo/internal/store"
)

// correct adds a notice for each part of a reading that the place contradicts. name is the
// street of the place, nil without one.
func (q *query) correct(r *Result, a *address.Address, name *store.RoadName) error {
	city, err := q.otherCity(&r.Place, a)
	for _, c := range [...]struct {
		on   bool
		code envelope.Code
	}{
		{a.ZIP != "" && (r.ZIP == "" || !strings.HasPrefix(a.ZIP, r.ZIP)), envelope.ZIPCorrected},
		{city, envelope.CityCorrected},
		{a.State != "" && r.State != a.State, envelope.StateCorrected},
		{name != nil && otherStreet(a, name), envelope.StreetCorrected},
	} {
		if c.on {
			r.Notices = append(r.Notices, notice.Address(c.code))
		}
	}
	return err
}

// otherCity reports whether a place lies in another city than a reading names. A place
// takes the given name if its ZIP Code accepts that for mail, or if the forward
// sortation area is also of the given city. Nicknames such as NYC name the place's city, and
// a county names each of its cities; both keep the city's own name.
func (q *query) otherCity(p *Place, a *address.Address) (bool, error) {
	if a.City == "" || sameName(a.City, p.City) {
		return false, nil
	}
	rename := func(name string) (bool, error) {
		p.City = name
		p.setFormatted()
		return false, nil
	}
	if z, ok := postcode.ParseZIP(p.ZIP); ok {
		detail, err := q.data.ZIPDetail(q.ctx, z)
		if err != nil {
			return false, err
		}
		for _, x := range detail.Aliases {
			if x.MailingName != "N" && sameName(x.City, a.City) {
				return rename(x.City)
			}
		}
	}
	code, known := q.codeOf(p.ZIP)
	_, canadian := code.FSA()
	towns, err := q.towns(a)
	for i := range towns {
		t := &towns[i]
		switch {
		case sameName(t.name, p.City):
			return false, nil // NYC
		case !known || t.state != p.State || !slices.Contains(t.areas, code):
		case t.whole:
			return false, nil // a city of the county
		case canadian:
			return rename(t.name)
		}
	}
	return true, err
}

// sameName reports whether two names of cities differ in nothing but their spelling.
func sameName(a, b string) bool {
	return strings.EqualFold(a, b) || townKey("", a) == townKey("", b)
}

// otherStreet reports whether a street contradicts the name, a direction or the suffix of
// a reading. Parts that the reading lacks are no contradiction.
func otherStreet(a *address.Address, r *store.RoadName) bool {
	given, has := pub28.Key(a.Name()), pub28.Key(r.Name)
	_, number := highway(given)
	_, other := highway(has)
	directions := a.PreDirectional + a.PostDirectional
	return given != has && (number == "" || number != other) ||
		otherSuffix(a, r) ||
		directions != "" && directions != r.PreDir+r.PostDir
}

// otherSuffix reports whether a street contradicts the suffix of a reading.
func otherSuffix(a *address.Address, r *store.RoadName) bool {
	return a.Suffix != "" && a.Suffix != r.Suffix && !(a.Country == "CA" && store.SameKind(a.Suffix, r.Suffix))
}

// highway returns the owner and the number of a highway by its key, such as ROUTE100A,
// VTROUTE100A and USHIGHWAY2. The owner is "" if the key has none, and STATE for the
// letters of a state. The number is "" for other keys.
func highway(key string) (owner, number string) {
	i := strings.IndexAny(key, "0123456789")
	if i < 0 {
		return "", ""
	}
	owner, ok := strings.CutSuffix(key[:i], "HIGHWAY")
	if !ok {
		owner, ok = strings.CutSuffix(owner, "ROUTE")
	}
	switch {
	case !ok:
		return "", ""
	case owner == "", owner == "US", owner == "COUNTY", owner == "STATE":
	case len(owner) == 2:
		owner = "STATE"
	default:
		return "", ""
	}
	return owner, key[i:]
}
