package draft

import (
	"iter"

	"github.com/postgeo/postgeo/internal/dataset/build/internal/plan"
	"github.com/postgeo/postgeo/internal/dataset/build/source"
)

// KeptRows are rows of outlines by source, which a later step reads again.
type KeptRows struct {
	rows map[string][]source.LayerAreaRow
}

// Read returns the rows of a boundary file. It keeps those that a later step
// reads again, which then gets the rows without parsing them.
func (k *KeptRows) Read(e *plan.Env, id string, columns source.LayerColumns, again bool) iter.Seq2[source.LayerAreaRow, error] {
	if rows, parsed := k.rows[id]; parsed {
		delete(k.rows, id)
		return func(yield func(source.LayerAreaRow, error) bool) {
			for _, r := range rows {
				if !yield(r, nil) {
					return
				}
			}
		}
	}
	rows := plan.Ahead(source.LayerAreas(e.File(id).Path, columns))
	if !again {
		return rows
	}
	return func(yield func(source.LayerAreaRow, error) bool) {
		var kept []source.LayerAreaRow
		for r, err := range rows {
			if err == nil {
				kept = append(kept, r)
			}
			if !yield(r, err) {
				return
			}
		}
		if k.rows == nil {
			k.rows = map[string][]source.LayerAreaRow{}
		}
		k.rows[id] = kept
	}
}
