package draft

import (
	"embed"
	"sync"

	"github.com/postgeo/postgeo/internal/source"
	"github.com/postgeo/postgeo/internal/source/format"
)

// Reviewed tables have facts that no source has, or that sources have wrong, with their
// reasons in a column that no reader needs. They are few on purpose: a fact that a rule
// can find is left to the rule, which also finds the next one.
//
//go:embed reviewed/*.csv
var reviewedFiles embed.FS

// reviewed returns a function that returns the rows of a table. It parses the table once,
// at the first call instead of at the start of every program that links the package. A
// fault of an embedded table is one of the program, and panics.
func reviewed[R any](name string) func() []R {
	return sync.OnceValue(func() (rows []R) {
		text, err := reviewedFiles.ReadFile("reviewed/" + name)
		if err != nil {
			panic(err)
		}
		for row, err := range source.Table[R](format.File{Path: name, Content: text}) {
			if err != nil {
				panic(err) // the tests read it
			}
			rows = append(rows, row)
		}
		return rows
	})
}

// reviewedBy returns a function that returns the rows of a table by their keys.
func reviewedBy[K comparable, R any](name string, key func(R) K) func() map[K]R {
	rows := reviewed[R](name)
	return sync.OnceValue(func() map[K]R {
		by := map[K]R{}
		for _, row := range rows() {
			by[key(row)] = row
		}
		return by
	})
}
