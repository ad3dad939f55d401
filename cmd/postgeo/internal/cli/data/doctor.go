package data

import (
	"cmp"
	"slices"

	"github.com/spf13/cobra"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/internal/store"
)

type doctorOptions struct {
	fileArg
	command.Format
	Limit int `help:"Maximum number of findings; 0 for all. Default: 25 in a table, all in other formats." default:"-1" placeholder:"N"`
}

// A problemCount sums up the findings of one problem.
type problemCount struct {
	Problem  string `json:"problem"`
	Findings int    `json:"findings"`
	People   int64  `json:"people"`
}

// A diagnosis is the result in JSON.
type diagnosis struct {
	Problems []problemCount  `json:"problems"`
	Findings []store.Finding `json:"findings"`
}

func doctorCommand() *cobra.Command {
	return command.New[doctorOptions](command.About{
		Name: "doctor", Short: "List missing, inferred and doubtful data of a dataset.",
		Long: "Findings that affect most people come first. json, table and markdown count them by problem; jsonl, csv and tsv write one finding per line. Findings are not a failure: the exit code is 0.",
	}, "postgeo dataset doctor --limit 5", "the five weaknesses that affect most people")
}

// Run implements the command.
func (o *doctorOptions) Run(c *command.Call) error {
	limit := o.Limit
	if limit < 0 && c.People() {
		limit = 25
	}
	d, _, err := o.dataset(c.Env)
	if err != nil {
		return err
	}
	defer d.Close()
	findings, err := d.Examine(c.Context)
	if err != nil {
		return err
	}
	shown := findings
	if limit > 0 {
		shown = findings[:min(limit, len(findings))]
	}
	v := command.View{All: output.Columns[store.Finding](), Summary: command.Paths("people", "code", "city", "state", "problem", "detail")}
	problems := countProblems(findings)
	if c.People() {
		p := &page{c: c}
		addTable(p, problems)
		p.line("")
		if p.err != nil {
			return p.err
		}
	}
	if rest := len(findings) - len(shown); c.People() && rest > 0 {
		c.Report(`%d more findings; see --limit`, rest)
	}
	return command.Result(c, v, diagnosis{problems, shown}, shown)
}

// countProblems counts the findings by problem, those that affect most people
// first.
func countProblems(findings []store.Finding) []problemCount {
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
