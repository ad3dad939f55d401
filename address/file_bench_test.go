package address_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/sqlite"
)

// BenchmarkMatchFile matches addresses of the dataset file $POSTGEO_DATA: with
// ZIP, without ZIP, and with two letters of the name exchanged.
func BenchmarkMatchFile(b *testing.B) {
	path := os.Getenv("POSTGEO_DATA")
	if path == "" {
		b.Skip("POSTGEO_DATA names no dataset file with address records")
	}
	d, err := sqlite.Open(path)
	check(b, err)
	defer d.Close()
	cases := fileCases(b, d)
	m := engineOn(b, d)
	for _, category := range []string{"clean", "no_zip", "typo1"} {
		b.Run(category, func(b *testing.B) { benchmarkMatches(b, m, cases[category]) })
	}
}

// fileCases writes twenty records of each of a thousand ZIPs as addresses.
func fileCases(b *testing.B, d *store.Dataset) map[string][]matchCase {
	b.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	var zips []dataset.ZIP
	for z := range d.StreetZIPs() {
		zips = append(zips, z)
	}
	random.Shuffle(len(zips), func(i, k int) { zips[i], zips[k] = zips[k], zips[i] })
	cases := map[string][]matchCase{}
	for _, z := range zips[:min(len(zips), 1000)] {
		row, _ := d.ZIP(z)
		var records []store.StreetRecord
		for r, err := range d.StreetRecords(b.Context(), z) {
			check(b, err)
			if r.RecordType == 'S' && !r.Alternate && strings.Trim(r.AddrLow, "0123456789") == "" && len(r.Street) > 3 {
				records = append(records, r)
			}
		}
		for range min(len(records), 20) {
			r := records[random.IntN(len(records))]
			at := 1 + random.IntN(len(r.Street)-2)
			misspelt := r.Street[:at] + r.Street[at+1:at+2] + r.Street[at:at+1] + r.Street[at+2:]
			line := func(street string) string {
				return strings.Join(strings.Fields(fmt.Sprintf("%s %s %s %s %s", strings.TrimLeft(r.AddrLow, "0"), r.PreDir, street, r.Suffix, r.PostDir)), " ")
			}
			place := ", " + row.City + ", " + r.State
			cases["clean"] = append(cases["clean"], matchCase{Text: line(r.Street) + place + " " + z.String()})
			cases["no_zip"] = append(cases["no_zip"], matchCase{Text: line(r.Street) + place})
			cases["typo1"] = append(cases["typo1"], matchCase{Text: line(misspelt) + place + " " + z.String()})
		}
	}
	if len(cases) == 0 {
		b.Fatalf("the dataset %s has no street records", os.Getenv("POSTGEO_DATA"))
	}
	for _, list := range cases { // neighbors are not matched one after the other
		random.Shuffle(len(list), func(i, k int) { list[i], list[k] = list[k], list[i] })
	}
	return cases
}
