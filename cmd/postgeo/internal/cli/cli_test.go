package cli_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/envelope"
	"github.com/postgeo/postgeo/internal/sampletest"
	"github.com/postgeo/postgeo/server"
)

// Answers to the lines so far can be read before the next line is written.
func TestStdinStreams(t *testing.T) {
	questions, ask := io.Pipe()
	hear, answers := io.Pipe()
	done := make(chan int, 1)
	go func() {
		done <- cli.Run(t.Context(), []string{"lookup", "-", "--quick"}, cli.Env{
			Stdin: questions, Stdout: answers, Stderr: io.Discard, Getenv: func(string) string { return "" },
		})
		answers.Close()
	}()
	dec := json.NewDecoder(hear)
	for _, code := range []string{"90210", "10001", "K1A"} {
		fmt.Fprintln(ask, code)
		var item struct{ Code string }
		if err := dec.Decode(&item); err != nil || item.Code != code {
			t.Fatalf("answer %q, %v; want %q", item.Code, err, code)
		}
	}
	ask.Close()
	if code := <-done; code != cli.Done {
		t.Errorf("exit code %d", code)
	}
}

// The command and a server with the same page in errors write the same item of --format
// json, byte for byte, found or not.
func TestJSONIsTheServers(t *testing.T) {
	db := sampletest.Open(t)
	page := command.ErrorPage
	srv, err := server.New(db, server.Config{Links: envelope.Links{Site: page, Docs: page}})
	check(t, err)
	for args, target := range map[string]string{
		"lookup 90210": "/v2/zip?code=90210", "lookup k1a0b1 -i timezone": "/v2/zip?code=k1a0b1&include=timezone",
		"lookup 00601 --quick -i timezone": "/v2/quick-zip?code=00601&include=timezone", "lookup 99999": "/v2/zip?code=99999",
		"lookup K1A9Z9 --quick": "/v2/quick-zip?code=K1A9Z9", "distance 90210 k1a_0b1": "/v2/distance?from=90210&to=k1a+0b1",
		"distance 45.5,-73.6 10001": "/v2/distance?from=45.5,-73.6&to=10001", "distance 90210 99999": "/v2/distance?from=90210&to=99999",
		"lookup 0,0": "/v2/zip?code=0,0", "radius 90210 --max 10": "/v2/radius?code=90210&max=10", "radius 99999 --max 10": "/v2/radius?code=99999&max=10",
		"radius 45.4,-75.7 --max auto --min 1 --mode spatial --limit 3 -i timezone": "/v2/radius?code=45.4,-75.7&max=auto&min=1&mode=spatial&limit=3&include=timezone",
	} {
		rec := httptest.NewRecorder()
		srv.ServeHTTP(rec, httptest.NewRequest(http.MethodGet, target, nil))
		var response struct{ Results []json.RawMessage }
		if err := json.Unmarshal(rec.Body.Bytes(), &response); err != nil || len(response.Results) != 1 {
			t.Fatalf("%s: %v: %s", target, err, rec.Body)
		}
		words := strings.Fields(args)
		for i := range words {
			words[i] = strings.ReplaceAll(words[i], "_", " ")
		}
		for _, format := range []string{"json", "jsonl"} {
			if format == "jsonl" && words[0] == "radius" { // a line there is a match
				continue
			}
			r := world{}.run(append(words, "--format", format)...)
			if diff := cmp.Diff(string(response.Results[0])+"\n", r.stdout); diff != "" {
				t.Errorf("%s as %s (-server +command line):\n%s", args, format, diff)
			}
		}
	}
}

// A reader that goes away ends the command without a word.
func TestBrokenPipe(t *testing.T) {
	var stderr bytes.Buffer
	code := cli.Run(t.Context(), []string{"lookup", "90210", "--data", sampleFile(t)}, cli.Env{
		Stdin: strings.NewReader(""), Stdout: failingWriter{syscall.EPIPE}, Stderr: &stderr, Getenv: func(string) string { return "" },
	})
	if code != cli.Failed || stderr.Len() > 0 {
		t.Errorf("exit code %d, stderr %q", code, &stderr)
	}

	code = cli.Run(t.Context(), []string{"lookup", "90210", "--data", sampleFile(t)}, cli.Env{
		Stdin: strings.NewReader(""), Stdout: failingWriter{errors.New("disk full")}, Stderr: &stderr, Getenv: func(string) string { return "" },
	})
	if code != cli.Failed || !strings.Contains(stderr.String(), "disk full") {
		t.Errorf("exit code %d, stderr %q", code, &stderr)
	}
}

type failingWriter struct{ err error }

func (w failingWriter) Write([]byte) (int, error) { return 0, w.err }

// A command stops when its context is done.
func TestCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var stderr bytes.Buffer
	code := cli.Run(ctx, []string{"lookup", "90210"}, cli.Env{
		Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: &stderr, Getenv: func(string) string { return "" },
	})
	if code != cli.Failed || !strings.Contains(stderr.String(), "stopped: interrupted") {
		t.Errorf("exit code %d, stderr %q", code, &stderr)
	}
}

// rightUse has the command lines of testdata/uses.txt.
var rightUse = func() map[string]string {
	text, err := os.ReadFile("testdata/uses.txt")
	if err != nil {
		panic(err)
	}
	uses := map[string]string{}
	for line := range strings.Lines(string(text)) {
		command, words, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ":")
		uses[command] = strings.TrimSpace(words)
	}
	return uses
}()

// TestEveryFlag gives nonsense to every flag of every command. The output stays safe to
// show, and a usage error names the flag or its value.
func TestEveryFlag(t *testing.T) {
	skipShort(t)
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"rows.csv": "a\nb\n", "rents.csv": "zip,rent\n90210,3000\n"} {
		check(t, os.WriteFile(name, []byte(text), 0o600))
	}
	dir, err := os.Getwd()
	check(t, err)
	if r := (world{dataDir: dir}).run("dataset", "key", "new", "-o", filepath.Join(dir, "key")); r.code != cli.Done {
		t.Fatal(r)
	}
	account := told(t, "account", "account", "create", "--accounts", filepath.Join(dir, "accounts.db"))
	key := told(t, "id", "key", "create", "--account", account, "--accounts", filepath.Join(dir, "accounts.db"))
	fill := strings.NewReplacer("ACCOUNT", account, "KEY", key)
	for _, flag := range cli.ValueFlags() {
		command, name, _ := strings.Cut(flag, " --")
		t.Run(flag, func(t *testing.T) {
			right, ok := rightUse[flag]
			if !ok {
				right, ok = rightUse[command]
			}
			if !ok {
				t.Fatalf("no right use of %s is known here; add one to rightUse", command)
			}
			args := strings.Fields(command)
			words := strings.Split(fill.Replace(right), "|")
			for i := 0; i < len(words); i++ {
				if words[i] == "--"+name || words[i] == "-o" && name == "output" {
					i++
				} else if words[i] != "" {
					args = append(args, words[i])
				}
			}
			nonsense := "no such " + flag + "/value:x\x1b[31m\u202e" // flags share no file by accident
			switch name {
			case "demo-key":
				nonsense = "no such key"
			case "name", "reference": // they refuse control characters
				nonsense = strings.ReplaceAll(nonsense, "\x1b", "")
			}
			w := world{stdin: "zip\n90210\n", dataDir: dir}
			if command == "inside" {
				w.stdin = `{"type":"Polygon","coordinates":[[[-118.5,34],[-118.3,34],[-118.3,34.2],[-118.5,34]]]}`
			}
			r := w.run(append(args, "--"+name+"="+nonsense)...)
			checkShown(t, "stderr", r.stderr)
			checkShown(t, "stdout", r.stdout)
			said := strings.ReplaceAll(r.stderr, `\"`, `"`)
			named := strings.Contains(said, "no such") || strings.Contains(said, "--"+name) || strings.Contains(said, "-o ") || strings.Contains(said, "(secret, ")
			if r.code == cli.Misuse && !named {
				t.Errorf("%v; want the flag or its value in the error", r)
			}
		})
	}
}
