package command

import (
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

// The linker sets these for a release (-X), because a build from an archive of
// the sources has no checkout.
var (
	stampedVersion  string // e.g. "v1.2.3"
	stampedRevision string // commit
)

// A Version describes the build of the program.
type Version struct {
	Version  string `json:"version"`           // module version, "(devel)" for a build from a checkout
	Revision string `json:"revision,omitzero"` // commit, if the build recorded it
	Modified bool   `json:"modified,omitzero"` // the checkout had changes
	Go       string `json:"go"`                // version of the toolchain
	Platform string `json:"platform"`          // e.g. "linux/amd64"
}

// ReadVersion returns the version of the program.
func ReadVersion() Version {
	v := Version{Version: "(devel)", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	if info.Main.Version != "" {
		v.Version = info.Main.Version
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			v.Revision = s.Value
		case "vcs.modified":
			v.Modified = s.Value == "true"
		}
	}
	if stampedVersion != "" {
		v.Version, v.Revision, v.Modified = stampedVersion, stampedRevision, false
	}
	return v
}

// String returns the version, the platform and the toolchain.
func (v Version) String() string { return strings.Join([]string{v.Version, v.Platform, v.Go}, " ") }

type versionOptions struct{ Format }

// Run implements the command.
func (*versionOptions) Run(c *Call) error {
	v := ReadVersion()
	return Row(c, &v)
}

// VersionCommand returns "version".
func VersionCommand(group string) *cobra.Command {
	return New[versionOptions](About{Name: "version", Group: group, Short: "Show the version of the program."}, "postgeo version", "with the commit and the platform")
}
