package address_test

import (
	"bufio"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/address"
	"github.com/postgeo/postgeo/envelope"
)

// TestDocumentedAddresses holds the table of docs/address.md against what the
// sample answers, and that it has every notice and failure.
func TestDocumentedAddresses(t *testing.T) {
	f, err := os.Open("../docs/address.md")
	check(t, err)
	defer f.Close()
	e, _ := sampleEngine(t)
	shown := map[string]bool{}
	lines := bufio.NewScanner(f)
	for in := false; lines.Scan(); {
		line := lines.Text()
		if strings.HasPrefix(line, "## ") {
			in = line == "## On the sample"
		}
		cells := strings.Split(line, "|")
		if !in || len(cells) != 4 || !strings.HasPrefix(cells[1], " `") {
			continue
		}
		text, want := strings.Trim(cells[1], " `"), strings.Fields(strings.ReplaceAll(cells[2], "`", ""))
		for _, code := range want {
			shown[code] = true
		}
		var got []string
		m, err := e.Match(t.Context(), text, address.Options{})
		failure := envelope.FaultOf(err)
		switch {
		case failure != nil:
			got = []string{string(failure.Code)}
		case err != nil:
			t.Fatalf("%s: %v", text, err)
		default:
			for _, n := range m.Notices {
				got = append(got, string(n.Code))
			}
		}
		if !slices.Equal(want, got) {
			t.Errorf("%s: %v, the table says %v", text, got, want)
		}
	}
	check(t, lines.Err())
	for _, code := range []envelope.Code{
		envelope.Matched, envelope.PartialMatch, envelope.ZIPCorrected, envelope.CityCorrected, envelope.StateCorrected, envelope.StreetCorrected,
		envelope.SecondaryNeeded, envelope.SecondaryNotVerified, envelope.InputNotUsed,
		envelope.Ambiguous, envelope.NotFound, envelope.InsufficientInput, envelope.ValidationInputTooShort,
	} {
		if !shown[string(code)] {
			t.Errorf("the table has no example of %s", code)
		}
	}
}
