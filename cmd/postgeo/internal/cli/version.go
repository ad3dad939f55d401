package cli

import (
	"runtime"
	"runtime/debug"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
)

// versionCmd is "postgeo version".
type versionCmd struct {
	formatFlag
}

// What a release was built from, set by the linker (-X): a build from an
// archive of the sources has no checkout to learn it from.
var (
	stampedVersion  string // e.g. "v1.2.3"
	stampedRevision string // commit
)

// A versionInfo says what this program was built from.
type versionInfo struct {
	Version  string `json:"version"`           // module version, "(devel)" for a build from a checkout
	Revision string `json:"revision,omitzero"` // commit, where the build recorded it
	Modified bool   `json:"modified,omitzero"` // the checkout had changes
	Go       string `json:"go"`                // version of the toolchain
	Platform string `json:"platform"`          // e.g. "linux/amd64"
}

// Run writes the version.
func (c *versionCmd) Run(env *Env) error {
	opts, err := c.options(env, view{all: output.Columns[versionInfo]()})
	if err != nil {
		return err
	}
	w := output.NewWriter(env.Stdout, opts)
	if err := w.Write(readVersion()); err != nil {
		return err
	}
	return w.Close()
}

func readVersion() versionInfo {
	v := versionInfo{Version: "(devel)", Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
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
