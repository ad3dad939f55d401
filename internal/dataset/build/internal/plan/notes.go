package plan

import (
	"slices"

	"github.com/postgeo/postgeo/internal/dataset"
)

// Gap is a kind of missing data and how often it is missing.
type Gap = dataset.Gap

// Notes are what steps report.
type Notes struct {
	Refused []Finding // rows and values that were not used, by source and reason
	Rules   []Finding // values that a rule changed or chose
	Checks  []Check
	Gaps    []Gap
	Tables  []TableRows
}

// A Finding is a reason or rule, how often it applied, and its first cases.
type Finding struct {
	Name     string   `json:"name"`
	Count    int64    `json:"count"`
	Examples []string `json:"examples,omitempty"`
}

// A Check compares computed figures with those that an agency publishes.
type Check struct {
	Name      string  `json:"name"`
	Count     int64   `json:"count"`          // pairs of figures
	Median    float64 `json:"median_percent"` // of the differences, without sign
	P90       float64 `json:"p90_percent"`
	Worst     float64 `json:"worst_percent"`
	WorstCase string  `json:"worst_case"`
	Note      string  `json:"note,omitzero"` // a caveat of the comparison
}

// TableRows is the number of rows of a table of the dataset.
type TableRows struct {
	Name string `json:"name"`
	Rows int64  `json:"rows"`
}

// maxExamples is the number of cases that a finding keeps.
const maxExamples = 3

// Find adds a case of a rule to findings.
func Find(list []Finding, rule, example string) []Finding {
	find(&list, Finding{Name: rule, Count: 1, Examples: []string{example}})
	return list
}

// find adds a finding to the one of the same name, or to the list.
func find(list *[]Finding, f Finding) {
	at := slices.IndexFunc(*list, func(o Finding) bool { return o.Name == f.Name })
	if at < 0 {
		*list = append(*list, f)
		return
	}
	have := &(*list)[at]
	have.Count += f.Count
	for _, e := range f.Examples {
		if len(have.Examples) < maxExamples {
			have.Examples = append(have.Examples, e)
		}
	}
}

func (n *Notes) merge(o Notes) {
	for _, f := range o.Refused {
		find(&n.Refused, f)
	}
	for _, f := range o.Rules {
		find(&n.Rules, f)
	}
	n.Checks = append(n.Checks, o.Checks...)
	n.Gaps = append(n.Gaps, o.Gaps...)
	n.Tables = append(n.Tables, o.Tables...)
}
