package store

import (
	"maps"
	"slices"
	"sync"
)

// maxOwed bounds the number of refunds in memory. Only failures of the database
// in the middle of a request add one.
const maxOwed = 100_000

// Owed holds the refunds and cuts that failed, for a sweep to retry. Its zero
// value is ready. It is safe for concurrent use.
type Owed struct {
	mu  sync.Mutex
	ids map[string]CallKind
}

// Add adds a hold. A refund replaces a cut of the same hold.
func (o *Owed) Add(id string, kind CallKind) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.ids == nil {
		o.ids = map[string]CallKind{}
	}
	if was, there := o.ids[id]; there {
		o.ids[id] = min(was, kind) // Refund is before Cut
	} else if len(o.ids) < maxOwed {
		o.ids[id] = kind
	}
}

// Repay calls undo for every hold and removes those for which it returns nil.
// It stops at the first error.
func (o *Owed) Repay(undo func(id string, kind CallKind) error) error {
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
