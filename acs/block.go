package acs

import (
	"strconv"

	"github.com/postgeo/postgeo/envelope"
)

// A Block is one year of one area: the contract's year block. Its JSON has the
// profiles that were asked for; one without data is null.
type Block struct {
	Source    string
	Product   string
	Year      int    // last of the five years
	GeoID     string // the Census Bureau's identifier, e.g. "860Z200US10001"
	Level     string // "zcta" or "tract"
	Published Published
	Note      string // says why nothing was published; "" where something was
	Current   bool   // the newest year of the dataset
	Asked     ProfileSet

	Profiles
}

// Published says whether a year has data for an area. Blocks of tracts leave
// it unset.
type Published uint8

// The values of Published.
const (
	Unset Published = iota
	Yes             // at least one profile was published
	No              // none was
)

// A ProfileSet is a set of profiles.
type ProfileSet uint8

// With returns the set with the profile added.
func (s ProfileSet) With(p Profile) ProfileSet { return s | 1<<p }

// Has reports whether the profile is in the set.
func (s ProfileSet) Has(p Profile) bool { return s>>p&1 == 1 }

// Profiles are the four profiles of one area and year, or of an aggregate; nil
// where there is none.
type Profiles struct {
	Demographic *DemographicProfile
	Social      *SocialProfile
	Economic    *EconomicProfile
	Housing     *HousingProfile
}

// of returns a profile; nil where there is none.
func (p *Profiles) of(which Profile) metrics {
	switch {
	case which == Demographic && p.Demographic != nil:
		return p.Demographic
	case which == Social && p.Social != nil:
		return p.Social
	case which == Economic && p.Economic != nil:
		return p.Economic
	case which == Housing && p.Housing != nil:
		return p.Housing
	default:
		return nil
	}
}

// add makes room for a profile and returns it.
func (p *Profiles) add(which Profile) metrics {
	switch which {
	case Demographic:
		p.Demographic = new(DemographicProfile)
	case Social:
		p.Social = new(SocialProfile)
	case Economic:
		p.Economic = new(EconomicProfile)
	case Housing:
		p.Housing = new(HousingProfile)
	}
	return p.of(which)
}

// Metric returns the metric of a field; nil where the profile is missing.
func (p *Profiles) Metric(f *Field) *Metric {
	i, ok := builtIn.Find(f.Key())
	if !ok {
		return nil
	}
	m := p.of(f.Profile)
	if m == nil {
		return nil
	}
	return m.metric(i - int(profileStarts[f.Profile-1]))
}

// Vintage returns the five years of the estimates, e.g. "2018-2022".
func (b *Block) Vintage() string { return Vintage(b.Year) }

// Vintage returns the five years of the estimates that are named after their
// last one, e.g. "2018-2022".
func Vintage(year int) string { return strconv.Itoa(year-4) + "-" + strconv.Itoa(year) }

// Key returns the block's key among the years: "current" for the newest one,
// otherwise the year.
func (b *Block) Key() string { return yearKey(b.Year, b.Current) }

func yearKey(year int, current bool) string {
	if current {
		return "current"
	}
	return strconv.Itoa(year)
}

// tablesMember is the member that names the tables of the profiles.
const tablesMember = `,"tables":{"demographic":"DP05","social":"DP02","economic":"DP03","housing":"DP04"}`

// AppendJSON implements [envelope.Appender].
func (b *Block) AppendJSON(dst []byte) ([]byte, error) {
	dst = appendHead(dst, b.Source, b.Product, b.Year)
	dst = envelope.AppendString(append(dst, `,"geo_id":`...), b.GeoID)
	dst = envelope.AppendString(append(dst, `,"geography_level":`...), b.Level)
	dst = append(dst, tablesMember...)
	switch b.Published {
	case Yes:
		dst = append(dst, `,"published":true`...)
	case No:
		dst = append(dst, `,"published":false`...)
	default:
	}
	if b.Note != "" {
		dst = envelope.AppendString(append(dst, `,"note":`...), b.Note)
	}
	for _, p := range AllProfiles() {
		if b.Asked.Has(p) {
			dst = b.appendMember(dst, p)
		}
	}
	return append(dst, '}'), nil
}

// appendHead begins an object with the members that say where figures come
// from.
func appendHead(dst []byte, source, product string, year int) []byte {
	dst = envelope.AppendString(append(dst, `{"source":`...), source)
	dst = envelope.AppendString(append(dst, `,"product":`...), product)
	dst = strconv.AppendInt(append(dst, `,"year":`...), int64(year), 10)
	return envelope.AppendString(append(dst, `,"vintage":`...), Vintage(year))
}

// appendMember appends a profile behind a comma, null where there is none.
func (p *Profiles) appendMember(dst []byte, which Profile) []byte {
	dst = append(append(append(dst, `,"`...), which.String()...), `":`...)
	if m := p.of(which); m != nil {
		return appendProfile(dst, which, m)
	}
	return append(dst, "null"...)
}

// MarshalJSON implements [encoding/json.Marshaler].
func (b *Block) MarshalJSON() ([]byte, error) { return b.AppendJSON(nil) }

// Years are the blocks of an area, newest first. Their JSON is an object with
// a member for each: current for the newest year of the dataset, the year for
// every other.
type Years []Block

// AppendJSON implements [envelope.Appender].
func (y Years) AppendJSON(dst []byte) ([]byte, error) {
	return appendYears(dst, len(y), func(i int) yearBlock { return &y[i] })
}

// A yearBlock is a member of an object of years.
type yearBlock interface {
	envelope.Appender
	Key() string
}

func appendYears(dst []byte, n int, at func(int) yearBlock) ([]byte, error) {
	dst = append(dst, '{')
	for i := range n {
		if i > 0 {
			dst = append(dst, ',')
		}
		b := at(i)
		dst = append(append(append(dst, '"'), b.Key()...), `":`...)
		var err error
		if dst, err = b.AppendJSON(dst); err != nil {
			return dst, err
		}
	}
	return append(dst, '}'), nil
}

// MarshalJSON implements [encoding/json.Marshaler].
func (y Years) MarshalJSON() ([]byte, error) { return y.AppendJSON(nil) }

// Tags returns what was delivered: a tag for each profile that has figures.
func (y Years) Tags() []Tag {
	var tags []Tag
	for i := range y {
		for _, p := range AllProfiles() {
			if y[i].of(p) == nil {
				continue
			}
			t := Tag{Profile: p, Year: uint16(y[i].Year)}
			if y[i].Current {
				t.Year = 0
			}
			tags = append(tags, t)
		}
	}
	return tags
}

// Year finds the block of a year; nil where there is none.
func (y Years) Year(year int) *Block {
	for i := range y {
		if y[i].Year == year {
			return &y[i]
		}
	}
	return nil
}
