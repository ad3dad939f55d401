package cli

import (
	"cmp"
	"context"
	"slices"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/dataset"
)

// doctorCmd is "postgeo dataset doctor".
type doctorCmd struct {
	fileArg
	formatFlag
	Limit int `help:"Findings to write at most; 0 for all. Default: 25 in a table, all in other formats." default:"-1" placeholder:"N"`
}

// Help explains the order and the exit code.
func (doctorCmd) Help() string {
	return "Findings that affect most people come first. json, table and markdown count them by problem; jsonl, csv and tsv write a finding a line. Findings are not a failure: the exit code is 0."
}

// A problemCount sums up the findings of one problem.
type problemCount struct {
	Problem  string `json:"problem"`
	Findings int    `json:"findings"`
	People   int64  `json:"people"`
}

// A diagnosis is the result in JSON.
type diagnosis struct {
	Problems []problemCount    `json:"problems"`
	Findings []dataset.Finding `json:"findings"`
}

// Run writes what is weak in the dataset.
func (c *doctorCmd) Run(ctx context.Context, env *Env) error {
	opts, err := c.options(env, view{all: output.Columns[dataset.Finding](), summary: findingColumns})
	if err != nil {
		return err
	}
	limit := c.Limit
	if limit < 0 {
		limit = 0
		if people(opts.Format) {
			limit = 25
		}
	}
	d, _, err := c.openFile(env)
	if err != nil {
		return err
	}
	defer d.Close()
	findings, err := d.Examine(ctx)
	if err != nil {
		return err
	}
	result := diagnosis{Problems: countProblems(findings), Findings: findings}
	if limit > 0 {
		result.Findings = findings[:min(limit, len(findings))]
	}
	switch {
	case opts.Format == output.JSON:
		return writeAll(env.Stdout, opts, []diagnosis{result})
	case !people(opts.Format):
		return writeAll(env.Stdout, opts, result.Findings)
	}
	if err := writeAll(env.Stdout, output.Options{Format: opts.Format, TableColumns: output.Columns[problemCount]()}, result.Problems); err != nil {
		return err
	}
	if err := writeBelow(env.Stdout, opts, result.Findings); err != nil {
		return err
	}
	if rest := len(findings) - len(result.Findings); rest > 0 {
		env.say("%d more findings; see --limit", rest)
	}
	return nil
}

var findingColumns = []output.Column{
	output.PathColumn("people"),
	output.PathColumn("code"),
	output.PathColumn("city"),
	output.PathColumn("state"),
	output.PathColumn("problem"),
	output.PathColumn("detail"),
}

// countProblems counts the findings by problem, those that affect most people
// first.
func countProblems(findings []dataset.Finding) []problemCount {
	at, counts := map[string]int{}, []problemCount{}
	for _, f := range findings {
		i, seen := at[f.Problem]
		if !seen {
			i, at[f.Problem] = len(counts), len(counts)
			counts = append(counts, problemCount{Problem: f.Problem})
		}
		counts[i].Findings++
		counts[i].People += f.People
	}
	slices.SortFunc(counts, func(a, b problemCount) int {
		return cmp.Or(cmp.Compare(b.People, a.People), cmp.Compare(b.Findings, a.Findings), cmp.Compare(a.Problem, b.Problem))
	})
	return counts
}
