package command

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	"github.com/postgeo/postgeo"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/message"
	"github.com/postgeo/postgeo/internal/billing"
	"github.com/postgeo/postgeo/internal/envelope"
	"github.com/postgeo/postgeo/internal/fault"
)

// Explain renders an error as "kind: what happened".
func Explain(err error) string {
	failure, ofInput := envelope.OfInput(err)
	kind, text := "failed", strings.TrimPrefix(err.Error(), "postgeo: ")
	e := fault.As(err)
	switch {
	case errors.Is(err, context.Canceled):
		rest, _ := strings.CutPrefix(text, context.Canceled.Error())
		if len(rest) == len(text) {
			rest = ""
		}
		return message.Interrupted + rest
	case errors.Is(err, billing.ErrUnavailable), strings.HasPrefix(text, "billing: "), strings.HasPrefix(text, "sqlite: "):
		text = "accounts: " + Bare(err)
		if errors.Is(err, billing.ErrAccountNotFound) {
			text += message.SeeAccounts
		}
		return text
	case e != nil && ofInput && e.Thing == fault.Layer:
		kind, text = "dataset", e.Detail
	case e != nil && ofInput && e.Thing == fault.Area && e.Kind == fault.NotFound:
		kind, text = "not found", e.Detail
	case e != nil && e.Param == "polygon":
		kind, text = "invalid input", strings.TrimPrefix(e.Detail, "invalid geometry: ")
	case ofInput:
		kind, text = "invalid input", failure.ContractMessage()
		switch {
		case errors.Is(err, postgeo.ErrUnavailable) && e.Thing == fault.Address:
			kind, text = "dataset", text+message.BuildRecords
		case failure.ContractCode().Status() == 200, errors.Is(err, postgeo.ErrNotFound):
			kind = "not found"
		case errors.Is(err, postgeo.ErrInvalidCode) && e.Thing != fault.Address:
			kind = "invalid code"
		}
	case strings.HasPrefix(text, "lookup: "):
		text = strings.TrimPrefix(text, "lookup: ")
	case strings.HasPrefix(text, "table: "):
		kind, text = "table", TableText(text, "--delimiter")
	case strings.HasPrefix(text, "dataset: "):
		kind, text = "dataset", strings.TrimPrefix(text, "dataset: ")
	case strings.HasPrefix(text, "build: "):
		kind, text = "build", strings.TrimPrefix(text, "build: ")
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission):
		kind = "file"
	}
	return kind + ": " + text
}

// TableText renders an error of package table with the flags for its remedy.
// delimiter is the flag for the delimiter of the table.
func TableText(text, delimiter string) string {
	flags := strings.NewReplacer("have it overwritten", "give --overwrite", "(resume)", "(--resume)", "give it as the delimiter", "give it with "+delimiter,
		"; a lenient reading keeps such rows", " (--lenient keeps such rows)")
	return flags.Replace(strings.TrimPrefix(text, "table: "))
}

// Bare renders an error of the accounts without the names of packages.
func Bare(err error) string {
	text := err.Error()
	for _, prefix := range []string{"sqlite: ", "billing: "} {
		text = strings.ReplaceAll(strings.TrimPrefix(text, prefix), ": "+prefix, ": ")
	}
	return text
}
