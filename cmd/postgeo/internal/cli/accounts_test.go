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
		if err != nil {
			t.Fatal(err)
		}
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

func TestAccountsErrors(t *testing.T) {
	dir := t.TempDir()
	w := world{dataDir: dir}
	if r := w.run("account", "list"); r.code != cli.Failed || !strings.Contains(r.stderr, "create the first with 'postgeo account create'") {
		t.Errorf("without accounts: %v", r)
	}
	if r := (world{}).run("account", "create"); r.code != cli.Misuse || !strings.Contains(r.stderr, "--accounts FILE or POSTGEO_ACCOUNTS") {
		t.Errorf("without a folder for them: %v", r)
	}
	id, _ := answer[object](t, w, "account", "create")["account"].(string)
	if !accountID.MatchString(id) {
		t.Fatalf("account %q", id)
	}
	tests := []failure{
		{"account create --plan gold", cli.Misuse, `invalid --plan "gold": must be free, restricted`},
		{"account create --name " + strings.Repeat("x", 201), cli.Misuse, "--name: name of 201 characters; expected at most 200"},
		{"credits grant x --source pack --amount 1 --reference " + strings.Repeat("x", 201), cli.Misuse, "--reference: name of 201 characters"},
		{"account create --monthly-credits 5", cli.Misuse, "and 0 for the plan free"},
		{"account plan x developer --monthly-credits -5", cli.Misuse, "invalid --monthly-credits -5: must be from 0 to"},
		{"key create --account x --ip x", cli.Misuse, `--ip: "x" is not an address`},
		{"account create --accounts mysql://localhost/x", cli.Misuse, "must be a file or postgres://"},
		{"account show acct_0", cli.Failed, `accounts: account not found: "acct_0"; 'postgeo account list' shows the IDs`},
		{"key create --account acct_0", cli.Failed, `account not found: "acct_0"`},
		{"key create --account x --kind root", cli.Misuse, `invalid --kind "root": must be live, test or demo`},
		{"key create --account x --scope root", cli.Misuse, `invalid --scope "root": must be debug`},
		{"key create --account x --expires soon", cli.Misuse, `invalid --expires "soon": must be a duration`},
		{"key create --account x --expires 2020-01-01", cli.Misuse, "must be in the future"},
		{"key deactivate key_0", cli.Failed, `accounts: key not found: "key_0"`},
		{"key rotate key_0 --grace 3000h", cli.Failed, "grace time of 3000h"},
		{"key deactivate pg_live_0123456789abcdefghjkmnpq", cli.Misuse, "use its ID"},
		{"credits grant " + id + " --source pack", cli.Misuse, "invalid --amount 0: must be from 1 to"},
		{"credits grant " + id + " --source free_daily --amount 1", cli.Misuse, "must be pack or subscription"},
		{"credits grant " + id + " --source subscription", cli.Failed, "is not a subscription"},
		{"credits history " + id + " --since yesterday", cli.Misuse, `invalid --since "yesterday": must be`},
	}
	fails(t, w, tests)
	for range 2 {
		answer[object](t, w, "key", "create", "--account", id)
	}
	if r := w.run("key", "create", "--account", id); r.code != cli.Failed || !strings.Contains(r.stderr, "as many keys as its plan allows: 2 on free") {
		t.Errorf("a third key: %v", r)
	}
}

// The pepper is the flag's file, else the variable's text, else the file
// beside the accounts; another one is refused.
func TestPepper(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a.db")
	pepper := filepath.Join(dir, "secret")
	if err := os.WriteFile(pepper, []byte("a pepper of this test, long enough\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	w := world{vars: map[string]string{"POSTGEO_ACCOUNTS": file}}
	answer[object](t, w, "account", "create", "--pepper-file", pepper)
	if _, err := os.Stat(file + ".pepper"); err == nil {
		t.Error("a pepper was made beside the accounts")
	}
	if r := w.run("account", "list"); r.code != cli.Failed || !strings.Contains(r.stderr, "use the original one with --pepper-file or POSTGEO_PEPPER") {
		t.Errorf("without the pepper: %v", r)
	}
	w.vars["POSTGEO_PEPPER"] = "another pepper, long enough as well"
	if r := w.run("account", "list"); r.code != cli.Failed || !strings.Contains(r.stderr, "the pepper is not the one") {
		t.Errorf("with another pepper: %v", r)
	}
	w.vars["POSTGEO_PEPPER"] = "a pepper of this test, long enough"
	if list := answer[[]object](t, w, "account", "list"); len(list) != 1 {
		t.Errorf("with the same pepper: %v", list)
	}
	w.vars["POSTGEO_PEPPER"] = "short"
	if r := w.run("account", "list"); r.code != cli.Failed || !strings.Contains(r.stderr, "pepper of 5 bytes; expected at least 16") {
		t.Errorf("with a short pepper: %v", r)
	}
}
