package address_test

import (
	"flag"
	"fmt"
	"hash/fnv"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/address"
)

var fitted = flag.Bool("fit", false, "fit the weights of the rules and write them into the tables")

// leastGain is the number of addresses that a new weight must gain; a single one is
// as likely an accident of the development half.
const leastGain = 2

// TestFit fits the weights of the rules to the development half of the labeled
// sets by coordinate descent. It writes them into the tables unless the score of
// the other half falls. `make fit-address` runs it; the other tests of the package
// then verify the result.
func TestFit(t *testing.T) {
	if !*fitted {
		t.Skip("make fit-address runs this test")
	}
	var sets [2][]labeled // development, held back
	for _, name := range []string{"usaddress_train", "pelias_us", "libpostal_us", "postgis_normalize", "geo_streetaddress_us"} {
		for _, l := range truthLines[labeled](t, "parse/parse_"+name+".jsonl.gz") {
			if _, _, ok := l.want(); ok {
				h := fnv.New32a()
				h.Write([]byte(l.Text))
				half := h.Sum32() % 2
				sets[half] = append(sets[half], l)
			}
		}
	}
	right := func(half int) (n int) {
		for i := range sets[half] {
			p, err := address.Parse(sets[half][i].Text)
			check(t, err)
			n += index(sets[half][i].right(p.Best()))
		}
		return n
	}
	report := func(when string) {
		t.Logf("%s: development %d of %d right, held back %d of %d", when, right(0), len(sets[0]), right(1), len(sets[1]))
	}
	report("before")
	best, held := right(0), right(1)
	changed := map[string]int{}
	for _, r := range address.Rules() {
		if r.Weight == nil {
			continue
		}
		was, chosen := *r.Weight, *r.Weight
		for _, step := range []int{-10, -5, -2, 2, 5, 10} {
			*r.Weight = was + step
			if n := right(0); n >= best+leastGain {
				best, chosen = n, was+step
			}
		}
		if *r.Weight = chosen; chosen != was {
			t.Logf("%s: %s: %d instead of %d, %d right", r.Table, r.Name, chosen, was, best)
			changed[r.Name] = chosen
		}
	}
	report("after")
	if right(1) < held {
		t.Log("the score of the other half falls; the tables keep their weights")
		return
	}
	for name, weight := range changed {
		writeWeight(t, name, weight)
	}
}

// writeWeight replaces the weight of a rule in its table.
func writeWeight(t *testing.T, rule string, weight int) {
	t.Helper()
	const file = "rules_street.go"
	text, err := os.ReadFile(file)
	check(t, err)
	row := regexp.MustCompile(`(name: ` + regexp.QuoteMeta(fmt.Sprintf("%q", rule)) + `.*?weight: )-?\d+`)
	if !row.Match(text) {
		t.Fatalf("%s has no rule %q", file, rule)
	}
	check(t, os.WriteFile(file, []byte(row.ReplaceAllString(string(text), "${1}"+strings.TrimSpace(fmt.Sprint(weight)))), 0o644))
}
