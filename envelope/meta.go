package envelope

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/postgeo/postgeo/internal/encode"
)

// Version is the version of the API in meta.version.
const Version = "2.0.0"

// HeaderVersion is the value of the header X-Api-Version.
const HeaderVersion = "2.0"

// A Meta describes the request. Every response has one.
type Meta struct {
	RequestID string     `json:"request_id"` // ULID, also in the header X-Request-Id
	Version   string     `json:"version"`    // [Version]
	TimingMS  int64      `json:"timing_ms"`  // processing time, milliseconds rounded down
	Credits   Credits    `json:"credits"`
	Notices   []Notice   `json:"notices,omitempty"`   // about the request as a whole
	Batch     *Batch     `json:"batch,omitzero"`      // batch routes only
	RateLimit *RateLimit `json:"rate_limit,omitzero"` // rate-limit errors only
	Debug     *Debug     `json:"debug,omitzero"`      // keys with the debug scope only
}

// Credits are the cost of a request and their source.
type Credits struct {
	Used      int          `json:"used"`               // cost of the response
	Source    CreditSource `json:"source"`             // source of the credits
	Remaining *int         `json:"remaining,omitzero"` // nil if nothing is counted
	Breakdown Breakdown    `json:"breakdown"`
}

// A CreditSource is a source of credits.
type CreditSource string

// The sources of credits.
const (
	SourceFreeDaily    CreditSource = "free_daily"
	SourceSubscription CreditSource = "subscription"
	SourcePack         CreditSource = "pack"
	SourceMixed        CreditSource = "mixed" // Breakdown.Note lists the parts
	SourceDemo         CreditSource = "demo"
	SourceTest         CreditSource = "test"
	SourceNone         CreditSource = "none" // not charged
)

// A Breakdown explains a cost.
type Breakdown struct {
	Base        int         `json:"base"`                 // credits of the look-up itself
	Enrichments Enrichments `json:"enrichments"`          // credits of each enrichment that was delivered
	Calculation string      `json:"calculation,omitzero"` // e.g. "2 base x (1 + 1 timezone) = 4"
	Note        string      `json:"note,omitzero"`        // explains the sum
}

// Enrichments are the credits of each charged flag. Nil is written as the
// empty object.
type Enrichments map[string]int

// MarshalJSON writes an object with its names in order, never null.
func (e Enrichments) MarshalJSON() ([]byte, error) { return e.AppendJSON(nil) }

// AppendJSON appends the JSON of the charges to dst.
func (e Enrichments) AppendJSON(dst []byte) ([]byte, error) {
	dst = append(dst, '{')
	if len(e) > 0 {
		flags := slices.AppendSeq(make([]string, 0, 8), maps.Keys(e))
		slices.Sort(flags) // as encoding/json, so that equal responses have equal bytes
		for i, flag := range flags {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = encode.AppendString(dst, flag)
			dst = append(dst, ':')
			dst = strconv.AppendInt(dst, int64(e[flag]), 10)
		}
	}
	return append(dst, '}'), nil
}

// A Batch counts the items of a batch.
type Batch struct {
	Requested int `json:"requested"` // items of the request
	Succeeded int `json:"succeeded"` // successful items
	Failed    int `json:"failed"`    // failed items
}

// A RateLimit is the limit that a refused request exceeded.
type RateLimit struct {
	Limit      int    `json:"limit"`       // requests in the window
	Window     string `json:"window"`      // "minute"
	RetryAfter int    `json:"retry_after"` // seconds
}

// A Debug describes the processing of a request.
type Debug struct {
	StagesMS   Stages `json:"stages_ms"`  // milliseconds of each stage of the work
	Candidates int    `json:"candidates"` // results considered
	Dataset    string `json:"dataset"`    // version of the dataset
}

// Stages are the times of the stages of the processing, in order. They are written
// as one object.
type Stages []Stage

// A Stage is one stage of the processing.
type Stage struct {
	Name string  // such as "parse"
	MS   float64 // milliseconds
}

// MarshalJSON writes an object with the stages in their order.
func (s Stages) MarshalJSON() ([]byte, error) {
	dst := []byte{'{'}
	for i, st := range s {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(encode.AppendString(dst, st.Name), ':')
		var err error
		if dst, err = encode.Append(dst, st.MS); err != nil {
			return nil, err
		}
	}
	return append(dst, '}'), nil
}

// UnmarshalJSON reads the output of MarshalJSON.
func (s *Stages) UnmarshalJSON(data []byte) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return fmt.Errorf("envelope: reading stages: expected an object of numbers, got %.40s", data)
	}
	*s = Stages{}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return fmt.Errorf("envelope: reading stages: %w", err)
		}
		st := Stage{Name: fmt.Sprint(name)}
		if err := dec.Decode(&st.MS); err != nil {
			return fmt.Errorf("envelope: reading stages: %w", err)
		}
		*s = append(*s, st)
	}
	return nil
}
