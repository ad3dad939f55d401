package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli"
)

func writeConfig(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "postgeo.json")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// A flag counts before the environment, that before the file, that before the
// default; secrets and passwords are not shown.
func TestConfigShow(t *testing.T) {
	demo := strings.Repeat("d", 32)
	t.Setenv("HOME", "/home/me")
	path := writeConfig(t, `{"listen": "127.0.0.1:1", "private-listen": "127.0.0.1:2", "limit-processes": 3, "limits": "redis://:hidden@cache.example:6379/0",
		"trusted-proxies": ["10.0.0.0/8", "192.0.2.1"], "accounts-strict": true, "pepper-file": "pepper", "demo-key": "`+demo+`"}`)
	w := world{vars: map[string]string{
		"POSTGEO_PRIVATE_LISTEN": "127.0.0.1:3", "POSTGEO_ACCOUNTS": "postgres://me:hidden@db.example/x?sslpassword=hidden", "POSTGEO_LISTEN": "127.0.0.1:4",
		"POSTGEO_PEPPER": "hidden",
	}}
	r := w.run("config", "show", "--config", path, "--listen", "127.0.0.1:5", "--data=~/served.db", "--format", "json")
	if r.code != cli.Done {
		t.Fatal(r)
	}
	if strings.Contains(r.stdout+r.stderr, "hidden") || strings.Contains(r.stdout, demo) {
		t.Errorf("a secret is shown:\n%s", r.stdout)
	}
	var got []struct{ Setting, Value, From string }
	if err := json.Unmarshal([]byte(r.stdout), &got); err != nil {
		t.Fatal(err)
	}
	shown := map[string]string{}
	for _, s := range got {
		shown[s.Setting] = s.Value + " | " + strings.TrimPrefix(s.From, filepath.Dir(path)+"/")
	}
	want := map[string]string{
		"listen":              "127.0.0.1:5 | --listen",
		"private-listen":      "127.0.0.1:3 | POSTGEO_PRIVATE_LISTEN",
		"open":                " | default",
		"accounts":            "postgres://me:xxxxx@db.example/x?sslpassword=xxxxx | POSTGEO_ACCOUNTS",
		"pepper-file":         filepath.Join(filepath.Dir(path), "pepper") + " | postgeo.json:2: pepper-file",
		"accounts-strict":     "true | postgeo.json:2: accounts-strict",
		"demo-key":            "(secret) | postgeo.json:2: demo-key",
		"limits":              "redis://:xxxxx@cache.example:6379/0 | postgeo.json:1: limits",
		"limit-processes":     "3 | postgeo.json:1: limit-processes",
		"trusted-proxies":     "10.0.0.0/8,192.0.2.1 | postgeo.json:2: trusted-proxies",
		"request-timeout":     "20s | default",
		"read-header-timeout": "5s | default",
		"read-timeout":        "15s | default",
		"write-timeout":       "45s | default",
		"idle-timeout":        "120s | default",
		"drain-timeout":       "20s | default",
		"min-rate":            "16 | default",
		"max-waiting":         "2048 | default",
		"memory-limit":        " | default",
		"max-header":          "32 | default",
		"pull":                " | default",
		"pull-name":           "all | default",
		"trust":               " | default",
		"every":               "24h | default",
		"site-url":            " | default",
		"account-url":         " | default",
		"pricing-url":         " | default",
		"docs-url":            " | default",
		"data":                "/home/me/served.db | --data",
		"acs-memory":          "64 | default",
	}
	if diff := cmp.Diff(want, shown); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Whoever says with more weight that nobody is asked for a key, or where the
// accounts are, has it.
func TestConfigOpen(t *testing.T) {
	for _, tt := range []struct {
		name string
		args []string
		env  map[string]string
		file string
		want string // accounts, open
	}{
		{"flag against environment", []string{"--open"}, map[string]string{"POSTGEO_ACCOUNTS": "a.db"}, `{}`, ",true"},
		{"flag against file", []string{"--accounts", "a.db"}, nil, `{"open": true}`, "a.db,"},
		{"environment against file", nil, map[string]string{"POSTGEO_OPEN": "1"}, `{"accounts": "a.db"}`, ",true"},
		{"both in the file", nil, nil, `{"accounts": "a.db", "open": true}`, "a.db,true"},
		{"closed in the file", nil, nil, `{"accounts": "a.db", "open": false}`, "a.db,"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := world{vars: tt.env}.run(append([]string{"config", "show", "--format", "json", "--config", writeConfig(t, tt.file)}, tt.args...)...)
			var got []struct{ Setting, Value string }
			if err := json.Unmarshal([]byte(r.stdout), &got); err != nil {
				t.Fatal(r)
			}
			value := map[string]string{}
			for _, s := range got {
				value[s.Setting] = s.Value
			}
			if got := value["accounts"] + "," + value["open"]; got != tt.want {
				t.Errorf("%s; want %s", got, tt.want)
			}
		})
	}
}

// What is wrong is told with the place, the value and what was expected, all
// of it at once.
func TestConfigWrong(t *testing.T) {
	for _, tt := range []struct {
		name, file string
		env        map[string]string
		args       []string
		code       int
		says       []string
	}{
		{"values", `{"listen": 8080, "limit-processes": "many",
			"trusted-proxies": ["10.0.0.0/33"],
			"demo-key": "hidden", "open": "perhaps", "acs-memory": -1}`, map[string]string{"POSTGEO_PRIVATE_LISTEN": "x"}, []string{"--limits", "memcached://x"}, cli.Misuse, []string{
			`postgeo.json:1: invalid listen "8080": must be HOST:PORT`, `postgeo.json:1: invalid limit-processes "many": must be a whole number from 1`,
			`postgeo.json:2: invalid trusted-proxies "10.0.0.0/33": must be addresses and networks`, `postgeo.json:3: invalid demo-key (secret, 6 characters): must be 16 to 64 printable ASCII characters`,
			`postgeo.json:3: invalid acs-memory "-1": must be MiB, a whole number from 0 to 1048576`,
			`postgeo.json:3: invalid open "perhaps": must be true or false`, `invalid POSTGEO_PRIVATE_LISTEN "x": must be HOST:PORT`, `invalid --limits "memcached://x": must be memory, redis://`,
		}},
		{"pages", `{"site-url": "example.com", "docs-url": "javascript:alert(1)", "pricing-url": "https://", "account-url": "/account"}`, nil, nil, cli.Misuse, []string{
			`invalid site-url "example.com": must be the address of a page`, `invalid docs-url "javascript:alert(1)"`, `invalid pricing-url "https:`,
		}},
		{"times", `{"read-timeout": "fast", "idle-timeout": "-3s", "drain-timeout": 20, "request-timeout": "2h", "max-waiting": 0, "memory-limit": "64MB", "max-header": "1 MiB"}`, nil, nil, cli.Misuse, []string{
			`invalid read-timeout "fast": must be a duration from 100ms to 1h`, `invalid idle-timeout "-3s": must be a duration`, `invalid drain-timeout "20": must be a duration`,
			`invalid request-timeout "2h"`, `invalid max-waiting "0": must be a whole number from 1`, `invalid memory-limit "64MB": must be at least 128MiB`, `invalid max-header "1 MiB": must be KiB`,
		}},
		{"times together", `{"request-timeout": "60s"}`, nil, nil, cli.Misuse, []string{`--write-timeout 45s must be longer than --request-timeout 60s`}},
		{"one address for two", `{"private-listen": "127.0.0.1:8080"}`, nil, nil, cli.Misuse, []string{`--listen and --private-listen are both 127.0.0.1:8080`}},
		{"names", "{\n\"private_listen\": \"x\",\n\"colour\": 1, \"lisen\": \"y\",\n\"listen\": 3}", nil, nil, cli.Misuse, []string{
			`postgeo.json:2: unknown setting "private_listen"; did you mean "private-listen"?`, `postgeo.json:3: unknown setting "colour"; available: listen, `,
			`postgeo.json:3: unknown setting "lisen"; did you mean "listen"?`, `postgeo.json:4: invalid listen "3"`,
		}},
		{"twice", "{\"listen\": \"127.0.0.1:1\",\n\"listen\": \"127.0.0.1:2\"}", nil, nil, cli.Misuse, []string{"postgeo.json:2: listen is set twice"}},
		{"an object", `{"listen": {"port": 1}}`, nil, nil, cli.Misuse, []string{"postgeo.json:1: listen must be a string"}},
		{"no JSON", `listen: 1`, nil, nil, cli.Misuse, []string{"postgeo.json:1: must be a JSON object"}},
		{"cut off", "{\"listen\": \"127.0.0.1:1\",\n\"max-header\": \"x\"\n", nil, nil, cli.Misuse, []string{"postgeo.json:2: invalid JSON at byte 43"}},
		{"a comma", "{\n\"listen\": \"127.0.0.1:1\"\n\"max-header\": \"x\"}", nil, nil, cli.Misuse, []string{"invalid JSON at byte "}},
		{"an end too many", `{"listen": "127.0.0.1:1"}}`, nil, nil, cli.Misuse, []string{"postgeo.json:1: invalid JSON"}},
		{"more behind", `{} {}`, nil, nil, cli.Misuse, []string{"postgeo.json:1: invalid JSON"}},
		{"both", `{"open": true, "accounts": "a.db"}`, nil, nil, cli.Misuse, []string{"--open and --accounts exclude each other"}},
		{"neither", `{"listen": "0.0.0.0:80"}`, nil, nil, cli.Misuse, []string{"is reachable from other machines"}},
		{"a socket", `{"listen": "systemd"}`, nil, nil, cli.Misuse, []string{"--listen is a socket"}},
		{"no accounts", `{"accounts": "/nowhere/a.db"}`, nil, nil, cli.Failed, []string{"no accounts in /nowhere/a.db"}},
		{"no dataset", `{"data": "none.db"}`, nil, nil, cli.Failed, []string{"none.db"}},
		{"dataset and accounts", `{"data": "none.db", "accounts": "/nowhere/a.db"}`, nil, nil, cli.Failed, []string{"none.db does not exist", "no accounts in /nowhere/a.db"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := world{vars: tt.env}.run(append([]string{"config", "check", "--config", writeConfig(t, tt.file)}, tt.args...)...)
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
	r := world{}.run("config", "check", "--config", writeConfig(t, `{"listen": "0.0.0.0:80", "accounts": "a.db`))
	if r.code != cli.Misuse || r.stdout != "" || strings.Count(r.stderr, "\n") != 1 {
		t.Errorf("more than that it ends early: %v", r)
	}
	r = world{}.run("config", "check", "--config", "/nowhere/postgeo.json")
	if r.code != cli.Misuse || !strings.Contains(r.stderr, `configuration /nowhere/postgeo.json not found; write one such as {"listen": "127.0.0.1:8080"}`) {
		t.Errorf("a file that is not there: %v", r)
	}
}

// The configuration that is packaged is one.
func TestConfigPackaged(t *testing.T) {
	r := world{}.run("config", "show", "--config", "../../../../packaging/postgeo.json", "--format", "csv")
	if r.code != cli.Done || !strings.Contains(r.stdout, "accounts,/var/lib/postgeo/accounts.db,") {
		t.Error(r)
	}
}

// A right configuration is opened as the server would open it.
func TestConfigCheck(t *testing.T) {
	dir := t.TempDir()
	accounts := filepath.Join(dir, "accounts.db")
	if r := (world{}).run("account", "create", "--plan", "free", "--accounts", accounts); r.code != cli.Done {
		t.Fatal(r)
	}
	r := world{vars: map[string]string{"POSTGEO_CONFIG": writeConfig(t, `{"accounts": `+quoted(accounts)+`, "listen": "0.0.0.0:80"}`)}}.run("config", "check")
	if r.code != cli.Done || !strings.Contains(r.stdout, "accounts: 1 in "+accounts+"\nlimits: memory\nthe configuration is valid\n") ||
		!strings.Contains(r.stdout, "callers: 0.0.0.0:80; API keys required, accounts in "+accounts+", requests counted in memory\n") {
		t.Error(r)
	}
}

func quoted(s string) string {
	b, _ := json.Marshal(s) // of a string
	return string(b)
}
