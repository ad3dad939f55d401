package file

import (
	"errors"
	"testing"
)

func TestDecoding(t *testing.T) {
	var rows []int
	err := decoding(func() error { rows[len(rows)]++; return nil })
	if !errors.Is(readError("x.db", "a row", err), ErrDamaged) {
		t.Errorf("a row that does not exist: %v", err)
	}
	own := errors.New("own")
	if err := decoding(func() error { return own }); !errors.Is(err, own) {
		t.Errorf("an error becomes %v", err)
	}
	defer func() {
		if r := recover(); r != any(own) {
			t.Errorf("a panic of the program becomes %v", r)
		}
	}()
	_ = decoding(func() error { panic(own) })
}
