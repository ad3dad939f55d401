package address

import (
	"cmp"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/notice"
	"github.com/postgeo/postgeo/internal/pub28"
	"github.com/postgeo/postgeo/internal/store"
)

// A resolution is the record of a match with the corrections that led to it: the flags are
// the notices of decision D22. A candidate names a street and a range of house numbers; the
// resolution finds the most exact record at that house.
type resolution struct {
	reading *Address
	record  store.StreetRecord
	number  string
	unit    Unit // as it is written on the line
	plus4   string
	cost    int
	edit    int

	partial, zip, city, state, street bool
	needed, unverified, unused        bool
	town                              city
}

// resolve finds the record and the corrections of a candidate.
func (s *search) resolve(c *candidate) (resolution, error) {
	r := resolution{reading: &s.reads[c.reading], record: s.recs[c.rec], plus4: c.plus4, cost: c.cost, edit: c.edit, partial: c.partial}
	a := r.reading
	r.number = a.Number
	r.unit = a.Secondary
	streetRecord := a.Kind == Street && isStreetRecord(&r.record)
	if streetRecord && !c.partial {
		if !s.secondary(&r, c) {
			return r, unmatched(s.input, envelope.KindAmbiguous, 0)
		}
		in := readingStreet(a)
		r.street = c.cost > 0 || c.alias != nil || pub28.Spelling(in.name) != pub28.Spelling(r.record.Street)
	}
	if r.record.Alternate {
		if err := s.base(&r); err != nil {
			return r, err
		}
	}
	if r.plus4 == "" && !r.record.NoPlus4 {
		r.plus4 = r.record.Low.String()
	}
	r.zip = a.ZIP != "" && a.ZIP != r.record.ZIP.String()
	r.state = a.State != "" && r.record.State != "" && a.State != r.record.State
	r.unused = len(a.Unused) > 0
	if a.Kind == Street && a.dropped {
		r.partial = true
	}
	err := s.town(&r)
	return r, err
}

// A building holds the records of one house number by their kind.
type building struct {
	unit  *store.StreetRecord // of the given unit
	spare bool                // the unit was found under another designator
	firm  *store.StreetRecord // of the recipient
	house *store.StreetRecord // default of a high-rise
	plain *store.StreetRecord // without units
	units bool                // a high-rise has ranges of units
}

// building collects the records of the candidate's street and number.
func (s *search) building(r *resolution) (b building) {
	for i := range s.recs {
		x := &s.recs[i]
		if !r.atHouse(x) {
			continue
		}
		switch {
		case x.SecLow != "" || x.SecAbbr != "":
			b.units = b.units || x.RecordType == 'H'
			if fits, exact := unitFits(r.reading, x); fits && (b.unit == nil || b.spare && exact) {
				b.unit, b.spare = x, !exact
			}
		case x.RecordType == 'F':
			if firmFits(r.reading, x) {
				b.firm = x
			}
		case x.RecordType == 'H':
			b.house = x
		default:
			if b.plain == nil || fitOf(r.number, x) > fitOf(r.number, b.plain) {
				b.plain = x
			}
		}
	}
	return b
}

// atHouse reports whether a record belongs to the street and number of the match.
func (r *resolution) atHouse(x *store.StreetRecord) bool {
	return x.ZIP == r.record.ZIP && recordStreet(x) == recordStreet(&r.record) && x.Alternate == r.record.Alternate && isStreetRecord(x) &&
		fitOf(r.number, x) != pub28.Outside
}

// secondary finds the record of the unit among those of the building. It returns
// false if the building has several and no default. The order is from the most exact
// addressee to the least: a range that holds the unit, a firm with the recipient's name, the
// default of the high-rise, the street's range. A unit that none holds is reported and kept,
// because a wrong unit never makes NOT_FOUND (decision D22).
func (s *search) secondary(r *resolution, c *candidate) bool {
	b := s.building(r)
	if b.unit == nil && b.units && c.fit == pub28.Stem && s.letterUnit(r) {
		return true
	}
	given := r.reading.Secondary != (Unit{}) || r.reading.Building != (Unit{})
	switch {
	case b.unit != nil:
		r.record = *b.unit
		if b.spare && b.unit.SecAbbr != "" && r.unit.Number != "" {
			r.unit.Type = b.unit.SecAbbr
		}
		return true
	case b.firm != nil:
		r.record = *b.firm
	case b.house != nil:
		r.record, r.partial, r.needed = *b.house, true, !given
	case b.plain != nil:
		r.record = *b.plain
	case b.units:
		return false
	}
	r.unverified = given
	return true
}

// letterUnit takes the letter of a house number as the unit if a record of the
// building holds it, as in 363A. Only the records distinguish it from a number with a
// letter.
func (s *search) letterUnit(r *resolution) bool {
	stem, letter := splitLetter(r.number)
	if letter == "" || r.unit != (Unit{}) {
		return false
	}
	guess := *r.reading
	guess.Secondary = Unit{"#", letter}
	for i := range s.recs {
		x := &s.recs[i]
		if x.SecLow == "" || !r.atHouse(x) {
			continue
		}
		if fits, _ := unitFits(&guess, x); fits {
			r.record, r.number, r.unit = *x, stem, Unit{x.SecAbbr, letter}
			return true
		}
	}
	return false
}

func fitOf(number string, r *store.StreetRecord) pub28.Fit {
	return pub28.InRange(number, r.AddrLow, r.AddrHigh, r.OddEven)
}

func splitLetter(number string) (stem, letter string) {
	if n := len(number) - 1; n > 0 && isLetter(number[n]) && pub28.AllDigits(number[:n]) {
		return number[:n], number[n:]
	}
	return "", ""
}

// unitFits reports whether a record's range of units holds one of the reading's
// units, and whether under the same designator.
func unitFits(a *Address, r *store.StreetRecord) (fits, exact bool) {
	for _, u := range [2]Unit{a.Secondary, a.Building} {
		if u == (Unit{}) {
			continue
		}
		same := u.Type == r.SecAbbr
		if !same && !(pub28.SpareUnit(u.Type) || pub28.SpareUnit(r.SecAbbr)) {
			continue
		}
		if r.SecLow == "" && r.SecHigh == "" {
			if same && u.Number == "" {
				return true, true
			}
			continue
		}
		number := strings.TrimLeft(u.Number, "#")
		if number == "" {
			continue
		}
		oddEven := r.SecOddEven
		if pub28.InRange(number, r.SecLow, r.SecHigh, oddEven) == pub28.Inside {
			return true, same
		}
	}
	return false, false
}

// firmFits reports whether a firm's record is the recipient's.
func firmFits(a *Address, r *store.StreetRecord) bool {
	if r.Building == "" {
		return false
	}
	name := pub28.Key(r.Building)
	for _, who := range [2]string{a.Recipient, a.Attention} {
		if who != "" && pub28.Key(who) == name {
			return true
		}
	}
	return false
}

// base replaces an alternate record by its base record, which has the same
// add-on, unless that would take another house number. An alternate record is another name
// of the address. By the layout of the ZIP+4 product, a match with it returns the base
// record's address.
func (s *search) base(r *resolution) error {
	if r.record.NoPlus4 {
		return nil
	}
	list, err := s.ref.addOn(s.ctx, r.record.ZIP, r.record.Low, nil)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(list, func(x store.StreetRecord) bool {
		return !x.Alternate && x.Low == r.record.Low && isStreetRecord(&x) && pub28.InRange(r.number, x.AddrLow, x.AddrHigh, x.OddEven) != pub28.Outside
	})
	if at >= 0 {
		r.record, r.street = list[at], true
	}
	return nil
}

// town sets the city of the last line: the given one if it is a mailing name,
// else the preferred one. The first name of a ZIP Code is the preferred one.
func (s *search) town(r *resolution) error {
	list, err := s.zipCities(r.record.ZIP)
	if err != nil {
		return err
	}
	if len(list) > 0 {
		r.town = list[0]
	}
	given := r.reading.City
	if given == "" {
		return nil
	}
	if c := s.cityOf(given); c != nil && c.Mailing {
		r.town = *c
		return nil
	}
	r.city = true
	return nil
}

func (s *search) item(r *resolution) *Match {
	d := &Data{Confidence: r.confidence(), point: r.record.Location, cd: r.record.Congress}
	d.RecipientName, d.AttentionLine = r.reading.Recipient, r.reading.Attention
	d.Components = r.components()
	d.AddressLine1 = r.line1()
	d.AddressLine2 = lastLineText(&d.Components)
	d.FormattedAddress = r.formatted(&d.Components)
	d.Details = s.details(r)
	d.PBSA = r.record.RecordType == 'P' && r.record.Street != "PO BOX"
	m := &Match{Data: d}
	m.Success = true
	for _, code := range r.codes() {
		m.Notices = append(m.Notices, notice.Address(code))
	}
	return m
}

func (r *resolution) formatted(c *Components) string {
	line := r.line1() + ", " + lastLineText(c)
	if u := r.reading.Urbanization; u != "" {
		line = "URB " + u + ", " + line
	}
	return line
}

// codes returns the notices in the contract's order.
func (r *resolution) codes() []envelope.Code {
	list := make([]envelope.Code, 0, 4)
	first := envelope.Matched
	if r.partial {
		first = envelope.PartialMatch
	}
	list = append(list, first)
	for _, n := range [...]struct {
		on   bool
		code envelope.Code
	}{
		{r.zip, envelope.ZIPCorrected},
		{r.city, envelope.CityCorrected},
		{r.state, envelope.StateCorrected},
		{r.street, envelope.StreetCorrected},
		{r.needed, envelope.SecondaryNeeded},
		{r.unverified, envelope.SecondaryNotVerified},
		{r.unused, envelope.InputNotUsed},
	} {
		if n.on {
			list = append(list, n.code)
		}
	}
	return list
}

// confidence follows decision D22.
func (r *resolution) confidence() Confidence {
	count := 0
	for _, on := range [...]bool{r.zip, r.state, r.street, r.needed, r.unverified} {
		if on {
			count++
		}
	}
	digits := slices.ContainsFunc(r.reading.Unused, func(s string) bool { return strings.ContainsAny(s, "0123456789") })
	switch {
	case count >= 2, r.edit >= 2, r.cost > costPart, digits, r.partial && !r.needed && !r.unverified:
		return Low
	case count == 1:
		return Medium
	default:
		return High
	}
}

func (r *resolution) components() Components {
	x := &r.record
	c := Components{
		Number: r.number, PreDirectional: x.PreDir, Street: x.Street, Suffix: x.Suffix, PostDirectional: x.PostDir,
		City: r.town.Name, State: x.State, ZIP: x.ZIP.String(), Plus4: r.plus4, Country: "US",
	}
	if kind, rest := pub28.Highway(x.Street); kind != "" && strings.HasSuffix(x.Street, rest) {
		c.StreetPreType, c.Street = strings.TrimSpace(strings.TrimSuffix(x.Street, rest)), rest
	}
	if r.reading.Kind == Street {
		c.SecondaryType, c.SecondaryNumber = r.unit.Type, r.unit.Number
	}
	c.State = cmp.Or(c.State, r.town.State)
	return c
}

func (r *resolution) line1() string {
	x := &r.record
	street := recordStreet(x).line()
	switch {
	case r.reading.Kind == POBox:
		return joinWords(street, r.number)
	case r.reading.Kind != Street:
		if r.number != "" {
			return joinWords(street, "BOX", r.number)
		}
		return street
	}
	units := r.unit.String()
	if b := r.reading.Building; b != (Unit{}) {
		units = joinWords(b.String(), units)
	}
	return joinWords(r.number, street, units, r.reading.Mailbox)
}

// lastLineText returns city, state and ZIP+4.
func lastLineText(c *Components) string {
	zip := c.ZIP
	if c.Plus4 != "" {
		zip += "-" + c.Plus4
	}
	return joinWords(c.City, c.State, zip)
}

// The meanings of the codes of the ZIP+4 and City State products, by their layouts.
var recordTypes = map[byte]string{
	'S': "Street", 'H': "High-rise", 'F': "Firm", 'P': "PO Box", 'R': "Rural route or highway contract", 'G': "General delivery",
}

var carrierRoutes = map[byte]string{
	'C': "City delivery", 'R': "Rural route", 'H': "Highway contract route", 'B': "PO Box section", 'G': "General delivery unit",
}

var facilities = map[byte]string{
	'B': "Branch", 'C': "Community post office", 'N': "Non-postal community name", 'P': "Post office", 'S': "Station", 'U': "Urbanization",
}

func (s *search) details(r *resolution) Details {
	x := &r.record
	d := Details{
		RecordType:            Coded{string(rune(x.RecordType)), recordTypes[x.RecordType]},
		CongressionalDistrict: x.Congress, FinanceNumber: x.Finance, BuildingName: x.Building,
		GovernmentBuilding: strings.IndexByte("ABCEFG", x.Government) >= 0 && x.Government != 0,
		MunicipalityKey:    x.Municipality, UrbanizationKey: x.Urbanization, PreferredLastLineKey: x.LastLine,
	}
	if !x.NoPlus4 {
		d.BaseAlternateCode = "B"
		if x.Alternate {
			d.BaseAlternateCode = "A"
		}
	}
	if x.LACS {
		d.LACSStatus = "L"
	}
	if x.CarrierRoute != "" {
		d.CarrierRoute = &Coded{x.CarrierRoute, carrierRoutes[x.CarrierRoute[0]]}
		if x.CarrierRoute == "C000" {
			d.CarrierRoute.Description = "No carrier"
		}
	}
	if r.town.Facility != 0 {
		d.Facility = &Coded{string(rune(r.town.Facility)), facilities[r.town.Facility]}
	}
	if x.CountyFIPS != "" {
		if fips, name := s.ref.county(x.State, x.CountyFIPS); fips != "" {
			d.County = &CountyName{fips, name}
		}
	}
	return d
}
