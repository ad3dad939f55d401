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
	if n, ok := plainNumber(s, decimals); ok {
		return store.ACSFigure{N: n, Mark: store.ACSNumber}, nil
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
	v, ok := wideNumber(strings.ReplaceAll(text, ",", ""), decimals)
	if !ok || negative && mark != store.ACSNumber {
		return store.ACSFigure{}, fmt.Errorf("%q is not a figure with at most %d decimals", s, decimals)
	}
	if negative {
		scale := int64(1)
		for range decimals {
			scale *= 10
		}
		if m, ok := acsCodes[-v/scale]; ok && v%scale == 0 {
			return store.ACSFigure{Mark: m}, nil
		}
		v = -v
	}
	if v > math.MaxInt32 || v < -math.MaxInt32 {
		return store.ACSFigure{}, fmt.Errorf("%q is out of range", s)
	}
	return store.ACSFigure{N: int32(v), Mark: mark}, nil
}

// plainNumber reads up to nine digits with a point among them, which is what
// nearly all figures are.
func plainNumber(s string, decimals uint8) (int32, bool) {
	if s == "" || len(s) > 9 {
		return 0, false
	}
	v, after := int32(0), -1
	for i := range len(s) {
		c := s[i] - '0'
		switch {
		case c <= 9:
			v = v*10 + int32(c)
			if after >= 0 {
				after++
			}
		case s[i] == '.' && after < 0 && i > 0:
			after = 0
		default:
			return 0, false
		}
	}
	for after = max(after, 0); after < int(decimals); after++ {
		if v > math.MaxInt32/10 {
			return 0, false
		}
		v *= 10
	}
	return v, after == int(decimals)
}

// wideNumber reads any number of digits, with zeros behind the last decimal.
func wideNumber(s string, decimals uint8) (int64, bool) {
	whole, fraction, _ := strings.Cut(s, ".")
	if whole == "" || len(whole) > 12 {
		return 0, false
	}
	for len(fraction) > int(decimals) && fraction[len(fraction)-1] == '0' {
		fraction = fraction[:len(fraction)-1]
	}
	if len(fraction) > int(decimals) {
		return 0, false
	}
	v := int64(0)
	for i := range len(whole) + int(decimals) {
		c := byte('0')
		if i < len(whole) {
			c = whole[i]
		} else if i-len(whole) < len(fraction) {
			c = fraction[i-len(whole)]
		}
		if c < '0' || c > '9' {
			return 0, false
		}
		v = v*10 + int64(c-'0')
	}
	return v, true
}
