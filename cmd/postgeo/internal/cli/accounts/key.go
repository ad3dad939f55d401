package accounts

import (
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
)

func keyCommands() []*cobra.Command {
	about := func(name, short string) command.About { return command.About{Name: name, Short: short} }
	turn := func(off bool) func(o *ofKey, c *command.Call) error {
		return func(o *ofKey, c *command.Call) error { return o.update(c, func(k *billing.Key) { k.Off = off }) }
	}
	return []*cobra.Command{
		command.New[keyCreateOptions](about("create", "Create a key and print it, once."),
			"postgeo key create --account acct_0123456789abcdef --name web --origin https://app.example.com", "for pages of one site",
			"postgeo key create --account acct_0123456789abcdef --ip 192.0.2.0/24 --expires 90d", "for one network"),
		command.With(about("list", "List the keys of an account, oldest first."), listKeys, "postgeo key list acct_0123456789abcdef", ""),
		command.With(about("show", "Show a key, without its secret."), showKey, "postgeo key show key_0123456789ab", ""),
		command.New[rotateOptions](about("rotate", "Replace a key with a new one; the old one stays valid for a while."),
			"postgeo key rotate key_0123456789ab --grace 48h", "the old key stays valid for two days"),
		command.With(about("deactivate", "Refuse a key from now on."), turn(true), "postgeo key deactivate key_0123456789ab", ""),
		command.With(about("activate", "Accept a deactivated key again."), turn(false), "postgeo key activate key_0123456789ab", ""),
		command.New[allowOptions](about("allow", "Set the addresses and pages that may use a key."),
			"postgeo key allow key_0123456789ab --ip 192.0.2.7", "from there only", "postgeo key allow key_0123456789ab", "from everywhere again"),
	}
}

// allowlists are the flags of the callers of a key.
type allowlists struct {
	IPs     []string `help:"Address or network that may use the key. Repeat it, or separate by commas." placeholder:"CIDR" name:"ip"`
	Origins []string `help:"Page that may use the key, such as https://app.example.com or https://*.example.com." placeholder:"ORIGIN" name:"origin"`
}

// set replaces both lists of a key. Without flags they become empty.
func (l *allowlists) set(k *billing.Key) (err error) {
	if k.Addrs, err = billing.ParseAddrList(l.IPs); err != nil {
		return invalid("--ip", err)
	}
	k.Origins, err = billing.ParseOrigins(l.Origins)
	return invalid("--origin", err)
}

type keyCreateOptions struct {
	Account string   `help:"The account's ID." placeholder:"ID" required:""`
	Kind    string   `help:"live, test or demo." default:"live" placeholder:"KIND"`
	Name    string   `help:"Name for your reference; at most 200 characters." placeholder:"TEXT"`
	Scopes  []string `help:"Additional right of the key: debug." placeholder:"SCOPE" name:"scope"`
	Expires string   `help:"Expiry: a duration (36h, 90d), a day or a time. Default: never." placeholder:"WHEN"`

	allowlists
	Flags
	command.Format
}

// debugScope is the additional right of keys.
const debugScope = "debug"

// A keyCreated is the result of "key create" and "key rotate". Only it has the key
// itself.
type keyCreated struct {
	Key      string `json:"key"`
	ID       string `json:"id"`
	Replaces string `json:"replaces,omitzero"` // id of the old key
	OldUntil string `json:"old_valid_until,omitzero"`
}

// Run implements the command.
func (o *keyCreateOptions) Run(c *command.Call) (err error) {
	k := billing.Key{Account: o.Account, Name: o.Name}
	if k.Kind, err = billing.ParseKeyKind(o.Kind); err != nil {
		return invalid("--kind", err)
	}
	for _, scope := range o.Scopes {
		if scope != debugScope {
			return command.Usage(`--scope: %q is not a scope; expected %s`, scope, debugScope)
		}
		k.Debug = true
	}
	if err := o.set(&k); err != nil {
		return err
	}
	if err := billing.CheckName(o.Name); err != nil {
		return invalid("--name", err)
	}
	if now := time.Now(); o.Expires != "" {
		if k.Expires, err = parseMoment("--expires", o.Expires, now, 1); err == nil && !k.Expires.After(now) {
			err = command.Usage(command.InvalidValue, "--expires", o.Expires, `in the future`)
		}
		if err != nil {
			return err
		}
	}
	return write(c, o.Flags, page[keyCreated](), func(c *call) ([]keyCreated, error) {
		k, secret, err := c.CreateKey(c.Context, k)
		if err != nil {
			return nil, err
		}
		if c.StderrTerminal {
			c.Report(`the key cannot be shown again`)
		}
		return one(keyCreated{Key: secret, ID: k.ID}, nil)
	})
}

// A keyInfo describes a key.
type keyInfo struct {
	ID      string   `json:"id"`
	Account string   `json:"account"`
	Kind    string   `json:"kind"`
	Shown   string   `json:"shown"` // how the key begins
	State   string   `json:"state"`
	Name    string   `json:"name,omitzero"`
	Scopes  []string `json:"scopes,omitempty"`
	Created string   `json:"created"`
	Expires string   `json:"expires,omitzero"`
	IPs     []string `json:"ips,omitempty"`
	Origins []string `json:"origins,omitempty"`
}

func (c *call) key(k *billing.Key) keyInfo {
	info := keyInfo{
		ID: k.ID, Account: k.Account, Kind: string(k.Kind), Shown: k.Shown + "…", State: k.State(c.now), Name: k.Name,
		Created: stamp(k.Created), Expires: stamp(k.Expires), IPs: k.Addrs.Strings(),
	}
	if k.Debug {
		info.Scopes = []string{debugScope}
	}
	for _, o := range k.Origins {
		info.Origins = append(info.Origins, o.String())
	}
	return info
}

func listKeys(o *ofAccount, c *command.Call) error {
	v := list[keyInfo]("id", "kind", "shown", "state", "name", "created", "expires")
	return write(c, o.Flags, v, func(c *call) ([]keyInfo, error) {
		keys, err := c.Keys(c.Context, o.ID)
		return describe(keys, err, c.key)
	})
}

// ofKey are the options of a command about one key.
type ofKey struct {
	Key string `arg:"" name:"key" help:"The key's ID (key_…), as 'key list' shows it."`

	Flags
	command.Format
}

// Check implements the commands.
func (o *ofKey) Check(*command.Env) error {
	if strings.HasPrefix(o.Key, "pg_") {
		return command.Usage(`this is an API key; use its ID (key_…), 'postgeo key list' shows the IDs`)
	}
	return nil
}

func showKey(o *ofKey, c *command.Call) error {
	return write(c, o.Flags, page[keyInfo](), func(c *call) ([]keyInfo, error) {
		k, err := c.Key(c.Context, o.Key)
		return one(c.key(&k), err)
	})
}

// update changes a key. Servers apply it within a second.
func (o *ofKey) update(c *command.Call, change func(*billing.Key)) error {
	return write(c, o.Flags, page[keyInfo](), func(c *call) ([]keyInfo, error) {
		k, err := c.UpdateKey(c.Context, o.Key, func(k *billing.Key) error { change(k); return nil })
		return one(c.key(&k), err)
	})
}

type rotateOptions struct {
	ofKey
	Grace time.Duration `help:"How long the old key stays valid, at most 2160h. Default: 24h." default:"24h" placeholder:"SPAN"`
}

// Run implements the command.
func (o *rotateOptions) Run(c *command.Call) error {
	return write(c, o.Flags, page[keyCreated](), func(c *call) ([]keyCreated, error) {
		k, secret, err := c.RotateKey(c.Context, o.Key, o.Grace)
		if err != nil {
			return nil, err
		}
		old, err := c.Key(c.Context, o.Key)
		return one(keyCreated{Key: secret, ID: k.ID, Replaces: old.ID, OldUntil: stamp(old.Expires)}, err)
	})
}

type allowOptions struct {
	ofKey
	allowlists
}

// Run implements the command.
func (o *allowOptions) Run(c *command.Call) error {
	var lists billing.Key
	if err := o.set(&lists); err != nil {
		return err
	}
	return o.update(c, func(k *billing.Key) { k.Addrs, k.Origins = lists.Addrs, lists.Origins })
}
