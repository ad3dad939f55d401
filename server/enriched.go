package server

import (
	"slices"

	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/notice"
	"github.com/postgeo/postgeo/internal/operation"
)

// An enriched is a request or an item with areas around an address.
type enriched struct {
	include address.Include
	unknown []string // flags
	missed  bool     // it was parsed but not matched
	inBatch bool     // it is an item
	lacking []string // requested flags that are unavailable, of an item
}

func (e *enriched) areas() *enriched { return e }

func (e *enriched) notices() []envelope.Notice {
	var list []envelope.Notice
	if e.unmatched() {
		list = append(list, notice.AddressUnmatched())
	}
	return append(list, operation.Ignored(e.unknown)...)
}

// unmatched reports whether areas were requested for an address without a match.
func (e *enriched) unmatched() bool { return e.missed && len(e.include.Enrichments()) > 0 }

// withhold returns the notices of a result. Those of an item omit unavailable flags,
// which [enrichedNotices] reports once for the whole batch.
func (e *enriched) withhold(lacking []string, list []envelope.Notice) []envelope.Notice {
	if !e.inBatch {
		return list
	}
	e.lacking = lacking
	var kept []envelope.Notice
	for _, n := range list {
		if n.Code != envelope.EnrichmentUnavailable {
			kept = append(kept, n)
		}
	}
	return kept
}

// enrichedNotices returns the notices of a batch about unavailable enrichments,
// addresses without a match, and unknown flags.
func enrichedNotices[P any, Q interface {
	*P
	areas() *enriched
}](items []batchItem[P]) []envelope.Notice {
	var unavailable []string
	var list []envelope.Notice
	missedSome := false
	for i := range items {
		e := Q(&items[i].parsed).areas()
		missedSome = missedSome || e.unmatched()
		for _, f := range e.lacking {
			if !slices.Contains(unavailable, f) {
				unavailable = append(unavailable, f)
			}
		}
	}
	if len(unavailable) > 0 {
		list = append(list, notice.UnavailableEnrichments(unavailable))
	}
	if missedSome {
		list = append(list, notice.AddressUnmatched())
	}
	if len(items) > 0 {
		list = append(list, operation.Ignored(Q(&items[0].parsed).areas().unknown)...)
	}
	return list
}
