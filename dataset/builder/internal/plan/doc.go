// Package plan runs the steps of a build in the order that their declarations
// require.
//
// # Usage
//
// A step is a struct whose exported pointer fields are the tables that it uses.
// The engine fills them in; a table that a step does not declare is out of its
// reach. A field without a tag is read. The tags name the parts of a table
// that a step reads and writes; "rows" is the table itself and "*" is the table
// with all parts:
//
//	type zones struct {
//		*plan.Env
//		Clocks *draft.Clocks
//		ZIPs   *draft.ZIPs  `reads:"point county" writes:"zone"`
//		Zones  *draft.Zones `writes:"rows"`
//	}
//
// A step that reads and writes the same part amends it. The step that writes a
// part runs first, then those that amend it in the order of the list, then those
// that only read it.
//
// # Data
//
// Sources are declared by identifier in [Step.Sources]; [Env] panics when a
// step uses another one. A table is released after the last step that uses it.
//
// # Errors
//
// [Order] refuses a part that is read and not written, written and not read, or
// written by two steps without amending it. It refuses cycles, too.
// [Unread] finds sources that no step reads.
package plan
