package acs

import (
	"reflect"
	"strconv"
	"strings"

	"github.com/postgeo/postgeo/internal/door"
)

// The shapes of types that write their own JSON, for generated documents: values that
// encoding/json writes in the same form. Their fields are in output order. Comments of fields
// are texts of the OpenAPI document.
var _ = door.Offer(func() map[reflect.Type]any {
	return map[reflect.Type]any{
		reflect.TypeFor[Value]():            (*float64)(nil),
		reflect.TypeFor[Metric]():           metricShape{},
		reflect.TypeFor[Block]():            blockShape{},
		reflect.TypeFor[Years[Block]]():     years(nil),
		reflect.TypeFor[Aggregate]():        aggregateShape{},
		reflect.TypeFor[Years[Aggregate]](): aggregates(nil),

		reflect.TypeFor[demographicProfile](): demographicProfile{},
		reflect.TypeFor[socialProfile]():      socialProfile{},
		reflect.TypeFor[economicProfile]():    economicProfile{},
		reflect.TypeFor[housingProfile]():     housingProfile{},
	}
})

type (
	years      map[string]Block
	aggregates map[string]Aggregate
)

type metricShape struct {
	Column     string `json:"column,omitzero"`  // the estimate's column in the published table, e.g. DP03_0062E; absent in aggregates
	Estimate   Value  `json:"est"`              // estimate over the five years: people, households, homes, dollars, years of age or minutes, according to the field's name; null if not published
	MOE        Value  `json:"moe,omitzero"`     // margin of error of est at a confidence of 90 percent, in its unit; null if not published; absent in aggregates
	Percent    Value  `json:"pct,omitzero"`     // est in percent of the field's universe, 1 decimal; absent in a universe and in medians
	PercentMOE Value  `json:"pct_moe,omitzero"` // margin of error of pct at a confidence of 90 percent, in percentage points; absent in aggregates
}

type tables struct {
	Demographic string `json:"demographic"` // data profile of people, age, race and citizenship
	Social      string `json:"social"`      // data profile of households, education, veterans, disability, origin, language and ancestry
	Economic    string `json:"economic"`    // data profile of work, commuting, income, insurance and poverty
	Housing     string `json:"housing"`     // data profile of homes, their age, value, rent and costs
}

type blockShape struct {
	Source      string              `json:"source"`                            // who published the figures
	Product     string              `json:"product"`                           // name of the survey's product
	Year        int                 `json:"year"`                              // last of the five years of the estimates
	Vintage     string              `json:"vintage"`                           // first and last of the five years, e.g. 2020-2024
	GeoID       string              `json:"geo_id"`                            // the Census Bureau's identifier of the area, e.g. 860Z200US10001
	Level       string              `json:"geography_level"`                   // zcta, the ZIP Code Tabulation Area of the same code, or tract
	Tables      tables              `json:"tables"`                            // the Census Bureau's tables that the profiles come from
	Published   bool                `json:"published,omitzero"`                // whether the year has figures of the area
	Note        string              `json:"note,omitzero"`                     // why there are no figures
	Demographic *demographicProfile `json:"demographic,omitzero" shape:"null"` // table DP05; absent if not requested, null if the year has none
	Social      *socialProfile      `json:"social,omitzero" shape:"null"`      // table DP02; absent if not requested, null if the year has none
	Economic    *economicProfile    `json:"economic,omitzero" shape:"null"`    // table DP03; absent if not requested, null if the year has none
	Housing     *housingProfile     `json:"housing,omitzero" shape:"null"`     // table DP04; absent if not requested, null if the year has none
}

type aggregateShape struct {
	Source      string              `json:"source"`                // who published the figures
	Product     string              `json:"product"`               // name of the survey's product
	Year        int                 `json:"year"`                  // last of the five years of the estimates
	Vintage     string              `json:"vintage"`               // first and last of the five years, e.g. 2020-2024
	WithData    int                 `json:"zips_with_acs_data"`    // ZIP Codes inside with figures in any requested profile
	WithoutData int                 `json:"zips_without_acs_data"` // the other ZIP Codes inside
	Coverage    float64             `json:"coverage_pct"`          // ZIP Codes with figures in percent of all US ZIP Codes inside, 1 decimal
	Note        string              `json:"aggregation_note"`      // how parts are weighted, and how counts, medians and rates were combined
	Demographic *demographicProfile `json:"demographic"`           // table DP05 over all areas; null if not requested or without figures
	Social      *socialProfile      `json:"social"`                // table DP02 over all areas; null if not requested or without figures
	Economic    *economicProfile    `json:"economic"`              // table DP03 over all areas; null if not requested or without figures
	Housing     *housingProfile     `json:"housing"`               // table DP04 over all areas; null if not requested or without figures
}

// The types of the four profiles have the core fields of the list.
type (
	demographicProfile struct{}
	socialProfile      struct{}
	economicProfile    struct{}
	housingProfile     struct{}
)

// These are methods because programs without documents then do not link them.
func (demographicProfile) Shape() any { return profileShape(Demographic) }
func (socialProfile) Shape() any      { return profileShape(Social) }
func (economicProfile) Shape() any    { return profileShape(Economic) }
func (housingProfile) Shape() any     { return profileShape(Housing) }

// profileShape returns a struct with a struct for each section of a profile.
func profileShape(p Profile) any {
	var sections, fields []reflect.StructField
	list := builtIn().of(p)
	for i := range list {
		f := &list[i]
		if f.Core {
			fields = append(fields, optional(i, f.Name, reflect.TypeFor[Metric](), f.leaf()))
		}
		if i+1 == len(list) || list[i+1].Section != f.Section {
			title, _, _ := strings.Cut(f.Label, "!!")
			section := optional(i, f.Section, reflect.StructOf(fields), title)
			section.Tag += reflect.StructTag(` component:"Acs` + camel(p.String()) + camel(f.Section) + `"`)
			sections, fields = append(sections, section), nil
		}
	}
	return reflect.Zero(reflect.StructOf(sections)).Interface()
}

func optional(i int, name string, t reflect.Type, doc string) reflect.StructField {
	return reflect.StructField{Name: "F" + strconv.Itoa(i), Type: t, Tag: reflect.StructTag(`json:"` + name + `,omitzero" doc:` + strconv.Quote(doc))}
}

func camel(name string) string {
	var b strings.Builder
	for part := range strings.SplitSeq(name, "_") {
		b.WriteString(strings.ToUpper(part[:1]) + part[1:])
	}
	return b.String()
}
