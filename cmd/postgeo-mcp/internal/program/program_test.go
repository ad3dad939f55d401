package program_test

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/postgeo/postgeo/cmd/postgeo-mcp/internal/program"
	"github.com/postgeo/postgeo/internal/checktest"
	"github.com/postgeo/postgeo/internal/lookuptest"
)

// asProgram makes the test binary run as the program.
const asProgram = "POSTGEO_MCP_TEST_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		os.Exit(program.Run(context.Background(), os.Args[1:], program.Process()))
	}
	os.Exit(m.Run())
}

// command is a process of the program with a home folder of its own.
func command(t *testing.T, args ...string) (cmd *exec.Cmd, stderr *bytes.Buffer) {
	t.Helper()
	cmd = exec.CommandContext(t.Context(), os.Args[0], args...)
	home := t.TempDir()
	cmd.Env = append(os.Environ(), asProgram+"=1", "HOME="+home, "XDG_DATA_HOME=", "LOCALAPPDATA="+home, "POSTGEO_DATA=")
	stderr = &bytes.Buffer{}
	cmd.Stderr = stderr
	return cmd, stderr
}

func ask(t *testing.T, transport mcp.Transport) {
	t.Helper()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil).Connect(t.Context(), transport, nil)
	check(t, err)
	list, err := session.ListTools(t.Context(), nil)
	if err != nil || len(list.Tools) != 14 {
		t.Fatalf("tools: %+v, %v", list, err)
	}
	r, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "lookup", Arguments: map[string]any{"code": "90210"}})
	if err != nil || r.IsError || !strings.Contains(r.Content[0].(*mcp.TextContent).Text, `"city":"Beverly Hills"`) {
		t.Errorf("lookup: %+v, %v", r, err)
	}
	r, err = session.CallTool(t.Context(), &mcp.CallToolParams{Name: "lookup", Arguments: map[string]any{"code": "9021"}})
	if err != nil || !r.IsError || !strings.HasPrefix(r.Content[0].(*mcp.TextContent).Text, "VALIDATION_INVALID_ZIP: ") {
		t.Errorf("lookup: %+v, %v", r, err)
	}
	read, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "postgeo://dataset"})
	if err != nil || !strings.Contains(read.Contents[0].Text, `"sample":true`) {
		t.Errorf("postgeo://dataset: %+v, %v", read, err)
	}
	if err := session.Close(); err != nil {
		t.Error(err)
	}
}

// A client starts the program, asks over its standard streams, and the program
// ends with the client.
func TestStdio(t *testing.T) {
	cmd, stderr := command(t)
	ask(t, &mcp.CommandTransport{Command: cmd})
	if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != 0 {
		t.Errorf("the program ended with %v", cmd.ProcessState)
	}
	if !strings.Contains(stderr.String(), "embedded sample") {
		t.Errorf("standard error: %s", stderr)
	}
}

// A line that is no message, or too long, does not take the program down with
// a crash, and standard output stays the protocol's.
func TestStdioGarbage(t *testing.T) {
	for name, input := range map[string]string{
		"text":     "hello\n",
		"binary":   "\x00\xff\xfe\n",
		"half":     `{"jsonrpc":"2.0","id":1,`,
		"too long": `{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("x", 5<<20) + "\"}\n",
		"deep":     strings.Repeat("[", 100_000) + "\n",
	} {
		t.Run(name, func(t *testing.T) {
			cmd, stderr := command(t)
			cmd.Stdin = strings.NewReader(input)
			out, err := cmd.Output()
			if strings.Contains(stderr.String(), "goroutine ") {
				t.Errorf("%v: %s", err, stderr)
			}
			for line := range strings.Lines(string(out)) {
				if !strings.HasPrefix(line, "{") {
					t.Errorf("standard output has %q", line)
				}
			}
		})
	}
}

var serving = regexp.MustCompile(`on (http://\S+)`)

// serveHTTP starts the program with HTTP on a port of its own and returns its
// address. The process is stopped, and looked at, when the test ends.
func serveHTTP(t *testing.T, args ...string) string {
	t.Helper()
	cmd, _ := command(t, append([]string{"--http", "127.0.0.1:0"}, args...)...)
	cmd.Stderr = nil
	pipe, err := cmd.StderrPipe()
	check(t, err)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) } // when the test ends
	cmd.WaitDelay = 10 * time.Second
	check(t, cmd.Start())
	var stderr strings.Builder
	url := ""
	for lines := bufio.NewScanner(pipe); url == "" && lines.Scan(); {
		stderr.WriteString(lines.Text() + "\n")
		if m := serving.FindStringSubmatch(lines.Text()); m != nil {
			url = m[1]
		}
	}
	t.Cleanup(func() { // t.Context is done by now
		_, _ = io.Copy(&stderr, pipe)
		if err := cmd.Wait(); cmd.ProcessState.ExitCode() != 0 {
			t.Errorf("the program ended with %v, %s", err, stderr.String())
		}
	})
	if url == "" {
		t.Fatal("the program did not start to serve")
	}
	return url
}

func TestHTTP(t *testing.T) {
	url := serveHTTP(t)
	ask(t, &mcp.StreamableClientTransport{Endpoint: url, DisableStandaloneSSE: true})
	ask(t, &mcp.StreamableClientTransport{Endpoint: url}) // another client, and one that asks for a stream
}

// With a file of tokens each request has to show one of them.
func TestToken(t *testing.T) {
	const token = "0123456789abcdef-second"
	file := filepath.Join(t.TempDir(), "tokens")
	check(t, os.WriteFile(file, []byte("\n  0123456789abcdef-first\n"+token+"\n"), 0o600))
	url := serveHTTP(t, "--token-file", file)
	for header, status := range map[string]int{
		"": 401, "Bearer": 401, "Bearer " + token + "x": 401, "Bearer 0123456789abcdef": 401, "Basic " + token: 401, token: 401,
		"Bearer " + token: 200, "bearer  0123456789abcdef-first": 200,
	} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(listTools))
		check(t, err)
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "application/json, text/event-stream")
		if header != "" {
			req.Header.Set("Authorization", header)
		}
		resp, err := http.DefaultClient.Do(req)
		check(t, err)
		_ = resp.Body.Close()
		if resp.StatusCode != status || (resp.Header.Get("WWW-Authenticate") != "") != (status == 401) {
			t.Errorf("%q: status %d, want %d; %v", header, resp.StatusCode, status, resp.Header)
		}
	}
}

// Only the tools that are named are offered.
func TestSomeTools(t *testing.T) {
	cmd, _ := command(t, "--tools", "radius, lookup")
	session, err := mcp.NewClient(&mcp.Implementation{Name: "test"}, nil).Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, nil)
	check(t, err)
	defer session.Close()
	list, err := session.ListTools(t.Context(), nil)
	if err != nil || len(list.Tools) != 2 || list.Tools[0].Name != "lookup" || list.Tools[1].Name != "radius" {
		t.Errorf("%+v, %v", list, err)
	}
}

// TestWrongUse runs the command lines of testdata/uses.txt.
func TestWrongUse(t *testing.T) {
	damaged := filepath.Join(t.TempDir(), "postgeo.db")
	check(t, os.WriteFile(damaged, []byte("this is no dataset"), 0o600))
	names := strings.NewReplacer("DAMAGED", damaged, "NONE", filepath.Join(t.TempDir(), "none.db"), "/dev/null", os.DevNull)
	lookuptest.Table(t, "uses.txt", false, func(line string) string {
		args, want, _ := strings.Cut(line, " -> ")
		var stderr bytes.Buffer
		code := program.Run(t.Context(), strings.Fields(names.Replace(args)), program.Env{
			Stdin: io.NopCloser(strings.NewReader("")), Stdout: nothing{}, Stderr: &stderr,
			Getenv: func(string) string { return "" },
		})
		if !strings.Contains(stderr.String(), want) {
			t.Errorf("%s: standard error: %s", line, &stderr)
		}
		return map[int]string{program.Done: "Done", program.Failed: "Failed", program.WrongUse: "WrongUse"}[code]
	})
}

func TestVersion(t *testing.T) {
	cmd, _ := command(t, "--version")
	out, err := cmd.Output()
	if err != nil || !regexp.MustCompile(`^postgeo-mcp \S+ go1\.\S+ \w+/\w+\n$`).Match(out) {
		t.Errorf("%q, %v", out, err)
	}
}

// nothing is a standard output that nobody reads.
type nothing struct{}

func (nothing) Write(p []byte) (int, error) { return len(p), nil }
func (nothing) Close() error                { return nil }

var check = checktest.Check
