//go:build unix

package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli"
)

// childEnv names the variable that makes the test binary a command: a
// childCommand as JSON.
const childEnv = "POSTGEO_TEST_CLI_CHILD"

// A childCommand is a command in a process of its own, which can be sent
// signals, or kept from writing large files.
type childCommand struct {
	Args  []string
	Limit uint64 // bytes that a file may have; 0 is any number
}

// TestChild is no test but the process of a childCommand.
func TestChild(t *testing.T) {
	text := os.Getenv(childEnv)
	if text == "" {
		t.Skip("is run by other tests")
	}
	var c childCommand
	check(t, json.Unmarshal([]byte(text), &c))
	if c.Limit > 0 {
		signal.Ignore(syscall.SIGXFSZ) // the write fails instead
		check(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: c.Limit, Max: c.Limit}))
	}
	os.Exit(cli.Run(t.Context(), c.Args, cli.Env{
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Getenv: func(string) string { return "" },
	}))
}

// A child is a command that runs.
type child struct {
	*exec.Cmd
	in  io.WriteCloser
	log string // file of standard error
	end chan struct{}
}

// start begins the command. Its standard input has the text, and is not closed.
func (c childCommand) start(t *testing.T, stdin string) *child {
	t.Helper()
	text, err := json.Marshal(c)
	check(t, err)
	self, err := os.Executable()
	check(t, err)
	p := &child{Cmd: exec.CommandContext(t.Context(), self, "-test.run", "^TestChild$"), log: filepath.Join(t.TempDir(), "log"), end: make(chan struct{})}
	p.Env = append(os.Environ(), childEnv+"="+string(text))
	log, err := os.Create(p.log)
	check(t, err)
	defer log.Close()
	p.Stderr = log
	if p.in, err = p.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	check(t, p.Start())
	_, err = io.WriteString(p.in, stdin)
	check(t, err)
	go func() {
		defer close(p.end)
		_ = p.Wait() // its state says it
	}()
	return p
}

// said returns what is on standard error.
func (p *child) said(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile(p.log)
	check(t, err)
	return string(data)
}

// code waits for the end and returns the exit code, -1 after a signal.
func (p *child) code() int {
	<-p.end
	return p.ProcessState.ExitCode()
}

// until waits for something to be so, or for the end of the process.
func (p *child) until(so func() bool) {
	for !so() {
		select {
		case <-p.end:
			return
		case <-time.After(time.Millisecond):
		}
	}
}

// signal sends a signal. The process may have ended.
func (p *child) signal(t *testing.T, s os.Signal) {
	t.Helper()
	if err := p.Process.Signal(s); err != nil && !errors.Is(err, os.ErrProcessDone) {
		t.Fatal(err)
	}
}

// left lists the files of a folder, hidden ones too.
func left(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	check(t, err)
	var list []string
	for _, e := range entries {
		list = append(list, e.Name())
	}
	return list
}

// TestSignalEnrich sends signals to runs whose standard input has nothing more
// to give.
func TestSignalEnrich(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		dir := t.TempDir()
		out := filepath.Join(dir, "out.csv")
		p := childCommand{Args: []string{"enrich", "--add", "city", "-o", out, "--overwrite"}}.start(t, "zip,n\n90210,1\n")
		p.until(func() bool { return len(left(t, dir)) == 1 })
		p.signal(t, sig)
		want := "stopped: interrupted before the end"
		if code := p.code(); code != 1 || !strings.Contains(p.said(t), want) {
			t.Errorf("%v: exit code %d and %q, want 1 and %q", sig, code, p.said(t), want)
		}
		if names := left(t, dir); names != nil {
			t.Errorf("%v: left %q", sig, names)
		}
		p = childCommand{Args: []string{"enrich", "--add", "city"}}.start(t, "zip,n\n90210,1\n")
		p.until(func() bool { return strings.Contains(p.said(t), "using zip as the code") })
		p.signal(t, sig)
		if code := p.code(); code != -1 {
			t.Errorf("%v: exit code %d without a file, want the signal's", sig, code)
		}
	}
}

// TestFullDisk writes tables where no file may have more than so many bytes:
// the command fails, names the file and leaves nothing.
func TestFullDisk(t *testing.T) {
	const limit = 6000
	dir := t.TempDir()
	in := filepath.Join(dir, "in.csv")
	rows := []byte("id,zip\n")
	for i := range 4000 {
		rows = fmt.Appendf(rows, "%d,90210\n", i*7919%10_007)
	}
	check(t, os.WriteFile(in, rows, 0o600))
	for _, name := range []string{"csv", "tsv", "ndjson", "csv.gz", "parquet"} {
		for kind, args := range map[string][]string{"enrich": {"enrich", in, "--add", "location.lat,code"}, "export": {"export", "codes"}} {
			place := filepath.Join(dir, kind+name)
			check(t, os.Mkdir(place, 0o755))
			out := filepath.Join(place, "out."+name)
			args = append(slices.Clip(args), "-o", out)
			p := childCommand{Args: args, Limit: limit}.start(t, "")
			if code := p.code(); code != 1 || !strings.Contains(p.said(t), filepath.Join(place, "")) || !strings.Contains(p.said(t), syscall.EFBIG.Error()) {
				t.Errorf("%s: exit code %d and %q", name, code, p.said(t))
			}
			if len(left(t, place)) > 0 {
				t.Errorf("%s: left %q", name, left(t, place))
			}
		}
	}
}

// TestStopped has the context end before anything is read: a stream that has
// nothing to give, a pipe that nobody opens, a table, an export.
func TestStopped(t *testing.T) {
	dir := t.TempDir()
	in, pipe, out := filepath.Join(dir, "in.csv"), filepath.Join(dir, "pipe.csv"), filepath.Join(dir, "out.csv")
	check(t, os.WriteFile(in, []byte("zip\n90210\n"), 0o600))
	check(t, syscall.Mkfifo(pipe, 0o600))
	silent, writer := io.Pipe()
	defer writer.Close()
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	run := func(ctx context.Context, args ...string) result {
		var stdout, stderr bytes.Buffer
		code := cli.Run(ctx, args, cli.Env{Stdin: silent, Stdout: &stdout, Stderr: &stderr, Getenv: func(string) string { return "" }})
		return result{code, stdout.String(), stderr.String()}
	}
	tests := []struct {
		name string
		args []string
		want string
	}{
		{"silent stream", []string{"enrich", "-o", out}, "stopped: interrupted before the end\n"},
		{"pipe", []string{"enrich", pipe, "-o", out}, "stopped: interrupted before the end\n"},
		{"export", []string{"export", "codes", "-o", out}, "stopped: interrupted before the end\n"},
		{"table", []string{"enrich", in, "-o", out, "--add", "city"}, "stopped: interrupted before the end\n"},
	}
	for _, tt := range tests {
		r := run(stopped, tt.args...)
		if r.code != 1 || !strings.Contains(r.stderr, tt.want) {
			t.Errorf("%s: %v", tt.name, r)
		}
		if diff := cmp.Diff([]string{"in.csv", "pipe.csv"}, left(t, dir)); diff != "" {
			t.Errorf("%s: what is left (-want +got):\n%s", tt.name, diff)
		}
	}
	if r := run(t.Context(), "enrich", in, "-o", out, "--add", "city"); r.code != 0 {
		t.Errorf("after a stop: %v", r)
	}
	if data, err := os.ReadFile(out); err != nil || string(data) != "zip,city,postgeo_status,postgeo_reason\n90210,Beverly Hills,matched,\n" {
		t.Errorf("%q, %v", data, err)
	}
}

// A picture or a collection takes the place of no pipe, folder or dataset.
func TestWrittenFile(t *testing.T) {
	dir, data := t.TempDir(), sampleFile(t)
	pipe := filepath.Join(dir, "pipe")
	check(t, syscall.Mkfifo(pipe, 0o600))
	commands := []string{
		"boundary|90210|-o", "map|90210|-o", "radius|90210|--max|5|--svg",
	}
	for _, command := range commands {
		for path, says := range map[string]string{pipe: "is a device or a pipe", dir: "is a folder; name a file", data: "is an input"} {
			r := world{}.run(append(strings.Split(command, "|"), path, "--data", data)...)
			if r.code == cli.Done || !strings.Contains(r.stderr, path+" "+says) {
				t.Errorf("%s %s: exit code %d, %q; want %q", command, path, r.code, r.stderr, says)
			}
		}
	}
	if diff := cmp.Diff([]string{"pipe"}, left(t, dir)); diff != "" {
		t.Errorf("what is left (-want +got):\n%s", diff)
	}
	if info, err := os.Stat(pipe); err != nil || info.Mode().IsRegular() {
		t.Errorf("the pipe is one no more: %v, %v", info, err)
	}
	out, err := os.Create(filepath.Join(dir, "out.svg"))
	check(t, err)
	defer out.Close()
	var stderr bytes.Buffer
	code := cli.Run(t.Context(), []string{"map", "90210", "-o", out.Name()}, cli.Env{Stdin: strings.NewReader(""), Stdout: out, Stderr: &stderr, Getenv: func(string) string { return "" }})
	if want := out.Name() + " is standard output; use -o -"; code != cli.Misuse || !strings.Contains(stderr.String(), want) {
		t.Errorf("exit code %d, %q; want %q", code, &stderr, want)
	}
}
