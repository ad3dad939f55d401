package synth

import (
	"bufio"
	"context"
	"io"

	"github.com/postgeo/postgeo/internal/dataset"
)

// WriteCityState writes a City State product file: a copyright record, names of
// ZIPs (D), and aliases of streets (A). Records have 129 bytes without line
// ends. It returns the number of records after the first.
func (c *Country) WriteCityState(ctx context.Context, w io.Writer) (int64, error) {
	b := bufio.NewWriterSize(w, 1<<16)
	if err := writeAll(b, c.copyright(129)); err != nil {
		return 0, err
	}
	keys, seconds := c.cityKeys(), c.secondCounties()
	offices := c.offices(nil)
	var n int64
	for i := range offices {
		if err := ctx.Err(); err != nil {
			return n, err
		}
		o := &offices[i]
		records := []block{c.cityRecord(o, o.zip.City, o.key, 'P', true)}
		for k, a := range o.zip.Aliases {
			facility := byte('N')
			if a.Acceptable {
				facility = "SBC"[k%3]
			}
			r := c.cityRecord(o, a.City, keys[cityKey{o.zip.State, a.City}], facility, a.Acceptable)
			if second, ok := seconds[o.zip.Code]; ok && k == 0 {
				c.putCounty(r, second)
			}
			records = append(records, r)
		}
		if o.urb != "" {
			records = append(records, c.cityRecord(o, c.urbanization(o.zip), o.urb, 'U', false))
		}
		if o.zip.Class == dataset.General && o.zip.HasArea && o.zip.Code%5 == 0 {
			records = append(records, c.streetAlias(o))
		}
		n += int64(len(records))
		if err := writeAll(b, records...); err != nil {
			return n, err
		}
	}
	return n, b.Flush()
}

// cityRecord returns the record of a name of a ZIP's place.
func (c *Country) cityRecord(o *postOffice, name, key string, facility byte, mailing bool) block {
	b := newBlock(129)
	b.put(1, 1, "D")
	b.digits(2, 5, int64(o.zip.Code))
	b.put(7, 6, key)
	if o.zip.Class != dataset.General {
		b[12] = byte(o.zip.Class)
	}
	text := capitals(name)
	b.put(14, 28, text)
	b[54] = facility
	b[55] = yesNo(mailing)
	if mailing && len(text) > 13 {
		b.put(42, 13, text)
	}
	b.put(57, 6, o.key)
	b.put(63, 28, o.city)
	b[90] = yesNo(o.zip.Class == dataset.General && !o.rural)
	b[91] = "ABCD"[int(o.zip.Code)%4]
	b[92] = yesNo(o.zip.Class == dataset.Unique)
	b.put(94, 6, o.finance)
	b.put(100, 2, o.state)
	if o.zip.County != None {
		c.putCounty(b, o.zip.County)
	}
	return b
}

func (c *Country) putCounty(b block, county int) {
	k := &c.Counties[county]
	b.put(100, 2, c.States[k.State].Abbr)
	b.put(102, 3, k.FIPS[2:])
	b.clear(105, 25)
	b.put(105, 25, capitals(k.Base))
}

// secondCounties returns the other county of each ZIP that lies in two.
func (c *Country) secondCounties() map[dataset.ZIP]int {
	seconds := map[dataset.ZIP]int{}
	for _, k := range all(c.Cells) {
		if k.ZIP != None && int(k.County) != c.ZIPs[k.ZIP].County {
			seconds[c.ZIPs[k.ZIP].Code] = int(k.County)
		}
	}
	return seconds
}

// streetAlias returns the record of another name of a ZIP's first street.
func (c *Country) streetAlias(o *postOffice) block {
	b := newBlock(129)
	name := int(o.zip.Code)
	b.put(1, 1, "A")
	b.digits(2, 5, int64(o.zip.Code))
	b.put(9, 28, "OLD "+streetWords[name%len(streetWords)])
	b.put(37, 4, streetTypes[name%len(streetTypes)])
	b.put(45, 28, streetWords[name%len(streetWords)])
	b.put(73, 4, streetTypes[name%len(streetTypes)])
	if d := directionals[name%len(directionals)]; d != "" {
		b.put(43, 2, d)
	}
	b.put(79, 1, "O")
	b.put(80, 8, "20200101")
	return b
}

func yesNo(yes bool) byte {
	if yes {
		return 'Y'
	}
	return 'N'
}

// WriteDeliveryStatistics writes a Delivery Statistics product file: a copyright
// record and one record per carrier route, 309 bytes each without line ends. It
// returns the number of records after the first.
func (c *Country) WriteDeliveryStatistics(ctx context.Context, w io.Writer) (int64, error) {
	b := bufio.NewWriterSize(w, 1<<16)
	if err := writeAll(b, c.copyright(309)); err != nil {
		return 0, err
	}
	offices := c.offices(nil)
	var n int64
	for i := range offices {
		if err := ctx.Err(); err != nil {
			return n, err
		}
		o := &offices[i]
		for _, route := range o.routes() {
			n++
			if err := writeAll(b, c.routeRecord(o, route, n)); err != nil {
				return n, err
			}
		}
	}
	return n, b.Flush()
}

// routes lists the carrier routes of a post office's ZIP+4 records.
func (o *postOffice) routes() []string {
	switch {
	case o.zip.Class == dataset.General && o.rural && o.zip.HasArea:
		return []string{"B001", "C001", "C002", "R001"}
	case o.zip.Class == dataset.General && o.zip.HasArea:
		return []string{"B001", "C001", "C002", "C003", "C004"}
	case o.zip.Class == dataset.POBox || o.zip.Class == dataset.Military:
		return []string{"B001"}
	default:
		return []string{"C001"}
	}
}

// routeRecord returns the counts of a route: boxes on B routes, houses and shops
// on the others. Possible deliveries slightly exceed active ones.
func (c *Country) routeRecord(o *postOffice, route string, key int64) block {
	b := newBlock(309)
	b.put(1, 1, "D")
	b.digits(2, 5, int64(o.zip.Code))
	b.put(7, 2, "V1")
	b.digits(9, 8, key)
	b.put(17, 1, "A")
	b.put(18, 4, route)
	for start := 22; start < 287; start += 5 {
		b.digits(start, 5, 0)
	}
	h := hash(c.seed, uint64(o.zip.Code), uint64(route[0])<<8|uint64(route[3]))
	count := func(active int, n uint64) {
		b.digits(active, 5, int64(n))
		b.digits(active+125, 5, int64(n+n/40)) // possible follows active by 25 fields
	}
	if route[0] == 'B' {
		count(42, h%80)        // business, facility box
		count(62, h>>8%5)      // business, caller service
		count(102, h>>16%900)  // residential, facility box
		count(142, 1+h>>24%20) // general delivery
	} else {
		count(22, h%30)        // business, centralized
		count(37, h>>8%40)     // business, other
		count(82, h>>16%300)   // residential, centralized
		count(87, h>>24%200)   // residential, curb
		count(97, 50+h>>32%99) // residential, other
	}
	b.put(287, 6, o.finance)
	b.put(293, 2, o.state)
	b.put(295, 3, o.county)
	b.put(298, 6, o.key)
	b.put(304, 6, o.key)
	return b
}
