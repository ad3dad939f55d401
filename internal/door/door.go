// Package door hands functions of public packages to their siblings. They are of no use
// without types of the module's internal packages, so that no public package exports
// them.
//
// # Usage
//
// Package lookup offers what makes its reader of a dataset file, and the root takes it:
//
//	var _ = door.Offer(newReader)
//
//	open := door.Take[func(*store.Dataset) (*lookup.Reader, error)]()
package door

import "reflect"

// offered are functions by their types.
var offered = map[reflect.Type]any{}

// Offer makes a function available to [Take]. Packages call it when they are
// initialized; it returns nothing of interest. The linker keeps the function in every
// program that imports the package, so that work that few programs need is exported instead.
func Offer[F any](f F) struct{} {
	offered[reflect.TypeFor[F]()] = f
	return struct{}{}
}

// Take returns the function of a type. It panics if no package offers one.
func Take[F any]() F { return offered[reflect.TypeFor[F]()].(F) }
