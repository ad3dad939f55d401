package billing_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/internal/storetest"
)

// crashFile names the accounts of the child process that TestKill kills.
const crashFile = "POSTGEO_TEST_CRASH_FILE"

func TestMain(m *testing.M) {
	if path := os.Getenv(crashFile); path != "" {
		err := limitFiles(os.Getenv(crashFile + "_LIMIT"))
		if err == nil {
			err = work(path, os.Getenv(crashFile+"_ROUND"))
		}
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1) // it is meant to be killed
	}
	code := m.Run()
	stopServers()
	os.Exit(code)
}

const (
	crashCredits = 50_000_000
	crashTTL     = time.Hour
	crashWorkers = 8
	crashHold    = 19 // the most that a request holds
)

// work spends credits forever and writes a line after each call: "settled ID
// CREDITS", "refunded ID", "refunded ID failed" for a request that failed, "cut ID
// REFUNDED KEPT" with the credits that count, or "lost ID" for a hold that was answered
// and is not there.
func work(path, round string) error {
	s, err := billing.Open(context.Background(), path, billing.Options{Pepper: storetest.Pepper()})
	if err != nil {
		return err
	}
	var mu sync.Mutex
	say := func(line string) error {
		mu.Lock()
		defer mu.Unlock()
		_, err := os.Stdout.WriteString(line + "\n") // no buffer: nothing of it is lost
		return err
	}
	if err := say("ready"); err != nil {
		return err
	}
	failed := make(chan error, crashWorkers)
	for w := range crashWorkers {
		go func() {
			rnd := rand.New(rand.NewPCG(uint64(w), 3))
			for i := 0; ; i++ {
				id := fmt.Sprintf("%s-%d-%d", round, w, i)
				err := request(s, say, id, rnd)
				if errors.Is(err, billing.ErrHoldNotFound) {
					err = errors.Join(err, say("lost "+id))
				}
				if err != nil {
					failed <- err
					return
				}
			}
		}()
	}
	// A round that fails loses the holds that it had answered. Their next calls
	// fail with ErrHoldNotFound, maybe before the round's failure is reported.
	for range crashWorkers {
		if err = <-failed; !errors.Is(err, billing.ErrHoldNotFound) {
			return err
		}
	}
	return err
}

func request(s *billing.Store, say func(string) error, id string, rnd *rand.Rand) error {
	ctx := context.Background()
	held, batch := rnd.IntN(crashHold+1), rnd.IntN(3) == 0
	h := billing.Hold{ID: id, Account: "a", Credits: held, TTL: crashTTL, Batch: batch, Brief: rnd.IntN(2) == 0}
	reserved, err := s.Reserve(ctx, h)
	if err != nil {
		return err
	}
	settled := false
	switch n := rnd.IntN(10); {
	case n == 0, n >= 8 && reserved.Deferred: // never settled
		return nil
	case n < 8:
		used := rnd.IntN(held + 1)
		if _, err := s.Settle(ctx, h, used); err != nil {
			return err
		}
		settled = true
		if n < 7 {
			return say(fmt.Sprintf("settled %s %d", id, used))
		}
	}
	if rnd.IntN(2) == 0 {
		r, err := s.Cut(ctx, of(id))
		if err != nil {
			return err
		}
		if !settled && !batch {
			r.Credits = 0
		}
		return say(fmt.Sprintf("cut %s %d %d", id, r.Credits, r.Kept))
	}
	if _, err := s.Refund(ctx, of(id)); err != nil {
		return err
	}
	return say("refunded " + id)
}

// A process that is killed at any moment, alone or beside another one on the
// same file that is killed at another moment, has lost nothing of what it was
// told is done, has spent nothing twice, and leaves no credits held for good.
// POSTGEO_TEST_KILLS is how often that is tried.
func TestKill(t *testing.T) {
	kills := storetest.Times("POSTGEO_TEST_KILLS", 12)
	path := crashAccounts(t)
	rnd := rand.New(rand.NewPCG(1, 2))
	said, promised, cut, inFlight := 0, 0, 0, 0
	for round := range kills {
		var lines []string
		var mu sync.Mutex
		var wg sync.WaitGroup
		for child := range 1 + round%2 {
			after := time.Duration(rnd.IntN(120)) * time.Millisecond
			wg.Go(func() {
				said := killed(t, path, fmt.Sprintf("%04d.%d", round, child), after)
				mu.Lock()
				defer mu.Unlock()
				lines = append(lines, said...)
				for _, line := range said {
					if strings.HasPrefix(line, "lost") {
						t.Error(line)
					}
				}
			})
		}
		wg.Wait()
		said += len(lines)
		settled, kept, refunded := promisesIn(t, lines)
		promised += settled + kept
		cut += kept + refunded
		inFlight += (1 + round%2) * crashWorkers * crashHold
		// The difference are the calls that a kill interrupted.
		spent, counted := checkFile(t, path, lines)
		if spent < promised || spent > promised+inFlight {
			t.Errorf("%d credits are spent; %d were promised, and calls of at most %d were interrupted", spent, promised, inFlight)
		}
		if counted < cut || counted > cut+inFlight {
			t.Errorf("%d credits of cut requests are counted; %d were promised, and calls of at most %d were interrupted", counted, cut, inFlight)
		}
		if t.Failed() {
			t.Fatalf("in round %d", round)
		}
	}
	t.Logf("killed %d times; %d settlements and refunds were promised", kills, said)
	if said == 0 {
		t.Error("no process got as far as to settle anything")
	}
}

// crashAccounts makes the file that children spend the credits of.
func crashAccounts(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "accounts.db")
	s := open(t, path, billing.Options{})
	enterCrash(t, s)
	check(t, s.Close())
	return path
}

// enterCrash enters the account that is spent.
func enterCrash(t *testing.T, s *billing.Store) {
	t.Helper()
	enterAccount(t, s, "a", billing.Developer)
	for i := range 5 {
		grantPack(t, s, "a", fmt.Sprint(i), crashCredits/5)
	}
}

// killed runs the child for a while, kills it, and returns what it said.
func killed(t *testing.T, path, round string, after time.Duration) []string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), crashFile+"="+path, crashFile+"_ROUND="+round)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Error(err)
		return nil
	}
	sc := bufio.NewScanner(out)
	if !sc.Scan() || sc.Text() != "ready" {
		t.Errorf("the child said %q; want ready", sc.Text())
	}
	time.AfterFunc(after, func() { _ = cmd.Process.Kill() })
	var lines []string
	for sc.Scan() {
		lines = append(lines, sc.Text())
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) || exit.Exited() {
		t.Errorf("the child ended by itself: %v", err)
	}
	return lines
}

// promisesIn adds up the credits of the lines: settled, and those of cut
// requests that stay charged or were refunded.
func promisesIn(t *testing.T, lines []string) (settled, kept, refunded int) {
	t.Helper()
	for _, line := range lines {
		switch word := strings.Fields(line); word[0] {
		case "settled":
			settled += number(t, word[2])
		case "cut":
			refunded += number(t, word[2])
			kept += number(t, word[3])
		}
	}
	return settled, kept, refunded
}

func number(t *testing.T, word string) int {
	t.Helper()
	n, err := strconv.Atoi(word)
	check(t, err)
	return n
}

// checkFile is checkAfterKill of a file.
func checkFile(t *testing.T, path string, lines []string) (spent, cut int) {
	t.Helper()
	s, err := billing.Open(t.Context(), path, billing.Options{Pepper: storetest.Pepper(), Now: late})
	check(t, err)
	defer s.Close()
	spent, cut, _ = checkAfterKill(t, s, lines)
	return spent, cut
}

// late is a clock by which every hold is past its time.
func late() time.Time { return time.Now().Add(2 * crashTTL) }

// checkAfterKill returns the credits that are spent, those of cut requests that are
// counted as refunded or kept, and those that refunds kept.
func checkAfterKill(t *testing.T, s *billing.Store, lines []string) (spent, cut, kept int) {
	t.Helper()
	check(t, s.Audit(t.Context()))
	if _, err := s.Sweep(t.Context()); err != nil {
		t.Error(err)
	}
	check(t, s.Audit(t.Context()))
	b, err := s.Balance(t.Context(), "a")
	check(t, err)
	history, err := s.History(t.Context(), "a", time.UnixMilli(0))
	check(t, err)
	for _, e := range history {
		switch e.Kind {
		case billing.Granted:
		case billing.Spent:
			spent += e.Credits
		case billing.CutRefunded, billing.CutKept, billing.BatchRefunded:
			cut += e.Credits
		}
	}
	if b.Held != 0 || b.Available+spent != crashCredits {
		t.Errorf("%d available, %d held, %d spent; want 0 held and %d in all", b.Available, b.Held, spent, crashCredits)
	}
	for _, line := range lines {
		word := strings.Fields(line)
		switch word[0] {
		case "settled":
			used := number(t, word[2])
			// Settling again with the same number is only right when it is settled.
			if r, err := s.Settle(t.Context(), of(word[1]), used); err != nil || r.Credits != used {
				t.Errorf("%s: the file says %+v, %v", line, r, err)
			}
		case "cut":
			if r, err := s.Cut(t.Context(), of(word[1])); err != nil || r.Credits != 0 || r.Kept != number(t, word[3]) {
				t.Errorf("%s: the file says %+v, %v", line, r, err)
			}
		case "refunded":
			r, err := s.Refund(t.Context(), of(word[1]))
			if failed := len(word) > 2; failed && errors.Is(err, billing.ErrHoldNotFound) {
				err = nil
			}
			if err != nil || r.Credits != 0 {
				t.Errorf("%s: the file says %+v, %v", line, r, err)
			}
			kept += r.Kept
		}
	}
	return spent, cut, kept
}
