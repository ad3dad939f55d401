package enum_test

import (
	"testing"

	"github.com/postgeo/postgeo/internal/enum"
)

type color uint8

const (
	red color = iota + 1
	blue
)

var names = enum.Names[color]{red: "red", blue: "blue"}

func TestNames(t *testing.T) {
	for v, want := range map[color][2]string{0: {"", ""}, red: {"red", "red"}, blue: {"blue", "blue"}, 3: {"", "color(3)"}, 255: {"", "color(255)"}} {
		if got := [2]string{names.Of(v), names.Shown("color", v)}; got != want {
			t.Errorf("%d is %q, want %q", v, got, want)
		}
	}
	for name, want := range map[string]color{"red": red, "blue": blue, "": 0, "Red": 0, "green": 0} {
		if got, ok := names.Find(name); got != want || ok != (want != 0) {
			t.Errorf("%q is %d, %t; want %d", name, got, ok, want)
		}
	}
}
