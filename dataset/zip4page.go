package dataset

import (
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/postgeo/postgeo/geo"
)

// A page holds consecutive ZIP+4 records of one ZIP, ordered by their low
// add-on, column by column:
//
//	count     records
//	reach     pages before this one, of the same ZIP, that hold a range which
//	          reaches into this one or behind it
//	low       packed: add-on less the page's first
//	span      packed: high less low
//	order     packed: place in the order of adding, where ranges overlap
//	texts     for each of the columns of zip4Texts a dictionary and packed
//	ranges    for AddrLow and AddrHigh (10 digits), SecLow and SecHigh (8) a
//	          dictionary and two packed columns, the high one as a difference
//	location  packed valid, packed latitude, packed longitude, 1e-6 degree
//
// The page's number in the table is its ZIP times 10,000 plus its first
// add-on.
type zip4Page struct {
	zip      ZIP
	first    Plus4
	count    int
	reach    int
	low      packed
	span     packed
	order    packed
	strings  []string // of all dictionaries
	texts    [numZIP4Texts]packedText
	ranges   [2]packedRange
	valid    packed
	lat, lng packed
}

type packedRange struct {
	dictionary
	digits    int
	low, high packed
}

const (
	zip4PageRecords = 128     // a page ends at the first new add-on after so many
	maxZIP4Records  = 200_000 // of one ZIP
	addrDigits      = 10
	secDigits       = 8
)

// The text columns of a page; single letters are texts here, their blank the
// empty one.
const (
	textRecordType = iota
	textCarrierRoute
	textPreDir
	textStreet
	textSuffix
	textPostDir
	textOddEven
	textBuilding
	textSecAbbr
	textSecOddEven
	textFlags
	textGovernment
	textFinance
	textState
	textCountyFIPS
	textCongress
	textMunicipality
	textUrbanization
	textLastLine
	numZIP4Texts
)

// The texts of the column textFlags.
const zip4Flags = "bBaA" // base, base LACS, alternate, alternate LACS

func zip4Texts(r *ZIP4Record) [numZIP4Texts]string {
	flags := flagBits(r.LACS, r.Alternate)
	return [numZIP4Texts]string{
		textRecordType: letter(r.RecordType), textCarrierRoute: r.CarrierRoute, textPreDir: r.PreDir,
		textStreet: r.Street, textSuffix: r.Suffix, textPostDir: r.PostDir, textOddEven: letter(r.OddEven),
		textBuilding: r.Building, textSecAbbr: r.SecAbbr, textSecOddEven: letter(r.SecOddEven),
		textFlags: zip4Flags[flags : flags+1], textGovernment: letter(r.Government), textFinance: r.Finance,
		textState: r.State, textCountyFIPS: r.CountyFIPS, textCongress: r.Congress,
		textMunicipality: r.Municipality, textUrbanization: r.Urbanization, textLastLine: r.LastLine,
	}
}

func letter(b byte) string {
	if b == 0 {
		return ""
	}
	return string(rune(b))
}

func unletter(s string) byte {
	if s == "" {
		return 0
	}
	return s[0]
}

// checkZIP4 refuses what a page cannot hold.
func checkZIP4(r *ZIP4Record) error {
	switch {
	case r.ZIP >= NumZIPs:
		return invalid("ZIP+4 record of ZIP number %d; expected at most %d", uint32(r.ZIP), NumZIPs-1)
	case r.Low > r.High || r.High > 9999:
		return invalid("ZIP+4 record of %s: add-ons %d to %d; expected ascending, at most 9999", r.ZIP, r.Low, r.High)
	}
	for _, b := range [...]byte{r.RecordType, r.OddEven, r.SecOddEven, r.Government} {
		if b >= utf8.RuneSelf {
			return invalid("ZIP+4 record of %s-%s: letter %#x; expected ASCII", r.ZIP, r.Low, b)
		}
	}
	for _, s := range append(zip4TextList(r), r.AddrLow, r.AddrHigh, r.SecLow, r.SecHigh) {
		if !utf8.ValidString(s) {
			return invalid("ZIP+4 record of %s-%s: the text %q is not UTF-8", r.ZIP, r.Low, s)
		}
	}
	return nil
}

func zip4TextList(r *ZIP4Record) []string {
	t := zip4Texts(r)
	return t[:]
}

// A zip4Entry is a record on its way into a page, with its place in the order
// of adding.
type zip4Entry struct {
	*ZIP4Record
	order uint64
}

// encodeZIP4Page packs records that are ordered by their low add-on. ordered
// says that the order of adding matters.
func encodeZIP4Page(records []zip4Entry, ordered bool, reach int) []byte {
	var e encoder
	n := len(records)
	column := make([]uint64, n)
	pack := func(value func(r *zip4Entry) uint64) {
		for i := range records {
			column[i] = value(&records[i])
		}
		e.packed(column)
	}
	e.uint(uint64(n))
	e.uint(uint64(reach))
	pack(func(r *zip4Entry) uint64 { return uint64(r.Low - records[0].Low) })
	pack(func(r *zip4Entry) uint64 { return uint64(r.High - r.Low) })
	pack(func(r *zip4Entry) uint64 {
		if !ordered {
			return 0
		}
		return r.order
	})
	var texts [numZIP4Texts]textPacker
	var numbers [numZIP4Texts][]uint64
	for _, r := range records {
		for k, s := range zip4Texts(r.ZIP4Record) {
			numbers[k] = append(numbers[k], texts[k].id(s))
		}
	}
	for k := range texts {
		e.dictionary(texts[k].list)
		e.packed(numbers[k])
	}
	e.packedRange(records, addrDigits, func(r *ZIP4Record) (string, string) { return r.AddrLow, r.AddrHigh })
	e.packedRange(records, secDigits, func(r *ZIP4Record) (string, string) { return r.SecLow, r.SecHigh })
	e.packedPoints(records)
	return e.b
}

// packedRange writes two columns of texts that are mostly numbers of equal
// width.
func (e *encoder) packedRange(records []zip4Entry, digits int, pair func(*ZIP4Record) (low, high string)) {
	var t textPacker
	lows, highs := make([]uint64, len(records)), make([]uint64, len(records))
	for i, r := range records {
		low, high := pair(r.ZIP4Record)
		a, aok := digitsValue(low, digits)
		b, bok := digitsValue(high, digits)
		lows[i] = a << 1
		if !aok {
			lows[i] = t.id(low)<<1 | 1
		}
		highs[i] = zigzag(int64(b)-int64(a)) << 1
		if !bok {
			highs[i] = t.id(high)<<1 | 1
		}
	}
	e.dictionary(t.list)
	e.packed(lows)
	e.packed(highs)
}

func (e *encoder) packedPoints(records []zip4Entry) {
	n := len(records)
	valid, lats, lngs := make([]uint64, n), make([]uint64, n), make([]uint64, n)
	lat, lng := uint64(0), uint64(0) // of the last valid point, so that a missing one takes no room
	for _, r := range records {
		if r.Location.IsValid() {
			lat, lng = shifted(r.Location)
			break
		}
	}
	for i, r := range records {
		if r.Location.IsValid() {
			valid[i] = 1
			lat, lng = shifted(r.Location)
		}
		lats[i], lngs[i] = lat, lng
	}
	e.packed(valid)
	e.packed(lats)
	e.packed(lngs)
}

func shifted(p geo.LatLng) (lat, lng uint64) {
	return uint64(int64(microDegrees(p.Lat())) + 90e6), uint64(int64(microDegrees(p.Lng())) + 180e6)
}

var errPageOrder = errors.New("its records are not in order")

// decodeZIP4Page reads the page with the number. The page is checked in full
// by its method check; a look-up checks only what it reads.
func decodeZIP4Page(id int64, payload []byte) (*zip4Page, error) {
	d, text := decoder{b: payload}, string(payload)
	p := &zip4Page{zip: ZIP(id / 10000), first: Plus4(id % 10000)}
	p.count = int(d.max(maxZIP4Records))
	p.reach = int(d.max(maxZIP4Records))
	if d.err == nil && p.count == 0 {
		d.fail(errRange)
	}
	p.low, p.span, p.order = d.packed(p.count), d.packed(p.count), d.packed(p.count)
	p.strings = make([]string, 0, 96) // room for a page of an ordinary ZIP
	for k := range p.texts {
		t := &p.texts[k]
		p.strings, t.dictionary = d.dictionary(p.strings, text)
		t.packed = d.packed(p.count)
	}
	for k, digits := range [...]int{addrDigits, secDigits} {
		r := &p.ranges[k]
		r.digits = digits
		p.strings, r.dictionary = d.dictionary(p.strings, text)
		r.low, r.high = d.packed(p.count), d.packed(p.count)
	}
	p.valid, p.lat, p.lng = d.packed(p.count), d.packed(p.count), d.packed(p.count)
	if err := d.end(); err != nil {
		return nil, err
	}
	return p, nil
}

// addOns returns the range of record i.
func (p *zip4Page) addOns(i int) (low, high uint64) {
	low = uint64(p.first) + p.low.at(i)
	return low, low + p.span.at(i)
}

// record unpacks record i.
func (p *zip4Page) record(i int) (ZIP4Record, error) {
	var r ZIP4Record
	low, high := p.addOns(i)
	if high > 9999 || low > high {
		return r, fmt.Errorf("record %d: add-ons %d to %d", i, low, high)
	}
	var t [numZIP4Texts]string
	for k := range t {
		var err error
		if t[k], err = p.text(p.texts[k].dictionary, p.texts[k].at(i)); err != nil {
			return r, fmt.Errorf("record %d: %w", i, err)
		}
	}
	r = ZIP4Record{
		ZIP: p.zip, Low: Plus4(low), High: Plus4(high),
		RecordType: unletter(t[textRecordType]), CarrierRoute: t[textCarrierRoute], PreDir: t[textPreDir],
		Street: t[textStreet], Suffix: t[textSuffix], PostDir: t[textPostDir], OddEven: unletter(t[textOddEven]),
		Building: t[textBuilding], SecAbbr: t[textSecAbbr], SecOddEven: unletter(t[textSecOddEven]),
		Government: unletter(t[textGovernment]), Finance: t[textFinance], State: t[textState],
		CountyFIPS: t[textCountyFIPS], Congress: t[textCongress], Municipality: t[textMunicipality],
		Urbanization: t[textUrbanization], LastLine: t[textLastLine],
	}
	switch t[textFlags] {
	case "b":
	case "B":
		r.LACS = true
	case "a":
		r.Alternate = true
	case "A":
		r.Alternate, r.LACS = true, true
	default:
		return r, fmt.Errorf("record %d: flags %q", i, t[textFlags])
	}
	var err error
	if r.AddrLow, r.AddrHigh, err = p.pair(&p.ranges[0], i); err != nil {
		return r, fmt.Errorf("record %d: %w", i, err)
	}
	if r.SecLow, r.SecHigh, err = p.pair(&p.ranges[1], i); err != nil {
		return r, fmt.Errorf("record %d: %w", i, err)
	}
	if p.valid.at(i) != 0 {
		lat, lng := int64(p.lat.at(i))-90e6, int64(p.lng.at(i))-180e6
		if lat > 90e6 || lng > 180e6 {
			return r, fmt.Errorf("record %d: its point %d,%d (1e-6 degree) is not on the Earth", i, lat, lng)
		}
		r.Location = pointFromMicro(int32(lat), int32(lng))
	}
	return r, nil
}

// text returns a text of a dictionary.
func (p *zip4Page) text(d dictionary, n uint64) (string, error) {
	if n >= uint64(d.end-d.start) {
		return "", fmt.Errorf("text %d of %d", n, d.end-d.start)
	}
	s := p.strings[d.start+int(n)]
	if !utf8.ValidString(s) {
		return "", errText
	}
	return s, nil
}

// pair returns the two ends of range i. An even number is twice the value of
// decimal digits, an odd one twice the position in the dictionary plus one;
// the high end's value is the difference to the low end's, zigzag.
func (p *zip4Page) pair(r *packedRange, i int) (low, high string, err error) {
	limit := uint64(1)
	for range r.digits {
		limit *= 10
	}
	a, b := r.low.at(i), r.high.at(i)
	var value uint64
	if a&1 == 1 {
		low, err = p.text(r.dictionary, a>>1)
	} else if value = a >> 1; value < limit {
		low = digitsText(value, r.digits)
	} else {
		err = errRange
	}
	if err != nil {
		return "", "", err
	}
	if b&1 == 1 {
		high, err = p.text(r.dictionary, b>>1)
	} else if v := int64(value) + unzigzag(b>>1); v >= 0 && uint64(v) < limit {
		high = digitsText(uint64(v), r.digits)
	} else {
		err = errRange
	}
	return low, high, err
}

// check unpacks every record and returns them.
func (p *zip4Page) check() ([]ZIP4Record, error) {
	list := make([]ZIP4Record, 0, min(p.count, 4096))
	for i := range p.count {
		r, err := p.record(i)
		if err != nil {
			return nil, err
		}
		if i == 0 && r.Low != p.first || i > 0 && r.Low < list[i-1].Low {
			return nil, errPageOrder
		}
		list = append(list, r)
	}
	return list, nil
}
