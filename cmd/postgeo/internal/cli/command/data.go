package command

import (
	"time"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/message"
	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/operation"
)

// DataFile is the flag that names the dataset of a command.
type DataFile struct {
	Data string `help:"Dataset: a file written by 'postgeo dataset build'. Default: $POSTGEO_DATA, else the user's dataset, else the embedded sample." placeholder:"FILE" type:"path"`
}

// Choose returns the dataset's file, or "" for the embedded sample.
func (f DataFile) Choose(env *Env) (string, error) {
	return dataset.Choose(f.Data, env.Getenv, env.DataDir)
}

// OpenWith opens the dataset and reports on standard error if it is the sample,
// whose path is "".
func (f DataFile) OpenWith(env *Env, opt postgeo.OpenOptions) (db *postgeo.DB, path string, err error) {
	if path, err = f.Choose(env); err != nil {
		return nil, "", err
	}
	if path == "" {
		env.Report(message.UsingSample)
		db, err = postgeo.OpenSampleWith(opt)
	} else {
		db, err = postgeo.OpenWith(path, opt)
	}
	return db, path, err
}

// Data opens the dataset for a command.
type Data struct{ DataFile }

func (f Data) open(env *Env) (*postgeo.DB, string, error) {
	return f.OpenWith(env, postgeo.OpenOptions{Now: env.Time})
}

// ClockedData opens the dataset for a command that writes time zones.
type ClockedData struct {
	operation.Clock
	DataFile
}

func (f ClockedData) open(env *Env) (*postgeo.DB, string, error) {
	at := f.At
	if at.IsZero() {
		at = env.Time()
	}
	return f.OpenWith(env, postgeo.OpenOptions{Now: func() time.Time { return at }})
}

// FileName returns the name of a dataset for people.
func FileName(path string) string {
	if path == "" {
		return message.TheSample
	}
	return path
}
