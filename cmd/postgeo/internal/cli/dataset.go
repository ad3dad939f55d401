package cli

import (
	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/dataset/sample"
)

// datasetCmd is "postgeo dataset".
type datasetCmd struct {
	Build  buildCmd  `cmd:"" help:"Build a dataset from official source files."`
	Info   infoCmd   `cmd:"" help:"Show what a dataset holds and what it was made from."`
	Verify verifyCmd `cmd:"" help:"Check every byte of a dataset against its checksums."`
	Diff   diffCmd   `cmd:"" help:"Compare two datasets."`
	Doctor doctorCmd `cmd:"" help:"List what is missing, inferred or in doubt in a dataset."`
}

// fileArg names a dataset as an argument, or leaves it to --data and its
// defaults.
type fileArg struct {
	File string `arg:"" optional:"" help:"Dataset file; left out, the one that --data names." type:"path"`

	dataFlag
}

// openFile opens the dataset. The path is "" for the embedded sample.
func (f fileArg) openFile(env *Env) (d *dataset.Dataset, path string, err error) {
	path = f.File
	if path == "" {
		if path, err = f.path(env); err != nil {
			return nil, "", err
		}
	}
	if path == "" {
		env.say("no dataset given: this is the embedded sample")
		d, err = dataset.OpenFS(sample.FS(), sample.Name)
		return d, "", err
	}
	d, err = dataset.Open(path)
	return d, path, err
}
