// Package attack_test attacks a running server over TCP. The callers do not read,
// read much, send large batches, or break their connections. The server and the
// attackers run in separate processes, so that the server's memory and the measured
// latency are not affected.
//
// With -short nothing is attacked. The usual form runs in every `go test`; `make soak` runs the long one, which
// also judges latency and throughput. These variables change the setup:
//
//	POSTGEO_TEST_ATTACK  "long" for the long form
//	POSTGEO_TEST_DATA    dataset to serve, instead of an invented one
//	POSTGEO_TEST_PROGRAM postgeo binary to attack, instead of one built here
package attack_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// attackProcess is set in a process that attacks.
const attackProcess = "POSTGEO_TEST_ATTACK_PROCESS"

// long selects the long form.
var long = os.Getenv("POSTGEO_TEST_ATTACK") == "long"

// lasting returns a number or duration of the usual or of the long form.
func lasting[T any](usual, longer T) T {
	if long {
		return longer
	}
	return usual
}

// program is the postgeo binary that tests attack; dataFile is the dataset.
var program, dataFile string

func TestMain(m *testing.M) {
	if os.Getenv(attackProcess) != "" {
		os.Exit(attack())
	}
	flag.Parse()
	if testing.Short() {
		fmt.Println("with -short nothing is attacked")
		os.Exit(0)
	}
	dir, err := os.MkdirTemp("", "postgeo-attack")
	if err == nil {
		err = prepare(dir)
	}
	code := 1
	if err != nil {
		fmt.Fprintln(os.Stderr, "preparing the attacks:", err)
	} else {
		code = m.Run()
	}
	os.RemoveAll(dir)
	os.Exit(code)
}

// prepare builds the program and writes the dataset, unless they are given.
func prepare(dir string) error {
	if program = os.Getenv("POSTGEO_TEST_PROGRAM"); program == "" {
		program = filepath.Join(dir, "postgeo.exe")
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
		defer cancel()
		build := exec.CommandContext(ctx, "go", "build", "-trimpath", "-o", program, "github.com/postgeo/postgeo/cmd/postgeo")
		build.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := build.CombinedOutput(); err != nil {
			return fmt.Errorf("%w: %s", err, out)
		}
	}
	if dataFile = os.Getenv("POSTGEO_TEST_DATA"); dataFile == "" {
		dataFile = filepath.Join(dir, "world.db")
		return writeWorld(dataFile)
	}
	return nil
}
