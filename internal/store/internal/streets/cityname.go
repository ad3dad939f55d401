package streets

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// A CityName is a name of a ZIP Code's place, as the City State product has it,
// in capitals.
type CityName struct {
	Name         string
	Abbreviation string // at most 13 characters; "" if the name needs none
	Key          string // city state key, six characters
	LastLineKey  string // that of the preferred name
	Facility     byte   // B branch, C community post office, N no post office, P post office, S station, U urbanization; 0 blank
	Mailing      bool   // allowed on the last line of an address
	Preferred    bool   // the default on the last line
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
	zip     dataset.ZIP
	finance uint32 // 0 if unknown
	names   []CityName
}

// AddCityNames adds the names of a ZIP Code's place, once. CityNames returns
// the preferred one first and the others in the given order. The finance number
// of the post office, or "" if unknown, overrides that of the records.
func (w *Writer) AddCityNames(z dataset.ZIP, finance string, names []CityName) error {
	if err := w.out.Usable(); err != nil {
		return err
	}
	if z >= dataset.NumZIPs || len(names) == 0 || len(names) > maxCityNames {
		return file.Invalid("%d city names of ZIP number %d; expected 1 to %d of a ZIP up to %d", len(names), uint32(z), maxCityNames, dataset.NumZIPs-1)
	}
	for i := range names {
		c := &names[i]
		if c.Facility >= 0x80 {
			return file.Invalid("city name %q of ZIP %s: facility %#x; expected ASCII", c.Name, z, c.Facility)
		}
		texts := c.texts()
		if err := w.out.Names.Add(texts[:]...); err != nil {
			return file.Invalid("city name %q of ZIP %s: %v", c.Name, z, err)
		}
	}
	list := slices.Clone(names)
	slices.SortStableFunc(list, func(a, b CityName) int { return int(file.FlagBits(b.Preferred)) - int(file.FlagBits(a.Preferred)) })
	w.cityNames = append(w.cityNames, zipCities{z, financeNumber(finance), list})
	return nil
}

var cityNamesTable = table{
	Name: "city.names",
	Encode: func(w *Writer, c *file.Columns) error {
		if len(w.cityNames) == 0 {
			return nil
		}
		slices.SortFunc(w.cityNames, func(a, b zipCities) int { return int(a.zip) - int(b.zip) })
		var e file.Encoder
		next := dataset.ZIP(0)
		for _, z := range w.cityNames {
			if z.zip < next {
				return file.Invalid("the city names of ZIP %s were given twice", z.zip)
			}
			e.Uint(uint64(z.zip - next))
			next = z.zip + 1
			e.Uint(uint64(z.finance))
			e.Uint(uint64(len(z.names)))
			for i := range z.names {
				n := &z.names[i]
				e.Uint(uint64(n.Facility)<<2 | file.FlagBits(n.Mailing, n.Preferred))
				for _, s := range n.texts() {
					e.Uint(uint64(w.out.Names.IDs[s]))
				}
			}
		}
		c.Add(file.Column{Name: "city.names", Rows: len(w.cityNames), Data: e.B})
		return nil
	},
	Decode: func(d *Reader, c *file.Columns) error {
		if !c.Has("city.names") {
			return nil
		}
		col, err := c.Take("city.names", 0)
		if err != nil {
			return err
		}
		return d.decodeCityNames(col)
	},
}

// decodeCityNames checks the column and notes where each ZIP's names begin.
func (d *Reader) decodeCityNames(c file.Column) error {
	if c.Rows > len(c.Data) {
		return fmt.Errorf("column %s: %w", c.Name, file.ErrShort)
	}
	in, set := file.Decoder{B: c.Data}, file.NewCodeSetBuilder(dataset.NumZIPs)
	starts := make([]uint32, 0, c.Rows)
	for i := range c.Rows {
		zip := set.Next + uint32(in.Max(dataset.NumZIPs))
		starts = append(starts, uint32(len(c.Data)-len(in.B)))
		in.Max(maxFinance)
		n := in.Max(maxCityNames)
		for range n {
			in.Max(maxCityFlag)
			for range cityTexts {
				in.Max(uint64(d.file.Names.Len() - 1))
			}
		}
		if n == 0 {
			in.Fail(file.ErrRange)
		}
		if in.Err != nil {
			return fmt.Errorf("column %s: row %d: %w", c.Name, i, in.Err)
		}
		if err := set.Add(zip); err != nil {
			return fmt.Errorf("column %s: row %d: %w", c.Name, i, err)
		}
	}
	if err := in.End(); err != nil {
		return fmt.Errorf("column %s: %w", c.Name, err)
	}
	d.citySet, d.cityStarts, d.cityNames = set.Finish(), starts, c.Data
	return nil
}

// CityNames appends the names of the ZIP Code's place, the preferred one first,
// from memory. It appends none if the dataset lacks the City State product or
// the product lacks the ZIP Code.
func (d *Reader) CityNames(z dataset.ZIP, into []CityName) []CityName {
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
			t[k] = d.file.Names.At(file.NameID(next()))
		}
		into = append(into, CityName{
			Name: t[0], Abbreviation: t[1], Key: t[2], LastLineKey: t[3], State: t[4], CountyFIPS: t[5],
			Facility: byte(flags >> 2), Mailing: flags&1 != 0, Preferred: flags&2 != 0,
		})
	}
	return into
}

// citiesOf returns the column's value of a ZIP, or nil if it has none.
func (d *Reader) citiesOf(z dataset.ZIP) []byte {
	d.file.Need(SectionStreets)
	row, ok := d.citySet.Row(uint32(z))
	if !ok {
		return nil
	}
	return d.cityNames[d.cityStarts[row]:]
}

// Finance returns the finance number of the ZIP Code's post office, six digits.
// It comes from the City State product or the street records; "" means unknown.
func (d *Reader) Finance(z dataset.ZIP) string {
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
