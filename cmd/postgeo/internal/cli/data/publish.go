package data

import (
	"crypto/rand"
	"strings"
	"time"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/progress"
	"github.com/postgeo/postgeo/internal/dataset/channel"
)

// keyCommand returns "postgeo dataset key".
func keyCommand() *command.Command {
	return &command.Command{
		Name: "key", Short: "Make and replace the keys of a channel.",
		Commands: []*command.Command{
			command.New(command.Spec[newKeyOptions, struct{}]{
				Name: "new", Short: "Make a key that signs a channel.",
				Long:     "Writes the private key to FILE, readable by its owner only, and the public key to FILE.pub. Existing files are not replaced. Give FILE.pub to those who pull; to trust several keys, join their .pub files.",
				Examples: command.Examples("postgeo dataset key new -o channel.key", "writes channel.key and channel.key.pub"),
				Run: func(o *newKeyOptions, _ *command.Call) (command.Result, error) {
					return command.Result{}, channel.NewKey(o.Output, rand.Reader)
				},
			}),
			command.New(command.Spec[rotateOptions, struct{}]{
				Name: "rotate", Short: "Replace the keys of a channel.",
				Long:     "Two of the current keys must sign, or the only one. Pulls of earlier users follow the replacement; the keys that are left out are refused from then on. Publish again with a new key afterwards.",
				Examples: command.Examples("postgeo dataset key rotate --to site --trust old.pub --key a.key,b.key --new new.pub", "two of the old keys sign"),
				Run:      func(o *rotateOptions, _ *command.Call) (command.Result, error) { return command.Result{}, o.run() },
			}),
		},
	}
}

type newKeyOptions struct {
	Output string `help:"File for the private key." short:"o" placeholder:"FILE" type:"path" required:""`
}

type rotateOptions struct {
	To    string   `help:"Folder of the channel." placeholder:"DIR" type:"path" required:""`
	Trust []string `help:"Public keys that users of the channel trusted at first." placeholder:"FILE.pub" type:"path" required:""`
	Key   []string `help:"Current private keys that sign." placeholder:"FILE" type:"path" required:""`
	New   []string `help:"Public keys that replace the current ones. Name the current keys that remain, too." placeholder:"FILE.pub" type:"path" required:""`
}

func (o *rotateOptions) run() error {
	from, err := channel.ReadKeys(o.Trust...)
	if err != nil {
		return err
	}
	to, err := channel.ReadKeys(o.New...)
	if err != nil {
		return err
	}
	var keys []channel.Key
	for _, path := range o.Key {
		k, err := channel.ReadKey(path)
		if err != nil {
			return err
		}
		keys = append(keys, k)
	}
	return channel.Rotate(o.To, from, to, keys...)
}

type publishOptions struct {
	Files   []string      `arg:"" name:"file" help:"Dataset files with different layers." type:"path"`
	Key     string        `help:"Private key that signs, of dataset key new." placeholder:"FILE" type:"path" required:""`
	To      string        `help:"Folder of the channel, which any static host can serve. It is created." placeholder:"DIR" type:"path" required:""`
	Channel string        `help:"Channel that the vintage becomes the newest of. Default: stable." default:"stable" placeholder:"NAME"`
	Vintage string        `help:"Name of the vintage, such as 2026-10. Default: the version of the first dataset." placeholder:"NAME"`
	Valid   time.Duration `help:"Time until pulls refuse the index unless it is published again. Default: 2400h (100 days)." default:"2400h" placeholder:"SPAN"`

	command.Format
}

// A publishedFile is a dataset of a vintage.
type publishedFile struct {
	Vintage string `json:"vintage"`
	Layers  string `json:"layers"`
	Size    int64  `json:"size"`
	SHA256  string `json:"sha256"`
	Packs   int64  `json:"packs"`  // bytes of a download without a delta
	Deltas  string `json:"deltas"` // the vintages, each with its bytes
}

func publishCommand() *command.Command {
	return command.New(command.Spec[publishOptions, publishedFile]{
		Name: "publish", Short: "Write datasets as signed files that a static host can serve.",
		Long:     "The folder gets the index, one manifest per vintage, packs, and deltas from the last two vintages. A dataset with a source whose license does not allow it is refused. The same datasets give the same files.",
		Examples: command.Examples("postgeo dataset publish identity.db all.db --key channel.key --to site", "a vintage with two choices of layers"),
		View: func(*publishOptions, *command.Call) (command.View, error) {
			return command.View{Array: true, All: output.Columns[publishedFile](), Summary: command.Paths("vintage", "layers", "size", "packs", "deltas")}, nil
		},
		Run: (*publishOptions).run,
	})
}

func (o *publishOptions) run(c *command.Call) (a command.Result, err error) {
	if err := checkNames(o.Channel, o.Vintage); err != nil {
		return a, err
	}
	key, err := channel.ReadKey(o.Key)
	if err != nil {
		return a, err
	}
	now, err := sourceDateEpoch(c.Env)
	if err != nil {
		return a, err
	}
	if now.IsZero() {
		now = c.Time()
	}
	display := progress.NewSteps(c.Stderr, c.StderrTerminal, lineInterval)
	m, err := channel.Publish(c.Context, channel.PublishOptions{
		Files: o.Files, To: o.To, Key: key, Channel: o.Channel, Vintage: o.Vintage, Valid: o.Valid, Now: now, Step: display.Step,
	})
	display.Close()
	if err != nil {
		return a, err
	}
	var rows []publishedFile
	for i := range m.Files {
		f := &m.Files[i]
		row := publishedFile{Vintage: m.Vintage, Layers: strings.Join(f.Layers, ","), Size: f.Size, SHA256: f.SHA256, Packs: f.Download()}
		for _, d := range f.Deltas {
			row.Deltas = strings.TrimPrefix(row.Deltas+", "+d.Vintage+" "+progress.Bytes(d.Size), ", ")
		}
		rows = append(rows, row)
	}
	return command.Rows(rows), nil
}
