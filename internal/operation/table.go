package operation

import (
	"context"
	"iter"

	"github.com/postgeo/postgeo"
)

// Table reads a table that a user added to the dataset.
var Table = New[TableInput, *TableResult](Operation{
	Name: "table", Command: "table", Absent: "not part of the contract",
	Summary: "List the values of a table of yours by codes, districts or other areas.",
	Detail:  "Counts are divided and summed, rates and means averaged by their weight. Each row names the weight and the covered part.",
})

// TableInput is the input of [Table] with a page.
type TableInput struct {
	TableParams
	Page
}

// TableParams are the parameters of [Table].
type TableParams struct {
	Name string   `arg:"" help:"Name of the table, without tables."`
	By   string   `arg:"" help:"Areas of the results: zip, fsa, state, csa or a layer, such as county, tract, place, cd, sldu, school."`
	IDs  []string `flag:"id" size:"500" chars:"100" placeholder:"ID" help:"Codes or GEOIDs of the areas. Default: all."`
}

// A TableResult is a page of a table.
type TableResult struct {
	Table string             `json:"table"`
	By    string             `json:"by"`
	Rows  []postgeo.TableRow `json:"rows"`
	Next  int                `json:"next_offset,omitzero"` // of the rows that follow; absent after the last
}

// All yields the rows.
func (in *TableParams) All(ctx context.Context, db *postgeo.DB) iter.Seq2[postgeo.TableRow, error] {
	return db.Table(ctx, in.Name, in.By, in.IDs...)
}

// Run lists a page of rows.
func (in *TableInput) Run(ctx context.Context, db *postgeo.DB) (*TableResult, error) {
	rows, next, err := pageOf(in.All(ctx, db), in.Page)
	if err != nil {
		return nil, err
	}
	return &TableResult{Table: in.Name, By: in.By, Rows: rows, Next: next}, nil
}
