package address

import (
	"slices"
	"sync"
	"unicode/utf8"
)

// MaxReadings is the most readings that an address has.
const MaxReadings = 8

// Parse reads an address from the right to the left as Publication 28 does. It
// needs no dataset, and returns 1 to [MaxReadings] readings, the likeliest first: if
// only a list of streets can resolve an ambiguity, such as a line without commas,
// there are several. The kind of a reading without a delivery is [NoDelivery].
//
// The error matches [envelope.ErrInvalidCode] if s has more than [MaxRaw]
// characters as given or [MaxClean] after cleanup.
func Parse(s string) ([]Address, error) { return parsed(s, nil) }

func parsed(s string, f *Fields) ([]Address, error) {
	p := parsers.Get().(*parser)
	defer parsers.Put(p)
	_, readings, err := p.parse(s, f, nil, nil)
	return readings, err
}

// parsers holds parsers for their buffers.
var parsers = sync.Pool{New: func() any { return new(parser) }}

// A cityIndex reports whether words are a name of the place of the last line.
// state and zip are "" if the address lacks them.
type cityIndex interface {
	knowsCity(name, state, zip string) bool
}

// parse reads a text, or the fields that it consists of, and appends its readings to
// into. cities may be nil.
func (p *parser) parse(s string, f *Fields, cities cityIndex, into []Address) (clean string, readings []Address, err error) {
	if clean, err = cleaned(s); err != nil {
		return "", into, err
	}
	// Words with letters compile the rules when they are classified. A text such as 501 has
	// none, and the parser would read tables that are still empty.
	prepare.Do(compileAll)
	p.cities, p.n, p.standards, p.fixed = cities, 0, nil, f != nil
	if f != nil {
		p.readFields(f)
	} else {
		p.split(clean)
		p.readLastLine()
		p.deliveries()
	}
	return clean, p.readings(into), nil
}

// cleaned returns the text after [Clean], or an error if it is too long.
func cleaned(s string) (string, error) {
	if len(s) > MaxRaw && utf8.RuneCountInString(s) > MaxRaw {
		return "", tooLong(s, MaxRaw)
	}
	clean := Clean(s)
	if len(clean) > MaxClean {
		return "", tooLong(s, MaxClean)
	}
	return clean, nil
}

// Check returns an error if a text is too short or too long to be matched.
func Check(text string) error {
	clean, err := cleaned(text)
	if err == nil && len(clean) < MinClean {
		err = tooShort(text)
	}
	return err
}

// A parser finds the frames of an address and orders their readings:
//
//  1. [line.split] cuts the cleaned text into words and gives each one its classes.
//  2. readLastLine takes country, code and state off the right end. They come first,
//     because an address is most regular at its end, and because the country and the
//     state decide which rules apply to the words before them.
//  3. deliveries divides the remaining words into frames: recipient, number, street,
//     units, city. Each frame has the sum of the weights of the rules that apply to it
//     (rules.txt). Boxes and routes come before streets, since PO BOX or RR 2 seldom
//     means anything else.
//  4. cores divides the street of a frame into direction, name, suffix and direction.
//
// The parser doesn't settle what only a list of streets or cities can. In 12 N WEST END
// BLVD, WEST is a direction or a part of the name. It returns a reading for each, and the
// search of an [Engine] looks all of them up.
//
// Frames and cores hold positions of words. Only the readings that are returned become
// texts, so that a rejected division allocates nothing. The arrays below have fixed sizes
// for the same reason; a pool keeps the parsers.
type parser struct {
	line
	last   lastLine
	cities cityIndex
	frames [maxFrames]frame
	n      int
	made   [MaxReadings]core
	match  match // the attempt in hand; kept here, since predicates take its address

	standards    []string // by word: the form of Canada Post, or ""; nil outside Canada
	standardRoom [maxTokens]string

	fixed   bool           // the parts of the address are given, so that no street ends in a guess
	applied map[*rule]bool // nil but in the test of the rules
}

// maxFrames is the most ways to divide an address into its larger parts. The best ones
// stay. More would hardly be seen: up to four of the eight readings are cores of the first
// frame.
const maxFrames = 6

// A frame divides the words of an address into its larger parts. The street's
// core is divided further by [parser.cores].
type frame struct {
	kind      Kind
	score     int
	number    span
	numberIs  string // instead of the words
	core      span   // direction, name, suffix, direction
	post      int16  // position of a direction apart from the core, or -1
	routeIs   string // of boxes and routes: the standard name
	secondary Unit
	building  Unit
	mailbox   string
	station   string
	before    span // recipient and attention
	urb       span
	city      span
	cross     span
	unused    [6]span // further ones are dropped
	nUnused   int
	guessed   bool // the end of the street is a guess
	dropped   bool // words inside the street's part are among the unused
}

func (f *frame) leave(s span) {
	if !s.empty() && f.nUnused < len(f.unused) {
		f.unused[f.nUnused] = s
		f.nUnused++
	}
}

func (f frame) rank() int { return f.score }

func (p *parser) add(f frame) { p.n = insert(p.frames[:], p.n, f) }

// A core is one division of a street.
type core struct {
	frame             int8
	pre, suffix, post int16 // positions, -1 for none
	pre2              bool  // the direction before is two words
	kind, name        span
}

// readings appends the addresses that the frames are.
func (p *parser) readings(list []Address) []Address {
	if p.n == 0 {
		return append(list, p.address(&frame{before: span{0, uint16(p.last.end)}, post: -1}, nil))
	}
	n := 0
	// The first frame is the likeliest, so that its four likeliest cores precede the others.
	// A list of streets then decides among its directions and suffixes before it moves words
	// between street and city.
	var all [maxFrames][8]core
	var count [maxFrames]int
	for i := range p.n {
		count[i] = p.cores(i, &all[i])
	}
	take := func(i, k int) {
		if n < MaxReadings && k < count[i] {
			p.made[n] = all[i][k]
			n++
		}
	}
	take(0, 0)
	for k := 1; k < 4; k++ {
		take(0, k)
	}
	for i := 1; i < p.n; i++ {
		take(i, 0)
	}
	for i := 1; i < p.n; i++ {
		take(i, 1)
	}
	for k := 4; k < 8; k++ {
		take(0, k)
	}
	list = slices.Grow(list, n)
	for k := range n {
		list = append(list, p.address(&p.frames[p.made[k].frame], &p.made[k]))
	}
	return list
}

func (p *parser) address(f *frame, c *core) Address {
	a := Address{
		Kind: f.kind, Number: f.numberIs, Secondary: f.secondary, Building: f.building, Mailbox: f.mailbox,
		City: p.phrase(f.city), State: p.last.state, ZIP: p.last.zip, Plus4: p.last.plus4, Country: p.last.country,
		Urbanization: p.phrase(f.urb), Cross: p.phrase(f.cross), Street: f.routeIs, Station: f.station, dropped: f.dropped, guessed: f.guessed,
	}
	if a.Number == "" {
		a.Number = p.phrase(f.number)
	}
	// 350 5TH AVE NEW YORK: the name of the state is that of the city, too.
	if words := p.phrase(p.last.stateWords); a.City == "" && a.State == "NY" && len(words) > 2 {
		a.City = words
	}
	p.people(f.before, &a)
	for _, s := range f.unused[:f.nUnused] {
		a.Unused = append(a.Unused, p.phrase(s))
	}
	a.Unused = append(a.Unused, p.spare...)
	if c == nil {
		return a
	}
	if f.post >= 0 {
		a.PostDirectional = p.direction(int(f.post))
	}
	if c.pre >= 0 {
		a.PreDirectional = p.direction(int(c.pre))
		if c.pre2 {
			a.PreDirectional += p.direction(int(c.pre) + 1)
		}
	}
	a.PreType = p.kindOfStreet(c.kind)
	if !c.name.empty() {
		a.Street = p.phrase(c.name)
	}
	if c.suffix >= 0 {
		a.Suffix = p.suffix(int(c.suffix))
	}
	if c.post >= 0 {
		a.PostDirectional = p.direction(int(c.post))
		if int(c.post)+1 < int(f.core.to) { // NORTH EAST
			a.PostDirectional += p.direction(int(c.post) + 1)
		}
	}
	return a
}

// people divides the words before an address into the recipient and the attention line.
// The words on both sides of the attention line are the recipient: ACME INC, ATTN J DOE,
// SALES.
func (p *parser) people(s span, a *Address) {
	from := int(s.from)
	for i := int(s.from); i < int(s.to); i++ {
		r, name, _ := p.recognize(attentionRules, i, int(s.from), int(s.to))
		if r == nil {
			continue
		}
		end := name // the name ends at the next comma
		for end < int(s.to) && (end == name || !p.is(end, breakBefore)) {
			end++
		}
		a.Attention = p.phrase(span{uint16(name), uint16(end)})
		if a.Attention == "" {
			continue
		}
		before, after := p.phrase(span{uint16(from), uint16(i)}), p.phrase(span{uint16(end), s.to})
		a.Recipient = joinWords(before, after)
		return
	}
	a.Recipient = p.phrase(s)
}

// fewWords is the number of words from which a number begins an address rather than the
// name of a city.
const fewWords = 4

// deliveries makes the frames of the words before the last line. A known city without
// anything else is not a street, even if it begins with a number or ends in a suffix.
func (p *parser) deliveries() {
	end := p.last.end
	if end == 0 {
		return
	}
	if end <= maxTownWords && (end < fewWords || !p.is(0, isNumber)) && p.last.state != "" && p.listed(0, end) {
		p.add(frame{city: span{0, uint16(end)}, post: -1}) // 100 MILE HOUSE
		return
	}
	if p.special(end) {
		return
	}
	p.streets(0, end, span{}, 0)
}
