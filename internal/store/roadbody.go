package store

import (
	"errors"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// The limits of a street.
const (
	maxVertices = 1 << 16
	maxNumber   = 1<<31 - 1
	maxRoadName = 100 // bytes
)

var (
	errRoadNumbers = errors.New("its house numbers are not in order")
	errRoadCell    = errors.New("a point is not on the Earth")
)

// A roadBody codes a street: its name, its origins, its points by number and its
// segments. Positions are differences, the first one to the base.
type roadBody struct {
	*file.Coder
	sources file.Shared
	at      cell
	origins []RoadOrigin
}

func codeRoad(c *file.Coder, sources file.Shared, base cell, r *Road) {
	b := roadBody{Coder: c, sources: sources, at: base}
	c.Text(&r.PreDir, &r.Name, &r.Suffix, &r.PostDir)
	if !c.Reading() {
		b.origins = r.origins()
	}
	file.List(c, &b.origins, func(o *RoadOrigin) {
		c.Shared(sources, &o.Source)
		both := uint8(o.Placement) + uint8(o.Code)*uint8(numPlacements)
		file.Max(c, &both, uint64(numPlacements)*uint64(numBases)-1)
		o.Placement, o.Code = Placement(both)%numPlacements, CodeBasis(both/uint8(numPlacements))
	})
	b.points(&r.Points)
	var ends [2]uint32
	file.Refill(c, &r.Segments, func(s *RoadSegment) {
		b.segment(s, &ends)
	})
}

// origins returns the different origins of a street.
func (r *Road) origins() []RoadOrigin {
	var list []RoadOrigin
	add := func(o RoadOrigin) {
		if !slices.Contains(list, o) {
			list = append(list, o)
		}
	}
	for i := range r.Points {
		add(r.Points[i].Origin)
	}
	for i := range r.Segments {
		add(r.Segments[i].Origin)
	}
	return list
}

// origin codes the place of an origin in the list unless there is only one.
func (b *roadBody) origin(o *RoadOrigin) {
	var n int
	for i, have := range b.origins {
		if !b.Reading() && have == *o {
			n = i
		}
	}
	if len(b.origins) > 1 {
		file.Max(b.Coder, &n, uint64(len(b.origins)-1))
	}
	if n < len(b.origins) {
		*o = b.origins[n]
	} else {
		b.Fail(file.ErrRange)
	}
}

// position codes a point as the difference to the last one.
func (b *roadBody) position(p *geo.LatLng) {
	var lat, lng int32
	if !b.Reading() {
		c := cellOf(*p)
		lat, lng = c.lat-b.at.lat, c.lng-b.at.lng
	}
	file.Int(b.Coder, &lat, &lng)
	b.at = cell{b.at.lat + lat, b.at.lng + lng}
	if b.Reading() {
		if !b.at.valid() {
			b.Fail(errRoadCell)
			b.at = cell{}
		}
		*p = b.at.point()
	}
}

// points codes the points of a street by number.
func (b *roadBody) points(list *[]AddressPoint) {
	const room = 64 // points that are allocated before they are read
	var last HouseNumber
	point := func(p *AddressPoint) {
		b.number(&p.Number, last)
		last = p.Number
		b.origin(&p.Origin)
		b.position(&p.Location)
	}
	if !b.Reading() || len(b.origins) != 1 {
		file.Refill(b.Coder, list, point)
		return
	}
	d := b.Decoder()
	to := (*list)[:0]
	for n := d.Count(); len(to) < n && d.Err == nil; {
		more := min(n-len(to), room)
		to = slices.Grow(to, more)
		more = b.plainPoints(to[len(to):len(to)+more], &last)
		if to = to[:len(to)+more]; len(to) < n {
			to = append(to, AddressPoint{})
			point(&to[len(to)-1])
		}
	}
	*list = to
}

// plainPoints reads the points of a street with one origin, and returns how many it has
// read. It ends before a number with another prefix or a suffix, and before a coded
// number of three bytes.
func (b *roadBody) plainPoints(list []AddressPoint, last *HouseNumber) int {
	d, origin := b.Decoder(), b.origins[0]
	for i := range list {
		v, bytes := file.ShortUints(d.B)
		if bytes == 0 || v[0]&(numberSuffix|numberPrefix) != 0 {
			return i
		}
		value := last.Value + uint32(v[0]>>numberFlags)
		at := cell{b.at.lat + int32(file.Unzigzag(v[1])), b.at.lng + int32(file.Unzigzag(v[2]))}
		if value > maxNumber || !at.valid() {
			return i
		}
		d.B, b.at, last.Value = d.B[bytes:], at, value
		list[i] = AddressPoint{HouseNumber{last.Prefix, value, ""}, at.point(), origin}
	}
	return len(list)
}

// The flags of a number, below its difference to the number before.
const (
	numberSuffix = 1 << iota
	numberPrefix // differs from the one before
	numberFlags  = 2
)

func (b *roadBody) number(n *HouseNumber, last HouseNumber) {
	head := file.FlagBits(n.Suffix != "", n.Prefix != last.Prefix)
	from := last.Value
	if head&numberPrefix != 0 {
		from = 0
	}
	if !b.Reading() {
		if n.Value < from {
			b.Fail(errRoadNumbers)
		}
		head |= uint64(n.Value-from) << numberFlags
	}
	file.Max(b.Coder, &head, maxNumber<<numberFlags)
	if b.Reading() {
		n.Prefix = last.Prefix
		if from = last.Value; head&numberPrefix != 0 {
			from = 0
		}
		value := uint64(from) + head>>numberFlags
		if value > maxNumber {
			b.Fail(file.ErrRange)
		}
		n.Value = uint32(value)
	}
	if head&numberPrefix != 0 {
		b.Text(&n.Prefix)
	}
	if head&numberSuffix != 0 {
		b.Text(&n.Suffix)
	}
}

// The parities of a range in two bits.
const parities = "\x00OEB"

// segment codes the flags of both ranges, the ranges and the line.
func (b *roadBody) segment(s *RoadSegment, ends *[2]uint32) {
	sides := [2]*NumberRange{&s.Left, &s.Right}
	var flags byte
	for i, r := range sides {
		flags |= byte(strings.IndexByte(parities, r.Parity)|int(file.FlagBits(r.Prefix != ""))<<2) << (3 * i)
	}
	b.Byte(&flags)
	b.origin(&s.Origin)
	for i, r := range sides {
		side := flags >> (3 * i) & 7
		if r.Parity = parities[side&3]; r.Parity == 0 {
			continue
		}
		if side&4 != 0 {
			b.Text(&r.Prefix)
		}
		b.value(&r.From, ends[i])
		b.value(&r.To, r.From)
		ends[i] = r.To
	}
	n := len(s.Line)
	if file.Max(b.Coder, &n, maxVertices); b.Reading() {
		const room = 64
		s.Line = make([]geo.LatLng, 0, min(n, room))
	}
	for i := 0; i < n && b.Err() == nil; i++ {
		if b.Reading() {
			s.Line = append(s.Line, geo.LatLng{})
		}
		b.position(&s.Line[i])
	}
}

// value codes a number as the difference to another.
func (b *roadBody) value(v *uint32, from uint32) {
	d := int64(*v) - int64(from)
	file.Int(b.Coder, &d)
	if b.Reading() {
		if d += int64(from); d < 0 || d > maxNumber {
			b.Fail(file.ErrRange)
			return
		}
		*v = uint32(d)
	}
}
