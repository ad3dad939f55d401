package billing

import (
	"strconv"
	"strings"
)

// reverseGeocode is the name of the charge for resolving a coordinate to a code.
const reverseGeocode = "reverse_geocode"

// autoRadius is the name of the charge for an automatic radius.
const autoRadius = "auto_radius"

// A Cost is a price in credits and how it came about. Used is Base plus the
// credits of the enrichments. The zero Cost is free.
type Cost struct {
	Base        int
	Enrichments []Enrichment // in the order of the contract
	Used        int
	Calculation string // e.g. "2 base x (1 + 1 timezone) = 4"; "" if there is nothing to calculate
	Note        string // explains the price; "" for most
}

// An Enrichment is what one flag costs.
type Enrichment struct {
	Flag    string // e.g. "timezone"
	Credits int
}

// product returns base × (1 + the number of flags); each flag is charged base.
func product(base int, flags []string) Cost {
	c := Cost{Base: base, Used: base * (1 + len(flags))}
	if len(flags) == 0 {
		c.Calculation = plainBase(base)
		return c
	}
	for _, f := range flags {
		c.Enrichments = append(c.Enrichments, Enrichment{Flag: f, Credits: base})
	}
	c.Calculation = strconv.Itoa(base) + " base x (1 + " + ones(flags) + ") = " + strconv.Itoa(c.Used)
	return c
}

// sum returns base + the number of flags; each flag is charged 1.
func sum(base int, flags []string) Cost {
	c := Cost{Base: base, Used: base + len(flags)}
	if len(flags) == 0 {
		c.Calculation = plainBase(base)
		return c
	}
	for _, f := range flags {
		c.Enrichments = append(c.Enrichments, Enrichment{Flag: f, Credits: 1})
	}
	c.Calculation = strconv.Itoa(base) + " base + " + ones(flags) + " = " + strconv.Itoa(c.Used)
	return c
}

// plainBase is the calculation of a price without flags.
func plainBase(base int) string {
	if base == 1 {
		return "1 base = 1"
	}
	return strconv.Itoa(base) + " base = " + strconv.Itoa(base)
}

// ones writes "1 timezone + 1 census".
func ones(flags []string) string {
	var b strings.Builder
	for i, f := range flags {
		if i > 0 {
			b.WriteString(" + ")
		}
		b.WriteString("1 ")
		b.WriteString(f)
	}
	return b.String()
}

// Sum adds the costs of the items of a batch, duplicates included. The
// enrichments of one flag are added up, in the order of their first
// appearance.
func Sum(costs ...Cost) Cost {
	var total Cost
	index := map[string]int{}
	for _, c := range costs {
		total.Base += c.Base
		total.Used += c.Used
		for _, e := range c.Enrichments {
			i, ok := index[e.Flag]
			if !ok {
				i = len(total.Enrichments)
				index[e.Flag] = i
				total.Enrichments = append(total.Enrichments, Enrichment{Flag: e.Flag})
			}
			total.Enrichments[i].Credits += e.Credits
		}
	}
	total.Calculation = strconv.Itoa(len(costs)) + " items = " + strconv.Itoa(total.Used)
	if len(costs) == 1 {
		total.Calculation = "1 item = " + strconv.Itoa(total.Used)
	}
	return total
}
