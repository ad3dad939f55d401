package cli_test

import (
	"bytes"
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
	path := writeConfig(t, `{"listen": "127.0.0.1:1", "private-listen": "127.0.0.1:2", "limit-processes": 3, "limits": "redis://:hidden@cache.example:6379/0",
		"trusted-proxies": ["10.0.0.0/8", "192.0.2.1"], "accounts-strict": true, "pepper-file": "pepper", "demo-key": "`+demo+`"}`)
	w := world{vars: map[string]string{
		"POSTGEO_PRIVATE_LISTEN": "127.0.0.1:3", "POSTGEO_ACCOUNTS": "postgres://me:hidden@db.example/x?sslpassword=hidden", "POSTGEO_LISTEN": "127.0.0.1:4",
		"POSTGEO_PEPPER": "hidden",
	}}
	r := w.run("config", "show", "--config", path, "--listen", "127.0.0.1:5", "--format", "json")
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
		"listen":          "127.0.0.1:5 | --listen",
		"private-listen":  "127.0.0.1:3 | POSTGEO_PRIVATE_LISTEN",
		"open":            " | default",
		"accounts":        "postgres://me:xxxxx@db.example/x?sslpassword=xxxxx | POSTGEO_ACCOUNTS",
		"pepper-file":     filepath.Join(filepath.Dir(path), "pepper") + " | postgeo.json: pepper-file",
		"accounts-strict": "true | postgeo.json: accounts-strict",
		"demo-key":        "(secret) | postgeo.json: demo-key",
		"limits":          "redis://:xxxxx@cache.example:6379/0 | postgeo.json: limits",
		"limit-processes": "3 | postgeo.json: limit-processes",
		"trusted-proxies": "10.0.0.0/8,192.0.2.1 | postgeo.json: trusted-proxies",
		"site-url":        " | default",
		"account-url":     " | default",
		"pricing-url":     " | default",
		"docs-url":        " | default",
		"data":            " | default",
		"acs-memory":      "64 | default",
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
		{"values", `{"listen": 8080, "limit-processes": "many", "trusted-proxies": ["10.0.0.0/33"], "demo-key": "hidden", "open": "perhaps", "acs-memory": -1}`, map[string]string{"POSTGEO_PRIVATE_LISTEN": "x"}, []string{"--limits", "memcached://x"}, cli.WrongUse, []string{
			`postgeo.json: listen is "8080"; expected HOST:PORT`, `postgeo.json: limit-processes is "many"; expected a whole number from 1`,
			`postgeo.json: trusted-proxies is "10.0.0.0/33"; expected addresses and networks`, `postgeo.json: demo-key is secret, of 6 characters; expected 32 characters`,
			`postgeo.json: acs-memory is "-1"; expected MiB, a whole number from 0 to 1048576`,
			`postgeo.json: open is "perhaps"; expected true or false`, `POSTGEO_PRIVATE_LISTEN is "x"; expected HOST:PORT`, `--limits is "memcached://x"; expected memory, redis://`,
		}},
		{"pages", `{"site-url": "example.com", "docs-url": "javascript:alert(1)", "pricing-url": "https://", "account-url": "/account"}`, nil, nil, cli.WrongUse, []string{
			`site-url is "example.com"; expected the address of a page`, `docs-url is "javascript:alert(1)"`, `pricing-url is "https:`,
		}},
		{"names", `{"private_listen": "x", "colour": 1}`, nil, nil, cli.WrongUse, []string{`no setting "private_listen", but "private-listen"`, `no setting "colour"; expected one of listen, `}},
		{"twice", `{"listen": "127.0.0.1:1", "listen": "127.0.0.1:2"}`, nil, nil, cli.WrongUse, []string{"listen is there twice"}},
		{"an object", `{"listen": {"port": 1}}`, nil, nil, cli.WrongUse, []string{"listen is neither a text nor"}},
		{"no JSON", `listen: 1`, nil, nil, cli.WrongUse, []string{"postgeo.json: expected a JSON object"}},
		{"cut off", `{"listen": "127.0.0.1:1"`, nil, nil, cli.WrongUse, []string{"postgeo.json: no JSON at byte 24"}},
		{"more behind", `{} {}`, nil, nil, cli.WrongUse, []string{"something follows"}},
		{"both", `{"open": true, "accounts": "a.db"}`, nil, nil, cli.WrongUse, []string{"--open asks nobody for a key and --accounts everybody"}},
		{"neither", `{"listen": "0.0.0.0:80"}`, nil, nil, cli.WrongUse, []string{"neither --open nor --accounts"}},
		{"no accounts", `{"accounts": "/nowhere/a.db"}`, nil, nil, cli.Failed, []string{"no accounts in /nowhere/a.db"}},
		{"no dataset", `{"data": "none.db"}`, nil, nil, cli.Failed, []string{"none.db"}},
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
	r := world{}.run("config", "check", "--config", "/nowhere/postgeo.json")
	if r.code != cli.WrongUse || !strings.Contains(r.stderr, "/nowhere/postgeo.json") {
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
	if r.code != cli.Done || !strings.Contains(r.stdout, "accounts: "+accounts+", 1\nlimits: memory\nthe configuration is right\n") {
		t.Error(r)
	}
}

func quoted(s string) string {
	b, _ := json.Marshal(s) // of a string
	return string(b)
}

// Whatever a configuration has, nothing panics, and what is read is settings.
func FuzzSettings(f *testing.F) {
	for _, text := range []string{`{}`, `{"listen":"x","open":true,"limit-processes":3,"trusted-proxies":["a"]}`, `{"listen":{}}`, `{"a":1}`, `[`, "\ufeff{}", `{"listen":"x"`, `{"listen":1e999}`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		values, err := cli.ParseSettings(data)
		if err == nil && !json.Valid(bytes.TrimPrefix(data, []byte("\ufeff"))) {
			t.Errorf("%q was read as %v", data, values)
		}
	})
}
