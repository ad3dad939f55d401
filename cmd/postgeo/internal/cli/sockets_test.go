//go:build unix

package cli_test

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli"
)

// What tells the child of a test that it is to serve, with which flags.
const serveVariable = "POSTGEO_TEST_SERVE"

// The child of TestPassedSockets: a server that its service manager started.
func TestPassedSocketsChild(t *testing.T) {
	flags := os.Getenv(serveVariable)
	if flags == "" {
		t.Skip("this is run by TestPassedSockets")
	}
	os.Exit(cli.Run(t.Context(), append([]string{"serve"}, strings.Fields(flags)...), cli.Env{
		Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: os.Stderr,
		Getenv: func(name string) string {
			if name == "LISTEN_PID" { // which the service manager knows after the fork
				return strconv.Itoa(os.Getpid())
			}
			return os.Getenv(name)
		},
	}))
}

// A server answers on the sockets that its service manager has opened.
func TestPassedSockets(t *testing.T) {
	sockets := map[string]*net.TCPListener{}
	var files []*os.File
	for _, name := range []string{"callers", "operators"} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		sockets[name] = l.(*net.TCPListener)
		file, err := sockets[name].File()
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		files = append(files, file)
	}
	child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestPassedSocketsChild$")
	child.ExtraFiles = files
	child.Env = append(os.Environ(), serveVariable+"=--listen systemd --private-listen systemd:operators --open", "LISTEN_FDS=2", "LISTEN_FDNAMES=callers:operators")
	stderr, err := child.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(stderr)
	var log strings.Builder
	for lines.Scan() && !strings.Contains(lines.Text(), "/ready") {
		log.WriteString(lines.Text() + "\n")
	}
	if !strings.Contains(log.String(), "on http://"+sockets["callers"].Addr().String()+"; open: no API keys required") {
		t.Errorf("the log does not tell of the socket:\n%s", &log)
	}
	for url, want := range map[string]int{
		"http://" + sockets["callers"].Addr().String() + "/v2/quick-zip?code=90210": http.StatusOK,
		"http://" + sockets["operators"].Addr().String() + "/ready":                 http.StatusOK,
	} {
		if status, body := get(t, url); status != want {
			t.Errorf("%s: %d %s", url, status, body)
		}
	}
	http.DefaultClient.CloseIdleConnections()
	if err := child.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, stderr); err != nil {
		t.Error(err)
	}
	if err := child.Wait(); err != nil {
		t.Error(err)
	}
}

// A server that cannot listen says why and what to do.
func TestCannotListen(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	address := taken.Addr().String()
	tests := []struct {
		args string
		vars map[string]string
		says string
		code int
	}{
		{"--listen " + address, nil, "--listen " + address + ": the port is in use", cli.Failed},
		{"--listen 127.0.0.1:0 --private-listen " + address, nil, "--private-listen " + address + ": the port is in use", cli.Failed},
		{"--listen systemd --open", nil, "--listen systemd: no socket was passed to this process", cli.Failed},
		{"--listen 127.0.0.1:0 --private-listen systemd:x", map[string]string{"LISTEN_FDS": "1", "LISTEN_PID": "1"}, "--private-listen systemd:x: no socket was passed", cli.Failed},
		{
			"--listen systemd:x --open",
			map[string]string{"LISTEN_FDS": "1", "LISTEN_FDNAMES": "y", "LISTEN_PID": strconv.Itoa(os.Getpid())},
			`no socket with this FileDescriptorName was passed; 1 have the names ["y"]`, cli.Failed,
		},
		{
			"--listen systemd --private-listen systemd:y --open",
			map[string]string{"LISTEN_FDS": "2", "LISTEN_FDNAMES": "y:z", "LISTEN_PID": strconv.Itoa(os.Getpid())},
			"--listen systemd and --private-listen systemd:y are the same socket", cli.Misuse,
		},
		{
			"--listen " + address,
			map[string]string{"LISTEN_FDS": "2", "LISTEN_PID": strconv.Itoa(os.Getpid())},
			"2 sockets were passed to this process but 0 are used", cli.Failed,
		},
	}
	for _, tt := range tests {
		t.Run(tt.args, func(t *testing.T) {
			r := world{vars: tt.vars}.run(append([]string{"serve"}, strings.Fields(tt.args)...)...)
			if r.code != tt.code || !strings.Contains(strings.ReplaceAll(r.stderr, `\"`, `"`), tt.says) {
				t.Errorf("%v; want %d and %q", r, tt.code, tt.says)
			}
		})
	}
}

// The limits reach the server.
func TestServeLimits(t *testing.T) {
	s := serve(t, "--listen", "127.0.0.1:0", "--private-listen", "none", "--max-header", "4")
	public := s.await(t, `serving dataset .* on (http://[0-9.:]+)`)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, public+"/v2/health", nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("X-Long", strings.Repeat("x", 12<<10))
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusRequestHeaderFieldsTooLarge {
		t.Errorf("a header of 12 KiB: %s", response.Status)
	}
}
