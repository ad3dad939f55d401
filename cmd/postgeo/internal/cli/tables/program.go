package tables

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
)

// runProgram runs another program of postgeo with the standard streams of c. The error
// has the text missing if it is not installed.
func runProgram(c *command.Call, name, missing string, args []string, env ...string) error {
	program, err := findProgram(name)
	if err != nil {
		return errors.New(missing)
	}
	run := exec.CommandContext(c.Context, program, args...)
	run.Stdin, run.Stdout, run.Stderr = c.Stdin, c.Table(), c.Stderr
	run.Env = append(os.Environ(), env...)
	err = run.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		if exit.ExitCode() == command.Misuse {
			return command.ErrMisuseReported
		}
		return command.ErrReported
	}
	return err
}

// findProgram returns the path of a program next to this one, else in $PATH.
func findProgram(name string) (string, error) {
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	if self, err := os.Executable(); err == nil {
		sibling := filepath.Join(filepath.Dir(self), name)
		if info, err := os.Stat(sibling); err == nil && info.Mode().IsRegular() {
			return sibling, nil
		}
	}
	return exec.LookPath(name)
}
