package cli

import (
	"time"

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

// A clockedDataFlag is the dataset of a command whose answers hold time zones.
type clockedDataFlag struct {
	At string `help:"Time zones as clocks are set in the twelve months from this day (2026-11-01) or time (2026-11-01T09:00:00Z) on. Default: now." placeholder:"WHEN"`

	dataFlag
}

// open opens the dataset with a clock that stands at the time of the flag, or
// at the present.
func (f clockedDataFlag) open(env *Env) (db *postgeo.DB, path string, err error) {
	at := env.now()
	if f.At != "" {
		if at, err = parseAt(f.At); err != nil {
			return nil, "", wrongUse("--at %q is not a time; give a day (2027-01-31) or a time (2027-01-31T12:00:00Z)", f.At)
		}
	}
	return f.openWith(env, postgeo.OpenOptions{Now: func() time.Time { return at }})
}

// parseAt reads a day, at 00:00 UTC, or a time in the form of RFC 3339.
func parseAt(s string) (time.Time, error) {
	if t, err := time.Parse(time.DateOnly, s); err == nil {
		return t, nil
	}
	return time.Parse(time.RFC3339, s)
}

// openWith is open with options.
func (f dataFlag) openWith(env *Env, opt postgeo.OpenOptions) (db *postgeo.DB, path string, err error) {
	path, err = f.path(env)
	if err != nil {
		return nil, "", err
	}
	if path == "" {
		env.say("no dataset given: answering from the embedded sample, invented data around real codes; 'postgeo dataset build' makes the real one")
		db, err = postgeo.OpenSampleWith(opt)
	} else {
		db, err = postgeo.OpenWith(path, opt)
	}
	return db, path, err
}
