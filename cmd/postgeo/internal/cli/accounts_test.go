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
	check(t, os.WriteFile(pepper, []byte("a pepper of this test, long enough\n"), 0o600))
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

func writeConfig(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "postgeo.json")
	check(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// TestConfigWrong requires one error that names the place, the value and the expected form of
// every wrong setting.
func TestConfigWrong(t *testing.T) {
	for _, tt := range []struct {
		name, file string
		env        map[string]string
		args       []string
		code       int
		says       []string
	}{
		{"values", `{"limit-processes": "many", "trusted-proxies": ["10.0.0.0/33"], "demo-key": "hidden", "acs-memory": -1}`, map[string]string{"POSTGEO_OPEN": "perhaps"}, nil, cli.Misuse, []string{
			`postgeo.json: limit-processes: invalid limit-processes "many": must be a whole number from 1`, `invalid trusted-proxies "10.0.0.0/33": must be addresses and networks`,
			`invalid acs-memory "-1": must be MiB, a whole number from 0 to 1048576`, `POSTGEO_OPEN: invalid open "perhaps": must be true or false`,
		}},
		{"times", `{"read-timeout": "fast", "idle-timeout": "-3s", "drain-timeout": 20, "request-timeout": "2h", "max-waiting": 0, "memory-limit": "64MiB", "max-header": "1 MiB"}`, nil, nil, cli.Misuse, []string{
			`invalid read-timeout "fast": must be a duration from 100ms to 1h`, `invalid idle-timeout "-3s": must be a duration`, `invalid drain-timeout "20": must be a duration`,
			`invalid request-timeout "2h"`, `invalid max-waiting "0": must be a whole number from 1`, `invalid memory-limit "64MiB": must be at least 128MiB`, `invalid max-header "1 MiB": must be KiB`,
		}},
		{"addresses", `{"listen": 8080}`, nil, nil, cli.Misuse, []string{`invalid --listen "8080"`}},
		{"accounts", `{"accounts": "mysql://me:hidden@x"}`, nil, nil, cli.Misuse, []string{`invalid --accounts mysql://…`}},
		{"secrets", `{"limits": "http://me:hidden@x", "demo-key": "hidden"}`, nil, nil, cli.Misuse, []string{`postgeo.json: limits: redis: invalid address`, `postgeo.json: demo-key: demo key of 6 bytes`}},
		{"pages", `{"site-url": "example.com", "docs-url": "javascript:alert(1)", "pricing-url": "https://", "account-url": "/account"}`, nil, nil, cli.Misuse, []string{
			`postgeo.json: site-url: invalid site-url "example.com": must be the address of a page`, `invalid docs-url "javascript:alert(1)"`, `invalid pricing-url "https:`,
		}},
		{"times together", `{"request-timeout": "60s"}`, nil, nil, cli.Misuse, []string{`--write-timeout 45s must be longer than --request-timeout 1m0s`}},
		{"one address for two", `{"private-listen": "127.0.0.1:8080"}`, nil, nil, cli.Misuse, []string{`--listen and --private-listen are both 127.0.0.1:8080`}},
		{"names", "{\n\"private_listen\": \"x\",\n\"colour\": 1, \"lisen\": \"y\"}", nil, nil, cli.Misuse, []string{
			`postgeo.json: unknown setting "private_listen"`, `postgeo.json: unknown setting "colour"; must be the name of a flag`,
		}},
		{"an object", `{"listen": {"port": 1}}`, nil, nil, cli.Misuse, []string{"postgeo.json: listen must be a string"}},
		{"no JSON", `listen: 1`, nil, nil, cli.Misuse, []string{"postgeo.json: must be a JSON object"}},
		{"cut off", "{\"listen\": \"127.0.0.1:1\",\n\"max-header\": \"x\"\n", nil, nil, cli.Misuse, []string{"postgeo.json: must be a JSON object"}},
		{"null", `null`, nil, nil, cli.Misuse, []string{"it is null"}},
		{"more behind", `{} {}`, nil, nil, cli.Misuse, []string{"postgeo.json: must be a JSON object"}},
		{"both", `{"open": true, "accounts": "a.db"}`, nil, nil, cli.Misuse, []string{"--open and --accounts exclude each other"}},
		{"neither", `{"listen": "0.0.0.0:80"}`, nil, nil, cli.Misuse, []string{"is reachable from other machines"}},
		{"a flag first", `{"listen": "f"}`, map[string]string{"POSTGEO_LISTEN": "e"}, []string{"--listen", "x"}, cli.Misuse, []string{`invalid --listen "x"`}},
		{"then the environment", `{"listen": "f"}`, map[string]string{"POSTGEO_LISTEN": "e"}, nil, cli.Misuse, []string{`invalid --listen "e"`}},
		{"open by flag, accounts by environment", `{}`, map[string]string{"POSTGEO_ACCOUNTS": "/nowhere/a.db", "POSTGEO_DATA": "none.db"}, []string{"--open"}, cli.Failed, []string{"none.db"}},
		{"accounts by flag, open in the file", `{"open": true}`, nil, []string{"--accounts", "/nowhere/a.db"}, cli.Failed, []string{"no accounts in /nowhere/a.db"}},
		{"no pepper", `{"accounts": "postgres://host/x"}`, nil, nil, cli.Misuse, []string{"require a pepper"}},
		{"limits without accounts", `{"limits": "redis://host"}`, nil, nil, cli.Misuse, []string{"require --accounts FILE"}},
		{"proxies without accounts", `{"trusted-proxies": ["10.0.0.0/8"]}`, nil, nil, cli.Misuse, []string{"require --accounts FILE"}},
		{"no accounts", `{"accounts": "/nowhere/a.db"}`, nil, nil, cli.Failed, []string{"no accounts in /nowhere/a.db"}},
		{"no dataset", `{"data": "none.db"}`, nil, nil, cli.Failed, []string{"none.db"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := world{vars: tt.env}.run(append([]string{"serve", "--config", writeConfig(t, tt.file)}, tt.args...)...)
			r.stderr = strings.ReplaceAll(r.stderr, `\"`, `"`)
			if r.code != tt.code || strings.Contains(r.stderr, "hidden") {
				t.Errorf("exit code %d, stderr %s; want %d", r.code, r.stderr, tt.code)
			}
			for _, part := range tt.says {
				if !strings.Contains(r.stderr, part) {
					t.Errorf("it does not say %q but:\n%s", part, r.stderr)
				}
			}
		})
	}
	// What a configuration that ends early would have said is not known.
	r := world{}.run("serve", "--config", writeConfig(t, `{"listen": "0.0.0.0:80", "accounts": "a.db`))
	if r.code != cli.Misuse || r.stdout != "" || strings.Count(r.stderr, "\n") != 1 {
		t.Errorf("more than that it ends early: %v", r)
	}
	r = world{}.run("serve", "--config", "/nowhere/postgeo.json")
	if r.code != cli.Misuse || !strings.Contains(r.stderr, `configuration: open /nowhere/postgeo.json`) {
		t.Errorf("a file that is not there: %v", r)
	}
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
