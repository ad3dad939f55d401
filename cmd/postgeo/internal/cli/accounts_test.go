package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli"
)

// answer runs a command that has to succeed and returns its JSON, with what
// differs from run to run replaced.
func answer[T any](t *testing.T, w world, args ...string) T {
	t.Helper()
	r := w.run(append(args, "--format", "json")...)
	var v T
	if r.code != cli.Done {
		t.Fatalf("%s: %v", args, r)
	}
	if err := json.Unmarshal([]byte(r.stdout), &v); err != nil {
		t.Fatalf("%s: %v in %s", args, err, r.stdout)
	}
	return v
}

type object = map[string]any

var moment = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$`)

// differs checks that a value is a time or matches a pattern, and replaces it.
func differs(t *testing.T, o object, key string, pattern *regexp.Regexp) string {
	t.Helper()
	s, _ := o[key].(string)
	if !pattern.MatchString(s) {
		t.Errorf("%s is %q; want %s", key, s, pattern)
	}
	o[key] = "*"
	return s
}

func equal(t *testing.T, want, got any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

var (
	accountID = regexp.MustCompile(`^acct_[0-9a-z]{16}$`)
	keyID     = regexp.MustCompile(`^key_[0-9a-z]{12}$`)
	liveKey   = regexp.MustCompile(`^pg_live_[0-9a-z]{24}$`)
)

// The way of an account from its creation to its end.
func TestAccounts(t *testing.T) {
	file := filepath.Join(t.TempDir(), "new", "accounts.db")
	w := world{vars: map[string]string{"POSTGEO_ACCOUNTS": file}}

	r := w.run("account", "create", "--plan", "business", "--name", "Köln & Co.", "--format", "json")
	if r.code != cli.Done || !regexp.MustCompile(`^\{"account":"acct_[0-9a-z]{16}"\}\n$`).MatchString(r.stdout) || !strings.Contains(r.stderr, file+".pepper") {
		t.Fatalf("account create: %v", r)
	}
	id := r.stdout[len(`{"account":"`) : len(`{"account":"`)+21]

	created := answer[object](t, w, "key", "create", "--account", id, "--kind", "live", "--name", "web", "--scope", "debug,debug", "--ip", "192.0.2.0/24,198.51.100.1", "--origin", "https://*.example.com", "--expires", "90d")
	secret := differs(t, created, "key", liveKey)
	key := differs(t, created, "id", keyID)
	equal(t, object{"key": "*", "id": "*"}, created)

	pack := answer[object](t, w, "credits", "grant", id, "--source", "pack", "--amount", "25000")
	differs(t, pack, "reference", regexp.MustCompile(`^pack [0-9A-Z]{26}$`))
	equal(t, object{"account": id, "source": "pack", "amount": 25000.0, "reference": "*", "granted": true, "available": 25000.0}, pack)
	for _, given := range []bool{true, false} {
		sub := answer[object](t, w, "credits", "grant", id, "--source", "subscription")
		differs(t, sub, "expires", moment)
		differs(t, sub, "reference", regexp.MustCompile(`^\d{4}-\d\d-\d\d$`))
		equal(t, object{"account": id, "source": "subscription", "amount": 1.5e6, "reference": "*", "expires": "*", "granted": given, "available": 1_525_000.0}, sub)
	}
	for _, given := range []bool{true, false} {
		got := answer[object](t, w, "credits", "grant", id, "--source", "pack", "--amount", "10", "--reference", "invoice 7")
		equal(t, object{"account": id, "source": "pack", "amount": 10.0, "reference": "invoice 7", "granted": given, "available": 1_525_010.0}, got)
	}
	funds := object{"available": 1_525_010.0, "held": 0.0, "free_daily": 0.0, "subscription": 1.5e6, "pack": 25_010.0}
	equal(t, funds, answer[object](t, w, "account", "show", id)["credits"])
	funds["account"], funds["plan"] = id, "business"
	equal(t, funds, answer[object](t, w, "credits", "balance", id))

	rotated := answer[object](t, w, "key", "rotate", key, "--grace", "1h")
	newSecret := differs(t, rotated, "key", liveKey)
	newKey := differs(t, rotated, "id", keyID)
	differs(t, rotated, "old_valid_until", moment)
	equal(t, object{"key": "*", "id": "*", "replaces": key, "old_valid_until": "*"}, rotated)

	keys := answer[[]object](t, w, "key", "list", id)
	for _, k := range keys {
		for _, name := range []string{"created", "expires"} {
			differs(t, k, name, moment)
		}
	}
	wantKey := func(id2, state, secret string) object {
		return object{
			"id": id2, "account": id, "kind": "live", "shown": secret[:12] + "…", "state": state, "name": "web", "scopes": []any{"debug"},
			"created": "*", "expires": "*", "ips": []any{"192.0.2.0/24", "198.51.100.1"}, "origins": []any{"https://*.example.com"},
		}
	}
	equal(t, []object{wantKey(key, "rotating", secret), wantKey(newKey, "active", newSecret)}, keys)
	equal(t, "rotating", answer[object](t, w, "key", "show", key)["state"])

	k := answer[object](t, w, "key", "allow", newKey, "--ip", "2001:db8::/32")
	equal(t, []any{"2001:db8::/32"}, k["ips"])
	equal(t, nil, k["origins"])
	equal(t, "inactive", answer[object](t, w, "key", "deactivate", newKey)["state"])
	equal(t, "active", answer[object](t, w, "key", "activate", newKey)["state"])

	equal(t, "suspended", answer[object](t, w, "account", "suspend", id)["state"])
	equal(t, "active", answer[object](t, w, "account", "resume", id)["state"])
	for _, args := range []string{"plan " + id + " developer"} {
		a := answer[object](t, w, append([]string{"account"}, strings.Fields(args)...)...)
		equal(t, [2]any{"developer", 100_000.0}, [2]any{a["plan"], a["monthly_credits"]})
	}
	page := answer[object](t, w, "account", "show", id)
	equal(t, [3]any{"Köln & Co.", 300.0, 5.0}, [3]any{page["name"], page["rate_per_minute"], page["max_keys"]})
	if list := answer[[]object](t, w, "account", "list"); len(list) != 1 || list[0]["account"] != id {
		t.Errorf("account list: %v", list)
	}
	if history := answer[[]object](t, w, "credits", "history", id, "--since", "1d"); len(history) != 3 {
		t.Errorf("credits history: %v", history)
	}
	equal(t, object{"file": file, "ok": true, "released": 0.0}, answer[object](t, w, "credits", "audit"))

	// A key is in no file and no output but the one that made it.
	files, err := filepath.Glob(file + "*")
	if err != nil || len(files) < 2 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		data, err := os.ReadFile(f)
		check(t, err)
		for _, s := range []string{secret, newSecret} {
			if strings.Contains(string(data), s[13:]) {
				t.Errorf("%s holds a key", filepath.Base(f))
			}
		}
	}
}

// A backup is one file for its owner, opens with the pepper, and replaces nothing.
func TestAccountBackup(t *testing.T) {
	dir := t.TempDir()
	file, backup := filepath.Join(dir, "accounts.db"), filepath.Join(dir, "copy.db")
	w := world{vars: map[string]string{"POSTGEO_ACCOUNTS": file}}
	id := answer[struct{ Account string }](t, w, "account", "create").Account
	made := answer[struct {
		File  string
		Bytes int64
	}](t, w, "account", "backup", backup)
	info, err := os.Stat(backup)
	if err != nil || info.Mode().Perm() != 0o600 || made.File != backup || made.Bytes != info.Size() {
		t.Fatalf("%+v, %v, %v", made, info, err)
	}
	if _, err := os.Stat(backup + "-wal"); err == nil {
		t.Error("the backup has a log")
	}
	got := answer[[]object](t, w, "account", "list", "--accounts", backup, "--pepper-file", file+".pepper")
	if len(got) != 1 || got[0]["account"] != id {
		t.Errorf("the backup has %v; want %s", got, id)
	}
	if r := w.run("account", "backup", backup); r.code == cli.Done || !strings.Contains(r.stderr, "file exists") {
		t.Errorf("over a file: %v", r)
	}
}

func writeConfig(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "postgeo.json")
	check(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// newAccounts creates accounts in a file.
func newAccounts(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "accounts.db")
	if r := (world{}).run("account", "create", "--plan", "free", "--accounts", path); r.code != cli.Done {
		t.Fatal(r)
	}
	return path
}

func quoted(s string) string {
	b, _ := json.Marshal(s) // of a string
	return string(b)
}
