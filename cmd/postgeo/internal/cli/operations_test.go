package cli_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/internal/operation"
	"github.com/postgeo/postgeo/internal/operation/operationtest"
)

// TestOperations checks that every operation has a command, or a reason for none.
func TestOperations(t *testing.T) {
	for _, o := range operation.All() {
		if o.Command == "" && o.Absent == "" {
			t.Errorf("%s has no command and no reason", o.Name)
		}
		if o.Command != "" && !slices.Contains(cli.Leaves(), o.Command) {
			t.Errorf("%s: unknown command %q", o.Name, o.Command)
		}
	}
}

// TestPlantedOperation makes a command of an invented operation.
func TestPlantedOperation(t *testing.T) {
	type options struct {
		operationtest.EchoInput
		command.Format
	}
	echo := func() *cobra.Command {
		return command.New(command.Of(operationtest.Echo, "", ""), func(o *options, c *command.Call) error {
			r, err := o.Run(c.Context, c.DB)
			if err != nil {
				return err
			}
			return command.Row(c, r)
		})
	}
	run := func(words ...string) (stdout, stderr string, code int) {
		var out, errs bytes.Buffer
		program := command.Group("planted", "", "Planted.", echo())
		code = command.Main(t.Context(), program, words, command.Env{Stdout: &out, Stderr: &errs, Getenv: func(string) string { return "" }})
		return out.String(), errs.String(), code
	}
	if stdout, stderr, code := run("echo", "k1a", "--times", "3", "--include", "upper", "--format", "jsonl"); code != 0 || stdout != `{"codes":["K1A","K1A","K1A"]}`+"\n" {
		t.Errorf("exit code %d, %s%s", code, stdout, stderr)
	}
	if stdout, _, _ := run("echo", "k1a", "-f", "jsonl"); stdout != `{"codes":["k1a","k1a"]}`+"\n" {
		t.Errorf("with the default: %s", stdout)
	}
	if _, stderr, code := run("echo", "k1a", "--times", "6"); code != command.Misuse || !strings.Contains(stderr, `invalid --times "6": must be a whole number from 1 to 5`) {
		t.Errorf("exit code %d, %s", code, stderr)
	}
	help, _, _ := run("echo", "--help")
	for _, want := range []string{"  planted echo <code> [flags]", "--times N", "Number of times. Default: 2.", "upper returns capital letters. Known: upper."} {
		if !strings.Contains(help, want) {
			t.Errorf("the help has no %q:\n%s", want, help)
		}
	}
}
