package cli

import (
	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/dataset"
)

// dataFlag names the dataset of a command.
type dataFlag struct {
	Data string `help:"Dataset to read: a file that 'postgeo dataset build' made. Default: $$POSTGEO_DATA, else the user's dataset, else the embedded sample." placeholder:"FILE" type:"path"`
}

// path returns the dataset's file, or "" for the embedded sample.
func (f dataFlag) path(env *Env) (string, error) {
	return dataset.Choose(f.Data, env.Getenv, env.DataDir)
}

// open opens the dataset and says on standard error when it is the sample.
// The path is "" then.
func (f dataFlag) open(env *Env) (db *postgeo.DB, path string, err error) {
	return f.openWith(env, postgeo.OpenOptions{})
}

// openWith is open with options for a dataset that is a file.
func (f dataFlag) openWith(env *Env, opt postgeo.OpenOptions) (db *postgeo.DB, path string, err error) {
	path, err = f.path(env)
	if err != nil {
		return nil, "", err
	}
	if path == "" {
		env.say("no dataset given: answering from the embedded sample, invented data around real codes; 'postgeo dataset build' makes the real one")
		db, err = postgeo.OpenSample()
	} else {
		db, err = postgeo.OpenWith(path, opt)
	}
	return db, path, err
}
