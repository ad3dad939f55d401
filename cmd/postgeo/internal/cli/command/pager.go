package command

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"

	"github.com/postgeo/postgeo/internal/plain"
)

// A pager passes what is written to the program that $PAGER names.
type pager struct {
	cmd *exec.Cmd
	to  io.WriteCloser // nil before the first byte
}

// pagerOf returns a pager for a table on a terminal, or nil without $PAGER. less quits
// at the end of a short table.
func pagerOf(env *Env) *pager {
	line := strings.Fields(env.Getenv("PAGER"))
	if !env.StdoutTerminal || len(line) == 0 || line[0] == "cat" {
		return nil
	}
	path, err := exec.LookPath(line[0])
	if err != nil {
		return nil
	}
	c := exec.Command(path, line[1:]...)
	// The program pages only if it writes to a terminal. Its input has no hidden characters.
	c.Stdout, c.Stderr = plain.Raw(env.Stdout), plain.Raw(env.Stderr)
	c.Env = append([]string{"LESS=FRX"}, os.Environ()...)
	return &pager{cmd: c}
}

func (p *pager) Write(b []byte) (n int, err error) {
	if p.to == nil {
		if p.to, err = p.cmd.StdinPipe(); err == nil {
			err = p.cmd.Start()
		}
		if err != nil {
			return 0, err
		}
	}
	return p.to.Write(b)
}

// Close waits for the end of the program, which reports its own failures.
func (p *pager) Close() error {
	if p == nil || p.to == nil {
		return nil
	}
	err := errors.Join(p.to.Close(), p.cmd.Wait())
	if errors.As(err, new(*exec.ExitError)) {
		return nil
	}
	return err
}
