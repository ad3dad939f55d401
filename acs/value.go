package acs

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/store"
)

// Published figures are decimals of few digits, so a Value is an integer and a number of
// decimals. It prints as published, with the zero of 2.50, and equal figures are ==. An int32
// has room for the largest count, the people of the country. A Value takes 8 bytes, and a
// profile of an area has up to 180 fields with four Values each.

// The marks of values, with the sign that the Census Bureau prints.
const (
	absent        = store.ACSAbsent        // the table lacks the figure
	exact         = store.ACSNumber        // an exact number
	atLeast       = store.ACSAtLeast       // 250,000+: the median is in the highest interval, whose lower end is the number
	atMost        = store.ACSAtMost        // 2,500-: the median is in the lowest interval, whose upper end is the number
	notApplicable = store.ACSNotApplicable // (X): not applicable or not available
	noMargin      = store.ACSNoMargin      // **: too few sample cases for a margin of error
	openInterval  = store.ACSOpenInterval  // ***: the median lies in an open interval
	controlled    = store.ACSControlled    // *****: a controlled estimate without sampling error
)

// A Value is a published or computed figure: a decimal number, a bound, or the
// reason of a missing one. Values are comparable; the zero Value is absent.
type Value struct {
	n        int32 // of the last decimal: 457 for 45.7
	decimals uint8 // at most 6
	mark     store.ACSMark
}

// decimal returns the number n·10^-decimals. It has at most 6 decimals.
func decimal(n int32, decimals uint8) Value {
	return Value{n: n, decimals: min(decimals, uint8(len(powers)-1)), mark: exact}
}

// round rounds x to the given number of decimals, halves away from zero. It
// returns notApplicable if x is NaN or too large.
func round(x float64, decimals uint8) Value {
	decimals = min(decimals, uint8(len(powers)-1))
	n := math.Round(x * powers[decimals])
	if !(math.Abs(n) <= math.MaxInt32) {
		return Value{mark: notApplicable}
	}
	return Value{n: int32(n), decimals: decimals, mark: exact}
}

// nullOf returns a value without a number. Marks of numbers give notApplicable.
func nullOf(m store.ACSMark) Value {
	if m == exact || m == atLeast || m == atMost {
		m = notApplicable
	}
	return Value{mark: m}
}

var powers = [...]float64{1, 10, 100, 1e3, 1e4, 1e5, 1e6}

// IsNumber reports whether the value is an exact number or a bound.
func (v Value) IsNumber() bool { return v.mark == exact || v.mark == atLeast || v.mark == atMost }

// Float64 returns the number, and whether there is one.
func (v Value) Float64() (float64, bool) {
	if !v.IsNumber() {
		return 0, false
	}
	return float64(v.n) / powers[v.decimals], true
}

// String formats the figure as the Census Bureau prints it, without commas:
// "52.5", "250000+", "(X)"; "" if absent or filtered.
func (v Value) String() string {
	switch v.mark {
	case exact:
		return string(v.appendFixed(nil))
	case atLeast:
		return string(append(v.appendFixed(nil), '+'))
	case atMost:
		return string(append(v.appendFixed(nil), '-'))
	default:
		return v.mark.Sign()
	}
}

// appendJSON appends the number without trailing zeros, or null.
func (v Value) appendJSON(dst []byte) []byte {
	if !v.IsNumber() {
		return append(dst, "null"...)
	}
	for v.decimals > 0 && v.n%10 == 0 { // D15: 100, not 100.0
		v.n /= 10
		v.decimals--
	}
	return v.appendFixed(dst)
}

// MarshalJSON implements [encoding/json.Marshaler].
func (v Value) MarshalJSON() ([]byte, error) { return v.appendJSON(nil), nil }

func (v Value) appendFixed(dst []byte) []byte {
	if v.decimals == 0 {
		return strconv.AppendInt(dst, int64(v.n), 10)
	}
	n := int64(v.n) // the least int32 has no negative
	if n < 0 {
		dst, n = append(dst, '-'), -n
	}
	p := int64(powers[v.decimals])
	dst = append(strconv.AppendInt(dst, n/p, 10), '.')
	for n %= p; p > 1; n %= p {
		p /= 10
		dst = append(dst, '0'+byte(n/p))
	}
	return dst
}

// ErrNoPriceIndex indicates a year without a price index.
var ErrNoPriceIndex = errors.New("no price index")

// firstPrices is the first year of priceIndex.
const firstPrices = 2011

// priceIndex holds annual averages of R-CPI-U-RS of the Bureau of Labor
// Statistics, the retroactive consumer price index for all urban consumers. It
// covers all items, is not seasonally adjusted, and is 100 in December 1977.
// The Census Bureau converts dollars of the survey with it. The years to 2023
// are as revised with that of 2023. The value of 2024 extends 2023 by the
// averages of the CPI-U (304.702 and 313.689), as the series itself does when
// methods are unchanged.
var priceIndex = [...]float64{
	330.0, 336.9, 342.0, 347.7, 348.3, 352.8, 360.3, 369.1, 375.8, 380.8, // 2011 to 2020
	399.2, 431.5, 449.3, 462.6,
}

// LastPriceYear is the newest year with a price index.
const LastPriceYear = firstPrices + len(priceIndex) - 1

// priceFactor returns the factor that converts dollars of one year to another.
// Errors match [ErrNoPriceIndex].
func priceFactor(from, to int) (float64, error) {
	if from == to {
		return 1, nil
	}
	for _, y := range [...]int{from, to} {
		if y < firstPrices || y > LastPriceYear {
			return 0, &envelope.Failure{
				Op: "survey", Kind: envelope.KindInvalidParam, Param: "dollars", Input: strconv.Itoa(y), Err: ErrNoPriceIndex,
				Detail: fmt.Sprintf("no price index for %d; use dollars of %d to %d, or dollars as published", y, firstPrices, LastPriceYear),
			}
		}
	}
	return priceIndex[to-firstPrices] / priceIndex[from-firstPrices], nil
}

// Dollars reports whether the field's estimate is an amount of money, in
// dollars of the last of the five years.
func (f *Field) Dollars() bool { return strings.HasSuffix(f.Label, "(dollars)") }

// times returns a value multiplied by a factor, with its decimals and mark.
func (v Value) times(factor float64) Value {
	if !v.IsNumber() || factor == 1 {
		return v
	}
	n := math.Round(float64(v.n) * factor)
	if math.Abs(n) > math.MaxInt32 {
		return nullOf(notApplicable)
	}
	v.n = int32(n)
	return v
}
