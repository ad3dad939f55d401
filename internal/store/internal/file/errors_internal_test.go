package file

import (
	"errors"
	"testing"
)

func TestDecoding(t *testing.T) {
	var rows []int
	err := decoding("x.db", "a row", func() error { rows[len(rows)]++; return nil })
	if !errors.Is(err, ErrDamaged) {
		t.Errorf("a row that does not exist: %v", err)
	}
	own := errors.New("own")
	if err := decoding("x.db", "a row", func() error { return own }); !errors.Is(err, own) {
		t.Errorf("an error becomes %v", err)
	}
	defer func() {
		if r := recover(); r != any(own) {
			t.Errorf("a panic of the program becomes %v", r)
		}
	}()
	_ = decoding("x.db", "a row", func() error { panic(own) })
}
