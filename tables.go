package postgeo

import (
	"context"
	"iter"
)

// Tables lists the tables that users added to the dataset.
func (db *DB) Tables(ctx context.Context) ([]TableInfo, error) {
	return held(db, func(g *generation) ([]TableInfo, error) { return g.reader.Tables(ctx) })
}

// Table yields the values of a table of a user for the areas of a geography, ascending
// by ID. It yields the areas with the IDs, or without any all. A geography is "zip", "fsa", "state",
// "csa" or the name of a layer, such as "cd". Values of areas that lie in several are
// divided by their people or area. An error ends the sequence.
//
// [DB.Lookup] and [DB.Radius] return tables with their Include, [DB.InPolygon] with its
// Tables.
func (db *DB) Table(ctx context.Context, name, geography string, ids ...string) iter.Seq2[TableRow, error] {
	return sequence(ctx, db, func(g *generation) iter.Seq2[TableRow, error] { return g.reader.Table(ctx, name, geography, ids...) })
}
