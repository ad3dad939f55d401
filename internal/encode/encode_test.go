package encode_test

import (
	"bytes"
	"encoding/json"
	"math"
	"testing"

	"github.com/postgeo/postgeo/internal/encode"
)

// reference is the JSON that encoding/json writes through reflection.
func reference(t testing.TB, v any) string {
	t.Helper()
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		t.Fatal(err)
	}
	return string(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
}

func TestMarshalReportsWhatCannotBeWritten(t *testing.T) {
	for _, v := range []any{
		make(chan int),
		[]float64{math.NaN()},
		&struct{ C chan int }{make(chan int)},
	} {
		if got, err := encode.Marshal(v); err == nil {
			t.Errorf("Marshal(%T) = %s, want an error", v, got)
		}
	}
	// The pooled encoder is usable after an error.
	got, err := encode.Marshal("a<b")
	if err != nil || string(got) != `"a<b"` {
		t.Errorf(`Marshal("a<b") = %s, %v`, got, err)
	}
}

func FuzzAppendString(f *testing.F) {
	for _, s := range []string{"", "K1A 0B1", `a"b\c`, "\x00\x1f\x7f\b\f\n\r\t", "\xff\xed\xa0\x80", "\u2028\u2029", "Español 日本 😀", "<script>&"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got, want := string(encode.AppendString(nil, s)), reference(t, s); got != want {
			t.Errorf("AppendString(%q) = %s, encoding/json %s", s, got, want)
		}
	})
}
