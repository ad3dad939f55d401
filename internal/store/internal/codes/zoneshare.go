package codes

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/internal/store/internal/file"
)

// A ZoneShare is how much of an area lies in a time zone.
type ZoneShare struct {
	Zone    ZoneID
	Percent float32 // of the area, above 0, at most 100
}

// zoneShareWidth is the size of a stored share: the zone and the percentage as
// float32.
const zoneShareWidth = 5

// zoneShares are the shares of the areas of one kind, one list after the
// other.
type zoneShares struct {
	set    file.CodeSet
	starts []uint32 // of each list, and the end of the last
	list   []ZoneShare
}

func (s *zoneShares) of(code uint32) []ZoneShare {
	i, ok := s.set.Row(code)
	if !ok {
		return nil
	}
	return s.list[s.starts[i]:s.starts[i+1]:s.starts[i+1]]
}

// ZIPZones returns the time zones of the ZIP Code's area, the largest share
// first, from memory. It is nil if they are unknown; the zone at the ZIP's point
// is in its row. It must not be changed.
func (d *Reader) ZIPZones(z dataset.ZIP) []ZoneShare {
	d.file.Need(SectionZoneShares)
	return d.zipZones.of(uint32(z))
}

// FSAZones returns the time zones of the forward sortation area, as
// [Reader.ZIPZones] does for ZIP Codes.
func (d *Reader) FSAZones(f dataset.FSA) []ZoneShare {
	d.file.Need(SectionZoneShares)
	return d.fsaZones.of(uint32(f))
}

// AddZIPZones adds the time zones of a ZIP Code's area: one or more different
// ones in any order, each with a share above 0. They add up to less than 100
// percent if a part of the area lies in no zone. Add ZIP Codes in ascending
// order, each once and also with AddZIP.
func (w *Writer) AddZIPZones(z dataset.ZIP, shares []ZoneShare) error {
	if z >= dataset.NumZIPs {
		return file.Invalid("time zones of ZIP number %d; expected at most %d", uint32(z), dataset.NumZIPs-1)
	}
	return w.addZones("ZIP "+z.String(), &w.zipZones, uint32(z), shares)
}

// AddFSAZones adds the time zones of a forward sortation area, as AddZIPZones
// does for a ZIP Code.
func (w *Writer) AddFSAZones(f dataset.FSA, shares []ZoneShare) error {
	if f >= dataset.NumFSAs {
		return file.Invalid("time zones of FSA number %d; expected at most %d", uint16(f), dataset.NumFSAs-1)
	}
	return w.addZones("FSA "+f.String(), &w.fsaZones, uint32(f), shares)
}

// zoneWriter holds the rows of a column of shares.
type zoneWriter struct {
	codes []uint32
	rows  []byte
}

func (w *Writer) addZones(noun string, to *zoneWriter, code uint32, shares []ZoneShare) error {
	if err := w.out.Usable(); err != nil {
		return err
	}
	if n := len(to.codes); n > 0 && code <= to.codes[n-1] {
		return file.Invalid("time zones of %s after those of a later code; expected ascending order, each code once", noun)
	}
	sorted := slices.Clone(shares)
	slices.SortFunc(sorted, func(a, b ZoneShare) int {
		return cmp.Or(cmp.Compare(b.Percent, a.Percent), cmp.Compare(a.Zone, b.Zone))
	})
	if err := checkZoneShares(sorted); err != nil {
		return file.InvalidRow("time zones of "+noun, err)
	}
	to.codes = append(to.codes, code)
	to.rows = append(to.rows, byte(len(sorted)))
	for _, s := range sorted {
		to.rows = append(to.rows, byte(s.Zone))
		to.rows = binary.LittleEndian.AppendUint32(to.rows, math.Float32bits(s.Percent))
	}
	return nil
}

// checkZoneShares checks the shares of one area, which are in order.
func checkZoneShares(list []ZoneShare) error {
	if len(list) == 0 || len(list) > math.MaxUint8 {
		return fmt.Errorf("there are %d shares, expected 1 to %d", len(list), math.MaxUint8)
	}
	sum := 0.0
	for i, s := range list {
		// The comparison also refuses NaN.
		if !(s.Percent > 0 && s.Percent <= 100) {
			return fmt.Errorf("a share is %v %%, expected more than 0 and at most 100", s.Percent)
		}
		if s.Zone == 0 {
			return fmt.Errorf("a share is of the time zone 0")
		}
		for _, t := range list[:i] {
			if t.Zone == s.Zone {
				return fmt.Errorf("the time zone %d has two shares", s.Zone)
			}
			if t.Percent < s.Percent || t.Percent == s.Percent && t.Zone > s.Zone {
				return fmt.Errorf("the shares are not in order")
			}
		}
		sum += float64(s.Percent)
	}
	// Outlines of neighboring zones may overlap a little.
	const most = 101
	if sum > most {
		return fmt.Errorf("the shares add up to %.1f %%, expected at most %d", sum, most)
	}
	return nil
}

var (
	zipZonesTable = zonesOfTable("zip_zones", dataset.NumZIPs,
		func(w *Writer) *zoneWriter { return &w.zipZones },
		func(d *Reader) (*zoneShares, *file.CodeSet) { return &d.zipZones, &d.zipSet })
	fsaZonesTable = zonesOfTable("fsa_zones", dataset.NumFSAs,
		func(w *Writer) *zoneWriter { return &w.fsaZones },
		func(d *Reader) (*zoneShares, *file.CodeSet) { return &d.fsaZones, &d.fsaSet })
)

// zonesOfTable stores shares as two columns: the codes, and for each code the
// number of its shares and the shares. Without shares it has no columns.
func zonesOfTable(name string, limit uint32, rows func(*Writer) *zoneWriter, shares func(*Reader) (*zoneShares, *file.CodeSet)) table {
	codes := name + ".codes"
	return table{
		Name: name,
		Encode: func(w *Writer, c *file.Columns) error {
			z := rows(w)
			if len(z.codes) == 0 {
				return nil
			}
			file.AddCodes(c, codes, z.codes)
			c.Add(file.Column{Name: name, Rows: len(z.codes), Data: z.rows})
			return nil
		},
		Decode: func(d *Reader, c *file.Columns) error {
			if !c.Has(codes) {
				return nil
			}
			to, owners := shares(d)
			var err error
			if to.set, err = file.TakeCodes(c, codes, limit, owners); err != nil {
				return err
			}
			data, err := c.Take(name, 0)
			if err != nil {
				return err
			}
			if err := d.decodeZoneShares(to, data); err != nil {
				return fmt.Errorf("column %s: %w", name, err)
			}
			return nil
		},
	}
}

func (d *Reader) decodeZoneShares(to *zoneShares, c file.Column) error {
	if c.Rows != to.set.Count {
		return fmt.Errorf("it has %d rows, expected %d", c.Rows, to.set.Count)
	}
	e := file.Decoder{B: c.Data}
	to.starts = make([]uint32, 1, c.Rows+1)
	to.list = make([]ZoneShare, 0, len(c.Data)/zoneShareWidth)
	for i := range c.Rows {
		n := len(to.list)
		for b := e.Take(uint64(e.Byte()) * zoneShareWidth); len(b) > 0; b = b[zoneShareWidth:] {
			s := ZoneShare{ZoneID(b[0]), math.Float32frombits(binary.LittleEndian.Uint32(b[1:]))}
			if err := checkID("time zone", int(s.Zone), d.zones); err != nil {
				return fmt.Errorf("row %d: %w", i, err)
			}
			to.list = append(to.list, s)
		}
		if e.Err != nil {
			return fmt.Errorf("row %d: %w", i, e.Err)
		}
		if err := checkZoneShares(to.list[n:]); err != nil {
			return fmt.Errorf("row %d: %w", i, err)
		}
		to.starts = append(to.starts, uint32(len(to.list)))
	}
	return e.End()
}
