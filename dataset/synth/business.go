package synth

import (
	"context"
	"errors"
	"io"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/transform"
)

// A businessRow is what ZIP Code Business Patterns tells of a ZIP Code.
type businessRow struct {
	establishments, employees int64
	q1, annual                int64 // payrolls in thousands of dollars
}

// business invents the establishments of a ZIP Code: one for every forty
// residents and a few more, with four to twenty-four employees each, who earn
// thirty to eighty thousand dollars a year. Military ZIP Codes have none.
func (c *Country) business(z *ZIP) (businessRow, bool) {
	if z.County == None || z.Decommissioned {
		return businessRow{}, false
	}
	draw := func(stream byte, n uint64) int64 { return int64(hash(c.seed, uint64(z.Code), uint64(stream)) % n) }
	b := businessRow{establishments: 1 + int64(z.Population)/40 + draw('e', 5)}
	b.employees = b.establishments * (4 + draw('w', 21))
	b.annual = b.employees * (30 + draw('a', 51))
	b.q1 = b.annual * (22 + draw('q', 6)) / 100
	return b, true
}

// businessTables are the totals of 2020, without ZIP Codes of fewer than three
// establishments, and those of 2016, which tell of such a ZIP Code only how
// many establishments it has and of what size they are. The last row has the
// establishments that no ZIP Code could be found for.
func (c *Country) businessTables() []mirrorFile {
	const least = 3
	file := func(year string, withheld bool) mirrorFile {
		rows := 1 + c.countZIPs(func(z *ZIP) bool {
			b, ok := c.business(z)
			return ok && (withheld || b.establishments >= least)
		})
		member := "zbp" + year + "totals"
		return mirrorFile{"www2.census.gov/programs-surveys/cbp/datasets/20" + year + "/" + member + ".zip", rows, zipped(member+".txt", func(_ context.Context, w io.Writer) error {
			latin1 := transform.NewWriter(w, encoding.ReplaceUnsupported(charmap.ISO8859_1.NewEncoder()))
			return errors.Join(c.writeBusiness(latin1, least, withheld), latin1.Close())
		})}
	}
	return []mirrorFile{file("20", false), file("16", true)}
}

func (c *Country) writeBusiness(w io.Writer, least int64, withheld bool) error {
	t := newTable(w, ',')
	t.quoteAll = true
	row := func(zip, name, empflag, noise string, b businessRow, city, state, county string) {
		values := []string{zip, name}
		if withheld {
			values = append(values, empflag)
		}
		t.row(append(values, noise, itoa(b.employees), noise, itoa(b.q1), noise, itoa(b.annual), itoa(b.establishments), city, state, county)...)
	}
	head := []string{"zip", "name", "emp_nf", "emp", "qp1_nf", "qp1", "ap_nf", "ap", "est", "city", "stabbr", "cty_name"}
	if withheld {
		t.end = "\r\n"
		head = append(head[:2:2], append([]string{"empflag"}, head[2:]...)...)
	}
	t.row(head...)
	var rest businessRow
	for i := range c.ZIPs {
		z := &c.ZIPs[i]
		b, ok := c.business(z)
		if !ok {
			continue
		}
		city, state := strings.ToUpper(z.City), c.States[z.State].Abbr
		county := strings.ToUpper(c.Counties[z.County].Base)
		if f, ok := formerCountyOf[c.Counties[z.County].FIPS]; ok {
			county = f.name
		}
		switch name := city + ", " + state; {
		case b.establishments >= least:
			row(z.Code.String(), name, "", "G", b, city, state, county)
		case withheld:
			row(z.Code.String(), name, sizeClass(b.employees), "D", businessRow{establishments: b.establishments}, city, state, county)
		}
		rest = businessRow{rest.establishments + b.establishments/10, rest.employees + b.employees/10, rest.q1 + b.q1/10, rest.annual + b.annual/10}
	}
	row("99999", "UNCLASSIFIED", "", "G", rest, "", "", "")
	return t.flush()
}

// sizeClass returns the letter of the few employees that are withheld.
func sizeClass(employees int64) string {
	if employees < 20 {
		return "A"
	}
	return "B"
}
