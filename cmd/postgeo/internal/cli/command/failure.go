package command

import (
	"errors"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/message"
	"github.com/postgeo/postgeo/internal/envelope"
	"github.com/postgeo/postgeo/internal/fault"
	"github.com/postgeo/postgeo/internal/lookup"
)

// links are the pages that errors in items point to, as of a server without
// configured pages.
var links = envelope.Links{}.OrOwn()

// MaxReports is how many failed inputs standard error names one by one.
const MaxReports = 10

// fail counts a failed input, reports it on standard error and returns its item. If
// ok is false, the program, the dataset or the context failed.
func (c *Call) fail(input envelope.Input, err error) (item envelope.Item, ok bool) {
	_, ok = envelope.OfInput(err)
	e := fault.As(err)
	if !ok || e != nil && e.Kind == fault.Unavailable && e.Lacks == "address records" || usageOf(err) != nil {
		return envelope.Item{}, false
	}
	c.failed++
	c.missing = c.missing || errors.Is(err, postgeo.ErrNotFound)
	if c.failed <= MaxReports {
		c.Report("%s", Explain(err))
		if h := hint(input, err); h != "" {
			c.Report(message.Hint, h)
		}
	}
	if c.Several {
		err = envelope.InBatch(err)
	}
	return links.Failed(input, err, lookup.NormalizedNotices(input)...), true
}

// FailInput counts and reports a failed input whose item is not written. It
// returns err if that is not a failure of the input.
func (c *Call) FailInput(input envelope.Input, err error) error {
	if _, ok := c.fail(input, err); !ok {
		return err
	}
	return nil
}

// result sums up on standard error and returns ErrReported if an input failed.
func (c *Call) result() error {
	if c.failed == 0 {
		return nil
	}
	if c.failed > MaxReports {
		c.Report(message.ManyFailures, c.failed, MaxReports)
	}
	if c.sample && c.missing {
		c.Report(message.SampleIsSmall)
	}
	return ErrReported
}
