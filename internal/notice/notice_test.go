package notice_test

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/notice"
	"github.com/postgeo/postgeo/internal/wording"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestNotices compares all notices, by the name of their function.
func TestNotices(t *testing.T) {
	var b strings.Builder
	for _, x := range []struct {
		name string
		envelope.Notice
	}{
		{"Normalized", notice.Normalized("K1A0B1", "K1A 0B1")},
		{"Fallback", notice.Fallback("K1A 9Z9", "K1A", "")},
		{"Fallback without codes", notice.Fallback("V6B 1A1", "V6B", "British Columbia")},
		{"UnavailableEnrichments", notice.UnavailableEnrichments([]string{"census", "cd"})},
		{"UnknownEnrichments", notice.UnknownEnrichments([]string{"weather", "crime"})},
		{"Points", notice.Points("34.0901", "-118.4065")},
		{"Resolved", notice.Resolved("ZIP", "90210")},
		{"Duplicates", notice.Duplicates(2)},
		{"CommuteFallback", notice.CommuteFallback()},
		{"DensityDefault", notice.DensityDefault()},
		{"NotLoaded", notice.NotLoaded("postal codes of Quebec")},
		{"Capped", notice.Capped(10000, 12345)},
		{"SuggestCapped", notice.SuggestCapped("https://example.com/pricing")},
	} {
		fmt.Fprintf(&b, "%s: %s\n", x.name, strings.TrimSpace(fmt.Sprintf("%s (%s) %s %s", x.Code, x.Class, x.Message, x.URL)))
	}
	lookuptest.Text(t, "notices.golden", b.String(), *update)
}

// TestAddressTexts compares the messages of address matching.
func TestAddressTexts(t *testing.T) {
	var b strings.Builder
	for _, text := range []string{
		wording.AddressInsufficient, wording.AddressAmbiguous, wording.AddressNotFound, notice.AddressUnmatched().Message,
		wording.NoAddressRecords("1 Main St, Ely, MN", "address records"),
	} {
		fmt.Fprintln(&b, text)
	}
	for _, code := range []envelope.Code{
		envelope.Matched, envelope.PartialMatch, envelope.ZIPCorrected, envelope.CityCorrected, envelope.StateCorrected, envelope.StreetCorrected,
		envelope.SecondaryNeeded, envelope.SecondaryNotVerified, envelope.InputNotUsed,
	} {
		n := notice.Address(code)
		if n.Message == "" || n.Class != envelope.ClassMatch {
			t.Errorf("the notice %s has the message %q and the class %q", code, n.Message, n.Class)
		}
		fmt.Fprintln(&b, n.Code, n.Class, n.Message)
	}
	lookuptest.Text(t, "address.golden", b.String(), *update)
}
