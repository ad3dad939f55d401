package synth

import (
	"bufio"
	"cmp"
	"context"
	"io"
	"strconv"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/internal/store"
)

// most returns the maximum number of records of a ZIP. Add-ons have four digits
// and some of them must stay unused.
func (o *postOffice) most() int64 {
	switch {
	case o.zip.Class == store.Unique:
		return 5
	case o.zip.Class != store.General:
		return 40
	case !o.zip.HasArea:
		return 400
	default:
		return 7_000
	}
}

// shares spreads records evenly over post offices, up to their maximum.
func shares(offices []postOffice, total int64) []int64 {
	out := make([]int64, len(offices))
	for left := total; left > 0; {
		open := int64(0)
		for i := range offices {
			if out[i] < offices[i].most() {
				open++
			}
		}
		if open == 0 {
			break
		}
		before, k := left, int64(0)
		for i := range offices {
			room := offices[i].most() - out[i]
			if room <= 0 {
				continue
			}
			n := min(room, before*(k+1)/open-before*k/open)
			out[i] += n
			left -= n
			k++
		}
	}
	return out
}

// ZIP4Options selects the ZIP+4 records to write.
type ZIP4Options struct {
	// Records is the number of records, spread evenly over ZIPs. The maximum per
	// ZIP is 40 for PO Box and military ones, 5 for unique ones, 400 for buildings,
	// and 7,000 for others. Zero means ten per ZIP.
	Records int64
	// ZIPs restricts the records to these; nil means all.
	ZIPs []dataset.ZIP
	// Landmarks are real addresses. Each adds about 100 records.
	Landmarks []Landmark
}

// WriteZIP4 writes a ZIP+4 product file: a copyright record and the records in
// ascending order of ZIPs, 182 bytes each without line ends. It returns the
// number of records. Its memory use does not depend on that number.
func (c *Country) WriteZIP4(ctx context.Context, w io.Writer, o ZIP4Options) (int64, error) {
	return c.product(w, 182, func(add func(block) error) error {
		return c.eachZIP4(ctx, o, func(g *zip4Writer) error { return add(g.line) })
	})
}

// WriteZIP4Points writes the points of the records of [Country.WriteZIP4] as CSV
// with the columns zip, plus4, lat, lon, n_points and record_type. There is one
// row per add-on of a street, high-rise or firm record, except for one in 20. It
// returns the number of rows.
func (c *Country) WriteZIP4Points(ctx context.Context, w io.Writer, o ZIP4Options) (int64, error) {
	b := bufio.NewWriterSize(w, 1<<20)
	b.WriteString("zip,plus4,lat,lon,n_points,record_type\n")
	var rows int64
	var last [9]byte
	err := c.eachZIP4(ctx, o, func(g *zip4Writer) error {
		kind := g.line[17]
		if kind == 'P' || kind == 'G' || g.plus4 == 0 || g.plus4%20 == 7 || g.office.box == (Box{}) {
			return nil
		}
		var code [9]byte
		copy(code[:5], g.line[1:6])
		copy(code[5:], g.line[140:144])
		if code == last { // an alternate record shares its add-on
			return nil
		}
		last = code
		v := g.point()
		line := append(b.AvailableBuffer(), code[:5]...)
		line = append(append(line, ','), code[5:]...)
		line = appendMillionths(append(line, ','), v.Y)
		line = appendMillionths(append(line, ','), v.X)
		line = append(line, ',', '1'+byte(g.plus4%9), ',', kind, '\n')
		rows++
		_, err := b.Write(line)
		return err
	})
	return rows, cmp.Or(err, b.Flush())
}

// appendMillionths appends millionths as a decimal number with six digits.
func appendMillionths(b []byte, n int32) []byte {
	if n < 0 {
		b, n = append(b, '-'), -n
	}
	b = strconv.AppendInt(b, int64(n/1_000_000), 10)
	b = append(b, '.')
	for unit := int32(100_000); unit > 0; unit /= 10 {
		b = append(b, '0'+byte(n/unit%10))
	}
	return b
}

// eachZIP4 calls emit for the records in their order. emit must not keep the
// line.
func (c *Country) eachZIP4(ctx context.Context, o ZIP4Options, emit func(*zip4Writer) error) error {
	offices := c.offices(o.ZIPs)
	total := o.Records
	if total == 0 {
		total = 10 * int64(len(offices))
	}
	share := shares(offices, total)
	g := &zip4Writer{line: newBlock(182), seed: c.seed, emit: emit}
	g.line.put(1, 1, "D")
	g.line.put(17, 1, "A")
	g.line.put(149, 1, "B")
	for i := range offices {
		g.zip(&offices[i], int(share[i]))
		g.landmarks(o.Landmarks)
		if err := cmp.Or(g.err, ctx.Err()); err != nil {
			return err
		}
	}
	return nil
}

// A zip4Writer makes the records of one ZIP after another in the same line.
type zip4Writer struct {
	line   block
	seed   uint64
	emit   func(*zip4Writer) error
	office *postOffice
	key    int64 // update key
	plus4  int   // of the current record; 0 if it has none
	next   int   // next add-on of a street record
	street int
	block  int
	left   int     // remaining records
	at     *vertex // of the current record, if known
	err    error
}

// zip writes n records of a ZIP: general delivery, boxes, routes, towers,
// firms, and streets for the rest.
func (g *zip4Writer) zip(o *postOffice, n int) {
	g.office, g.next, g.street, g.block, g.left = o, 1001, 0, 0, n
	l := g.line
	l.digits(2, 5, int64(o.zip.Code))
	l.put(152, 6, o.finance)
	l.put(158, 2, o.state)
	l.put(160, 3, o.county)
	l.put(163, 2, o.cd)
	l.put(177, 6, o.key)
	g.generalDelivery()
	switch o.zip.Class {
	case store.POBox, store.Military:
		g.boxes(min(g.left, 39))
	case store.Unique:
		g.firm(0)
		g.boxes(min(g.left, 3))
	case store.General:
		if !o.zip.HasArea {
			g.tower(0, min(g.left, 400))
			break
		}
		g.boxes(g.left / 25)
		if o.rural {
			g.routes(g.left / 10)
		}
		for k := range g.left / 60 {
			g.firm(k)
			g.tower(k, 8)
		}
		g.noDelivery()
		for g.left > 0 && g.err == nil {
			g.side()
		}
	}
}

// writeNext writes a record with the next add-on.
func (g *zip4Writer) writeNext(kind byte, route string) {
	g.next++
	g.write(kind, route, g.next-1, g.next-1)
}

// write numbers the record and emits it. The caller has set the fields of the
// address. Without delivery the add-ons are 0.
func (g *zip4Writer) write(kind byte, route string, low, high int) {
	if g.left <= 0 || g.err != nil {
		return
	}
	g.left--
	g.key++
	l := g.line
	l.put(7, 2, "V1")
	l.digits(9, 8, g.key)
	l[17] = kind
	l.put(19, 4, route)
	l.digits(141, 4, int64(low))
	l.digits(145, 4, int64(high))
	if low == 0 {
		l.put(141, 8, "12ND12ND")
	}
	g.plus4 = low
	g.err = g.emit(g)
}

// blank clears the address fields.
func (g *zip4Writer) blank() {
	g.line.clear(23, 118)
	g.line.clear(149, 3)
	g.line.clear(171, 6)
	g.line.put(149, 1, "B")
}

// point returns a point of the current record: along its street, inside the
// ZIP's box, away from the border.
func (g *zip4Writer) point() vertex {
	if g.at != nil {
		return *g.at
	}
	b := g.office.box
	h := hash(g.seed, uint64(g.office.zip.Code), uint64(g.street))
	along := float64(hash(h, uint64(g.plus4), 0)>>11) / (1 << 53)
	across := float64(h>>11) / (1 << 53)
	if h%2 == 0 {
		along, across = across, along
	}
	at := func(lo, hi int32, t float64) int32 { return lo + int32(float64(hi-lo)*(0.15+float64(0.7*t))) }
	return vertex{at(b.X0, b.X1, along), at(b.Y0, b.Y1, across)}
}
