package data

import (
	"strings"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/message"
	"github.com/postgeo/postgeo/internal/dataset/channel"
)

type moduleOptions struct {
	File    string `arg:"" help:"Dataset file." type:"path"`
	Path    string `help:"Path of the module, such as example.com/geodata." placeholder:"MODULE" required:""`
	Version string `help:"Version of the module, such as v2026.10.0. From v2 on, the path gets its major version: example.com/geodata/v2026." placeholder:"VERSION" required:""`
	Output  string `help:"Folder for the module and for the files of a module proxy." short:"o" placeholder:"DIR" type:"path" required:""`

	command.Format
}

func moduleCommand() *command.Command {
	return command.New(command.Spec[moduleOptions, channel.Module]{
		Name: "module", Short: "Write a Go module that embeds a dataset.",
		Long:     "The module's function Open returns the dataset; the go.sum of a program that requires it pins the data. Its LICENSE has the terms of every source. The folder is also a module proxy: GOPROXY=file://DIR.",
		Examples: command.Examples("postgeo dataset module identity.db --path example.com/geodata --version v2026.10.0 -o modules", "a module of the ZIP Codes"),
		Run: func(o *moduleOptions, c *command.Call) (command.Result, error) {
			requires := command.ReadVersion().Version
			if !strings.HasPrefix(requires, "v") {
				requires = "v0.0.0"
			}
			opt := channel.ModuleOptions{File: o.File, Path: o.Path, Version: o.Version, Requires: requires, Folder: o.Output}
			if err := opt.Check(); err != nil {
				return command.Result{}, command.Usage(message.InFlag, "--path and --version", err)
			}
			m, err := channel.WriteModule(c.Context, opt)
			if err != nil {
				return command.Result{}, err
			}
			return command.Row(*m)
		},
	})
}
