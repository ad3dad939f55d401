package sqlite_test

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
	"github.com/postgeo/postgeo/billing/sqlite"
	"github.com/postgeo/postgeo/billing/storetest"
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
	os.Exit(m.Run())
}

const (
	crashCredits = 50_000_000
	crashTTL     = time.Hour
	crashWorkers = 8
	crashHold    = 19 // the most that a request holds
)

// work spends credits for ever and says what it did: "settled ID N" and
// "refunded ID" are written after the ledger said so.
func work(path, round string) error {
	s, err := sqlite.Open(context.Background(), path, sqlite.Options{Pepper: storetest.Pepper()})
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
	failed := make(chan error, 1)
	for w := range crashWorkers {
		go func() {
			rnd := rand.New(rand.NewPCG(uint64(w), 3))
			for i := 0; ; i++ {
				if err := request(s, say, fmt.Sprintf("%s-%d-%d", round, w, i), rnd); err != nil {
					select {
					case failed <- err:
					default:
					}
					return
				}
			}
		}()
	}
	return <-failed
}

func request(s *sqlite.Store, say func(string) error, id string, rnd *rand.Rand) error {
	ctx := context.Background()
	held := rnd.IntN(crashHold + 1)
	if _, err := s.Reserve(ctx, billing.Hold{ID: id, Account: "a", Credits: held, TTL: crashTTL}); err != nil {
		return err
	}
	switch n := rnd.IntN(10); {
	case n == 0: // never settled
		return nil
	case n < 8:
		used := rnd.IntN(held + 1)
		if _, err := s.Settle(ctx, id, used); err != nil {
			return err
		}
		if n < 7 {
			return say(fmt.Sprintf("settled %s %d", id, used))
		}
	}
	if _, err := s.Refund(ctx, id); err != nil {
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
	said, promised, inFlight := 0, 0, 0
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
			})
		}
		wg.Wait()
		said += len(lines)
		promised += settledIn(t, lines)
		inFlight += (1 + round%2) * crashWorkers * crashHold
		// What was spent without a word of it are the calls that a kill cut off.
		if spent := checkAfterKill(t, path, lines); spent < promised || spent > promised+inFlight {
			t.Errorf("%d credits are spent; %d were promised, and calls of at most %d were cut off", spent, promised, inFlight)
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
	now := time.Now()
	s := open(t, path, time.Now)
	storetest.Account(t, s, now, "a", billing.Developer)
	for i := range 5 {
		g := billing.Grant{Account: "a", Source: billing.PackCredits, Reference: fmt.Sprint(i), Amount: crashCredits / 5, Granted: now}
		if _, _, err := s.Grant(t.Context(), g); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return path
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

// settledIn adds up what the lines say is settled.
func settledIn(t *testing.T, lines []string) (credits int) {
	t.Helper()
	for _, line := range lines {
		if word := strings.Fields(line); word[0] == "settled" {
			used, err := strconv.Atoi(word[2])
			if err != nil {
				t.Fatal(err)
			}
			credits += used
		}
	}
	return credits
}

// checkAfterKill returns what is spent.
func checkAfterKill(t *testing.T, path string, lines []string) (spent int) {
	t.Helper()
	clock := time.Now
	s, err := sqlite.Open(t.Context(), path, sqlite.Options{
		Pepper: storetest.Pepper(), Now: func() time.Time { return clock().Add(2 * crashTTL) }, // every hold is past its time
	})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Audit(t.Context()); err != nil {
		t.Error(err)
	}
	if _, err := s.Sweep(t.Context()); err != nil {
		t.Error(err)
	}
	if err := s.Audit(t.Context()); err != nil {
		t.Error(err)
	}
	b, err := s.Balance(t.Context(), "a")
	if err != nil {
		t.Fatal(err)
	}
	history, err := s.History(t.Context(), "a", time.UnixMilli(0))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range history {
		if e.Kind == billing.Spent {
			spent += e.Credits
		}
	}
	if b.Held != 0 || b.Available+spent != crashCredits {
		t.Errorf("%d available, %d held, %d spent; want 0 held and %d in all", b.Available, b.Held, spent, crashCredits)
	}
	for _, line := range lines {
		word := strings.Fields(line)
		switch word[0] {
		case "settled":
			used, err := strconv.Atoi(word[2])
			if err != nil {
				t.Fatal(err)
			}
			// Settling again with the same number is only right when it is settled.
			if r, err := s.Settle(t.Context(), word[1], used); err != nil || r.Credits != used {
				t.Errorf("%s: the file says %+v, %v", line, r, err)
			}
		case "refunded":
			if r, err := s.Refund(t.Context(), word[1]); err != nil || r.Credits != 0 {
				t.Errorf("%s: the file says %+v, %v", line, r, err)
			}
		}
	}
	return spent
}
