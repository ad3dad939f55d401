package enrich_test

import (
	"testing"

	"github.com/postgeo/postgeo/enrich"
)

func TestPlainCode(t *testing.T) {
	for _, tt := range []struct{ text, code, reason string }{
		{`="00501"`, "00501", enrich.CodeRepaired},
		{`=00501`, "00501", enrich.CodeRepaired},
		{`="M5V 3L9"`, "M5V 3L9", enrich.CodeRepaired},
		{"'02139", "02139", enrich.CodeRepaired},
		{"90210.0", "90210", enrich.CodeRepaired},
		{"902101234.00", "902101234", enrich.CodeRepaired},
		{"9.0210E+04", "90210", enrich.CodeRepaired},
		{"9.021e+04", "90210", enrich.CodeRounded},
		{"9E+04", "90000", enrich.CodeRounded},
		{"5.01E+02", "501", enrich.CodeRepaired}, // without leading zeros
		{"9.02101234E+08", "902101234", enrich.CodeRepaired},
		{"14.3S 170.7W", "-14.3,-170.7", enrich.CodeRepaired},
		{"-14.3 -170.7", "-14.3,-170.7", enrich.CodeRepaired},
	} {
		if code, reason := enrich.PlainCode(tt.text); code != tt.code || reason != tt.reason {
			t.Errorf("%q is %q, %q; want %q, %q", tt.text, code, reason, tt.code, tt.reason)
		}
	}
	for _, text := range []string{
		"90210", "", "=", "'", "2139", "2139.0", "90210.5", "90210.", "9.02101E+04", "9.021E-04", "9.021E+99", "90.21E+03", "E+04", "0.1E+04", "9.0x1E+04",
	} {
		if code, reason := enrich.PlainCode(text); code != "" || reason != "" {
			t.Errorf("%q is %q, %q; want nothing", text, code, reason)
		}
	}
}
