package lookup

import (
	"context"
	"fmt"
	"strings"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/postcode"
	"github.com/postgeo/postgeo/internal/store"
)

// A ZIP3 is the area of the ZIP Codes with the same first three digits.
type ZIP3 struct {
	envelope.Item
	Code       string `json:"code"`        // three digits
	ZIPs       int    `json:"zip_count"`   // ZIP Codes that begin so
	Population int    `json:"population"`  // people of these ZIP Codes: newest survey of the dataset, else the census of 2020
	SafeHarbor string `json:"safe_harbor"` // the code if it has more than 20,000 people, else 000, as 45 CFR 164.514(b)(2)(i)(B) requires
}

// safeHarborPeople is the population that the code of a ZIP3 must exceed in data
// without identities.
const safeHarborPeople = 20_000

// maskedZIP3 replaces the codes of smaller areas.
const maskedZIP3 = "000"

// A zip3Sum adds up the ZIP Codes of a ZIP3.
type zip3Sum struct{ zips, people int }

// zipsOfZIP3 is the number of ZIP Codes that may begin with the same three digits.
const zipsOfZIP3 = 100

// zip3Sums has the sums of all thousand ZIP3, which the first call makes in one pass.
type zip3Sums struct {
	of    [postcode.NumZIPs / zipsOfZIP3]zip3Sum
	known bool // the dataset has people
}

// isZIP3 reports whether a text is three digits, spaces around them aside.
func isZIP3(text string) bool {
	text = strings.TrimSpace(text)
	return len(text) == 3 && strings.Trim(text, "0123456789") == ""
}

// ZIP3 returns the area of three digits, or of the first three digits of a ZIP or
// ZIP+4. Its errors match [envelope.ErrInvalidCode], [envelope.ErrNotFound], and
// [envelope.ErrUnavailable] if the dataset has no population.
func (r *Reader) ZIP3(ctx context.Context, code string) (*ZIP3, error) {
	digits := strings.TrimSpace(code)
	if isZIP3(digits) {
		digits += "00"
	} else if c, err := ParseCode(code); err == nil && (c.typ == zipKind || c.typ == zip4Kind) {
		digits = c.zip().String()
	}
	zip, ok := postcode.ParseZIP(digits)
	if !ok {
		return nil, &envelope.Failure{Op: op, Kind: envelope.KindInvalidCode, Thing: envelope.ThingZIP, Input: code, Range: "three digits or a ZIP Code"}
	}
	sums, err := r.zip3Sums(ctx)
	if err != nil {
		return nil, err
	}
	out := &ZIP3{Item: envelope.Item{Success: true}, Code: zip.String()[:3], SafeHarbor: maskedZIP3}
	sum := sums.of[zip/zipsOfZIP3]
	switch {
	case sum.zips == 0:
		err := r.notFound(zipCode(zip))
		err.Input = out.Code
		return nil, err
	case !sums.known:
		return nil, &envelope.Failure{Op: op, Kind: envelope.KindUnavailable, Thing: envelope.ThingZIP, Input: out.Code, Lacks: "population of ZIP Codes"}
	}
	if out.ZIPs, out.Population = sum.zips, sum.people; sum.people > safeHarborPeople {
		out.SafeHarbor = out.Code
	}
	return out, nil
}

// zip3Sums adds up all ZIP Codes once.
func (r *Reader) zip3Sums(ctx context.Context) (*zip3Sums, error) {
	if sums := r.zip3s.Load(); sums != nil {
		return sums, nil
	}
	if err := r.data.Load(ctx, store.SectionDensity|store.SectionCenters); err != nil {
		return nil, fmt.Errorf("lookup: population: %w", err)
	}
	sums := new(zip3Sums)
	for row := range r.data.ZIPs() {
		people, ok := r.data.Population(store.CodeOfZIP(row.ZIP))
		sums.known = sums.known || ok
		s := &sums.of[row.ZIP/zipsOfZIP3]
		s.zips++
		s.people += int(people)
	}
	if !sums.known && r.data.HasCenterZIPs() {
		sums.known = true
		var shares []store.CenterShare
		for c := range r.data.Centers() {
			shares = c.Shares(shares[:0])
			for _, s := range shares {
				sums.of[s.ZIP/zipsOfZIP3].people += s.People
			}
		}
	}
	r.zip3s.Store(sums)
	return sums, nil
}
