package command

type versionOptions struct{ Format }

// VersionCommand returns "version".
func VersionCommand() *Command {
	return New(Spec[versionOptions, Version]{
		Name: "version", Group: program, Short: "Show the version of the program.",
		Examples: Examples("postgeo version", "with the commit and the platform"),
		Run:      func(*versionOptions, *Call) (Result, error) { return Row(ReadVersion()) },
	})
}
