// Package data holds the commands that build, publish, pull, inspect and compare
// datasets.
package data

import (
	"github.com/spf13/cobra"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/progress"
	"github.com/postgeo/postgeo/internal/sample"
	"github.com/postgeo/postgeo/internal/store"
	"github.com/postgeo/postgeo/internal/store/sqlite"
)

// Command returns "postgeo dataset".
func Command() *cobra.Command {
	about := func(name, short, long string) command.About {
		return command.About{Name: name, Short: short, Long: long}
	}
	newKey := about("new", "Make a key that signs datasets.",
		"Writes a private key of minisign without a password to FILE, readable by its owner only, and the public key to FILE.pub. Existing files are not replaced. Give FILE.pub to those who pull.")
	return command.Group("dataset", "Datasets and this program", "Pull, build, publish, inspect and compare datasets.",
		command.New(about("pull", "Install or update a published dataset.",
			"The signature, the date of expiry, sizes and hashes are verified before the file gets its name. An interrupted pull continues. After any failure, an installed file stays as it is."), (*pullOptions).run,
			"postgeo dataset pull https://data.example.org --trust publisher.key.pub", "into the user's data folder",
			"postgeo dataset pull /media/usb --name identity --trust publisher.key.pub -o new.db", "from a folder, the ZIP Codes only"),
		buildCommand(),
		command.New(about("add", "Add layers, plans, streets or address points to a copy of a dataset.", ""), (*addFlags).run,
			"postgeo dataset add postgeo.db --layer sales=territories.geojson -o with-sales.db", "a copy of the dataset with the layer layers.sales",
			"postgeo dataset add postgeo.db --address-points points.csv -o points.db", "a copy with more positions for geocoding"),
		command.New(about("info", "Show the contents and the sources of a dataset.", ""), (*infoOptions).run,
			"postgeo dataset info", "the current dataset", "postgeo dataset info new.db", "a file"),
		command.New(about("verify", "Check every byte of a dataset against its checksums.", ""), (*verifyOptions).run,
			"postgeo dataset verify new.db", "before its use"),
		command.New(about("diff", "Compare two datasets.",
			"jsonl, csv and tsv list every change; json, table and markdown sum up, with examples. Different datasets are not a failure: the exit code is 0."), (*diffOptions).run,
			"postgeo dataset diff old.db new.db", "the changes of a new version"),
		command.New(about("doctor", "List missing, inferred and doubtful data of a dataset.",
			"Findings that affect most people come first. Findings are not a failure: the exit code is 0."), (*doctorOptions).run,
			"postgeo dataset doctor --limit 5", "the five weaknesses that affect most people"),
		command.New(about("check", "Find sources that changed since a dataset was built.",
			"Requests the headers of each source's file and compares entity tag, date and size with those of the file that the dataset was built from; nothing is downloaded. Each source is changed, gone, unknown with the reason, or unchanged. The exit code is 1 if a source changed or if no server can be reached."), (*checkOptions).run,
			"postgeo dataset check", "the current dataset",
			"postgeo dataset check new.db --mirror https://mirror.example.org", "against a mirror"),
		command.New(about("publish", "Write datasets as signed files that a static host can serve.",
			"For each dataset NAME, the folder gets NAME.db.zst, NAME.json and its signature. A dataset with a source whose license does not allow it is refused. The same datasets give the same compressed files."), (*publishOptions).run,
			"postgeo dataset publish identity.db all.db --key publisher.key --to site", "two datasets"),
		command.Group("key", "", "Make a key that signs datasets.", command.New(newKey, (*newKeyOptions).run,
			"postgeo dataset key new -o publisher.key", "writes publisher.key and publisher.key.pub")),
	)
}

// fileArg names a dataset as an argument, or by --data and its defaults.
type fileArg struct {
	File string `arg:"" optional:"" help:"Dataset file. Default: the file of --data."`

	command.DataFile
}

// dataset opens the dataset. The path is "" for the embedded sample.
func (f fileArg) dataset(env *command.Env) (d *store.Dataset, path string, err error) {
	path = f.File
	if path == "" {
		if path, err = f.Choose(env); err != nil {
			return nil, "", err
		}
	}
	if path == "" {
		env.Report(`using the embedded sample`)
		d, err = sqlite.OpenFS(sample.FS(), sample.Name)
		return d, "", err
	}
	d, err = sqlite.Open(path)
	return d, path, command.Kind("dataset", err)
}

// shown returns a display of the progress of a command.
func shown(c *command.Call) *progress.Display {
	return progress.New(c.Stderr, c.StderrTerminal, progress.Interval)
}
