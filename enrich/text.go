package enrich

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/lookup/suggest"
)

// What the reason of a row of text says of its match.
const (
	NameCorrected = "NAME_CORRECTED" // one or two letters of the text were taken for others
	PartialName   = "PARTIAL_NAME"   // the text has not all words of the name
	Namesakes     = "NAMESAKES"      // other places of the name have far fewer people
)

// A textMatch is what a text means.
type textMatch struct {
	postgeo.Suggestion
	MatchedBy suggest.Bucket `json:"matched_by"` // how the text is the name: "exact name", "exact alias", "one typo" …
}

// What tells whether a text means one place.
const (
	candidates = 20 // suggestions that are looked at
	// clearlyMore is how many doublings of people, on the scale of
	// suggestions, the best match has to be ahead of another place of its name:
	// sixteen times as many.
	clearlyMore = 4
)

// suggest asks what a text may mean. It is whole, so its last word is too.
func (e *Enricher) suggest(ctx context.Context, text string) (*postgeo.SuggestResult, error) {
	opt := e.opt.Suggest
	opt.Limit = candidates
	return e.db.Suggest(ctx, text+" ", opt)
}

// matchText finds what a text means, and returns the code that this is, or else
// its point.
func (e *Enricher) matchText(ctx context.Context, text string, a *answers, out *Outcome) (around string, err error) {
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
		out.tell(Namesakes)
	}
	switch best.Reason.Bucket {
	case suggest.OneTypo, suggest.TwoTypos:
		out.tell(NameCorrected)
	case suggest.AllWords, suggest.Prefix, suggest.InnerWord:
		out.tell(PartialName)
	default:
	}
	a.text = &textMatch{*best, best.Reason.Bucket}
	switch best.Type {
	case suggest.ZIP, suggest.FSA, suggest.Postal:
		return best.Name, nil
	default:
		return best.Location.String(), nil // "" of a place whose point is not known
	}
}

// othersOf looks for places that fit a text as well as the first match does and
// lie elsewhere. Those that are about as well known are its rivals, and are
// named after it. Things of different kinds in one state, such as a city and
// its county, are no rivals: the first is the best known of them.
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
			rivals = append(rivals, called(m))
		}
	}
	if len(rivals) > 0 {
		rivals = slices.Insert(rivals, 0, called(best))
	}
	const most = 5 // that are named
	if len(rivals) > most {
		rivals = append(rivals[:most], fmt.Sprintf("and %d more", len(rivals)-most))
	}
	return rivals, namesakes
}

// tier is how well a text fits: the names of a thing are as good as its first.
func tier(m *postgeo.Suggestion) suggest.Bucket {
	return max(m.Reason.Bucket, suggest.ExactAlias)
}

func known(m *postgeo.Suggestion) float64 { return m.Reason.Prominence + m.Reason.Proximity }

func region(m *postgeo.Suggestion) string { return m.State + m.Province }

// called names a match for a message.
func called(m *postgeo.Suggestion) string {
	s := m.Name + ", " + region(m)
	if m.County != "" && m.Type != suggest.County {
		s += " (" + m.County + ")"
	}
	return s
}

// A textError says that a text means no place, or more than one.
type textError struct {
	code    envelope.Code
	message string
}

// Error returns the message.
func (e *textError) Error() string { return "enrich: " + e.message }

// ContractCode returns NOT_FOUND or AMBIGUOUS.
func (e *textError) ContractCode() envelope.Code { return e.code }

// ContractMessage names the text, and what it may mean.
func (e *textError) ContractMessage() string { return e.message }
