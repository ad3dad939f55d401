package cli_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli"
)

// parts are the parts of an address.
const parts = "--street|350 5th Ave|--city|New York|--state|NY|--zip|10118"

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
	"address --street": "--zip|10118", "address --unit": parts, "address --city": parts, "address --state": parts, "address --zip": parts, "address --country": parts, "acs aggregate --around": "--radius|5|--field|" + income,
	"apportion": "-|zip|county", "acs aggregate --radius": "--around|90210|--field|" + income, "acs aggregate --polygon": "--field|" + income,
	"enrich --key": "-|--add|city", "enrich --lat": "-|--add|city|--lon|zip", "enrich --lon": "-|--add|city|--lat|zip",
	"serve --demo-key": "--accounts|accounts.db", "serve --limits": "--accounts|accounts.db",
	"serve --trusted-proxies": "--accounts|accounts.db", "serve --pepper-file": "--accounts|accounts.db",
	"enrich --columns": "--list-fields", "enrich --format": "--list-fields",
	"dataset build --zip4-points": "-o|x.db|--mirror|.|--usps-zip4|rows.csv", "dataset build --zip-polygons": "-o|x.db|--mirror|.|--layers|boundaries",
}

// What a text in a flag may be besides right or wrong.
var (
	// files that are read or written: that one is not there is no wrong use,
	// and the error names it.
	fileFlags = strings.Fields("trust new data config accounts pepper-file output svg csv polygon acs cache mirror zip-database zip-polygons " +
		"nearest-from areas-from usps-zip4 usps-city-state usps-delivery-stats zip4-points addrfeat address-points blocks")
	// free texts, of which none is wrong.
	freeFlags = strings.Fields("name reference search word status-column reason-column result")
	// the parts of an address are free texts too.
	addressParts = strings.Fields("street unit city state zip country")
	// what is wrong use whose error names the thing, and not the flag.
	plainFlags = strings.Fields("key text add code lat lon address codes to field layer")
	// what may exist and does not: not found.
	soughtFlags = []string{"account", "version --key", "acs aggregate --around", "dataset publish --key"}
)

// Every flag of every command that is given nonsense says so: which flag it is
// and what it was given, with the exit code for wrong use.
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
			names := strings.Contains(said, "--"+name) || strings.Contains(said, "-o ")
			switch {
			case slices.Contains(freeFlags, name) && flag != "dataset pull --name", command == "address" && slices.Contains(addressParts, name), flag == "dataset build --cache", flag == "dataset add --cache", flag == "dataset check --cache", flag == "dataset publish --to", flag == "account create --accounts": // what is made where it is not
				if r.code == cli.Misuse {
					t.Errorf("a free text was refused: %v", r)
				}
			case slices.Contains(fileFlags, name):
				if r.code == cli.Done || !strings.Contains(said, "no such") && !strings.Contains(said, "does not exist") {
					t.Errorf("%v; want it to fail and to name the file", r)
				}
			case slices.Contains(soughtFlags, name), slices.Contains(soughtFlags, flag):
				if r.code == cli.Done || !strings.Contains(said, "no such") && !strings.Contains(said, "does not exist") {
					t.Errorf("%v; want it not to be found, and named", r)
				}
			case r.code != cli.Misuse || !strings.Contains(said, "no such") && !strings.Contains(said, "(secret, ") || !names && !slices.Contains(plainFlags, name):
				t.Errorf("exit code %d, stderr %q; want %d, the flag and what it was given", r.code, r.stderr, cli.Misuse)
			}
		})
	}
}
