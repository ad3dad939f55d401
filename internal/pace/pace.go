// Package pace lets long work give way to other work.
//
// A server shares processors by turns; see package admission. Work in a library does
// not know of turns: it calls [Step] between its parts, and the server decides with
// [With] what a step does.
package pace

import "context"

type key struct{}

// With returns a context for work that calls yield at every [Step]. The function may
// wait. The work must hold no lock during a step that other work may wait for.
func With(ctx context.Context, yield func(context.Context) error) context.Context {
	return context.WithValue(ctx, key{}, yield)
}

// Checked returns a context whose Err is a [Step], for packages that check contexts
// between the parts of long work.
func Checked(ctx context.Context) context.Context { return checked{ctx} }

type checked struct{ context.Context }

// Err implements context.Context.
func (c checked) Err() error { return Step(c.Context) }

// Step is called between parts of long work that take about a millisecond. It gives way
// to other work if the context has a function for that, and returns the error of the
// context.
func Step(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if yield, ok := ctx.Value(key{}).(func(context.Context) error); ok {
		return yield(ctx)
	}
	return nil
}
