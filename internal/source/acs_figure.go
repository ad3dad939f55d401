package source

import (
	"fmt"
	"math"
	"strings"

	"github.com/postgeo/postgeo/internal/store"
)

// acsSigns are what tables print in place of a number.
var acsSigns = map[string]store.ACSMark{
	"(X)": store.ACSNotApplicable, "-": store.ACSTooFewSamples, "N": store.ACSTooFewCases,
	"**": store.ACSNoMargin, "***": store.ACSOpenInterval, "*****": store.ACSControlled,
	"": store.ACSFiltered, "null": store.ACSFiltered,
}

// acsCodes are the numbers that the interface of the Census Bureau gives in
// place of signs.
var acsCodes = map[int64]store.ACSMark{
	-888888888: store.ACSNotApplicable, -666666666: store.ACSTooFewSamples, -999999999: store.ACSTooFewCases,
	-222222222: store.ACSNoMargin, -333333333: store.ACSOpenInterval, -555555555: store.ACSControlled,
}

// acsFigure reads a figure as any of the layouts print it: 1234, 1,234, 48.3%,
// ±1,196, 250,000+, 2,500-, a sign or a code. The number is in units of the
// last of so many decimals; more than these must be zeros.
func acsFigure(s string, decimals uint8) (store.ACSFigure, error) {
	if v, ok := fixedPoint(s, decimals); ok && v <= math.MaxInt32 {
		return store.ACSFigure{N: int32(v), Mark: store.ACSNumber}, nil
	}
	if m, ok := acsSigns[s]; ok {
		return store.ACSFigure{Mark: m}, nil
	}
	text := strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(s), "±"), "%")
	if m, ok := acsSigns[text]; ok {
		return store.ACSFigure{Mark: m}, nil
	}
	mark := store.ACSNumber
	if t, ok := strings.CutSuffix(text, "+"); ok {
		text, mark = t, store.ACSAtLeast
	} else if t, ok := strings.CutSuffix(text, "-"); ok {
		text, mark = t, store.ACSAtMost
	}
	text, negative := strings.CutPrefix(text, "-")
	v, ok := fixedPoint(text, decimals)
	if !ok || negative && mark != store.ACSNumber {
		return store.ACSFigure{}, fmt.Errorf("%q is not a figure with at most %d decimals", s, decimals)
	}
	if negative {
		if code, ok := fixedPoint(text, 0); ok {
			if m, ok := acsCodes[-code]; ok {
				return store.ACSFigure{Mark: m}, nil
			}
		}
		v = -v
	}
	if v > math.MaxInt32 || v < -math.MaxInt32 {
		return store.ACSFigure{}, fmt.Errorf("%q is out of range", s)
	}
	return store.ACSFigure{N: int32(v), Mark: mark}, nil
}

// fixedPoint reads digits, perhaps with commas and a point among them, in units of the
// last of so many decimals. Decimals after these must be zeros.
func fixedPoint(s string, decimals uint8) (v int64, ok bool) {
	const most = 12
	digits, after := 0, -1 // after is the number of decimals
	for i := range len(s) {
		switch c := s[i]; {
		case c >= '0' && c <= '9' && after == int(decimals):
			if c != '0' {
				return 0, false
			}
		case c >= '0' && c <= '9':
			if v, digits = v*10+int64(c-'0'), digits+1; after >= 0 {
				after++
			}
			if digits > most+int(decimals) {
				return 0, false
			}
		case c == ',' && digits > 0 && after < 0:
		case c == '.' && digits > 0 && after < 0:
			after = 0
		default:
			return 0, false
		}
	}
	for after = max(after, 0); after < int(decimals); after++ {
		v *= 10
	}
	return v, digits > 0
}
