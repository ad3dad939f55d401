package envelope_test

import (
	"strings"
	"testing"

	"github.com/postgeo/postgeo/envelope"
)

// TestLongInput checks that an error quotes whole characters of a long input, also of bytes
// that begin none.
func TestLongInput(t *testing.T) {
	for name, tt := range map[string]struct{ input, want string }{
		"whole":   {strings.Repeat("x", 200), `"` + strings.Repeat("x", 200) + `" not found`},
		"cut":     {strings.Repeat("x", 201), `"` + strings.Repeat("x", 200) + `"… not found`},
		"letters": {"x" + strings.Repeat("é", 200), `"x` + strings.Repeat("é", 99) + `"… not found`},
		"bytes":   {strings.Repeat("\x80", 201), `"` + strings.Repeat(`\x80`, 196) + `"… not found`},
	} {
		e := &envelope.Failure{Kind: envelope.KindNotFound, Thing: envelope.ThingAddress, Input: tt.input}
		if got := e.Error(); !strings.HasSuffix(got, "address "+tt.want) {
			t.Errorf("%s: %s, want %s", name, got, tt.want)
		}
	}
}
