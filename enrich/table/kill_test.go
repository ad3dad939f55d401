package table_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/postgeo/postgeo/enrich/table"
)

// childEnv names the variable that makes the test binary a run that will be
// killed: the input and the output, divided by a line end.
const childEnv = "POSTGEO_TEST_TABLE_CHILD"

func killJob() job {
	return job{
		add: []string{"city", "census.county.fips"},
		out: table.Output{Resume: true, RowGroup: 3000},
		run: table.RunOptions{Every: time.Millisecond},
	}
}

// TestKilledChild is no test but the process that TestKill kills.
func TestKilledChild(t *testing.T) {
	from, to, ok := strings.Cut(os.Getenv(childEnv), "\n")
	if !ok {
		t.Skip("is run by TestKill")
	}
	if _, err := killJob().file(t, from, to); err != nil {
		t.Fatal(err)
	}
}

// TestKill kills runs at random moments and has them go on. In the end the
// output has the bytes of a run that nobody disturbed. POSTGEO_TEST_KILLS says
// how often each is killed.
func TestKill(t *testing.T) {
	kills, rows := 4, 12_000
	if text := os.Getenv("POSTGEO_TEST_KILLS"); text != "" {
		var err error
		if kills, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	if testing.Short() {
		t.Skip("kills processes")
	}
	dir := t.TempDir()
	text := filepath.Join(dir, "in.csv")
	if err := os.WriteFile(text, []byte(customers(rows)), 0o600); err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(5, 6))
	for _, f := range []string{"csv", "csv.gz", "ndjson", "parquet", "xlsx"} {
		t.Run(f, func(t *testing.T) {
			in := text
			if f != "csv" {
				in = filepath.Join(dir, "in."+f)
				if _, err := (job{out: table.Output{Status: "s", Reason: "r", RowGroup: 7000}}).file(t, text, in); err != nil {
					t.Fatal(err)
				}
			}
			whole, out := filepath.Join(dir, "whole."+f), filepath.Join(dir, "out."+f)
			began := time.Now()
			if _, err := killJob().file(t, in, whole); err != nil {
				t.Fatal(err)
			}
			took := time.Since(began)
			resumed, finished := 0, 0
			for i := range kills {
				if _, err := os.Stat(out); err == nil {
					finished++
					if err := os.Remove(out); err != nil {
						t.Fatal(err)
					}
				}
				if at := rowsOf(t, out+".checkpoint"); at > 0 {
					resumed++
				}
				// Every third dies at its beginning, the others behind a checkpoint.
				child(t, in, out, i%3 > 0, time.Duration(1+random.Int64N(int64(took/2))))
			}
			if _, err := os.Stat(out); err != nil {
				child(t, in, out, false, 0)
			}
			want, err := os.ReadFile(whole)
			if err != nil {
				t.Fatal(err)
			}
			got, err := os.ReadFile(out)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(want, got) {
				t.Errorf("%d bytes after kills, %d without", len(got), len(want))
			}
			left, err := filepath.Glob(out + ".*")
			if err != nil || len(left) > 0 {
				t.Errorf("left behind: %q, %v", left, err)
			}
			t.Logf("%d kills: %d left a checkpoint, %d came too late", kills, resumed, finished)
		})
	}
}

// rowsOf returns how many rows a checkpoint knows, 0 where there is none.
func rowsOf(t *testing.T, path string) int64 {
	data, err := os.ReadFile(path)
	if err != nil {
		return 0
	}
	var c struct{ Summary table.Summary }
	if err := json.Unmarshal(data, &c); err != nil {
		t.Errorf("the checkpoint is damaged: %v", err)
	}
	return c.Summary.Rows
}

// child runs the job in a process, which is killed after a time unless that is
// 0: from its start, or from the moment that it has gone beyond a checkpoint.
func child(t *testing.T, in, out string, beyond bool, after time.Duration) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, "-test.run", "^TestKilledChild$")
	cmd.Env = append(os.Environ(), childEnv+"="+in+"\n"+out)
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if after > 0 {
		before := rowsOf(t, out+".checkpoint")
		done := make(chan struct{})
		defer close(done)
		go func() {
			for beyond && rowsOf(t, out+".checkpoint") <= before {
				select {
				case <-done:
					return
				case <-time.After(time.Millisecond):
				}
			}
			time.Sleep(after)
			_ = cmd.Process.Kill()
		}()
	}
	if err := cmd.Wait(); err != nil && (after == 0 || !strings.Contains(err.Error(), "killed")) {
		t.Fatalf("%v: %s", err, said.String())
	}
}

// TestResumeChecks changes what a run was begun with, and refuses to go on.
func TestResumeChecks(t *testing.T) {
	changes := map[string]struct {
		change func(t *testing.T, in, out string, j *job)
		want   string
	}{
		"other fields":    {func(_ *testing.T, _, _ string, j *job) { j.add = []string{"state"} }, "other columns"},
		"other keys":      {func(_ *testing.T, _, _ string, j *job) { j.names = table.Names{Keys: []string{"zip", "code=id"}} }, "other columns"},
		"other ends":      {func(_ *testing.T, _, _ string, j *job) { j.names.To = []string{"id"} }, "other columns"},
		"other input":     {func(t *testing.T, in, _ string, _ *job) { write1(t, in, customers(9000)) }, "not the file"},
		"shorter output":  {func(t *testing.T, _, out string, _ *job) { write1(t, out+".partial", "id") }, "fewer than"},
		"changed output":  {func(t *testing.T, _, out string, _ *job) { blank(t, out+".partial") }, "does not match its checkpoint"},
		"checkpoint text": {func(t *testing.T, _, out string, _ *job) { write1(t, out+".checkpoint", "{") }, "is damaged"},
		"negative place": {func(t *testing.T, _, out string, _ *job) {
			write1(t, out+".checkpoint", strings.ReplaceAll(readFile(t, out+".checkpoint"), `"at":`, `"at":-`))
		}, "negative"},
	}
	for name, c := range changes {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			in, out := filepath.Join(dir, "in.csv"), filepath.Join(dir, "out.csv")
			write1(t, in, customers(8000)+"broken\n")
			j := killJob()
			j.run.Every = time.Nanosecond
			if _, err := j.file(t, in, out); err == nil {
				t.Fatal("a broken row was read")
			}
			if rowsOf(t, out+".checkpoint") == 0 {
				t.Fatal("there is no checkpoint")
			}
			c.change(t, in, out, &j)
			if _, err := j.file(t, in, out); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
		})
	}
}

func write1(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// blank writes blanks over a file.
func blank(t *testing.T, path string) {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	write1(t, path, fmt.Sprintf("%*s", info.Size(), ""))
}
