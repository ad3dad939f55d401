package cli_test

import (
	"strings"
	"testing"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli"
)

// Every recipe of docs/recipes.md succeeds on the sample and writes a result.
func TestRecipes(t *testing.T) {
	const least = 20
	recipes, all := 0, pages(t)
	t.Chdir(root)
	for _, p := range all {
		if p.name != "docs/recipes.md" {
			continue
		}
		for _, f := range p.fence {
			for line := range strings.SplitSeq(strings.TrimSpace(f.text), "\n") {
				recipes++
				t.Run(line, func(t *testing.T) { runRecipe(t, line) })
			}
		}
	}
	if recipes < least {
		t.Errorf("%d recipes, want %d", recipes, least)
	}
}

// runRecipe runs the commands of a pipe, each with the output of the one before it.
func runRecipe(t *testing.T, line string) {
	t.Helper()
	piped := ""
	for command := range strings.SplitSeq(comment.ReplaceAllString(line, ""), " | ") {
		words := words(strings.TrimSpace(command))
		switch words[0] {
		case "printf":
			piped = strings.ReplaceAll(words[1], `\n`, "\n")
		case "postgeo":
			r := world{stdin: piped}.run(words[1:]...)
			if piped = r.stdout; r.code != cli.Done || len(piped) < 10 {
				t.Errorf("%s: %v", command, r)
			}
		default:
			t.Errorf("%s is not a command of a recipe", command)
		}
	}
	if strings.Contains(line, "ZEROS_RESTORED") && !strings.Contains(piped, "ZEROS_RESTORED") {
		t.Errorf("no zero was restored: %s", piped)
	}
}
