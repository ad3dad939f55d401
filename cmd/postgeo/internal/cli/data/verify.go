package data

import (
	"github.com/spf13/cobra"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
)

type verifyOptions struct {
	fileArg
	command.Format
}

// A verification is the result for an undamaged dataset.
type verification struct {
	File        string `json:"file,omitzero"` // absent for the embedded sample
	Version     string `json:"version"`
	OK          bool   `json:"ok"`
	ZIPs        int    `json:"zips"`
	FSAs        int    `json:"fsas"`
	PostalCodes int    `json:"postal_codes"`
}

func verifyCommand() *cobra.Command {
	return command.New(command.Spec[verifyOptions, verification]{
		Name: "verify", Short: "Check every byte of a dataset against its checksums.",
		Examples: command.Examples("postgeo dataset verify new.db", "before its use"),
		Run: func(o *verifyOptions, c *command.Call) (command.Result, error) {
			d, path, err := o.dataset(c.Env)
			if err != nil {
				return command.Result{}, err
			}
			defer d.Close()
			if err := d.Verify(c.Context); err != nil {
				return command.Result{}, err
			}
			return command.Row(verification{
				File: path, Version: d.Manifest().Version, OK: true,
				ZIPs: d.NumZIPs(), FSAs: d.NumFSAs(), PostalCodes: d.NumPostalCodes(),
			})
		},
	})
}
