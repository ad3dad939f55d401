package cli_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli"
)

// A full is a disk without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no room") }

// A run that fails ends although its input, which has no end, has nothing to
// give.
func TestEnrichSilentInput(t *testing.T) {
	rows := "id,zip\n" + strings.Repeat("1,90210\n", 3000)
	tests := []struct {
		name, text, want string
		out              io.Writer
	}{
		{"no room", rows, "no room", full{}},
		{"broken row", "id,zip\n1,90210,x\n" + rows, "line 2", io.Discard},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in, w := io.Pipe()
			defer w.Close()
			go func() { _, _ = io.WriteString(w, tt.text) }() // and no end
			var said bytes.Buffer
			code := cli.Run(t.Context(), []string{"enrich", "-q"}, cli.Env{Stdin: in, Stdout: tt.out, Stderr: &said, Getenv: func(string) string { return "" }})
			if code != cli.Failed || !strings.Contains(said.String(), tt.want) || strings.Contains(said.String(), "cancel") {
				t.Errorf("exit code %d, %q; want %d and %q", code, said.String(), cli.Failed, tt.want)
			}
		})
	}
}
