package main

import (
	"bytes"
	"strings"
	"testing"
)

func TestRun(t *testing.T) {
	var b bytes.Buffer
	if err := run(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	picture := b.String()
	for _, want := range []string{`<svg `, `<path class="area s4" `, `>90210</text>`, `<path class="circle" `, `<circle class="point" `, `</svg>`} {
		if !strings.Contains(picture, want) {
			t.Errorf("the map has no %s:\n%s", want, picture)
		}
	}
}
