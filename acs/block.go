package acs

import (
	"slices"
	"strconv"

	"github.com/postgeo/postgeo/internal/encode"
)

// A Block is one year of one area: the contract's year block. Its JSON has the
// requested profiles; one without data is null.
type Block struct {
	Source    string    // agency
	Product   string    // name of the survey
	Year      int       // last of the five years
	GeoID     string    // the Census Bureau's identifier, e.g. "860Z200US10001"
	Level     string    // "zcta" or "tract"
	Published *bool     // whether any profile was published; nil for tracts
	Note      string    // reason if nothing was published
	Current   bool      // the newest year of the dataset
	Requested []Profile // whose members the JSON has

	Profiles
}

// Vintage returns the five years of the estimates named after their last year,
// e.g. "2018-2022".
func Vintage(year int) string { return strconv.Itoa(year-4) + "-" + strconv.Itoa(year) }

func (b *Block) of() (year int, current *bool) { return b.Year, &b.Current }

// key returns "current" for the newest year of the dataset, else the year.
func key(b yearBlock) string {
	year, current := b.of()
	if *current {
		return "current"
	}
	return strconv.Itoa(year)
}

// tablesMember is the member that names the tables of the profiles.
const tablesMember = `,"tables":{"demographic":"DP05","social":"DP02","economic":"DP03","housing":"DP04"}`

func (b *Block) appendJSON(dst []byte) []byte {
	dst = appendHead(dst, b.Source, b.Product, b.Year)
	dst = encode.AppendString(append(dst, `,"geo_id":`...), b.GeoID)
	dst = encode.AppendString(append(dst, `,"geography_level":`...), b.Level)
	dst = append(dst, tablesMember...)
	if b.Published != nil {
		dst = strconv.AppendBool(append(dst, `,"published":`...), *b.Published)
	}
	if b.Note != "" {
		dst = encode.AppendString(append(dst, `,"note":`...), b.Note)
	}
	for _, p := range AllProfiles() {
		if slices.Contains(b.Requested, p) {
			dst = b.appendMember(dst, p)
		}
	}
	return append(dst, '}')
}

// appendHead begins an object with the members that describe the source.
func appendHead(dst []byte, source, product string, year int) []byte {
	dst = encode.AppendString(append(dst, `{"source":`...), source)
	dst = encode.AppendString(append(dst, `,"product":`...), product)
	dst = strconv.AppendInt(append(dst, `,"year":`...), int64(year), 10)
	return encode.AppendString(append(dst, `,"vintage":`...), Vintage(year))
}

// MarshalJSON implements [encoding/json.Marshaler].
func (b *Block) MarshalJSON() ([]byte, error) { return b.appendJSON(nil), nil }

// Years holds the years of an area, or of several together, newest first. Its JSON is an
// object with a member per year; its key is "current" for the newest year of the dataset.
type Years[Y Block | Aggregate] []Y

// A yearBlock is a member of an object of years. Its methods are on pointers, which the type
// parameter of Years can't express; see at.
type yearBlock interface {
	appendJSON(dst []byte) []byte
	of() (year int, current *bool)
}

func (y Years[Y]) at(i int) yearBlock { return any(&y[i]).(yearBlock) }

// AppendJSON appends the JSON of the years to dst.
func (y Years[Y]) AppendJSON(dst []byte) ([]byte, error) {
	dst = append(dst, '{')
	for i := range y {
		if i > 0 {
			dst = append(dst, ',')
		}
		b := y.at(i)
		dst = b.appendJSON(append(append(append(dst, '"'), key(b)...), `":`...))
	}
	return append(dst, '}'), nil
}

// MarshalJSON implements [encoding/json.Marshaler].
func (y Years[Y]) MarshalJSON() ([]byte, error) { return y.AppendJSON(nil) }

// Year returns the block or aggregate of a year, or nil.
func (y Years[Y]) Year(year int) *Y {
	for i := range y {
		if of, _ := y.at(i).of(); of == year {
			return &y[i]
		}
	}
	return nil
}
