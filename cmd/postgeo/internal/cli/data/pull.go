package data

import (
	"bufio"
	"context"
	"fmt"
	"net/url"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/memory"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/message"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/progress"
	"github.com/postgeo/postgeo/internal/dataset"
	"github.com/postgeo/postgeo/internal/dataset/channel"
)

// Channel names the source of datasets. It is shared by the commands that pull.
type Channel struct {
	From    []string `help:"Folder or URL of a channel, and of its mirrors. Default: $POSTGEO_CHANNEL." placeholder:"DIR|URL"`
	Trust   []string `help:"Public keys of the publisher. Default: $POSTGEO_TRUST, else the keys of this release." placeholder:"FILE.pub" type:"path"`
	Channel string   `help:"Channel of the publisher. Default: stable." default:"stable" placeholder:"NAME"`
	Layers  []string `help:"Layers that the dataset must have. Default: all of the channel." placeholder:"LAYER"`
}

// The settings of a release, which -ldflags -X can set: the address of a channel and
// its public keys.
var (
	pinnedChannel string
	pinnedKeys    string
)

// Options returns the options of a pull.
func (o Channel) Options(env *command.Env) (p channel.PullOptions, err error) {
	p = channel.PullOptions{From: o.From, Channel: o.Channel, Layers: o.Layers, Now: env.Time}
	if len(p.From) == 0 {
		for _, from := range [...]string{env.Getenv("POSTGEO_CHANNEL"), pinnedChannel} {
			if from != "" && len(p.From) == 0 {
				p.From = strings.Split(from, ",")
			}
		}
	}
	if len(p.From) == 0 {
		return p, command.Usage(message.NoChannel)
	}
	for _, from := range o.From {
		if err := channel.CheckSource(from); err != nil {
			return p, command.Usage(message.InFlag, "--from", err)
		}
	}
	trust := o.Trust
	if path := env.Getenv("POSTGEO_TRUST"); len(trust) == 0 && path != "" {
		trust = strings.Split(path, ",")
	}
	switch {
	case len(trust) > 0:
		p.Trust, err = channel.ReadKeys(trust...)
	case pinnedKeys != "":
		p.Trust, err = channel.ParseKeys(strings.ReplaceAll(pinnedKeys, ",", "\n"))
	default:
		err = command.Usage(message.NoTrust)
	}
	return p, err
}

type pullOptions struct {
	Channel
	Output  string `help:"Dataset file; it is replaced when the new one was verified. Default: postgeo.db in the user's data folder." short:"o" placeholder:"FILE" type:"path"`
	Vintage string `help:"Vintage to install, such as 2026-10. Default: the newest one." placeholder:"NAME"`
	Check   bool   `help:"Only compare the installed file with the channel. The exit code is 1 if the channel has another one."`
	Reload  string `help:"URL of a running server's private address, which reloads the dataset: http://127.0.0.1:8081." placeholder:"URL"`

	command.Format
}

func pullCommand() *command.Command {
	return command.New(command.Spec[pullOptions, channel.Report]{
		Name: "pull", Short: "Install or update the dataset of a channel.",
		Long: "Every file is verified with the publisher's key before it is read. An interrupted pull continues. An installed file is changed by a delta if the channel has one; it stays as it is after any failure.",
		Examples: command.Examples(
			"postgeo dataset pull --from https://data.example.org --trust channel.key.pub", "into the user's data folder",
			"postgeo dataset pull --from /media/usb --trust channel.key.pub --layers identity -o new.db", "from a folder, the ZIP Codes only",
			"postgeo dataset pull --check", "compares, with $POSTGEO_CHANNEL and $POSTGEO_TRUST",
		),
		View: func(*pullOptions, *command.Call) (command.View, error) {
			return command.View{All: output.Columns[channel.Report]()}, nil
		},
		Run: (*pullOptions).run,
	})
}

// maxPullMemory is the memory limit of a pull's heap in bytes. The process takes about
// twice as much.
const maxPullMemory = 32 << 20

func (o *pullOptions) run(c *command.Call) (a command.Result, err error) {
	ctx, stop := signal.NotifyContext(c.Context, os.Interrupt, syscall.SIGTERM)
	defer stop()
	memory.LimitTo(c.Getenv, maxPullMemory)
	if err := checkNames(o.Channel.Channel, o.Vintage); err != nil {
		return a, err
	}
	if !isHTTP(o.Reload) {
		return a, command.Usage(message.InFlag, "--reload", fmt.Sprintf("%q is not an http address", o.Reload))
	}
	p, err := o.Options(c.Env)
	if err != nil {
		return a, err
	}
	p.Output, p.Vintage, p.Check = o.Output, o.Vintage, o.Check
	r, err := Pull(ctx, c.Env, p)
	if err != nil {
		return a, err
	}
	if r.Installed && o.Reload != "" {
		if err := channel.Reload(ctx, o.Reload); err != nil {
			return a, command.Failure(message.NotReloaded, r.Vintage, err)
		}
	}
	if o.Check && !r.Current {
		c.Report(message.OtherVintage, r.Vintage, progress.Bytes(r.Download))
		return command.Stream(func(yield func(*channel.Report, error) bool) {
			if yield(r, nil) {
				yield(nil, command.ErrReported)
			}
		}), nil
	}
	return command.Row(r)
}

// checkNames refuses names that no channel and no vintage has.
func checkNames(name, vintage string) error {
	for flag, text := range map[string]string{"--channel": name, "--vintage": vintage} {
		if err := channel.CheckName(text); text != "" && err != nil {
			return command.Usage(message.InFlag, flag, err)
		}
	}
	return nil
}

// isHTTP accepts http addresses and "".
func isHTTP(text string) bool {
	u, err := url.Parse(text)
	return text == "" || err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
}

// Pull pulls into the output, by default the user's dataset, and shows transfers.
func Pull(ctx context.Context, env *command.Env, p channel.PullOptions) (*channel.Report, error) {
	if p.Output == "" {
		if env.DataDir == "" {
			return nil, command.Usage(message.NoDataFolder)
		}
		p.Output = filepath.Join(env.DataDir, dataset.UserFile)
		if err := os.MkdirAll(env.DataDir, 0o755); err != nil {
			return nil, command.Failure(message.MakeDataFolder, err)
		}
	}
	display := progress.NewSteps(env.Stderr, env.StderrTerminal, lineInterval)
	defer display.Close()
	p.Progress = display
	return channel.Pull(ctx, p)
}

// PullMissing returns the function of commands that find no dataset. It pulls the
// layer identity from the channel of the environment.
func PullMissing(ctx context.Context) func(env *command.Env, now bool) (path string, err error) {
	return func(env *command.Env, now bool) (path string, err error) {
		configured := env.Getenv("POSTGEO_CHANNEL") != "" || pinnedChannel != ""
		confirms := env.StdinTerminal && env.StdoutTerminal && env.StderrTerminal
		if !now && (!configured || !confirms) {
			return "", nil
		}
		p, err := Channel{Layers: []string{"identity"}}.Options(env)
		if err != nil {
			return "", err
		}
		if !now {
			fmt.Fprintf(env.Stderr, message.OfferPull, p.From[0])
			line, err := bufio.NewReader(env.Stdin).ReadString('\n')
			if line = strings.ToLower(strings.TrimSpace(line)); err != nil || line != "y" && line != "yes" {
				return "", nil
			}
		}
		memory.LimitTo(env.Getenv, maxPullMemory)
		if _, err := Pull(ctx, env, p); err != nil {
			return "", err
		}
		memory.Limit(env.Getenv, "")
		return filepath.Join(env.DataDir, dataset.UserFile), nil
	}
}
