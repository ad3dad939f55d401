package cli_test

import (
	"testing"
)

// What people and programs see, on the embedded sample.
func TestGolden(t *testing.T) {
	tests := []struct {
		name  string
		world world
		args  []string
	}{
		{"lookup-terminal-one", world{terminal: true}, []string{"lookup", "90210"}},
		{"lookup-terminal-several", world{terminal: true}, []string{"lookup", "90210", "K1A0B1", "00601", "m5v", "99999", "--include", "timezone"}},
		{"lookup-pipe", world{}, []string{"lookup", "90210", "K1A 0B1"}},
		{"lookup-json-one", world{}, []string{"lookup", "00601", "--format", "json", "--include", "timezone"}},
		{"lookup-json-quick", world{}, []string{"lookup", "K1A0B1", "--quick", "--format", "json"}},
		{"lookup-json-several", world{}, []string{"lookup", "90210", "99999", "9021", "--quick", "--format", "json"}},
		{"lookup-csv", world{stdin: "00601\n90210\nK1A\nnowhere\n"}, []string{"lookup", "-", "--format", "csv"}},
		{"lookup-tsv-columns", world{}, []string{"lookup", "00601", "K1A", "--format", "tsv", "--columns", "code,city,state,location.lat,location.lon"}},
		{"lookup-markdown", world{}, []string{"lookup", "00601", "K1A", "--format", "markdown"}},
		{"lookup-missing", world{terminal: true}, []string{"lookup", "99999"}},
		{"distance-terminal", world{terminal: true}, []string{"distance", "90210", "10001"}},
		{"distance-coordinates", world{terminal: true}, []string{"distance", "K1A", "45.5,-73.6"}},
		{"distance-json", world{}, []string{"distance", "90210", "K1A 0B1", "--format", "json"}},
		{"distance-csv", world{}, []string{"distance", "00601", "10001", "--format", "csv"}},
		{"distance-missing", world{}, []string{"distance", "90210", "99999"}},
		{"info-terminal", world{terminal: true}, []string{"dataset", "info"}},
		{"info-csv", world{}, []string{"dataset", "info", "--format", "csv", "--columns", "id,title,vintage,licence,attribution"}},
		{"verify-terminal", world{terminal: true}, []string{"dataset", "verify"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			golden(t, tt.name, tt.world.run(tt.args...).String())
		})
	}
}
