package command

import (
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/internal/store"
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
	if stampedVersion != "" { // the checkout that it was built in, if any, is not the release
		v.Version, v.Revision, v.Modified = stampedVersion, stampedRevision, false
	}
	return v
}

// String returns the version, the platform and the toolchain.
func (v Version) String() string { return strings.Join([]string{v.Version, v.Platform, v.Go}, " ") }

// A programVersion describes the program and the dataset that its commands read.
type programVersion struct {
	Version
	Format  int    `json:"dataset_format"`           // that the program reads and writes
	File    string `json:"dataset"`                  // path, or the embedded sample
	Data    string `json:"dataset_version,omitzero"` // of the data in the file
	Built   string `json:"dataset_built,omitzero"`   // date
	Problem string `json:"dataset_error,omitzero"`   // why commands cannot read the file
}

type versionOptions struct {
	DataFile
	Format
}

func (o *versionOptions) run(c *Call) error {
	v := programVersion{Version: ReadVersion(), Format: store.Format}
	path, err := o.Choose(c.Env)
	if v.File = FileName(path); err == nil {
		open := func() (*postgeo.DB, error) { return postgeo.OpenSample() }
		if path != "" {
			open = func() (*postgeo.DB, error) { return postgeo.Open(path) }
		}
		var db *postgeo.DB
		if db, err = open(); err == nil {
			defer db.Close()
			info := db.Info()
			v.Data, v.Built = info.Version, info.Built.Format(time.DateOnly)
		}
	}
	if err != nil {
		v.Problem = err.Error()
	}
	return Row(c, &v)
}

// VersionCommand returns "version".
func VersionCommand(group string) *cobra.Command {
	return New(About{Name: "version", Group: group, Short: "Show the versions of the program and of its dataset."}, (*versionOptions).run, "postgeo version", "with the commit, the platform, the file format and the dataset")
}
