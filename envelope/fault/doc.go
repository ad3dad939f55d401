// Package fault defines the error of every postgeo operation.
//
// # Usage
//
//	_, err := db.Radius(ctx, "90210", radius.Options{Max: 9999})
//	if e := fault.As(err); e != nil && e.Kind == fault.InvalidParam {
//		fmt.Println(e.Param, e.Range)
//	}
//
// An [Error] records what failed: its [Kind], the input, and the argument or
// option with its range. It matches the sentinel of its kind with [errors.Is],
// and [errors.As] finds it in wrapped errors. Package postgeo exports the type
// and the sentinels under its own names.
package fault
