package address

import (
	"fmt"
	"slices"
	"strings"
)

// An Explanation lists the evidence that decided about an address; see
// [Options].
type Explanation struct {
	Readings    []ReadingEvidence `json:"readings"`              // the likeliest first
	Steps       []Step            `json:"steps,omitempty"`       // searches for the street, in order
	Differences []Component       `json:"differences,omitempty"` // of the matched record from the reading
}

// ReadingEvidence is a reading with the rules that apply to it.
type ReadingEvidence struct {
	Number string        `json:"number,omitzero"`
	Street string        `json:"street,omitzero"`
	Unit   string        `json:"unit,omitzero"`
	City   string        `json:"city,omitzero"`
	Score  int           `json:"score"`  // sum of the weights
	Chosen bool          `json:"chosen"` // the matched record has this reading
	Rules  []AppliedRule `json:"rules,omitempty"`
}

// An AppliedRule is a rule that applies to words of an address.
type AppliedRule struct {
	Table  string `json:"table"`
	Rule   string `json:"rule"`
	Words  string `json:"words,omitzero"`
	Weight int    `json:"weight"`
}

// A Step is one search for the record of a street.
type Step struct {
	Name       string `json:"name"`
	Outcome    string `json:"outcome"`    // found, ambiguous or nothing
	Candidates int    `json:"candidates"` // records whose ranges hold the number
}

// String returns the explanation as lines of text.
func (e *Explanation) String() string {
	var b strings.Builder
	for i, r := range e.Readings {
		mark := ""
		if r.Chosen {
			mark = ", chosen"
		}
		fmt.Fprintf(&b, "reading %d (%d%s): %s\n", i+1, r.Score, mark, strings.Join(slices.DeleteFunc([]string{r.Number, r.Street, r.Unit, r.City}, isEmpty), " | "))
		for _, a := range r.Rules {
			fmt.Fprintf(&b, "  %+4d %s: %s", a.Weight, a.Table, a.Rule)
			if a.Words != "" {
				fmt.Fprintf(&b, " [%s]", a.Words)
			}
			b.WriteByte('\n')
		}
	}
	for _, s := range e.Steps {
		fmt.Fprintf(&b, "search %s: %s, candidates: %d\n", s.Name, s.Outcome, s.Candidates)
	}
	for _, d := range e.Differences {
		fmt.Fprintf(&b, "difference %s: %q, record %q, cost %d\n", d.Part, d.Given, d.Record, d.Cost)
	}
	return b.String()
}

func isEmpty(s string) bool { return s == "" }

// explain adds the readings and their rules.
func (p *parser) explain(e *Explanation, reads []Address) {
	e.Readings = make([]ReadingEvidence, len(reads))
	for i := range reads {
		a := &reads[i]
		r := ReadingEvidence{Number: a.Number, Street: a.Line(), Unit: a.Secondary.String(), City: a.City}
		if i < len(p.made) && p.n > 0 {
			f := &p.frames[p.made[i].frame]
			r.Score = f.score
			for _, x := range p.trace {
				if rule := (AppliedRule{x.table.name, x.rule.name, p.phrase(x.span), x.weight}); f.uses(x, &p.last) && !slices.Contains(r.Rules, rule) {
					r.Rules = append(r.Rules, rule)
				}
			}
		}
		e.Readings[i] = r
	}
}

// uses reports whether a rule applied to a part of the frame.
func (f *frame) uses(x firing, last *lastLine) bool {
	switch x.table {
	case numberRules:
		return f.kind == Street && x.span == f.number
	case streetEndRules:
		return f.kind == Street && x.span == f.core
	case knownCityRules, cityRules:
		return x.span == f.city
	case noCityRules:
		return f.kind == Street && x.span == f.core && f.city.empty()
	case stateRules:
		return x.span == last.stateWords
	case bareUnitRules:
		return f.kind == Street && x.span.from == f.core.to && f.secondary.Type == asNumber
	case boxRules, boxNumberRules, routeRules, weakRouteRules, otherRules:
		return f.kind != Street
	case unitRules:
		return f.secondary != Unit{} || f.mailbox != ""
	default:
		return x.table == attentionRules
	}
}

// explainMatch adds the reading and the differences of the chosen candidate.
func (s *search) explainMatch(r *resolution, c *candidate) {
	s.explanation.Readings[c.reading].Chosen = true
	if r.reading.Kind == Street && !c.partial {
		s.explanation.Differences = differences(s.streetComponents(r, c))
	}
}
