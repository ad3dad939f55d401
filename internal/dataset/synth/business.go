package synth

import "strings"

// A businessRow is a row of ZIP Code Business Patterns.
type businessRow struct {
	establishments, employees int64
	q1, annual                int64 // payrolls in thousands of dollars
}

// business invents the establishments of a ZIP Code: one per forty residents and
// a few more. Each has 4 to 24 employees, who earn 30 to 80 thousand dollars a
// year. Military ZIP Codes have none.
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

// businessTables are the totals of 2020 and those of 2016. ZIP Codes of fewer
// than three establishments are missing in 2020. In 2016 their figures are
// withheld, except for the number and size of establishments. The last row
// counts establishments without a ZIP Code.
func (c *Country) businessTables() []mirrorFile {
	file := func(year string, withheld bool) mirrorFile {
		member := "zbp" + year + "totals"
		f := form{delimiter: ',', quoted: true, crlf: withheld, latin1: true}
		return f.file("www2.census.gov/programs-surveys/cbp/datasets/20"+year+"/"+member+".zip", member+".txt",
			func(t *table) { c.writeBusiness(t, withheld) })
	}
	return []mirrorFile{file("20", false), file("16", true)}
}

func (c *Country) writeBusiness(t *table, withheld bool) {
	const least = 3
	row := func(zip, name, empflag, noise string, b businessRow, city, state, county string) {
		values := []string{zip, name}
		if withheld {
			values = append(values, empflag)
		}
		t.row(append(values, noise, itoa(b.employees), noise, itoa(b.q1), noise, itoa(b.annual), itoa(b.establishments), city, state, county)...)
	}
	head := []string{"zip", "name", "emp_nf", "emp", "qp1_nf", "qp1", "ap_nf", "ap", "est", "city", "stabbr", "cty_name"}
	if withheld {
		head = append(head[:2:2], append([]string{"empflag"}, head[2:]...)...)
	}
	t.line(head...)
	var rest businessRow
	for _, z := range all(c.ZIPs) {
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
}

// sizeClass returns the letter for a withheld number of employees.
func sizeClass(employees int64) string {
	if employees < 20 {
		return "A"
	}
	return "B"
}
