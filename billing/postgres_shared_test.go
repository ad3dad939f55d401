//go:build unix

package billing_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/internal/storetest"
	"github.com/postgeo/postgeo/internal/storetest/pgserver"
)

// What a child process of TestProcesses is told.
const (
	childAddress = "POSTGEO_TEST_ADDRESS"
	childNumber  = "POSTGEO_TEST_NUMBER"
	childCalls   = "POSTGEO_TEST_CALLS"
)

// child makes calls at the same time when it is told to, and says how many
// holds it was granted and refused.
func child(ctx context.Context, address string) error {
	calls, err := strconv.Atoi(os.Getenv(childCalls))
	if err != nil {
		return err
	}
	s, err := billing.Open(ctx, address, billing.Options{Pepper: storetest.Pepper()})
	if err != nil {
		return err
	}
	fmt.Println("ready")
	if _, err := io.ReadAll(os.Stdin); err != nil {
		return err
	}
	var granted, refused atomic.Int64
	errs := make(chan error, calls)
	var wg sync.WaitGroup
	for i := range calls {
		wg.Go(func() {
			_, err := s.Reserve(ctx, billing.Hold{ID: fmt.Sprintf("%s-%06d", os.Getenv(childNumber), i), Account: "a", Credits: 1})
			var need *billing.InsufficientError
			switch {
			case err == nil:
				granted.Add(1)
			case errors.As(err, &need):
				refused.Add(1)
			default:
				errs <- err
			}
		})
	}
	wg.Wait()
	select {
	case err := <-errs:
		return err
	default:
	}
	fmt.Println(granted.Load(), refused.Load())
	return s.Close()
}

// Three processes that reserve at the same time from one account are granted
// what it has, to the credit.
func TestProcesses(t *testing.T) {
	calls, credits := 100_000, 50_000
	if testing.Short() {
		calls, credits = 6_000, 3_000
	}
	const processes = 3
	server := pgserver.Start(t)
	s := openPG(t, server.Address(), billing.Options{})
	enterAccount(t, s, "a", billing.Business)
	for i := range 5 {
		if _, _, err := s.Grant(t.Context(), billing.Grant{Account: "a", Source: billing.PackCredits, Reference: fmt.Sprint(i), Amount: credits / 5, Granted: time.Now()}); err != nil {
			t.Fatal(err)
		}
	}
	type process struct {
		cmd *exec.Cmd
		in  io.Closer
		out *bufio.Reader
	}
	var children []process
	for i := range processes {
		n := calls / processes
		if i == 0 {
			n += calls % processes
		}
		cmd := exec.CommandContext(t.Context(), os.Args[0])
		cmd.Env = append(os.Environ(), childAddress+"="+server.Address(), fmt.Sprint(childNumber, "=", i), fmt.Sprint(childCalls, "=", n))
		cmd.Stderr = os.Stderr
		in, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		c := process{cmd, in, bufio.NewReader(out)}
		if pgLine, err := c.out.ReadString('\n'); pgLine != "ready\n" {
			t.Fatalf("the child said %q, %v; want ready", pgLine, err)
		}
		children = append(children, c)
	}
	began := time.Now()
	for _, c := range children {
		if err := c.in.Close(); err != nil {
			t.Fatal(err)
		}
	}
	granted, refused := 0, 0
	for _, c := range children {
		var g, r int
		if _, err := fmt.Fscan(c.out, &g, &r); err != nil {
			t.Error(err)
		}
		if err := c.cmd.Wait(); err != nil {
			t.Error(err)
		}
		t.Logf("a process was granted %d and refused %d", g, r)
		granted, refused = granted+g, refused+r
	}
	took := time.Since(began)
	t.Logf("%d reservations in %s: %.0f a second", calls, took.Round(time.Millisecond), float64(calls)/took.Seconds())
	if granted != credits || granted+refused != calls {
		t.Errorf("%d granted, %d refused; want %d granted of %d", granted, refused, credits, calls)
	}
	b, err := s.Balance(t.Context(), "a")
	if err != nil || b.Available != 0 || b.Held != credits {
		t.Errorf("%d available, %d held, %v; want 0 and %d", b.Available, b.Held, err, credits)
	}
	if err := s.Audit(t.Context()); err != nil {
		t.Error(err)
	}
}
