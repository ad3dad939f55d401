package address

import (
	"cmp"
	"context"
	"strings"

	"github.com/postgeo/postgeo/internal/pub28"
)

// Fields is an address that is divided into its parts. Words of one field are never
// read as part of another one.
type Fields struct {
	Street  string `json:"street,omitzero"`  // number and street, box or route; may have a unit
	Unit    string `json:"unit,omitzero"`    // Apt 4, # 4 or 4
	City    string `json:"city,omitzero"`    // without the state
	State   string `json:"state,omitzero"`   // state or province, name or abbreviation
	ZIP     string `json:"zip,omitzero"`     // ZIP, ZIP+4 or postal code
	Country string `json:"country,omitzero"` // US or CA, name or abbreviation; "" follows from the rest
}

// String returns the fields on one line.
func (f *Fields) String() string {
	var parts []string
	for _, part := range [...]string{f.Street, f.Unit, f.City, joinWords(strings.TrimSpace(f.State), strings.TrimSpace(f.ZIP)), f.Country} {
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, ", ")
}

// ParseFields reads the fields of an address as [Parse] reads a text.
func ParseFields(f Fields) ([]Address, error) { return parsed(f.String(), &f) }

// MatchFields is [Engine.Match] for an address that is divided into its parts.
func (e *Engine) MatchFields(ctx context.Context, f Fields, opt Options) (*Match, error) {
	return e.match(ctx, f.String(), &f, opt)
}

// readFields makes the frames of an address in fields. Street, unit and city are cut into
// one line of words, because the rules look at the words around a span; the ends of the
// fields bound what each part may take. Cutting the joined text instead once let a bracket
// that was open in one field take the words of the next.
func (p *parser) readFields(f *Fields) {
	ends := p.split(Clean(f.Street), Clean(f.Unit), Clean(f.City))
	streetEnd, unitEnd := ends[0], ends[1]
	p.last = lastLine{end: streetEnd}
	p.givenLast(f)
	city := span{uint16(unitEnd), uint16(len(p.tokens))}
	if p.last.country == canada {
		p.last.end = unitEnd
		p.settleCanada()
		p.last.end = streetEnd
	}
	if !p.special(streetEnd) && streetEnd > 0 {
		p.streets(0, streetEnd, city, 0)
	}
	if p.n == 0 {
		p.add(frame{post: -1})
	}
	for i := range p.frames[:p.n] {
		g := &p.frames[i]
		if g.city != city { // words of the street field that look like a city are not one
			g.leave(g.city)
			g.city = city
		}
		p.givenUnit(g, streetEnd, unitEnd)
	}
}

func (p *parser) givenUnit(f *frame, from, to int) {
	if from == to {
		return
	}
	if at := p.unitsAt(f, from, to); at < to {
		p.putUnit(f, Unit{asNumber, p.phrase(span{uint16(at), uint16(to)})})
	}
}

func (p *parser) givenLast(f *Fields) {
	last := &p.last
	plain := func(field string) string { return strings.Trim(Clean(field), "() ") }
	state, country := plain(f.State), strings.ReplaceAll(plain(f.Country), ".", "")
	zip := strings.ReplaceAll(plain(f.ZIP), " ", "")
	if abbr := pub28.State(state); abbr != "" {
		last.state = abbr
	} else if province := pub28.Province(strings.ReplaceAll(state, "-", " ")); province != "" {
		last.state, last.country = province, canada
	} else if state != "" {
		p.spare = append(p.spare, state)
	}
	switch short := len(zip) < 5 && len(zip) > 2 && pub28.AllDigits(zip); {
	case isPostal(zip):
		last.zip, last.country = zip[:3]+" "+zip[len(zip)-3:], canada
	case short: // a spreadsheet dropped the zeros
		zip = strings.Repeat("0", 5-len(zip)) + zip
		if last.state == "" || pub28.ZIPInState(zip, last.state) {
			last.zip = zip
		}
	case zip != "":
		if last.zip, last.plus4 = zipOf(zip); last.zip == "" {
			p.spare = append(p.spare, zip)
		}
	}
	if country != "" {
		last.country = cmp.Or(countries[country], country)
	}
}
