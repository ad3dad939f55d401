package enrich_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/enrich"
)

// TestMemoryBytes compares values with longer ones and lists with their parts.
func TestMemoryBytes(t *testing.T) {
	null := enrich.Value{}.MemoryBytes()
	text := enrich.StringValue(strings.Repeat("x", 1000)).MemoryBytes()
	if null <= 0 || enrich.IntValue(7).MemoryBytes() != null || text != null+1000 {
		t.Errorf("null %d, text of 1,000 bytes %d", null, text)
	}
	list := []enrich.Value{enrich.StringValue("ab"), enrich.FloatValue(1)}
	if n := enrich.ListValue(list).MemoryBytes(); n != null+(null+2)+null {
		t.Errorf("a list has %d", n)
	}
}

func ExampleValue_MemoryBytes() {
	short, long := enrich.StringValue("ZIP"), enrich.StringValue("ZIP Code")
	fmt.Println(long.MemoryBytes() - short.MemoryBytes())
	// Output: 5
}
