package cli

import (
	"context"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
)

// verifyCmd is "postgeo dataset verify".
type verifyCmd struct {
	fileArg
	formatFlag
}

// A verification says that a dataset is whole.
type verification struct {
	File        string `json:"file,omitzero"` // absent for the embedded sample
	Version     string `json:"version"`
	OK          bool   `json:"ok"`
	ZIPs        int    `json:"zips"`
	FSAs        int    `json:"fsas"`
	PostalCodes int    `json:"postal_codes"`
}

// Run verifies the dataset. Damage is an error that says where.
func (c *verifyCmd) Run(ctx context.Context, env *Env) error {
	opts, err := c.options(env, view{all: output.Columns[verification]()})
	if err != nil {
		return err
	}
	d, path, err := c.openFile(env)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Verify(ctx); err != nil {
		return err
	}
	return writeAll(env.Stdout, opts, []verification{{
		File: path, Version: d.Manifest().Version, OK: true,
		ZIPs: d.NumZIPs(), FSAs: d.NumFSAs(), PostalCodes: d.NumPostalCodes(),
	}})
}
