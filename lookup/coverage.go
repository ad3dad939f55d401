package lookup

import (
	"sync/atomic"

	"github.com/postgeo/postgeo/internal/store"
)

// coverage caches the set of states with areas of each layer of the catalog, by the numbers of
// layers and states, which are bytes. A point outside all areas of a layer is an answer only in
// a state that the layer covers (decision D33): a dataset may have the districts of a few states.
type coverage [1 << 8]atomic.Pointer[[1 << 8]bool]

// covers reports whether a layer has any area in the state; true if the state
// is unknown. One file has the urban or tribal areas of all states. A layer of a user has all
// areas that it means, and they have no state.
func (r *Reader) covers(l *store.Layer, state store.StateID) bool {
	if state == 0 || store.IsOwnLayer(l.ID()) {
		return true
	}
	at := &r.states[l.ID()]
	set := at.Load()
	if set == nil {
		set = &[1 << 8]bool{}
		for i := range l.Len() {
			set[l.Area(i).State] = true
		}
		at.Store(set)
	}
	return set[state] || set[0] && store.IsNamedLayer(l.ID())
}
