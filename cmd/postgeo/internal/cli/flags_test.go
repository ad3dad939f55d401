package cli_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli"
)

// rightUse is a right command line of every command, divided at "|". A flag
// under test that is in it is taken out.
var rightUse = map[string]string{
	"lookup": "90210", "suggest": "bev", "address": "350 5th Ave New York NY 10118", "distance": "90210|10001", "geocode": "350 5th Ave New York NY 10118", "reverse": "40.7484,-73.9857",
	"radius": "90210|--max|5", "nearest": "90210", "inside": "-", "codes-in": "county|06037", "neighbors": "90210", "crosswalk": "zip|county",
	"boundary": "90210", "map": "90210", "acs fields": "", "acs profile": "90210", "acs series": "90210|--field|" + income,
	"acs aggregate": "--codes|90210|--field|" + income, "acs compare": "90210|10001|--field|" + income, "enrich": "-|--add|city",
	"export codes": "", "export acs": "", "export areas": "zip", "serve": "",
	"dataset pull": ".|--trust|key.pub|-o|x.db", "dataset publish": "a.db|--key|key|--to|site", "dataset key new": "-o|key",
	"dataset build": "-o|x.db|--mirror|.|--cache|.", "dataset add": "-o|x.db|--layer|a=rows.csv", "dataset add --output": "rows.csv|--layer|a=rows.csv", "dataset info": "", "dataset verify": "", "dataset doctor": "", "dataset check": "--mirror|.|--cache|.", "dataset diff": "a|b", "version": "", "completion": "bash",
	"account create": "", "account list": "", "account show": "ACCOUNT", "account suspend": "ACCOUNT", "account resume": "ACCOUNT", "account plan": "ACCOUNT|free", "account backup": "copy.db",
	"key create": "--account|ACCOUNT", "key list": "ACCOUNT", "key show": "KEY", "key rotate": "KEY", "key deactivate": "KEY", "key activate": "KEY",
	"key allow": "KEY", "credits grant": "ACCOUNT|--source|pack|--amount|5", "credits balance": "ACCOUNT", "credits history": "ACCOUNT", "credits refunds": "", "credits audit": "",

	// Where a flag needs others beside it.
	"address --street": "", "address --unit": "", "address --city": "", "address --state": "", "address --zip": "", "address --country": "",
	"acs aggregate --around": "--radius|5|--field|" + income,
	"apportion":              "-|zip|county", "acs aggregate --radius": "--around|90210|--field|" + income, "acs aggregate --polygon": "--field|" + income,
	"enrich --key": "-|--add|city", "enrich --lat": "-|--add|city|--lon|zip", "enrich --lon": "-|--add|city|--lat|zip",
	"serve --demo-key": "--accounts|accounts.db", "serve --limits": "--accounts|accounts.db",
	"serve --trusted-proxies": "--accounts|accounts.db", "serve --pepper-file": "--accounts|accounts.db",
	"enrich --columns": "--list-fields", "enrich --format": "--list-fields",
	"dataset build --zip4-points": "-o|x.db|--mirror|.|--usps-zip4|rows.csv", "dataset build --zip-polygons": "-o|x.db|--mirror|.|--layers|boundaries",
}

// TestEveryFlag gives nonsense to every flag of every command. The output stays safe to
// show, and a usage error names the flag or its value.
func TestEveryFlag(t *testing.T) {
	skipShort(t)
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{"rows.csv": "a\nb\n", "rents.csv": "zip,rent\n90210,3000\n"} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	if r := (world{dataDir: dir}).run("dataset", "key", "new", "-o", filepath.Join(dir, "key")); r.code != cli.Done {
		t.Fatal(r)
	}
	account := told(t, "account", "account", "create", "--accounts", filepath.Join(dir, "accounts.db"))
	key := told(t, "id", "key", "create", "--account", account, "--accounts", filepath.Join(dir, "accounts.db"))
	fill := strings.NewReplacer("ACCOUNT", account, "KEY", key)
	for _, flag := range cli.ValueFlags() {
		command, name, _ := strings.Cut(flag, " --")
		t.Run(flag, func(t *testing.T) {
			right, ok := rightUse[flag]
			if !ok {
				right, ok = rightUse[command]
			}
			if !ok {
				t.Fatalf("no right use of %s is known here; add one to rightUse", command)
			}
			args := strings.Fields(command)
			words := strings.Split(fill.Replace(right), "|")
			for i := 0; i < len(words); i++ {
				if words[i] == "--"+name || words[i] == "-o" && name == "output" {
					i++
				} else if words[i] != "" {
					args = append(args, words[i])
				}
			}
			nonsense := "no such " + flag + "/value:x\x1b[31m\u202e" // flags share no file by accident
			switch name {
			case "demo-key":
				nonsense = "no such key"
			case "name", "reference": // they refuse control characters
				nonsense = strings.ReplaceAll(nonsense, "\x1b", "")
			}
			w := world{stdin: "zip\n90210\n", dataDir: dir}
			if command == "inside" {
				w.stdin = `{"type":"Polygon","coordinates":[[[-118.5,34],[-118.3,34],[-118.3,34.2],[-118.5,34]]]}`
			}
			r := w.run(append(args, "--"+name+"="+nonsense)...)
			checkShown(t, "stderr", r.stderr)
			checkShown(t, "stdout", r.stdout)
			said := strings.ReplaceAll(r.stderr, `\"`, `"`)
			named := strings.Contains(said, "no such") || strings.Contains(said, "--"+name) || strings.Contains(said, "-o ") || strings.Contains(said, "(secret, ")
			if r.code == cli.Misuse && !named {
				t.Errorf("%v; want the flag or its value in the error", r)
			}
		})
	}
}
