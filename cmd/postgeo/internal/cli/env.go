package cli

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"golang.org/x/term"

	"github.com/postgeo/postgeo/dataset"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/plain"
)

// An Env is the world of a command: its streams, its environment variables and
// where the user keeps files.
type Env struct {
	Stdin  io.Reader
	Stdout io.Writer
	Stderr io.Writer

	StdoutTerminal bool // results are for people: tables
	Width          int  // characters in a line of the terminal; 0: not known
	StderrTerminal bool // progress may be drawn

	// Tell takes the lines for standard error that are not results. Nil writes
	// them there with the program's name before them.
	Tell func(level slog.Level, line string)

	// Getenv returns an environment variable, or "".
	Getenv func(name string) string

	// Now is the clock of time zones. Nil: time.Now.
	Now func() time.Time

	// DataDir is the folder that "dataset build" writes to and the other
	// commands look into; "" where the system has none.
	DataDir string

	// CacheDir is the folder for downloads; "" where the system has none.
	CacheDir string
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
		if width, _, err := term.GetSize(int(os.Stdout.Fd())); err == nil {
			env.Width = width
		}
	}
	home, err := os.UserHomeDir()
	if err != nil {
		home = ""
	}
	env.DataDir = dataset.UserDir(runtime.GOOS, home, os.Getenv)
	if cache, err := os.UserCacheDir(); err == nil {
		env.CacheDir = filepath.Join(cache, "postgeo")
	}
	return env
}

func (e *Env) now() time.Time {
	if e.Now == nil {
		return time.Now()
	}
	return e.Now()
}

// say tells a line on standard error.
func (e *Env) say(format string, args ...any) { e.tell(slog.LevelInfo, fmt.Sprintf(format, args...)) }

// fail tells on standard error why the command ends.
func (e *Env) fail(format string, args ...any) { e.tell(slog.LevelError, fmt.Sprintf(format, args...)) }

func (e *Env) tell(level slog.Level, line string) {
	if e.Tell != nil {
		e.Tell(level, plain.Line(line))
		return
	}
	_ = plain.Linef(e.Stderr, "postgeo: %s", line) // nowhere else to report it
}

// escaped returns an Env whose streams escape hidden characters, whatever is
// written to them.
func (e Env) escaped() *Env {
	e.Stdout, e.Stderr = plain.NewWriter(e.Stdout), plain.NewWriter(e.Stderr)
	return &e
}

// table returns standard output for a table: into a file or a pipe its bytes
// are kept.
func (e *Env) table() io.Writer {
	if e.StdoutTerminal {
		return e.Stdout
	}
	return plain.Raw(e.Stdout)
}

// note writes what a table has no room for. That an input was normalized, or an
// address found, can be seen in the table itself.
func (e *Env) note(input string, notices []envelope.Notice) {
	for _, n := range notices {
		if n.Code != envelope.InputNormalized && n.Code != envelope.Matched {
			e.say("note: %s: %s", input, n.Message)
		}
	}
}
