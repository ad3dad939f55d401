// Package acs knows the data profiles of the American Community Survey's 5-year
// estimates: 528 fields under one name each for every year and level.
//
// # Usage
//
// A [Tag] is the typed form of an include flag such as acs_social_2019:
//
//	tag, err := acs.ParseTag("acs_social_2019")
//
// [Fields] and [FieldByKey] are the catalogue: labels, universes, kinds, and
// the columns of each year. A [Reader] reads the tables of a dataset as blocks:
//
//	r := acs.NewReader(d)
//	years, err := r.ZCTA(ctx, "10001", tags, acs.Options{})
//
// An aggregate has the same profiles of several areas together:
//
//	all, err := r.Aggregate(ctx, dataset.ACSZCTA, parts, tags, acs.InFull, acs.Options{})
//
// A block's profiles are typed: [EconomicProfile].Income.MedianHouseholdIncome
// is a [Metric] with estimate, margin of error and percentage. The same types
// hold ZCTAs, tracts and aggregates.
//
// # Data
//
// Names, columns and rules are generated from registry.csv. Values are exact
// decimals as published; a figure that the Census Bureau withholds is a [Value]
// without a number, whose [Mark] says why. Which years there are, the dataset
// says.
//
// # Concurrency
//
// A Reader may be used by any number of goroutines at once. Lists of fields are
// never changed.
//
// # Errors
//
// Text that is no tag gives an error that matches [ErrInvalidTag]. Readers
// return the errors of package dataset.
package acs

//go:generate go run ./internal/gen
