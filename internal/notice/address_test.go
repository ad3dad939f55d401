package notice_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/notice"
	"github.com/postgeo/postgeo/internal/wording"
)

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
	golden(t, "address.golden", b.String())
}
