package postgeo

import (
	"github.com/postgeo/postgeo/acs"
)

// NewestDollars converts amounts to the newest year of the price index, see
// [ACSFigureOptions].
const NewestDollars = acs.NewestDollars

// ACSFields returns the selected fields in the order of the tables.
func ACSFields(q ACSQuery) []*ACSField { return acs.Fields(q) }

// MustACSField returns the field with a full name, such as
// "economic.income.median_household_income". It panics if there is none.
func MustACSField(name string) *ACSField { return acs.MustField(name) }

// ParseACSTag reads an include flag, such as "acs_social" or "acs_social_2019".
// Errors match [ErrInvalidParam].
func ParseACSTag(s string) (ACSTag, error) { return acs.ParseTag(s) }
