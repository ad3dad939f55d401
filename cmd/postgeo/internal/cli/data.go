package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/postgeo/postgeo"
)

// dataFileName is the dataset's name in the user's data folder.
const dataFileName = "postgeo.db"

// dataFlag names the dataset of a command.
type dataFlag struct {
	Data string `help:"Dataset to read: a file that 'postgeo dataset build' made. Default: $$POSTGEO_DATA, else the user's dataset, else the embedded sample." placeholder:"FILE" type:"path"`
}

// path returns the dataset's file, or "" for the embedded sample.
func (f dataFlag) path(env *Env) (string, error) {
	if f.Data != "" {
		return f.Data, nil
	}
	if path := env.Getenv("POSTGEO_DATA"); path != "" {
		return path, nil
	}
	if env.DataDir == "" {
		return "", nil
	}
	path := filepath.Join(env.DataDir, dataFileName)
	_, err := os.Stat(path)
	switch {
	case err == nil:
		return path, nil
	case errors.Is(err, fs.ErrNotExist):
		return "", nil
	default:
		return "", fmt.Errorf("look for the user's dataset: %w; name a dataset with --data", err)
	}
}

// open opens the dataset and says on standard error when it is the sample.
// The path is "" then.
func (f dataFlag) open(env *Env) (db *postgeo.DB, path string, err error) {
	path, err = f.path(env)
	if err != nil {
		return nil, "", err
	}
	if path == "" {
		env.say("no dataset given: answering from the embedded sample, invented data around real codes; 'postgeo dataset build' makes the real one")
		db, err = postgeo.OpenSample()
	} else {
		db, err = postgeo.Open(path)
	}
	return db, path, err
}
