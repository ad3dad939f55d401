package facts

import (
	"embed"
	"encoding/csv"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/postgeo/postgeo/internal/dataset/synth"
)

//go:embed data
var data embed.FS

// Parameters of the country around the facts.
const (
	seed         = 20260101
	detail       = 2
	postalPerFSA = 9
	reach        = 80_000 // of areas from their points, in millionths of a degree: nine kilometers
)

// Load reads the facts of the sample. It returns an error that names file and
// line if the embedded files are inconsistent.
func Load() (synth.Facts, error) {
	f := synth.Facts{Label: "sample", PostalPerFSA: postalPerFSA, Seed: seed, Detail: detail}
	for _, step := range []func(*synth.Facts) error{metros, counties, censusDivisions, regions, military, postalCodes} {
		if err := step(&f); err != nil {
			return f, err
		}
	}
	return f, nil
}

// A row is a line of a table, by the names of its columns.
type row struct {
	file    string
	line    int
	columns map[string]int
	values  []string
}

func (r row) get(column string) string { return r.values[r.columns[column]] }

func (r row) errorf(format string, args ...any) error {
	return fmt.Errorf("facts: %s, line %d: %s", r.file, r.line, fmt.Sprintf(format, args...))
}

// table reads a file that has exactly these columns.
func table(name string, columns ...string) ([]row, error) {
	file, err := data.Open(path.Join("data", name))
	if err != nil {
		return nil, fmt.Errorf("facts: %w", err)
	}
	defer file.Close()
	r := csv.NewReader(file)
	head, err := r.Read()
	if err != nil {
		return nil, fmt.Errorf("facts: %s: %w", name, err)
	}
	if strings.Join(head, ",") != strings.Join(columns, ",") {
		return nil, fmt.Errorf("facts: %s has the columns %v; expected %v", name, head, columns)
	}
	index := make(map[string]int, len(columns))
	for i, c := range columns {
		index[c] = i
	}
	var rows []row
	for {
		values, err := r.Read()
		if values == nil {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("facts: %s: %w", name, err)
		}
		line, _ := r.FieldPos(0)
		rows = append(rows, row{name, line, index, values})
	}
	return rows, nil
}

// names lists the tables of a folder without their extension.
func names(folder string) ([]string, error) {
	entries, err := fs.ReadDir(data, path.Join("data", folder))
	if err != nil {
		return nil, fmt.Errorf("facts: %w", err)
	}
	var out []string
	for _, e := range entries {
		out = append(out, strings.TrimSuffix(e.Name(), ".csv"))
	}
	return out, nil
}
