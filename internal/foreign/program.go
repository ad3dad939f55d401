package foreign

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"time"

	"github.com/postgeo/postgeo"
)

// ErrUse is returned for wrong arguments, which are reported already.
var ErrUse = errors.New("wrong use")

// Main runs a program until it ends or is interrupted. Its exit code is 1 after an error
// and 2 after [ErrUse].
func Main(name string, run func(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	stop()
	switch {
	case err == nil, errors.Is(err, flag.ErrHelp):
	case errors.Is(err, ErrUse):
		os.Exit(2)
	default:
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		os.Exit(1)
	}
}

// Flags are the flags of a program that reads a dataset.
type Flags struct {
	flag.FlagSet
	data, at string
}

// NewFlags returns the flags of a program, whose usage precedes them in its help.
func NewFlags(name, usage string, stderr io.Writer) *Flags {
	f := &Flags{}
	f.Init(name, flag.ContinueOnError)
	f.SetOutput(stderr)
	f.Usage = func() {
		fmt.Fprint(stderr, usage)
		f.PrintDefaults()
	}
	f.StringVar(&f.data, "data", "", "dataset `FILE`, or \"sample\"; default: $POSTGEO_DATA, else the user's dataset, else the embedded sample")
	f.StringVar(&f.at, "at", "", "`TIME` of the results; default: now")
	return f
}

// Open parses the arguments and opens the dataset. The error is [flag.ErrHelp], or [ErrUse]
// if the flags are wrong or fewer arguments follow them.
func (f *Flags) Open(args []string, least int) (*Dataset, error) {
	err := f.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return nil, err
	case err != nil:
		return nil, ErrUse
	case f.NArg() < least:
		f.Usage()
		return nil, ErrUse
	}
	var opt postgeo.OpenOptions
	if f.at != "" {
		now, err := time.Parse(time.RFC3339Nano, f.at)
		if err != nil {
			return nil, err
		}
		opt.Now = func() time.Time { return now }
	}
	return OpenWith(f.data, opt)
}
