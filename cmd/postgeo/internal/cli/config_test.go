package cli_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

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
