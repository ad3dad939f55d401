package command

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"math"
	"os/exec"
	"strings"

	"github.com/postgeo/postgeo/internal/plain"
)

// A pager holds back a page of output. It shows more by a program, and less as it is.
type pager struct {
	stdout, stderr io.Writer
	program        []string
	lines          int // that fit on the terminal
	held           bytes.Buffer
	running        *exec.Cmd
	to             io.WriteCloser
}

// pagerOf returns a pager for a table on a terminal, or nil. $POSTGEO_PAGER and $PAGER
// name the program; "cat" or nothing switches it off, and the default is less, if it is
// installed.
func pagerOf(env *Env) *pager {
	if !env.StdoutTerminal || env.Height == 0 {
		return nil
	}
	line := cmp.Or(env.Getenv("POSTGEO_PAGER"), env.Getenv("PAGER"), "less -FRX")
	program := strings.Fields(line)
	if len(program) == 0 || program[0] == "cat" {
		return nil
	}
	path, err := exec.LookPath(program[0])
	if err != nil {
		return nil
	}
	program[0] = path
	// The program pages only if it writes to a terminal. Its input has no hidden characters.
	return &pager{stdout: plain.Raw(env.Stdout), stderr: plain.Raw(env.Stderr), program: program, lines: env.Height - 1}
}

// Write holds a page back and starts the program with the next line.
func (p *pager) Write(b []byte) (int, error) {
	if p.running != nil {
		return p.to.Write(b)
	}
	p.held.Write(b)
	if bytes.Count(p.held.Bytes(), []byte{'\n'}) < p.lines {
		return len(b), nil
	}
	c := exec.Command(p.program[0], p.program[1:]...)
	c.Stdout, c.Stderr = p.stdout, p.stderr
	to, err := c.StdinPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		p.lines = math.MaxInt
		return len(b), nil // Close writes the page
	}
	p.running, p.to = c, to
	_, err = p.held.WriteTo(to)
	return len(b), err
}

// Close writes the page that is held back, or waits for the end of the program.
func (p *pager) Close() error {
	if p.running == nil {
		_, err := p.held.WriteTo(p.stdout)
		return err
	}
	err := errors.Join(p.to.Close(), p.running.Wait())
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return nil // it has written a message
	}
	return err
}
