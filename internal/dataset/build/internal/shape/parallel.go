package shape

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Parallel calls f for every number below n, from as many goroutines as
// processors. It returns the error of the lowest number that failed.
func Parallel(n int, f func(i int) error) error {
	return ParallelWith(n, func() func(int) error { return f })
}

// ParallelWith is parallel with a function for each goroutine.
func ParallelWith(n int, worker func() func(i int) error) error {
	errs := make([]error, n)
	var next atomic.Int64
	var failed atomic.Bool
	var wg sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		f := worker()
		wg.Go(func() {
			for !failed.Load() {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				if errs[i] = f(i); errs[i] != nil {
					failed.Store(true)
				}
			}
		})
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
