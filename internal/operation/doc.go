// Package operation describes each operation of the library once. The HTTP server,
// the command line and the MCP server take names, parameters, help, prices and
// parsing from here.
//
// # Usage
//
// The input of an operation is a struct. Its tags describe the parameters, its
// method Run calls the library:
//
//	type NearestInput struct {
//		Place
//		Count int `default:"1" least:"1" most:"10000" help:"Number of codes."`
//	}
//
//	func (in *NearestInput) Run(ctx context.Context, db DB) (*radius.NearestResult, error)
//
//	var Nearest = define((*NearestInput).Run, Operation{Name: "nearest", …})
//
// An operation that needs another method of the library than those of [DB] declares it
// in the type of db, as [ZIP3Input] does.
//
// Inputs may have more methods for the HTTP server: Check parses the texts before limits
// and prices, Request and Total return the echoes of one input and of a list, Same finds
// duplicates, and Echo is the input of a failed item.
//
// Front ends embed the struct with their additional options. Parameters of a batch
// are the embedded struct without the input of one item, such as [LookupParams].
//
// The tags are:
//
//	help         one or two sentences, the same in every front end
//	name         name; the default is the field's in snake case
//	aliases      names that HTTP callers use by mistake (decision D5)
//	is           code (or coordinate), codes, zip, point, address or layer, with their limits,
//	             values and failures
//	chars        maximum number of characters
//	values       known values, separated by commas
//	least, most  bounds of a number
//	range        accepted numbers in words, if least and most do not suffice
//	size         maximum number of entries of a list
//	default      value if the parameter is missing, for people
//	example      a value
//	required     a parameter that may not be missing, as are those with arg
//	arg          an argument on the command line instead of a flag
//	flag         name of the flag if it differs
//
// The command line reads further tags, see its package command.
//
// # Errors
//
// Values outside their range are an [envelope.Failure]. Unknown enrichments are
// not errors. Run reports them in a notice.
package operation
