package enrich

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/internal/envelope"
	"github.com/postgeo/postgeo/internal/lookup/suggest"
)

// Reasons of rows of text.
const (
	NameCorrected = "NAME_CORRECTED" // one or two letters of the text differ from the name
	PartialName   = "PARTIAL_NAME"   // the text lacks words of the name
	Namesakes     = "NAMESAKES"      // other places of the name have far fewer people
)

// A textMatch is the place that a text names.
type textMatch struct {
	postgeo.Suggestion
	MatchedBy suggest.Bucket `json:"matched_by"` // how the text matches: "exact name", "exact alias", "one typo" …
}

// Rules for the unique match of a text.
const (
	candidates = 20 // suggestions considered
	// clearlyMore is the lead in prominence that the best match requires over
	// another place of its name, in doublings of population. It means sixteen
	// times the population.
	clearlyMore = 4
)

// suggest returns the places that a text may name. The text is complete, so its
// last word is not a prefix.
func (e *Enricher) suggest(ctx context.Context, text string) (*postgeo.SuggestResult, error) {
	opt := e.opt.Suggest
	opt.Limit = candidates
	res, err := e.db.Suggest(ctx, text+" ", opt)
	if err == nil { // a name in full precedes better known places with more words
		slices.SortStableFunc(res.Matches, func(a, b postgeo.Suggestion) int { return int(tier(&a)) - int(tier(&b)) })
	}
	return res, err
}

// matchText finds the place that a text names and returns its code, or else its
// point.
func (e *Enricher) matchText(ctx context.Context, text string, a *results, out *Outcome) (around string, err error) {
	res, err := e.suggest(ctx, text)
	if err != nil {
		return "", err
	}
	if len(res.Matches) == 0 {
		return "", &textError{envelope.NotFound, fmt.Sprintf("Nothing is called %q.", text)}
	}
	best := &res.Matches[0]
	rivals, namesakes := othersOf(res.Matches)
	if len(rivals) > 0 {
		return "", &textError{envelope.Ambiguous, fmt.Sprintf("%q may be %s.", text, strings.Join(rivals, "; "))}
	}
	if namesakes {
		out.addReason(Namesakes)
	}
	switch best.Reason.Bucket {
	case suggest.OneTypo, suggest.TwoTypos:
		out.addReason(NameCorrected)
	case suggest.AllWords, suggest.Prefix, suggest.InnerWord:
		out.addReason(PartialName)
	default:
	}
	a.text = &textMatch{*best, best.Reason.Bucket}
	switch best.Type {
	case suggest.ZIP, suggest.FSA, suggest.Postal:
		return best.Name, nil
	default:
		return best.Location.String(), nil // "" for a place without a point
	}
}

// othersOf finds places elsewhere that match a text as well as the first match
// does. Those of similar prominence are rivals, and are named after it. A
// county in the state of the city is not a rival: the first match is the better
// known.
func othersOf(list []postgeo.Suggestion) (rivals []string, namesakes bool) {
	best := &list[0]
	for i := range list[1:] {
		m := &list[i+1]
		switch {
		case tier(m) != tier(best):
			continue
		case region(m) == region(best) && m.Type != best.Type:
			continue
		case known(best)-known(m) >= clearlyMore:
			namesakes = true
		default:
			rivals = append(rivals, label(m))
		}
	}
	if len(rivals) > 0 {
		rivals = slices.Insert(rivals, 0, label(best))
	}
	const most = 5
	if len(rivals) > most {
		rivals = append(rivals[:most], fmt.Sprintf("and %d more", len(rivals)-most))
	}
	return rivals, namesakes
}

// tier returns the quality of a match. A first name and other names are equally
// good.
func tier(m *postgeo.Suggestion) suggest.Bucket {
	return max(m.Reason.Bucket, suggest.ExactAlias)
}

func known(m *postgeo.Suggestion) float64 { return m.Reason.Prominence + m.Reason.Proximity }

func region(m *postgeo.Suggestion) string { return m.State + m.Province }

// label formats a match for a message.
func label(m *postgeo.Suggestion) string {
	s := m.Name + ", " + region(m)
	if m.County != "" && m.Type != suggest.County {
		s += " (" + m.County + ")"
	}
	return s
}

// A textError indicates a text that names no place, or more than one.
type textError struct {
	code    envelope.Code
	message string
}

func (e *textError) Error() string { return "enrich: " + e.message }

// ContractCode returns NOT_FOUND or AMBIGUOUS.
func (e *textError) ContractCode() envelope.Code { return e.code }

func (e *textError) ContractMessage() string { return e.message }
