package survey

import (
	"github.com/spf13/cobra"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/internal/operation"
)

type fieldsOptions struct {
	operation.FieldsInput
	command.Format
}

func fieldsCommand() *cobra.Command {
	return command.New[fieldsOptions](command.About{Name: "fields", Short: operation.Fields.Summary}, "postgeo acs fields median income", "fields about the median income")
}

// Run implements the command.
func (o *fieldsOptions) Run(c *command.Call) error {
	r, err := o.FieldsInput.Run(c.Context, nil)
	if err != nil {
		return err
	}
	if len(r.Fields) == 0 {
		c.Missing(`not found: no field matches`)
		return nil
	}
	return command.Rows(c, command.View{All: output.Columns[operation.Field](), Summary: command.Paths("field", "kind", "years", "label"), Array: true}, r.Fields)
}
