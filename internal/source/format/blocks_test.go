package format_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/internal/source/format"
)

func readBlocks(in format.File, length int) ([]string, error) {
	return collect(in.Rows(format.Options{Width: length}), func(r format.Row) string {
		return fmt.Sprintf("%d %s", r.Number, strings.TrimSpace(r.Fields()[0]))
	})
}

func TestBlocks(t *testing.T) {
	want := []string{"1 C one", "2 D", "3 Dtwo"}
	tests := []struct{ name, text string }{
		{"without line ends", "C oneD    Dtwo "},
		{"LF", "C one\nD    \nDtwo \n"},
		{"CR LF", "C one\r\nD    \r\nDtwo \r\n"},
		{"last line end missing", "C one\nD    \nDtwo "},
		{"with the end mark of DOS", "C one\r\nD    \r\nDtwo \r\n\x1a"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := readBlocks(input("f", tt.text), 5)
			check(t, err)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("records (-want +got):\n%s", diff)
			}
		})
	}
	if got, err := readBlocks(input("f", ""), 5); err != nil || got != nil {
		t.Errorf("empty file: %q, %v", got, err)
	}
}

func TestBlocksRefusals(t *testing.T) {
	tests := []struct {
		name, text string
		cause      error
		want       string
	}{
		{"last record cut off", "C oneDtw", format.ErrTruncated, "f: record 2: ends after 3 of 5 bytes"},
		{"another length", "C on\nDtwo \n", format.ErrRagged, "f: record 1: line end at byte 5, expected records of 5 bytes"},
		{"mixed line ends", "C one\nD    \r\nDtwo \n", format.ErrRagged, `f: record 2: followed by "\r", expected the line end "\n"`},
		{"missing line end", "C one\nD    Dtwo \n", format.ErrRagged, `followed by "D"`},
		{"line end cut off", "C one\r\nD    \r", format.ErrRagged, `followed by "\r", expected the line end "\r\n"`},
		{"NUL", "C oneD\x00   ", format.ErrEncoding, "f: record 2: byte 2 is 0x00"},
		{"not ASCII", "C oneD\xd1   ", format.ErrEncoding, "byte 2 is 0xd1, expected printable ASCII"},
		{"line end inside later", "C oneD\n   ", format.ErrRagged, "record 2: line end at byte 2"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := readBlocks(input("f", tt.text), 5)
			wantError(t, err, tt.cause, tt.want)
			mustBeNamed(t, err, "f")
		})
	}
}

func FuzzBlocks(f *testing.F) {
	f.Add("C oneD    Dtwo ", 5)
	f.Add("C one\r\nD    \r\n", 5)
	f.Fuzz(func(t *testing.T, text string, length int) {
		if length < 1 || length > 400 {
			return
		}
		n := 0
		for b, err := range input("f", text).Rows(format.Options{Width: length}) {
			if err != nil {
				mustBeNamed(t, err, "f")
				var e *format.Error
				if errors.As(err, &e) && e.Record > n+1 {
					t.Fatalf("error in record %d after %d", e.Record, n)
				}
				return
			}
			if n++; b.Number != n || len(b.Fields()[0]) != length {
				t.Fatalf("record %d after %d", b.Number, n)
			}
		}
		if rest := len(text) - n*length; rest < 0 || rest > 2*n+1 {
			t.Fatalf("%d records of %d bytes from %d bytes", n, length, len(text))
		}
	})
}
