package cli

import (
	"errors"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/fault"
	"github.com/postgeo/postgeo/lookup"
)

// links are where the errors in items point to: what a server answers that
// has no addresses configured.
var links = envelope.Links{}.OrOwn()

// maxReports is how many failed inputs are told one by one on standard error.
const maxReports = 10

// failures collects the inputs that could not be answered.
type failures struct {
	env     *Env
	several bool
	sample  bool
	n       int
	missing bool // a code was not found
}

// item returns the failed item that stands for an input, and tells the
// failure on standard error. ok is false when err is no failure of the input
// but of the program, the dataset or the context.
func (f *failures) item(input envelope.Input, err error) (item envelope.Item, ok bool) {
	_, ok = fault.OfInput(err)
	e := fault.As(err)
	if !ok || e != nil && e.Kind == fault.Unavailable && e.Lacks == "address records" || usageOf(err) != nil {
		return envelope.Item{}, false
	}
	f.n++
	f.missing = f.missing || errors.Is(err, postgeo.ErrNotFound)
	if f.n <= maxReports {
		f.env.say("%s", explain(err))
		if h := hint(input, err); h != "" {
			f.env.say("hint: %s", h)
		}
	}
	if f.several && e != nil {
		err = envelope.NewFault(e.ContractCode(), e.BatchMessage())
	}
	return links.Failed(input, err, lookup.NormalizedNotices(input)...), true
}

// result sums up on standard error and returns errReported if anything failed.
func (f *failures) result() error {
	if f.n == 0 {
		return nil
	}
	if f.n > maxReports {
		f.env.say("%d inputs could not be answered, the first %d are above", f.n, maxReports)
	}
	if f.sample && f.missing {
		f.env.say("the sample holds few codes and addresses; for the rest build the real dataset with 'postgeo dataset build'")
	}
	return errReported
}
