package monitor

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/postgeo/postgeo/internal/dataset"
)

// The file of the dataset is verified in the background, a part every
// verifyTick. A pass begins verifyEvery after the previous one began. After a
// change of the file, or damage, it is read at urgentRate.
const (
	urgentRate  = 64 << 20 // bytes per second
	verifyTick  = 250 * time.Millisecond
	verifyEvery = time.Hour
)

type verifier interface {
	VerifyNext(ctx context.Context, n int64) (dataset.Verification, error)
}

// verifying is the state of the background verification.
type verifying struct {
	m *Monitor

	mu       sync.Mutex
	state    dataset.Verification
	err      error
	next     time.Time // when the next pass may begin
	began    time.Time // of the pass, or zero
	complete time.Time // end of the last pass without damage, on the server's clock
}

// run verifies until ctx is done.
func (v *verifying) run(ctx context.Context) {
	db, ok := v.m.o.Store.(verifier)
	if !ok || v.m.o.VerifyRate < 0 {
		return
	}
	tick := time.NewTicker(verifyTick)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-tick.C:
			v.step(ctx, db, now)
		}
	}
}

// step reads the next part if it is due.
func (v *verifying) step(ctx context.Context, db verifier, now time.Time) {
	v.mu.Lock()
	n := v.m.o.VerifyRate / int64(time.Second/verifyTick)
	switch {
	case v.state.Urgent:
		n = urgentRate / int64(time.Second/verifyTick)
	case now.Before(v.next):
		n = 0
	}
	if n > 0 && v.began.IsZero() {
		v.began = now
	}
	v.mu.Unlock()
	state, err := db.VerifyNext(ctx, n) // unlocked, because the file may hang
	if ctx.Err() != nil || errors.Is(err, dataset.ErrClosed) {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if state.Passes < v.state.Passes { // another dataset
		v.next, v.began = now, time.Time{}
	}
	if state.Passes > v.state.Passes {
		v.next, v.began = v.began.Add(verifyEvery), time.Time{}
		if err == nil {
			v.complete = v.m.o.Now()
		}
	}
	if err != nil && v.err == nil {
		v.m.o.Logger.Error("the verification of the dataset found damage", "error", err.Error())
		v.m.dataset.again()
	}
	v.state, v.err = state, err
}

// damage returns the damage that the verification found, or nil once a later
// pass finds it repaired.
func (v *verifying) damage() error {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.err
}
