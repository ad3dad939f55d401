package server

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/postgeo/postgeo/dataset"
)

// The dataset's file is verified in the background, a part every verifyTick. The
// next pass begins verifyEvery after the last one did. After a change of the
// file, or damage, it is read at urgentRate.
const (
	defaultVerifyRate = 4 << 20 // bytes a second
	urgentRate        = 64 << 20
	verifyTick        = 250 * time.Millisecond
	verifyEvery       = time.Hour
)

type verifier interface {
	VerifyNext(ctx context.Context, n int64) (dataset.Verification, error)
}

// verifying is the verification of the dataset in the background.
type verifying struct {
	m *monitor

	mu       sync.Mutex
	state    dataset.Verification
	err      error
	next     time.Time // when the next pass may begin
	began    time.Time // of the pass; zero: it has not
	complete time.Time // of the last pass that found no damage, on the server's clock
}

// run verifies until ctx is done. A rate below 0 turns it off.
func (v *verifying) run(ctx context.Context) {
	db, ok := v.m.s.cfg.Store.(verifier)
	if !ok || v.m.s.cfg.VerifyRate < 0 {
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

// step reads on, if it is time to.
func (v *verifying) step(ctx context.Context, db verifier, now time.Time) {
	v.mu.Lock()
	n := v.m.s.cfg.VerifyRate / int64(time.Second/verifyTick)
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
	state, err := db.VerifyNext(ctx, n) // the file may hang: nothing is locked meanwhile
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
			v.complete = v.m.s.cfg.Now()
		}
	}
	if err != nil && v.err == nil {
		v.m.s.cfg.Logger.Error("the verification of the dataset found damage", "error", err.Error())
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

// progress returns how much of the pass is done, from 0 to 1, and when the last
// pass without damage ended.
func (v *verifying) progress() (done float64, complete time.Time) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.state.Total > 0 {
		done = float64(v.state.Done) / float64(v.state.Total)
	}
	return done, v.complete
}
