package command

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"

	"golang.org/x/term"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/disk"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/internal/plain"
	"github.com/postgeo/postgeo/internal/userdata"
)

// An Env is the environment of a command: its streams, its variables and the
// user's folders.
type Env struct {
	Stdin  io.Reader
	Stdout io.Writer
	Stderr io.Writer

	StdoutTerminal bool // people read the results: tables
	Width          int  // characters in a line of the terminal; 0 if unknown
	StderrTerminal bool // progress may be drawn

	// Log takes the lines for standard error. Nil writes them there after the
	// program's name.
	Log func(level slog.Level, line string)

	// Getenv returns an environment variable, or "".
	Getenv func(name string) string

	// Now is the clock of time zones. Nil: time.Now.
	Now func() time.Time

	// DataDir is the folder of the user's dataset and accounts; "" if the system
	// has none.
	DataDir string

	// CacheDir is the folder for downloads; "" if the system has none.
	CacheDir string

	running bool   // a command has begun, so that errors are not those of flags
	params  params // of the command
}

// Process returns the Env of the running process.
func Process() Env {
	env := Env{
		Stdin:          os.Stdin,
		Stdout:         os.Stdout,
		Stderr:         os.Stderr,
		StdoutTerminal: term.IsTerminal(int(os.Stdout.Fd())),
		StderrTerminal: term.IsTerminal(int(os.Stderr.Fd())),
		Getenv:         os.Getenv,
	}
	if env.StdoutTerminal {
		env.Width, _, _ = term.GetSize(int(os.Stdout.Fd())) // 0 after an error
	}
	env.DataDir = userdata.OwnDir()
	if cache, err := os.UserCacheDir(); err == nil {
		env.CacheDir = filepath.Join(cache, "postgeo")
	}
	return env
}

// Time returns the present of the clock of time zones.
func (e *Env) Time() time.Time {
	if e.Now == nil {
		return time.Now()
	}
	return e.Now()
}

// Report writes a line to standard error.
func (e *Env) Report(format string, args ...any) {
	e.Line(slog.LevelInfo, fmt.Sprintf(format, args...))
}

// Fail writes the error that ends the command to standard error.
func (e *Env) Fail(format string, args ...any) {
	e.Line(slog.LevelError, fmt.Sprintf(format, args...))
}

// Line writes a line of a level to standard error.
func (e *Env) Line(level slog.Level, line string) {
	if e.Log != nil {
		e.Log(level, plain.Line(line))
		return
	}
	_ = plain.Linef(e.Stderr, "postgeo: %s", line) // nowhere else to report it
}

// escaped returns an Env whose streams escape hidden characters, in everything
// that is written to them. Names in a dataset, and the words of an error, are other people's
// text: an escape sequence in one could rewrite the lines of a terminal.
func (e Env) escaped() *Env {
	e.Stdout, e.Stderr = plain.NewWriter(e.Stdout), plain.NewWriter(e.Stderr)
	return &e
}

// Table returns standard output for a table. Files and pipes get its bytes as
// they are.
func (e *Env) Table() io.Writer {
	if e.StdoutTerminal {
		return e.Stdout
	}
	return plain.Raw(e.Stdout)
}

// Notices writes notices, because tables have no column for them. It leaves out
// normalized inputs and matched addresses, which the table shows.
func (e *Env) Notices(input string, notices []envelope.Notice) {
	for _, n := range notices {
		if n.Code != envelope.InputNormalized && n.Code != envelope.Matched {
			e.Report(`note: %s: %s`, input, n.Message)
		}
	}
}

// DataFile is the flag that names the dataset of a command.
type DataFile struct {
	Data string `help:"Dataset: a file written by 'postgeo dataset build'. Default: $POSTGEO_DATA, else the user's dataset, else the embedded sample." placeholder:"FILE" type:"path" range:"a file"`
}

// Choose returns the dataset's file, or "" for the embedded sample.
func (f DataFile) Choose(env *Env) (string, error) {
	return userdata.Choose(f.Data, env.Getenv, env.DataDir)
}

// OpenWith opens the dataset and reports on standard error if it is the sample,
// whose path is "".
func (f DataFile) OpenWith(env *Env, opt postgeo.OpenOptions) (db *postgeo.DB, path string, err error) {
	if path, err = f.Choose(env); err != nil {
		return nil, "", err
	}
	// The memory of an open dataset stays in use, so a collection would only cost time. The
	// arguments of a deferred call are evaluated now: this turns the collector off and
	// restores it.
	if env.Getenv("GOGC") == "" {
		defer debug.SetGCPercent(debug.SetGCPercent(-1))
	}
	if path == "" {
		env.Report(`using the embedded sample of about 400 ZIP Codes; run 'postgeo dataset build' to get all`)
		db, err = postgeo.OpenSample(opt)
	} else {
		db, err = postgeo.Open(path, opt)
	}
	return db, path, Kind("dataset", err)
}

// Data opens the dataset for a command.
type Data struct {
	DataFile
}

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
		return `the embedded sample`
	}
	return path
}

// OutputFile is the flag of a command that writes one file.
type OutputFile struct {
	Output string `help:"File to write; - is standard output." short:"o" default:"-" placeholder:"FILE"`
}

// Save writes the file, whole or not at all. read is the dataset's file.
func (f OutputFile) Save(env *Env, data []byte, read string) error {
	if f.Output != "-" {
		return ReplaceFile(env, f.Output, data, read)
	}
	_, err := env.Stdout.Write(data)
	return err
}

// ReplaceFile writes a file, which gets its name only when it is complete. It
// never replaces a folder, a device, a pipe, or the dataset that was read.
func ReplaceFile(env *Env, path string, data []byte, read string) error {
	if err := CheckOutput(env, path, read); err != nil {
		return err
	}
	return disk.Write(path, func(w io.Writer) error {
		_, err := plain.NewWriter(w).Write(data)
		return err
	})
}
