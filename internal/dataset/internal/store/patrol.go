package store

import (
	"context"
	"sync"
	"time"
)

// A Verification is how far the verification of a file in service is.
type Verification struct {
	// Done and Total are the bytes that were read in this pass and that the
	// file has.
	Done, Total int64

	// Passes is how many times the whole file has been read.
	Passes int

	// Urgent is set if the file was changed since it was opened or damage was
	// found, until a whole pass has found none.
	Urgent bool
}

// A patrol verifies a file bit by bit.
type patrol struct {
	mu       sync.Mutex
	p        *pageReader
	begun    bool
	table    int        // the one of the manifest that is read
	pass     *tablePass // of table; nil: not begun
	state    Verification
	modified time.Time // of the file, when the pass began
	found    map[string]error
}

// VerifyNext reads up to n more bytes of the file, at most to the end of the
// pass. The error is the first damage that no later pass has read without one.
func (f *File) VerifyNext(ctx context.Context, n int64) (Verification, error) {
	if f.check == nil {
		return Verification{}, nil
	}
	var v Verification
	err := f.Cold.Use(ctx, func(*Connection) (err error) {
		v, err = f.check.verifyNext(ctx, n)
		return err
	})
	return v, err
}

func (k *checker) verifyNext(ctx context.Context, n int64) (Verification, error) {
	v := &k.patrol
	v.mu.Lock()
	defer v.mu.Unlock()
	v.state.Total = k.opened.Size()
	info, err := k.stat()
	if info != nil && !info.ModTime().Equal(v.modified) {
		v.modified, v.begun, v.state.Urgent = info.ModTime(), false, true
	}
	if err != nil {
		return v.state, err
	}
	for more := true; more && n > 0 && ctx.Err() == nil; n -= PageSize {
		if err := k.verifyPage(); err != nil {
			return v.state, err
		}
		more = v.begun
	}
	for _, t := range k.f.Manifest.Tables {
		if err := v.found[t.Name]; err != nil {
			return v.state, err
		}
	}
	return v.state, ctx.Err()
}

// verifyPage reads the next page. It returns an error if a pass cannot begin. It
// keeps damage of a table in found and continues with the next table.
func (k *checker) verifyPage() error {
	v, tables := &k.patrol, k.f.Manifest.Tables
	if !v.begun {
		if v.p == nil {
			v.p, v.found = k.reader(), map[string]error{}
		}
		v.table, v.pass, v.state.Done = 0, nil, 0
		if err := k.isSame(v.p); err != nil {
			v.state.Urgent = true
			return err
		}
		v.begun = true
	}
	want := tables[v.table]
	if v.pass == nil {
		v.pass = newPass(v.p, want.Name, k.roots[want.Name], k.f.Tables.noun(want.Name))
	}
	v.state.Done = min(v.state.Done+PageSize, v.state.Total)
	ended, err := v.pass.advance()
	if err == nil && !ended {
		return nil
	}
	if got := v.pass.hash.table(want.Name); err == nil && got != want {
		err = k.f.Damaged("table %s has %d rows with the digest %s, expected %d with %s", want.Name, got.Rows, got.SHA256, want.Rows, want.SHA256)
	}
	if err == nil {
		delete(v.found, want.Name)
	} else {
		v.found[want.Name] = err
	}
	v.table, v.pass = v.table+1, nil
	if v.table == len(tables) {
		v.begun = false
		v.state.Passes++
		v.state.Urgent = len(v.found) > 0
		v.state.Done = v.state.Total
	}
	return nil
}
