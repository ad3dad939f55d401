package plain_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/internal/plain"
)

func TestClean(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"text", "Saint-Émile ’90210’ – Ōsaka, 東京 😀\tx\ny\r\n", "Saint-Émile ’90210’ – Ōsaka, 東京 😀\tx\ny\r\n"},
		{"title of a terminal", "\x1b]0;x\x07", `\u001b]0;x\u0007`},
		{"C0", "a\x00b\bc\vd\fe", `a\u0000b\u0008c\u000bd\u000ce`},
		{"carriage return alone", "good\rbad\r", `good\u000dbad\u000d`},
		{"DEL and C1", "\x7f\u0085\u009b31m", `\u007f\u0085\u009b31m`},
		{"C1 as bytes", "\x9b31m", "\ufffd31m"},
		{"U+FFFD as it is", "a\ufffdb", "a\ufffdb"},
		{"directions", "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c", `\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c`},
		{"zero width", "9\u200b0\u20602\ufeff10\u00ad", `9\u200b0\u20602\ufeff10\u00ad`},
		{"separators", "a\u2028b\u2029", `a\u2028b\u2029`},
		{"fillers", "\u115f\u1160\u3164\uffa0\u034f", `\u115f\u1160\u3164\uffa0\u034f`},
		{"tags", "a\U000e0041\U000e0001", `a\udb40\udc41\udb40\udc01`},
		{"variation selectors without a base", "\ufe0fa\ufe0f\ufe0f\U000e0100", `\ufe0fa` + "\ufe0f" + `\ufe0f\udb40\udd00`},
		{"joiners between letters", "pay\u200dpal\u200c", `pay\u200dpal\u200c`},
		{"joiners twice", "👨\u200d\u200d👩", "👨\u200d\\u200d👩"},
		{"emoji", "👨\u200d👩\u200d👧 ❤\ufe0f\u200d🔥 👩🏽\u200d⚕\ufe0f 1\ufe0f\u20e3 🇨🇦", "👨\u200d👩\u200d👧 ❤\ufe0f\u200d🔥 👩🏽\u200d⚕\ufe0f 1\ufe0f\u20e3 🇨🇦"},
		{"scripts that join", "می\u200cخواهم क्\u200dष", "می\u200cخواهم क्\u200dष"},
		{"Arabic number sign", "\u0600١", "\u0600١"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, plain.Clean(tt.in)); diff != "" {
				t.Errorf("Clean(%q) (-want +got):\n%s", tt.in, diff)
			}
		})
	}
}

func TestLine(t *testing.T) {
	const in, want = "a\tb\r\nc\nd\re\vf\u0085g\u2028h\x1b", `a b c d e f g h\u001b`
	if got := plain.Line(in); got != want {
		t.Errorf("Line(%q) = %q, want %q", in, got, want)
	}
	var b bytes.Buffer
	if err := plain.Linef(&b, "%s: %d", "a\nb", 1); err != nil || b.String() != "a b: 1\n" {
		t.Errorf("Linef wrote %q, %v", b.String(), err)
	}
}

func TestMarkdown(t *testing.T) {
	tests := []struct{ in, want string }{
		{"San Juan, PR (5 %) - 1.5 #1: a", "San Juan, PR (5 %) - 1.5 #1: a"},
		{"county_fips _a_ a_ 東_京", `county_fips \_a\_ a\_ 東_京`},
		{"<script>&amp;</script>", "&lt;script&gt;&amp;amp;&lt;/script&gt;"},
		{"a|b\\|c\\", `a\|b\\\|c\\`},
		{"`rm` **b** ~~s~~ $x$", "\\`rm\\` \\*\\*b\\*\\* \\~\\~s\\~\\~ \\$x\\$"},
		{"![x](javascript:1) [a][b]", `!\[x\](javascript:1) \[a\]\[b\]`},
		{"https://evil.example www.evil.example WwW.x a@b.example", `https\://evil.example www\.evil.example WwW\.x a\@b.example`},
		{"a\n| b |\r\n# c\x1b", `a \| b \| # c\\u001b`},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, plain.Markdown(tt.in)); diff != "" {
			t.Errorf("Markdown(%q) (-want +got):\n%s", tt.in, diff)
		}
	}
}

func TestFormula(t *testing.T) {
	for _, s := range []string{
		"=1+1", "+1 555 0100", "-2+3", "@SUM(1)", "\t=1", "\r=1", "\n=1", "＝1", "＋1", "－1", "＠a", "-", "--1", `"=1`, `"""@x`, "\u200b=1", "\x00=1", "\ufeff@a", "-1_0", "-0x1p-2", "+Inf", "-inf",
		"-1.5; -2", "-1 )",
	} {
		if got := plain.Formula(s); got != "'"+s {
			t.Errorf("Formula(%q) = %q", s, got)
		}
	}
	for _, s := range []string{"", `"`, "a", "1", "-12.5", "+5", "-.5", "-1e5", "a=1", " =1", "'=1", "É", "\u200b", "1-2"} {
		if got := plain.Formula(s); got != s {
			t.Errorf("Formula(%q) = %q", s, got)
		}
	}
}

// A Writer writes the same whatever the pieces are that it is given.
func TestWriter(t *testing.T) {
	const text = "é😀👨\u200d👩\u202e\x1b[31m\r\nx\ry\x9b\U000e0041 end\n"
	for size := 1; size <= len(text); size++ {
		var b bytes.Buffer
		w := plain.NewWriter(&b)
		for i := 0; i < len(text); i += size {
			piece := text[i:min(i+size, len(text))]
			if n, err := w.Write([]byte(piece)); n != len(piece) || err != nil {
				t.Fatalf("Write = %d, %v", n, err)
			}
		}
		if diff := cmp.Diff(plain.Clean(text), b.String()); diff != "" {
			t.Errorf("pieces of %d bytes (-want +got):\n%s", size, diff)
		}
	}
	var b bytes.Buffer
	w := plain.NewWriter(&b)
	if plain.NewWriter(w) != w || plain.Raw(w) != &b || plain.Raw(&b) != &b {
		t.Error("a Writer is put around a Writer, or not taken off")
	}
}

// FuzzClean looks at all that is written for any text: it is valid UTF-8
// without controls and marks of direction, JSON keeps its value, a text without
// hidden characters its bytes, and the pieces that a Writer gets do not matter.
func FuzzClean(f *testing.F) {
	for _, seed := range []string{"Saint-Émile", "\x1b]0;x\x07", "a\u202eb\u200d\ufe0f", "👨\u200d👩", "\r\n\r", "\x9b\xe2\x80", "=1|<b>`_*"} {
		f.Add(seed, 3)
	}
	f.Fuzz(func(t *testing.T, s string, cut int) {
		got := plain.Clean(s)
		if !utf8.ValidString(got) || plain.Clean(got) != got {
			t.Errorf("Clean(%q) = %q, which is not clean", s, got)
		}
		for _, r := range got {
			if unicode.IsControl(r) && !strings.ContainsRune("\t\r\n", r) || unicode.Is(unicode.Bidi_Control, r) || unicode.Is(unicode.Zl, r) || unicode.Is(unicode.Zp, r) {
				t.Errorf("Clean(%q) has %U", s, r)
			}
		}
		if strings.Contains(strings.ReplaceAll(got, "\r\n", ""), "\r") {
			t.Errorf("Clean(%q) has a carriage return alone", s)
		}
		if !strings.ContainsFunc(s, func(r rune) bool {
			return r == utf8.RuneError || !unicode.IsGraphic(r) || unicode.Is(unicode.Variation_Selector, r) || unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r)
		}) && got != s {
			t.Errorf("Clean(%q) = %q", s, got)
		}
		text, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		var back string
		if err := json.Unmarshal([]byte(plain.Clean(string(text))), &back); err != nil || back != strings.ToValidUTF8(s, "\ufffd") && utf8.ValidString(s) {
			t.Errorf("the JSON of %q reads %q, %v", s, back, err)
		}
		for _, line := range []string{plain.Line(s), plain.Markdown(s)} {
			if strings.ContainsAny(line, "\t\r\n") || plain.Clean(line) != line {
				t.Errorf("%q gives the line %q", s, line)
			}
		}
		if strings.ContainsAny(plain.Markdown(s), "<>") {
			t.Errorf("Markdown(%q) has HTML", s)
		}
		if safe := plain.Formula(s); plain.IsFormula(safe) || safe != s && safe != "'"+s {
			t.Errorf("Formula(%q) = %q", s, safe)
		}
		var b bytes.Buffer
		w := plain.NewWriter(&b)
		cut = min(max(cut, 0), len(s))
		for _, piece := range []string{s[:cut], s[cut:], "\n"} {
			if _, err := w.Write([]byte(piece)); err != nil {
				t.Fatal(err)
			}
		}
		if want := plain.Clean(s + "\n"); b.String() != want {
			t.Errorf("in two pieces %q, %d gives %q, want %q", s, cut, b.String(), want)
		}
	})
}
