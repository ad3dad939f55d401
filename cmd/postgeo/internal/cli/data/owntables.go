package data

import (
	"iter"
	"strings"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/message"
	"github.com/postgeo/postgeo/enrich"
	"github.com/postgeo/postgeo/enrich/table"
	"github.com/postgeo/postgeo/internal/dataset/build"
)

// listRecipes names the built-in recipes in the help of --recipe.
func listRecipes(c *command.Command) {
	f := c.Flag("--recipe")
	f.Help = strings.Replace(f.Help, "RECIPES", strings.Join(build.Recipes(), ", "), 1)
}

// checkTables verifies the texts of --table and --recipe.
func checkTables(tables, recipes []string) error {
	if err := build.CheckAdded(build.Options{OwnTables: tables}); err != nil {
		return command.Usage(message.WrongAdded, "table", command.Plain(err))
	}
	if err := build.CheckAdded(build.Options{Recipes: recipes}); err != nil {
		return command.Usage(message.WrongAdded, "recipe", command.Plain(err))
	}
	return nil
}

// openTable reads a table in any format of enrich.
func openTable(path string) ([]string, iter.Seq2[[]string, error], error) {
	_, header, rows, err := openGeo(path)
	return header, rows, err
}

// openGeo is openTable with the metadata of GeoParquet.
func openGeo(path string) (string, []string, iter.Seq2[[]string, error], error) {
	src, err := table.Open(path, table.Input{})
	if err != nil {
		return "", nil, nil, err
	}
	return src.Metadata("geo"), src.Header(), func(yield func([]string, error) bool) {
		defer src.Close()
		for p, err := range src.Places(table.Keys{Kind: enrich.Code, Columns: []int{0}}) {
			if !yield(p.Cells, err) || err != nil {
				return
			}
		}
	}, nil
}
