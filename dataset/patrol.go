package dataset

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

// VerifyNext goes on with the verification of the file where the last call
// stopped and reads up to n more bytes, at most to the end of the pass; the call
// after that begins again. It reads
// every row of every table and compares its checksum, and the digest of the
// table with the manifest. Unlike [Dataset.Verify] it takes no more memory than
// two pages, and on Linux it leaves the system's page cache as it is.
//
// The error is the first damage that was found and that no later pass has read
// without; n 0 only reports. A file that was changed since the last call is
// read from its beginning.
func (d *Dataset) VerifyNext(ctx context.Context, n int64) (Verification, error) {
	if d.check == nil {
		return Verification{}, nil
	}
	var v Verification
	err := d.cold.use(ctx, func(*connection) (err error) {
		v, err = d.check.verifyNext(ctx, n)
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
	for more := true; more && n > 0 && ctx.Err() == nil; n -= pageSize {
		if err := k.verifyPage(); err != nil {
			return v.state, err
		}
		more = v.begun
	}
	for _, t := range k.d.manifest.Tables {
		if err := v.found[t.Name]; err != nil {
			return v.state, err
		}
	}
	return v.state, ctx.Err()
}

// verifyPage reads the next page. The error is that of a pass that cannot
// begin; damage of a table is kept in found, and the next table follows.
func (k *checker) verifyPage() error {
	v, tables := &k.patrol, k.d.manifest.Tables
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
		v.pass = newPass(v.p, want.Name, k.roots[want.Name], nounOf(want.Name))
	}
	v.state.Done = min(v.state.Done+pageSize, v.state.Total)
	ended, err := v.pass.advance()
	if err == nil && !ended {
		return nil
	}
	if got := v.pass.hash.table(want.Name); err == nil && got != want {
		err = damaged(k.d.path, "table %s has %d rows with the digest %s, expected %d with %s", want.Name, got.Rows, got.SHA256, want.Rows, want.SHA256)
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
