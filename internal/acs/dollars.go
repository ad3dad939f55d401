package acs

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/internal/fault"
)

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

// PriceFactor returns the factor that converts dollars of one year to another.
// Errors match [ErrNoPriceIndex].
func PriceFactor(from, to int) (float64, error) {
	if from == to {
		return 1, nil
	}
	for _, y := range [...]int{from, to} {
		if y < firstPrices || y > LastPriceYear {
			return 0, &fault.Error{
				Op: "survey", Kind: fault.InvalidParam, Param: "Dollars", Input: strconv.Itoa(y), Err: ErrNoPriceIndex,
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
		return Null(NotApplicable)
	}
	v.n = int32(n)
	return v
}
