package operation

import (
	"context"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/internal/acs"
	"github.com/postgeo/postgeo/internal/fault"
)

// Fields finds fields of the survey.
var Fields = New[FieldsInput, *FieldsResult](Operation{
	Name: "acs_fields", Command: "acs fields", Absent: "docs/fields.md lists them",
	Summary: "Find fields of the survey by words.",
	Detail:  "Fields have a key, a label, a kind and their comparable years.",
})

// FieldsInput is the input of [Fields].
type FieldsInput struct {
	FieldsParams
	Limit int `least:"1" default:"50" help:"Maximum number of fields."`
}

// FieldsParams select fields.
type FieldsParams struct {
	Profile string `values:"demographic,social,economic,housing" placeholder:"PROFILE" help:"Profile of the fields: demographic, social, economic or housing."`
	Section string `placeholder:"NAME" help:"Section of the fields, such as income."`
	Query   string `flag:"search" placeholder:"TEXT" help:"Words that all occur in the key or the label, such as median rent."`
}

// A Field is a field of the catalog.
type Field struct {
	Key     string   `json:"key"` // profile.section.name, as in acs.current.*
	Label   string   `json:"label"`
	Kind    acs.Kind `json:"kind"`
	ShareOf string   `json:"share_of,omitzero"` // denominator of the percentage, as section.name
	Years   []int    `json:"years"`             // that serve it
	Note    string   `json:"note,omitzero"`
}

// A FieldsResult holds fields.
type FieldsResult struct {
	Fields []Field `json:"fields"`
	Total  int     `json:"total"` // with those beyond the limit
}

// Catalog returns the fields of the interface that a query selects.
func Catalog(q acs.Query) []Field {
	q.Served = true
	out := []Field{}
	for _, f := range acs.Fields(q) {
		out = append(out, Field{Key: f.String(), Label: f.LabelIn(0), Kind: f.Kind, ShareOf: f.Denominator, Years: f.StableYears(), Note: f.Note})
	}
	return out
}

// Run searches the catalog.
func (in *FieldsInput) Run(context.Context, *postgeo.DB) (*FieldsResult, error) {
	q := acs.Query{Section: in.Section, Text: in.Query}
	if in.Profile != "" {
		p, ok := acs.ParseProfile(in.Profile)
		if !ok {
			return nil, &fault.Error{Kind: fault.InvalidParam, Param: "profile", Range: "demographic, social, economic or housing"}
		}
		q.Profile = p
	}
	all := Catalog(q)
	return &FieldsResult{Fields: all[:min(in.Limit, len(all))], Total: len(all)}, nil
}
