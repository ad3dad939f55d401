package operation_test

import (
	"reflect"
	"testing"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/internal/sampletest"
)

func TestCall(t *testing.T) {
	db := sampletest.Open(t)
	for _, c := range []struct{ operation, arguments, fails string }{
		{"quick_lookup", `{"code":"90210","include":["timezone"]}`, ""},
		{"radius", `{"code":"90210","max":5,"limit":3,"min":null}`, ""},
		{"suggest", `{"query":"los"}`, ""},
		{"nearest", `{"code":"90210","max":"5"}`, ""},
		{"nearest", `{"code":"90210","count":"5"}`, "Field 'count' must be a number."},
		{"acs_fields", ``, ""},
		{"lookup", `[]`, "Field 'arguments' must be a JSON object."},
		{"lookup", `{}`, "Parameter 'code' is required."},
		{"lookup", `{"code":" "}`, "Parameter 'code' must not be empty."},
		{"lookup", `{"code":90210}`, "Field 'code' must be a string."},
		{"lookup", `{"code":"90210","zip":1}`, `Unknown argument "zip". Did you mean "code"?`},
		{"lookup", `{"code":"90210","xyzzy":1}`, `Unknown argument "xyzzy"; expected code, include, at, as_of, plan.`},
		{"lookup", `{"code":"90210","include":{}}`, "Field 'include' must be a string or a list of strings."},
		{"acs_series", `{"codes":[],"fields":["x"]}`, "Parameter 'codes' must not be empty."},
	} {
		res, err := operation.Find(operation.All(), c.operation).Call(t.Context(), db, []byte(c.arguments))
		f := envelope.FaultOf(err)
		switch {
		case c.fails == "" && (err != nil || res == nil):
			t.Errorf("%s %s: %v", c.operation, c.arguments, err)
		case c.fails != "" && (f == nil || f.Message != c.fails):
			t.Errorf("%s %s: error %v, want %s", c.operation, c.arguments, err, c.fails)
		}
	}
	for _, o := range operation.All() {
		if operation.Find(operation.All(), o.Name) == nil {
			t.Errorf("%s: not found", o.Name)
		}
		run, ok := reflect.PointerTo(o.Input).MethodByName("Run")
		if !ok || run.Type.Out(0) != o.Result {
			t.Errorf("%s: the input has no method Run with its result", o.Name)
		}
		if _, err := o.Call(t.Context(), db, []byte(`{"nonsense":1}`)); err == nil {
			t.Errorf("%s takes nonsense", o.Name)
		}
	}
	if operation.Find(operation.All(), "nonsense") != nil {
		t.Error("nonsense found")
	}
}
