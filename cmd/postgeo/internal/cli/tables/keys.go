package tables

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/enrich/table"
)

// keysFound names the columns of each key.
func keysFound(keys *table.Keys) string {
	var parts []string
	for _, k := range append([]table.Keys{*keys}, keys.Next...) {
		parts = append(parts, fmt.Sprintf(`%[2]s as the %[1]s`, k.Kind, strings.Join(k.Names, ", ")))
	}
	return strings.Join(parts, ", else ")
}

// keysUsed counts the rows of each key, and those without one.
func keysUsed(sum *table.Summary) string {
	names := slices.SortedFunc(maps.Keys(sum.Keys), func(a, b string) int {
		return cmp.Or(cmp.Compare(sum.Keys[b], sum.Keys[a]), cmp.Compare(a, b))
	})
	var parts []string
	for _, name := range names {
		parts = append(parts, fmt.Sprintf("%d %s", sum.Keys[name], name))
	}
	return strings.Join(parts, "; ")
}

// otherKeys reports columns of other keys for rows without a key of one kind.
func otherKeys(env *command.Env, src *table.Source, used *table.Keys) {
	for _, kind := range []enrich.Kind{enrich.Code, enrich.Coordinates, enrich.Address} {
		if kind == used.Kind {
			continue
		}
		if other, err := src.FindKeys(table.Names{Prefer: kind}); err == nil && other.Kind == kind {
			env.Report(`some rows have no %s but have %s in %s; to use these for them, name both keys: --key %s --key %s`, used.Kind, kind, strings.Join(other.Names, ", "), keyFlag(used), keyFlag(&other))
		}
	}
}

// keyFlag returns the value of --key for a key, as a shell reads it.
func keyFlag(k *table.Keys) string {
	text := k.Kind.String() + "=" + strings.Join(k.Names, ",")
	for _, r := range text {
		if !strings.ContainsRune("=,._-", r) && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') {
			return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
		}
	}
	return text
}
