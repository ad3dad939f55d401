package plan

import "iter"

const (
	aheadRows    = 64 // rows that change hands at once
	aheadBatches = 8  // batches that wait to be taken
)

// ahead parses rows in a separate goroutine while earlier ones are used. The
// rows, and their order, stay the same. The goroutine has ended when the
// sequence does, so that its file can be closed.
func ahead[R any](rows iter.Seq2[R, error]) iter.Seq2[R, error] {
	type result struct {
		row R
		err error
	}
	return func(yield func(R, error) bool) {
		batches, stop := make(chan []result, aheadBatches), make(chan struct{})
		go func() {
			defer close(batches)
			var batch []result
			send := func() bool {
				select {
				case batches <- batch:
					batch = make([]result, 0, aheadRows)
					return true
				case <-stop:
					return false
				}
			}
			for row, err := range rows {
				batch = append(batch, result{row, err})
				if len(batch) == aheadRows && !send() {
					return
				}
			}
			send()
		}()
		defer func() {
			close(stop)
			for range batches { // until the goroutine ends
			}
		}()
		for batch := range batches {
			for _, r := range batch {
				if !yield(r.row, r.err) {
					return
				}
			}
		}
	}
}
