package book

import (
	"maps"
	"slices"
	"sync"
)

// maxOwed is how many refunds are remembered. Only failures of the store in
// the middle of a request make any.
const maxOwed = 100_000

// Owed remembers the holds that could not be refunded or cut, so that a sweep
// can make up for it. Its zero value is ready. It is safe for concurrent use.
type Owed struct {
	mu  sync.Mutex
	ids map[string]bool // whether it was cut
}

// Add remembers a hold. A refund replaces a cut of the same hold.
func (o *Owed) Add(id string, cut bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.ids == nil {
		o.ids = map[string]bool{}
	}
	if was, there := o.ids[id]; there {
		o.ids[id] = was && cut
	} else if len(o.ids) < maxOwed {
		o.ids[id] = cut
	}
}

// Repay calls undo for every hold, and forgets those for which it returns nil.
// It stops at the first error.
func (o *Owed) Repay(undo func(id string, cut bool) error) error {
	o.mu.Lock()
	owed := maps.Clone(o.ids)
	o.mu.Unlock()
	for _, id := range slices.Sorted(maps.Keys(owed)) {
		if err := undo(id, owed[id]); err != nil {
			return err
		}
		o.mu.Lock()
		delete(o.ids, id)
		o.mu.Unlock()
	}
	return nil
}
