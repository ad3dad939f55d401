package store

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/pub28"
	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// A streetPage holds records of consecutive streets of one ZIP, column by column:
//
//	count     records
//	first     hash of the first street, twice, plus one if the previous page
//	          ends with a street of the same hash
//	low       packed add-on
//	span      packed: high less low
//	texts     for each of the columns of zip4Texts a dictionary and packed
//	ranges    for AddrLow and AddrHigh (10 digits), SecLow and SecHigh (8) a
//	          form, a dictionary and two packed columns, the high one as a
//	          difference
//	location  packed valid, packed latitude, packed longitude, 1e-6 degree
//
// Streets ascend by the hash of their key, then by the key. The records of a
// street keep the order of their addition. A street starts a new page
// if it would not fit into the current one. The page's number in the table is
// its ZIP times 10,000 plus its position among those of the ZIP.
type streetPage struct {
	id       int64
	zip      dataset.ZIP
	count    int
	first    uint16
	low      file.Packed
	span     file.Packed
	strings  []string // of all dictionaries
	texts    [numZIP4Texts]file.PackedText
	ranges   [2]packedRange
	valid    file.Packed
	lat, lng file.Packed
}

type packedRange struct {
	file.Dictionary
	digits    int
	form      byte
	low, high file.Packed
}

const (
	zip4PageRecords = 128     // a page ends at the first new street after so many
	zip4PageMost    = 512     // and in the middle of one after so many
	maxZIP4Records  = 200_000 // of one ZIP
	maxStreet       = 100     // bytes of the name of a street
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
const zip4Flags = "bBaAnNxX" // base, base LACS, alternate, alternate LACS; the same without an add-on

func zip4Texts(r *StreetRecord) [numZIP4Texts]string {
	flags := file.FlagBits(r.LACS, r.Alternate, r.NoPlus4)
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

// checkStreet refuses a record that does not fit into the format of a page.
func checkStreet(r *StreetRecord) error {
	switch {
	case r.ZIP >= dataset.NumZIPs:
		return file.Invalid("street record of ZIP number %d; expected at most %d", uint32(r.ZIP), dataset.NumZIPs-1)
	case r.Low > r.High || r.High > 9999:
		return file.Invalid("street record of %s: add-ons %d to %d; expected ascending, at most 9999", r.ZIP, r.Low, r.High)
	case len(r.Street) > maxStreet:
		return file.Invalid("street record of %s-%s: a street name of %d bytes; expected at most %d", r.ZIP, r.Low, len(r.Street), maxStreet)
	case r.NoPlus4 && r.High > 0:
		return file.Invalid("street record of %s without an add-on: add-ons %d to %d; expected 0", r.ZIP, r.Low, r.High)
	}
	for _, b := range [...]byte{r.RecordType, r.OddEven, r.SecOddEven, r.Government} {
		if b >= utf8.RuneSelf {
			return file.Invalid("street record of %s-%s: letter %#x; expected ASCII", r.ZIP, r.Low, b)
		}
	}
	texts := zip4Texts(r)
	for _, s := range append(texts[:], r.AddrLow, r.AddrHigh, r.SecLow, r.SecHigh) {
		if !utf8.ValidString(s) {
			return file.Invalid("street record of %s-%s: the text %q is not UTF-8", r.ZIP, r.Low, s)
		}
	}
	return nil
}

// A streetEntry is a record on its way into a page.
type streetEntry struct {
	*StreetRecord
	key  string
	hash uint16 // of the key
}

// encodeZIP4Page packs records that are in order. continued is true if the
// previous page ends with the hash that this one begins with.
func encodeZIP4Page(records []streetEntry, continued bool) []byte {
	var e file.Encoder
	n := len(records)
	column := make([]uint64, n)
	pack := func(value func(r *StreetRecord) uint64) {
		for i := range records {
			column[i] = value(records[i].StreetRecord)
		}
		e.Packed(column)
	}
	e.Uint(uint64(n))
	e.Uint(uint64(records[0].hash)<<1 | file.FlagBits(continued))
	pack(func(r *StreetRecord) uint64 { return uint64(r.Low) })
	pack(func(r *StreetRecord) uint64 { return uint64(r.High - r.Low) })
	var texts [numZIP4Texts]file.TextPacker
	var numbers [numZIP4Texts][]uint64
	for _, r := range records {
		for k, s := range zip4Texts(r.StreetRecord) {
			numbers[k] = append(numbers[k], texts[k].Id(s))
		}
	}
	for k := range texts {
		e.Dictionary(texts[k].List)
		e.Packed(numbers[k])
	}
	encodeRange(&e, records, addrDigits, func(r *StreetRecord) (string, string) { return r.AddrLow, r.AddrHigh })
	encodeRange(&e, records, secDigits, func(r *StreetRecord) (string, string) { return r.SecLow, r.SecHigh })
	encodePoints(&e, records)
	return e.B
}

// encodeRange writes two columns of texts that are mostly numbers of equal width,
// the high one as its difference to the low one. The first byte has flags for
// texts and for negative differences. Without its flag a bit for that is left
// out of the numbers.
func encodeRange(e *file.Encoder, records []streetEntry, digits int, pair func(*StreetRecord) (low, high string)) {
	var t file.TextPacker
	lows, highs := make([]uint64, len(records)), make([]uint64, len(records))
	isText := make([]byte, len(records)) // bit 0 low, bit 1 high
	form := byte(0)
	for i, r := range records {
		low, high := pair(r.StreetRecord)
		a, aok := file.DigitsValue(low, digits)
		b, bok := file.DigitsValue(high, digits)
		lows[i], highs[i] = a, b-a
		if !aok {
			lows[i] = t.Id(low)
			isText[i] |= 1
		}
		if !bok {
			highs[i] = t.Id(high)
			isText[i] |= 2
		} else if b < a {
			form |= rangeFalls
		}
		if isText[i] != 0 {
			form |= rangeTexts
		}
	}
	for i := range records {
		if form&rangeFalls != 0 && isText[i]&2 == 0 {
			highs[i] = file.Zigzag(int64(highs[i]))
		}
		if form&rangeTexts != 0 {
			lows[i] = lows[i]<<1 | uint64(isText[i]&1)
			highs[i] = highs[i]<<1 | uint64(isText[i]>>1)
		}
	}
	e.Byte(form)
	e.Dictionary(t.List)
	e.Packed(lows)
	e.Packed(highs)
}

// The forms of a packed range.
const (
	rangeTexts = 1 << iota
	rangeFalls
)

func encodePoints(e *file.Encoder, records []streetEntry) {
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
	e.Packed(valid)
	e.Packed(lats)
	e.Packed(lngs)
}

func shifted(p geo.LatLng) (lat, lng uint64) {
	return uint64(int64(file.MicroDegrees(p.Lat())) + 90e6), uint64(int64(file.MicroDegrees(p.Lng())) + 180e6)
}

var errPageOrder = errors.New("its records are not in order")

// decodeStreetPage reads the page with the number. Its method check verifies the
// whole page; a lookup verifies only the part that it reads.
func decodeStreetPage(id int64, payload []byte) (*streetPage, error) {
	p := &streetPage{strings: make([]string, 0, 96)} // room for a page of an ordinary ZIP
	if err := p.decode(id, payload); err != nil {
		return nil, err
	}
	return p, nil
}

// decode reads a page into p and reuses its memory.
func (p *streetPage) decode(id int64, payload []byte) error {
	d, text := file.Decoder{B: payload}, string(payload)
	*p = streetPage{id: id, zip: dataset.ZIP(id / maxPagesOfZIP), strings: p.strings[:0]}
	p.count = int(d.Max(maxZIP4Records))
	p.first = uint16(d.Max(math.MaxUint16))
	if d.Err == nil && p.count == 0 {
		d.Fail(file.ErrRange)
	}
	p.low, p.span = d.Packed(p.count), d.Packed(p.count)
	for k := range p.texts {
		t := &p.texts[k]
		p.strings, t.Dictionary = d.Dictionary(p.strings, text)
		t.Packed = d.Packed(p.count)
	}
	for k, digits := range [...]int{addrDigits, secDigits} {
		r := &p.ranges[k]
		r.digits = digits
		if r.form = d.Byte(); r.form > rangeTexts|rangeFalls {
			d.Fail(file.ErrRange)
		}
		p.strings, r.Dictionary = d.Dictionary(p.strings, text)
		r.low, r.high = d.Packed(p.count), d.Packed(p.count)
	}
	p.valid, p.lat, p.lng = d.Packed(p.count), d.Packed(p.count), d.Packed(p.count)
	return d.End()
}

func (p *streetPage) addOns(i int) (low, high uint64) {
	low = p.low.At(i)
	return low, low + p.span.At(i)
}

func (p *streetPage) record(i int) (StreetRecord, error) {
	var r StreetRecord
	low, high := p.addOns(i)
	if high > 9999 || low > high {
		return r, fmt.Errorf("record %d: add-ons %d to %d", i, low, high)
	}
	var t [numZIP4Texts]string
	for k := range t {
		var err error
		if t[k], err = p.text(p.texts[k].Dictionary, p.texts[k].At(i)); err != nil {
			return r, fmt.Errorf("record %d: %w", i, err)
		}
	}
	r.ZIP4Record = ZIP4Record{
		ZIP: p.zip, Low: dataset.Plus4(low), High: dataset.Plus4(high),
		RecordType: unletter(t[textRecordType]), CarrierRoute: t[textCarrierRoute], PreDir: t[textPreDir],
		Street: t[textStreet], Suffix: t[textSuffix], PostDir: t[textPostDir], OddEven: unletter(t[textOddEven]),
		Building: t[textBuilding], SecAbbr: t[textSecAbbr], SecOddEven: unletter(t[textSecOddEven]),
		Government: unletter(t[textGovernment]), Finance: t[textFinance], State: t[textState],
		CountyFIPS: t[textCountyFIPS], Congress: t[textCongress], Municipality: t[textMunicipality],
		Urbanization: t[textUrbanization], LastLine: t[textLastLine],
	}
	flags := strings.Index(zip4Flags, t[textFlags])
	if flags < 0 || len(t[textFlags]) != 1 {
		return r, fmt.Errorf("record %d: flags %q", i, t[textFlags])
	}
	r.LACS, r.Alternate, r.NoPlus4 = flags&1 != 0, flags&2 != 0, flags&4 != 0
	if r.NoPlus4 && high > 0 {
		return r, fmt.Errorf("record %d: add-ons %d to %d of a range without an add-on", i, low, high)
	}
	var err error
	if r.AddrLow, r.AddrHigh, err = p.pair(&p.ranges[0], i); err != nil {
		return r, fmt.Errorf("record %d: %w", i, err)
	}
	if r.SecLow, r.SecHigh, err = p.pair(&p.ranges[1], i); err != nil {
		return r, fmt.Errorf("record %d: %w", i, err)
	}
	if p.valid.At(i) != 0 {
		lat, lng := int64(p.lat.At(i))-90e6, int64(p.lng.At(i))-180e6
		if lat > 90e6 || lng > 180e6 {
			return r, fmt.Errorf("record %d: its point %d,%d (1e-6 degree) is not on the Earth", i, lat, lng)
		}
		r.Location = file.PointFromMicro(int32(lat), int32(lng))
	}
	return r, nil
}

func (p *streetPage) text(d file.Dictionary, n uint64) (string, error) {
	if n >= uint64(d.End-d.Start) {
		return "", fmt.Errorf("text %d of %d", n, d.End-d.Start)
	}
	s := p.strings[d.Start+int(n)]
	if !utf8.ValidString(s) {
		return "", file.ErrText
	}
	return s, nil
}

// pair returns the two ends of range i: values of decimal digits, or texts of
// the dictionary.
func (p *streetPage) pair(r *packedRange, i int) (low, high string, err error) {
	limit := uint64(1)
	for range r.digits {
		limit *= 10
	}
	a, b := r.low.At(i), r.high.At(i)
	var lowText, highText bool
	if r.form&rangeTexts != 0 {
		lowText, highText = a&1 == 1, b&1 == 1
		a, b = a>>1, b>>1
	}
	if !lowText && !highText && r.form&rangeFalls == 0 && a < limit && b < limit-a { // nearly all: both ends share their memory
		both := file.DigitsText(a, r.digits, a+b)
		return both[:r.digits], both[r.digits:], nil
	}
	value := a
	switch {
	case lowText:
		value = 0
		low, err = p.text(r.Dictionary, a)
	case value < limit:
		low = file.DigitsText(value, r.digits)
	default:
		err = file.ErrRange
	}
	if err != nil {
		return "", "", err
	}
	if highText {
		high, err = p.text(r.Dictionary, b)
		return low, high, err
	}
	step := int64(b)
	if r.form&rangeFalls != 0 {
		step = file.Unzigzag(b)
	}
	if v := int64(value) + step; v >= 0 && uint64(v) < limit {
		return low, file.DigitsText(uint64(v), r.digits), nil
	}
	return "", "", file.ErrRange
}

// streetKey appends the key of the street of record i to dst, and returns its
// hash.
func (p *streetPage) streetKey(dst []byte, i int) (key []byte, hash uint16, err error) {
	street, err := p.text(p.texts[textStreet].Dictionary, p.texts[textStreet].At(i))
	if err != nil {
		return nil, 0, fmt.Errorf("record %d: %w", i, err)
	}
	key = pub28.AppendKey(dst, street)
	return key, streetHash(key), nil
}

// streetHash orders the streets of a ZIP: 15 bits.
func streetHash[T string | []byte](key T) uint16 {
	h := uint32(2166136261) // FNV-1a
	for i := range len(key) {
		h = (h ^ uint32(key[i])) * 16777619
	}
	return uint16((h ^ h>>15) & maxStreetHash)
}

const maxStreetHash = 1<<15 - 1

// Check unpacks every record and returns them.
func (p *streetPage) Check() ([]StreetRecord, error) {
	list := make([]StreetRecord, 0, min(p.count, 4096))
	var key, lastKey []byte
	lastHash := p.first >> 1
	for i := range p.count {
		r, err := p.record(i)
		if err != nil {
			return nil, err
		}
		var hash uint16
		if key, hash, err = p.streetKey(key[:0], i); err != nil {
			return nil, err
		}
		if hash < lastHash || i == 0 && hash != lastHash || i > 0 && hash == lastHash && bytes.Compare(key, lastKey) < 0 {
			return nil, errPageOrder
		}
		key, lastKey, lastHash = lastKey, key, hash
		list = append(list, r)
	}
	return list, nil
}
