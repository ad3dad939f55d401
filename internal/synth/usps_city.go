package synth

import (
	"cmp"
	"context"
	"io"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/internal/store"
)

// WriteCityState writes a City State product file: a copyright record, names of
// ZIPs (D), and aliases of streets (A). Records have 129 bytes without line
// ends. It returns the number of records after the first.
func (c *Country) WriteCityState(ctx context.Context, w io.Writer) (int64, error) {
	keys, seconds := c.cityKeys(), c.secondCounties()
	return c.product(w, 129, func(add func(block) error) error {
		for _, o := range all(c.offices(nil)) {
			if err := ctx.Err(); err != nil {
				return err
			}
			for _, r := range c.cityRecords(o, keys, seconds) {
				if err := add(r); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// cityRecords returns the records of the names of a ZIP's place and streets.
func (c *Country) cityRecords(o *postOffice, keys map[cityKey]string, seconds map[dataset.ZIP]int) []block {
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
	if o.zip.Class == store.General && o.zip.HasArea && o.zip.Code%5 == 0 {
		records = append(records, streetAlias(o))
	}
	return records
}

// cityRecord returns the record of a name of a ZIP's place.
func (c *Country) cityRecord(o *postOffice, name, key string, facility byte, mailing bool) block {
	b := recordOf(o, 129, 'D')
	b.put(7, 6, key)
	if o.zip.Class != store.General {
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
	b[90] = yesNo(o.zip.Class == store.General && !o.rural)
	b[91] = "ABCD"[int(o.zip.Code)%4]
	b[92] = yesNo(o.zip.Class == store.Unique)
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
func streetAlias(o *postOffice) block {
	b := recordOf(o, 129, 'A')
	word, kind, dir := streetOf(o, 0)
	b.put(9, 28, "OLD "+word)
	b.put(37, 4, streetTypes[kind])
	b.put(43, 2, dir)
	b.put(45, 28, word)
	b.put(73, 4, streetTypes[kind])
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
	key := int64(0)
	return c.product(w, 309, func(add func(block) error) error {
		for _, o := range all(c.offices(nil)) {
			for _, route := range o.routes() {
				key++
				if err := cmp.Or(ctx.Err(), add(c.routeRecord(o, route, key))); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// routes lists the carrier routes of a post office's ZIP+4 records.
func (o *postOffice) routes() []string {
	switch {
	case o.zip.Class == store.General && o.rural && o.zip.HasArea:
		return []string{"B001", "C001", "C002", "R001"}
	case o.zip.Class == store.General && o.zip.HasArea:
		return []string{"B001", "C001", "C002", "C003", "C004"}
	case o.zip.Class == store.POBox || o.zip.Class == store.Military:
		return []string{"B001"}
	default:
		return []string{"C001"}
	}
}

// routeRecord returns the counts of a route: boxes on B routes, houses and shops
// on the others. Possible deliveries slightly exceed active ones.
func (c *Country) routeRecord(o *postOffice, route string, key int64) block {
	b := recordOf(o, 309, 'D')
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
