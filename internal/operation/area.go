package operation

import (
	"context"
	"iter"
	"time"

	"github.com/postgeo/postgeo/geo"
	"github.com/postgeo/postgeo/lookup"
)

// CodesIn finds the codes of an area.
var CodesIn = define((*CodesInInput).Run, Operation{
	Name: "codes_in", Command: "codes-in", Absent: "not part of the contract",
	Summary: "List the codes of a county, place, tract, district or other area.",
	Detail:  "The largest part comes first. A code without an outline, such as a PO Box ZIP, is listed if the area contains its location; its basis is contains_point.",
})

// CodesInInput is the input of [CodesIn] with a limit.
type CodesInInput struct {
	CodesInArea
	Limit int `least:"1" default:"50" help:"Maximum number of codes; total counts all."`
}

// CodesInArea selects an area and its codes.
type CodesInArea struct {
	LayerInput
	GEOID   string `arg:"" optional:"" required:"" join:"text" help:"ID or name of the area, such as 06037, or \"Los Angeles County, CA\"."`
	Slivers bool   `help:"Every code that meets the area, however little."`
	Plans
}

// Options returns the options of the list.
func (in *CodesInArea) Options() lookup.CodesInOptions {
	return lookup.CodesInOptions{Slivers: in.Slivers, AsOf: time.Time(in.AsOf), Plan: in.Plan}
}

// A CodesInResult holds codes of an area.
type CodesInResult struct {
	lookup.CodesIn
	Total int `json:"total"` // with those beyond the limit
}

// Run finds the codes.
func (in *CodesInInput) Run(ctx context.Context, db DB) (*CodesInResult, error) {
	found, err := in.Find(ctx, db)
	if err != nil {
		return nil, err
	}
	out := &CodesInResult{CodesIn: *found, Total: len(found.Codes)}
	out.Codes = out.Codes[:min(in.Limit, out.Total)]
	return out, nil
}

// Neighbors finds the codes that touch a code.
var Neighbors = define((*NeighborsInput).Run, Operation{
	Name: "neighbors", Command: "neighbors", Absent: "not part of the contract",
	Summary: "List the codes that touch a code, or the areas that touch one of a layer.",
	Detail:  "Neighbors have the length of the common border.",
})

// NeighborsInput is the input of [Neighbors].
type NeighborsInput struct {
	Place
	Tolerance float64 `least:"1" most:"1000" default:"50" placeholder:"METERS" help:"Maximum gap in meters."`
	Layer     string  `placeholder:"LAYER" help:"Layer, as county; code is then an ID in it."`
}

// Run finds the neighbors.
func (in *NeighborsInput) Run(ctx context.Context, db DB) (*lookup.Neighbors, error) {
	o := lookup.NeighborOptions{Tolerance: geo.Meters(in.Tolerance)}
	if in.Layer != "" {
		var err error
		if o.Layer, err = (LayerInput{Layer: in.Layer}).ID(); err != nil {
			return nil, err
		}
	}
	return db.Neighbors(ctx, in.Code, o)
}

// Crosswalk lists pairs of areas of two geographies.
var Crosswalk = define((*CrosswalkInput).Run, Operation{
	Name: "crosswalk", Command: "crosswalk", Absent: "not part of the contract",
	Summary: "List the pairs of codes and areas that overlap, with their shares by area, people or housing units.",
	Detail:  "Each pair has both shares. The largest part of each area comes first.",
})

// CrosswalkInput is the input of [Crosswalk] with a page.
type CrosswalkInput struct {
	CrosswalkParams
	Page
}

// CrosswalkParams are the parameters of [Crosswalk].
type CrosswalkParams struct {
	From      string        `arg:"" help:"zip, fsa, state, csa or a layer, such as county, cd, puma."`
	To        string        `arg:"" help:"Like the first."`
	Weight    lookup.Weight `values:"area,people,housing" placeholder:"WEIGHT" help:"Measure of the shares: area, people or housing units. Default: area between codes and a layer, people otherwise."`
	State     string        `chars:"2" placeholder:"XX" help:"Only codes of this state or province, or areas with people there, as two letters."`
	Slivers   bool          `help:"Every pair that shares anything, however little."`
	MinShare  float64       `least:"0" most:"100" placeholder:"PCT" help:"Minimum percentage of the first area."`
	Remainder bool          `help:"Add the people outside every area of the other kind, as pairs with an empty code."`
	Plans
}

// A CrosswalkResult is a page of a crosswalk.
type CrosswalkResult struct {
	From string                `json:"from"`
	To   string                `json:"to"`
	Rows []lookup.CrosswalkRow `json:"rows"`
	Next int                   `json:"next_offset,omitzero"` // of the rows that follow; absent after the last
}

// All yields the pairs.
func (in *CrosswalkParams) All(ctx context.Context, db DB) iter.Seq2[lookup.CrosswalkRow, error] {
	return db.Crosswalk(ctx, lookup.Layer(in.From), lookup.Layer(in.To), in.Options())
}

// Options returns the options of the pairs.
func (in *CrosswalkParams) Options() lookup.CrosswalkOptions {
	return lookup.CrosswalkOptions{
		Weight: in.Weight, State: in.State, Slivers: in.Slivers, MinShare: in.MinShare, Remainder: in.Remainder, AsOf: time.Time(in.AsOf), Plan: in.Plan,
	}
}

// Run lists a page of pairs.
func (in *CrosswalkInput) Run(ctx context.Context, db DB) (*CrosswalkResult, error) {
	rows, next, err := pageOf(in.All(ctx, db), in.Page)
	if err != nil {
		return nil, err
	}
	return &CrosswalkResult{From: in.From, To: in.To, Rows: rows, Next: next}, nil
}

// A Page selects rows of a long list.
type Page struct {
	Offset int `least:"0" most:"10000000" help:"Number of rows to skip, to continue after another call."`
	Limit  int `least:"1" default:"50" help:"Maximum number of rows."`
}

// pageOf returns the rows of a page, and the offset of the rows that follow or 0. It reads one
// row more than the page, to find out whether any follow. It skips rows by reading them: their
// order is fixed for a dataset, but they have no index by number.
func pageOf[R any](all iter.Seq2[R, error], p Page) (rows []R, next int, err error) {
	rows = []R{}
	n := 0
	for row, err := range all {
		switch {
		case err != nil:
			return nil, 0, err
		case n == p.Offset+p.Limit:
			return rows, n, nil
		case n >= p.Offset:
			rows = append(rows, row)
		}
		n++
	}
	return rows, 0, nil
}
