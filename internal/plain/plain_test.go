package plain_test

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/internal/lookuptest"
	"github.com/postgeo/postgeo/internal/plain"
)

// TestTexts compares what is shown of the texts of testdata/texts.txt.
func TestTexts(t *testing.T) {
	lookuptest.Table(t, "texts.txt", false, func(row string) string {
		function, quoted, _ := strings.Cut(row, " ")
		text, err := strconv.Unquote(quoted)
		if err != nil {
			t.Fatalf("%s: %v", row, err)
		}
		return strconv.QuoteToASCII(map[string]func(string) string{"Clean": plain.Clean, "Markdown": plain.Markdown}[function](text))
	})
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
