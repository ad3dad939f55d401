package dataset

import "github.com/postgeo/postgeo/internal/dataset/internal/tables"

type (
	// OwnTable has values of areas that a user added.
	OwnTable = tables.Table
	// OwnTableInfo describes a table of a user.
	OwnTableInfo = tables.Info
	// OwnColumn describes a column of a table of a user.
	OwnColumn = tables.Column
	// OwnTableData is a table of a user for a Writer.
	OwnTableData = tables.Data
	// OwnValues are the values of a column of a table of a user.
	OwnValues = tables.Values
	// Meaning defines how the values of several areas combine.
	Meaning = tables.Meaning
)

// The meanings of columns.
const (
	MeaningCount    = tables.Count
	MeaningRate     = tables.Rate
	MeaningMean     = tables.Mean
	MeaningMedian   = tables.Median
	MeaningCategory = tables.Category
)

// SectionTables holds the tables of users.
const SectionTables = tables.Section

// MaxTableName is the maximum length of the name of a table of a user or a column.
const MaxTableName = tables.MaxName

// MaxOwnNumber is the largest absolute number in a table of a user.
const MaxOwnNumber = tables.MaxNumber

// ValidTableName reports whether a table of a user or a column may have the name.
func ValidTableName(name string) bool { return tables.ValidName(name) }
