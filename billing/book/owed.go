package book

import (
	"maps"
	"slices"
	"sync"
)

// maxOwed is how many refunds are remembered. Only failures of the store in
// the middle of a request make any.
const maxOwed = 100_000

// Owed remembers the holds that could not be refunded when that was asked for,
// so that a sweep can make up for it. Its zero value is ready. It is safe for
// concurrent use.
type Owed struct {
	mu  sync.Mutex
	ids map[string]bool
}

// Add remembers a hold.
func (o *Owed) Add(id string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.ids == nil {
		o.ids = map[string]bool{}
	}
	if len(o.ids) < maxOwed {
		o.ids[id] = true
	}
}

// Repay calls refund for every hold, and forgets those for which it returns
// nil. It stops at the first error.
func (o *Owed) Repay(refund func(id string) error) error {
	o.mu.Lock()
	ids := slices.Sorted(maps.Keys(o.ids))
	o.mu.Unlock()
	for _, id := range ids {
		if err := refund(id); err != nil {
			return err
		}
		o.mu.Lock()
		delete(o.ids, id)
		o.mu.Unlock()
	}
	return nil
}
