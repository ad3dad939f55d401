package dataset

import (
	"encoding/binary"
	"fmt"
	"slices"
)

// A CityName is a name of a ZIP Code's place, as the City State product has it,
// in capitals.
type CityName struct {
	Name         string
	Abbreviation string // at most 13 characters; "" where the name needs none
	Key          string // city state key, six characters
	LastLineKey  string // that of the preferred name
	Facility     byte   // B branch, C community post office, N no post office, P post office, S station, U urbanization; 0 blank
	Mailing      bool   // may stand on the last line of an address
	Preferred    bool   // stands there unless another one is given
	State        string // two letters
	CountyFIPS   string // three digits within the state; "" for military
}

// The names are one column: for each ZIP the gap to the one before, the finance
// number and the number of names, then the names. Texts are numbers of the table of names.
const (
	cityTexts   = 6 // name, abbreviation, key, last line key, state, county
	maxCityFlag = 1<<7<<2 - 1
)

func (c *CityName) texts() [cityTexts]string {
	return [cityTexts]string{c.Name, c.Abbreviation, c.Key, c.LastLineKey, c.State, c.CountyFIPS}
}

// maxCityNames bounds the names of one ZIP.
const maxCityNames = 1000

type zipCities struct {
	zip     ZIP
	finance uint32 // 0 where unknown
	names   []CityName
}

// AddCityNames adds the names of a ZIP Code's place, once: CityNames gives the
// preferred one first and the others in the given order. finance is the finance
// number of its post office, which counts for more than that of its records; ""
// where it is not known.
func (w *streetsWriter) AddCityNames(z ZIP, finance string, names []CityName) error {
	if err := w.out.open(); err != nil {
		return err
	}
	if z >= NumZIPs || len(names) == 0 || len(names) > maxCityNames {
		return invalid("%d city names of ZIP number %d; expected 1 to %d of a ZIP up to %d", len(names), uint32(z), maxCityNames, NumZIPs-1)
	}
	for i := range names {
		c := &names[i]
		if c.Facility >= 0x80 {
			return invalid("city name %q of ZIP %s: facility %#x; expected ASCII", c.Name, z, c.Facility)
		}
		texts := c.texts()
		if err := w.out.names.add(texts[:]...); err != nil {
			return invalid("city name %q of ZIP %s: %v", c.Name, z, err)
		}
	}
	list := slices.Clone(names)
	slices.SortStableFunc(list, func(a, b CityName) int { return int(flagBits(b.Preferred)) - int(flagBits(a.Preferred)) })
	w.cityNames = append(w.cityNames, zipCities{z, financeNumber(finance), list})
	return nil
}

var cityNamesTable = streetsTable{
	name: "city.names",
	encode: func(w *streetsWriter, c *columnSet) error {
		if len(w.cityNames) == 0 {
			return nil
		}
		slices.SortFunc(w.cityNames, func(a, b zipCities) int { return int(a.zip) - int(b.zip) })
		var e encoder
		next := ZIP(0)
		for _, z := range w.cityNames {
			if z.zip < next {
				return invalid("the city names of ZIP %s were given twice", z.zip)
			}
			e.uint(uint64(z.zip - next))
			next = z.zip + 1
			e.uint(uint64(z.finance))
			e.uint(uint64(len(z.names)))
			for i := range z.names {
				n := &z.names[i]
				e.uint(uint64(n.Facility)<<2 | flagBits(n.Mailing, n.Preferred))
				for _, s := range n.texts() {
					e.uint(uint64(w.out.names.ids[s]))
				}
			}
		}
		c.add(column{name: "city.names", rows: len(w.cityNames), data: e.b})
		return nil
	},
	decode: func(d *streetsReader, c *columnSet) error {
		if !c.has("city.names") {
			return nil
		}
		col, err := c.take("city.names", 0)
		if err != nil {
			return err
		}
		return d.decodeCityNames(col)
	},
}

// decodeCityNames checks the column and notes where each ZIP's names begin.
func (d *streetsReader) decodeCityNames(c column) error {
	if c.rows > len(c.data) {
		return fmt.Errorf("column %s: %w", c.name, errShort)
	}
	in, set := decoder{b: c.data}, newCodeSetBuilder(NumZIPs)
	starts := make([]uint32, 0, c.rows)
	for i := range c.rows {
		zip := set.next + uint32(in.max(NumZIPs))
		starts = append(starts, uint32(len(c.data)-len(in.b)))
		in.max(maxFinance)
		n := in.max(maxCityNames)
		for range n {
			in.max(maxCityFlag)
			for range cityTexts {
				in.max(uint64(d.file.names.len() - 1))
			}
		}
		if n == 0 {
			in.fail(errRange)
		}
		if in.err != nil {
			return fmt.Errorf("column %s: row %d: %w", c.name, i, in.err)
		}
		if err := set.add(zip); err != nil {
			return fmt.Errorf("column %s: row %d: %w", c.name, i, err)
		}
	}
	if err := in.end(); err != nil {
		return fmt.Errorf("column %s: %w", c.name, err)
	}
	d.citySet, d.cityStarts, d.cityNames = set.finish(), starts, c.data
	return nil
}

// HasCityNames reports whether the dataset holds the names of the City State
// product.
func (d *streetsReader) HasCityNames() bool {
	d.file.need(SectionStreets)
	return len(d.cityStarts) > 0
}

// CityNames appends the names of the ZIP Code's place, the preferred one first,
// from memory; none where the City State product was not given or lacks the
// ZIP Code.
func (d *streetsReader) CityNames(z ZIP, into []CityName) []CityName {
	data := d.citiesOf(z)
	if data == nil {
		return into
	}
	next := func() uint64 { // Open has looked at every number
		v, n := binary.Uvarint(data)
		data = data[n:]
		return v
	}
	next() // finance number
	for range next() {
		flags := next()
		var t [cityTexts]string
		for k := range t {
			t[k] = d.file.names.at(nameID(next()))
		}
		into = append(into, CityName{
			Name: t[0], Abbreviation: t[1], Key: t[2], LastLineKey: t[3], State: t[4], CountyFIPS: t[5],
			Facility: byte(flags >> 2), Mailing: flags&1 != 0, Preferred: flags&2 != 0,
		})
	}
	return into
}

// citiesOf returns what the column holds of a ZIP, nil where it has none.
func (d *streetsReader) citiesOf(z ZIP) []byte {
	d.file.need(SectionStreets)
	row, ok := d.citySet.row(uint32(z))
	if !ok {
		return nil
	}
	return d.cityNames[d.cityStarts[row]:]
}

// Finance returns the finance number of the ZIP Code's post office, six digits:
// that of the City State product, else that of its street records; "" where
// neither tells it.
func (d *streetsReader) Finance(z ZIP) string {
	if data := d.citiesOf(z); data != nil {
		if n, _ := binary.Uvarint(data); n != 0 {
			return financeText(uint32(n))
		}
	}
	if s, ok := d.streetsOf(z); ok {
		return financeText(s.finance)
	}
	return ""
}

func financeText(n uint32) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%06d", n)
}
