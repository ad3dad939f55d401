// Package command declares the commands of the command line and runs them.
//
// # Usage
//
// A [Spec] declares a command: its options, its columns and its function. The tags
// of the options describe flags and arguments. The parser, the help, the completion
// and the manual page read them:
//
//	type options struct {
//		Center string `arg:"" join:"codes" help:"Code or latitude,longitude."`
//		Count  int    `short:"n" default:"1" placeholder:"N" help:"Number of codes."`
//
//		command.Data
//		command.GeoFormat
//	}
//
// Options that embed [Data] get an open dataset, those that embed [Format] or
// [GeoFormat] a writer. The tags are:
//
//	help         sentence of the help
//	name, short  long and short name; the default name is the field's, in kebab case
//	arg          an argument instead of a flag
//	optional     an argument that may be missing
//	required     a flag that may not be missing
//	default      value if the flag is missing
//	enum         accepted values, separated by commas
//	placeholder  name of the value in the help
//	xor          at most one flag of those with the same text may be set
//	group        heading in the help, also of an embedded struct
//	join         how words of the shell become arguments, see [JoinWords]
//	terms        names of NAME=TEXT that may follow the last value of a list, after commas
//	type:"path"  a file name: "~" and relative names are made absolute
//
// # Errors
//
// [Usage] makes an error of the command line (exit code 2). Every other error
// is a failure (exit code 1). Errors are one line on standard error.
package command
