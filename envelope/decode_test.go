package envelope_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/operation"
)

// TestReadBack checks that custom decoders read the output of their encoders.
func TestReadBack(t *testing.T) {
	readBack(t, fullMeta())
	readBack(t, envelope.Stages{{Name: "b", MS: 1}, {Name: "a", MS: 0.25}})
	readBack(t, envelope.RadiusMax{Miles: 12.5})
	readBack(t, envelope.RadiusMax{Auto: "auto-commute"})
	readBack(t, operation.RadiusRequest{Code: "90210", Max: envelope.RadiusMax{Auto: "auto"}, Mode: "spatial", Include: envelope.Flags{}})
}

func readBack[T any](t *testing.T, want T) {
	t.Helper()
	data, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var got T
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", data, diff)
	}
}

// TestRefusesToRead checks that values of the wrong kind are rejected.
func TestRefusesToRead(t *testing.T) {
	for _, data := range []string{`[]`, `{"a":"b"}`, `"a"`, `1`, `{"a":{}}`} {
		var s envelope.Stages
		if err := json.Unmarshal([]byte(data), &s); err == nil {
			t.Errorf("stages %s: read as %v", data, s)
		}
	}
	for _, data := range []string{`[]`, `{}`, `true`} {
		var m envelope.RadiusMax
		if err := json.Unmarshal([]byte(data), &m); err == nil {
			t.Errorf("max %s: read as %v", data, m)
		}
	}
}
