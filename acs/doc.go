// Package acs reads the data profiles of the American Community Survey's 5-year
// estimates. Each of the 528 fields has one name for all years and levels.
//
// # Usage
//
// A [Tag] is the typed form of an include flag such as acs_social_2019:
//
//	tag, err := acs.ParseTag("acs_social_2019", acs.ZCTA)
//
// [Fields] and [FieldByKey] search the catalog: labels, universes, kinds, and
// the columns of each year. postgeo.DB reads the tables of a dataset:
//
//	years, err := db.ACSProfile(ctx, "10001", []acs.Tag{tag}, acs.Options{})
//
// [Profiles.Metric] returns the [Metric] of a field, with estimate, margin of error
// and percentage. ZCTAs, tracts and aggregates use the same types:
//
//	income := acs.MustField("economic.income.median_household_income")
//	fmt.Println(years.Years[0].Metric(income).Estimate)
//
// # Data
//
// Names, columns and rules are in registry.csv. Values are exact
// decimals as published. A figure that the Census Bureau withholds is a [Value]
// without a number, whose [Value.String] is the reason. The dataset determines the
// years.
//
// # Concurrency
//
// A Reader is safe for concurrent use. Lists of fields never change.
//
// # Errors
//
// [ParseTag] returns an error that matches [envelope.ErrInvalidParam] if the text is not
// a valid tag. Errors of Readers match envelope.ErrInvalidCode,
// envelope.ErrInvalidParam, envelope.ErrDamaged or envelope.ErrClosed, or are the
// context's.
package acs
