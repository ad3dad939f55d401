package synth

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
	"golang.org/x/text/unicode/norm"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/internal/store"
)

// A block is a fixed-width record, padded with spaces.
type block []byte

// put writes text at a 1-based position, cut to the width.
func (b block) put(start, width int, text string) {
	copy(b[start-1:start-1+width], text)
}

// digits writes a number with leading zeros.
func (b block) digits(start, width int, n int64) {
	for i := start + width - 2; i >= start-1; i-- {
		b[i] = byte('0' + n%10)
		n /= 10
	}
}

// clear fills a field with spaces.
func (b block) clear(start, width int) {
	copy(b[start-1:start-1+width], spaces)
}

// spaces is as long as the longest record.
var spaces = strings.Repeat(" ", 309)

func newBlock(width int) block {
	b := make(block, width)
	b.clear(1, width)
	return b
}

// recordOf returns a record of a ZIP Code with a detail code.
func recordOf(o *postOffice, width int, detail byte) block {
	b := newBlock(width)
	b[0] = detail
	b.digits(2, 5, int64(o.zip.Code))
	return b
}

// copyright returns the first record of a product. The owner is not the
// Postal Service: the file is invented.
func (c *Country) copyright(width int) block {
	b := newBlock(width)
	b.put(1, 1, "C")
	b.put(7, 12, "(C) "+strings.ToUpper(c.Label))
	b.put(20, 2, "01")
	b.put(23, 2, "25")
	b.put(26, 4, "NONE")
	b.put(31, 3, "001")
	return b
}

// capitals returns a name in the spelling of the postal products: capitals
// without accents and apostrophes, at most 28 characters.
func capitals(name string) string {
	if isPlain(name) {
		s := strings.ToUpper(name)
		return s[:min(28, len(s))]
	}
	s, _, err := transform.String(transform.Chain(norm.NFD, runes.Remove(runes.In(unicode.Mn)), norm.NFC), name)
	if err != nil {
		s = name
	}
	s = strings.NewReplacer("'", "", ".", "", "’", "").Replace(strings.ToUpper(s))
	return s[:min(28, len(s))]
}

// isPlain reports whether a name has only ASCII letters, digits, spaces and
// hyphens.
func isPlain(name string) bool {
	for i := range len(name) {
		c := name[i]
		if c != ' ' && c != '-' && (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z') {
			return false
		}
	}
	return true
}

// A postOffice holds the values that every record of a ZIP repeats.
type postOffice struct {
	zip     *ZIP
	box     Box    // of its points
	city    string // in capitals
	key     string // city state key of the preferred last line
	finance string
	state   string
	county  string // three digits; spaces for military ZIPs
	cd      string // congressional district of the postal service
	urb     string // city state key of an urbanization; "" outside Puerto Rico
	rural   bool
}

// offices returns the post offices of the ZIPs in ascending order; nil means
// all. Decommissioned ZIPs have none.
func (c *Country) offices(zips []dataset.ZIP) []postOffice {
	boxes := make([]*Box, len(c.ZIPs))
	for i := range c.Cells {
		if z := c.Cells[i].ZIP; z != None && boxes[z] == nil {
			boxes[z] = &c.Cells[i].Box
		}
	}
	keys := c.cityKeys()
	var out []postOffice
	for i, z := range all(c.ZIPs) {
		if z.Decommissioned || zips != nil && !slices.Contains(zips, z.Code) {
			continue
		}
		s := &c.States[z.State]
		h := hash(c.seed, uint64(z.Code), 'p')
		o := postOffice{
			zip: z, city: capitals(z.City), key: keys[cityKey{z.State, z.City}], state: s.Abbr, county: "   ",
			finance: fmt.Sprintf("%02d%04d", z.State+1, int(z.Code)/10), rural: h%4 == 0,
			cd: fmt.Sprintf("%02d", 1+h>>8%9),
		}
		if z.County != None {
			o.county = c.Counties[z.County].FIPS[2:]
		} else {
			o.cd = "  "
		}
		if s.Abbr == "AK" || s.Abbr == "VT" || s.Abbr == "WY" {
			o.cd = "AL"
		}
		if name := c.urbanization(z); name != "" {
			o.urb = keys[cityKey{z.State, name}]
		}
		switch {
		case boxes[i] != nil:
			o.box = *boxes[i]
		case z.Point.IsValid():
			v := vertexAt(z.Point)
			o.box = Box{v.X - 2000, v.Y - 2000, v.X + 2000, v.Y + 2000}
		}
		out = append(out, o)
	}
	return out
}

// urbanization returns the neighborhood of a ZIP of Puerto Rico with streets,
// or "".
func (c *Country) urbanization(z *ZIP) string {
	if c.States[z.State].Abbr != "PR" || z.Class != store.General || !z.HasArea {
		return ""
	}
	return "URB " + urbanizations[int(z.Code)%len(urbanizations)]
}

// A cityKey names a place of a state.
type cityKey struct {
	state int
	city  string
}

// cityKeys assigns a key of six characters to every name of a place, aliases
// included.
func (c *Country) cityKeys() map[cityKey]string {
	keys := map[cityKey]string{}
	add := func(k cityKey) {
		if _, ok := keys[k]; !ok {
			n := len(keys) + 1
			keys[k] = fmt.Sprintf("%c%05d", 'A'+n/100_000, n%100_000)
		}
	}
	for _, z := range all(c.ZIPs) {
		add(cityKey{z.State, z.City})
		for _, a := range z.Aliases {
			add(cityKey{z.State, a.City})
		}
		if name := c.urbanization(z); name != "" {
			add(cityKey{z.State, name})
		}
	}
	return keys
}

// product writes records of a width behind a copyright record. It returns their number.
func (c *Country) product(w io.Writer, width int, records func(add func(block) error) error) (n int64, err error) {
	b := bufio.NewWriterSize(w, 1<<20)
	if _, err := b.Write(c.copyright(width)); err != nil {
		return 0, err
	}
	err = records(func(r block) error {
		n++
		_, err := b.Write(r)
		return err
	})
	return n, cmp.Or(err, b.Flush())
}

// The files of [Country.WriteProducts].
const (
	ZIP4File               = "zip4.txt"
	ZIP4PointsFile         = "zip4_points.csv"
	CityStateFile          = "ctystate.txt"
	DeliveryStatisticsFile = "delstat.txt"
)

// WriteProducts writes the postal products, which users supply, to a folder. It calls
// written, which may be nil, after each.
func (c *Country) WriteProducts(ctx context.Context, dir string, o ZIP4Options, written func(name string, rows int64, took time.Duration)) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("synth: %w", err)
	}
	for _, p := range []struct {
		name  string
		write func(io.Writer) (int64, error)
	}{
		{ZIP4File, func(w io.Writer) (int64, error) { return c.WriteZIP4(ctx, w, o) }},
		{ZIP4PointsFile, func(w io.Writer) (int64, error) { return c.WriteZIP4Points(ctx, w, o) }},
		{CityStateFile, func(w io.Writer) (int64, error) { return c.WriteCityState(ctx, w) }},
		{DeliveryStatisticsFile, func(w io.Writer) (int64, error) { return c.WriteDeliveryStatistics(ctx, w) }},
	} {
		start := time.Now()
		f, err := os.Create(filepath.Join(dir, p.name))
		if err != nil {
			return fmt.Errorf("synth: %w", err)
		}
		n, err := p.write(f)
		if err := errors.Join(err, f.Close()); err != nil {
			return fmt.Errorf("synth: writing %s: %w", p.name, err)
		}
		if written != nil {
			written(p.name, n, time.Since(start))
		}
	}
	return nil
}
