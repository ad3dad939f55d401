package accounts

import (
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
)

func keyCommands() []*cobra.Command {
	return []*cobra.Command{
		task[keyCreateOptions, keyCreated]{
			name: "create", short: "Create a key and print it, once.",
			examples: command.Examples(
				"postgeo key create --account acct_0123456789abcdef --name web --origin https://app.example.com", "for pages of one site",
				"postgeo key create --account acct_0123456789abcdef --ip 192.0.2.0/24 --expires 90d", "for one network",
			),
			check: (*keyCreateOptions).check, store: func(o *keyCreateOptions) Flags { return o.Flags }, run: (*keyCreateOptions).run,
		}.command(),
		task[ofAccount, keyInfo]{
			name: "list", short: "List the keys of an account, oldest first.", examples: command.Examples("postgeo key list acct_0123456789abcdef", ""),
			check: (*ofAccount).check, store: (*ofAccount).store, list: true, summary: []string{"id", "kind", "shown", "state", "name", "created", "expires"}, run: listKeys,
		}.command(),
		task[ofKey, keyInfo]{
			name: "show", short: "Show a key, without its secret.", examples: command.Examples("postgeo key show key_0123456789ab", ""),
			check: (*ofKey).check, store: (*ofKey).store,
			run: func(o *ofKey, c *call) ([]keyInfo, error) {
				k, err := c.Key(c.ctx, o.Key)
				return []keyInfo{describeKey(&k, c.now)}, err
			},
		}.command(),
		task[rotateOptions, keyCreated]{
			name: "rotate", short: "Replace a key with a new one; the old one stays valid for a while.",
			examples: command.Examples("postgeo key rotate key_0123456789ab --grace 48h", "the old key stays valid for two days"),
			check:    func(o *rotateOptions, _ *command.Env) error { return o.checkID() }, store: func(o *rotateOptions) Flags { return o.Flags }, run: (*rotateOptions).run,
		}.command(),
		switchKey("deactivate", "Refuse a key from now on.", true),
		switchKey("activate", "Accept a deactivated key again.", false),
		task[allowOptions, keyInfo]{
			name: "allow", short: "Set the addresses and pages that may use a key.",
			examples: command.Examples("postgeo key allow key_0123456789ab --ip 192.0.2.7", "from there only", "postgeo key allow key_0123456789ab", "from everywhere again"),
			check:    (*allowOptions).check, store: func(o *allowOptions) Flags { return o.Flags }, run: (*allowOptions).run,
		}.command(),
	}
}

// allowlists are the flags of the callers of a key.
type allowlists struct {
	IPs     []string `help:"Address or network that may use the key. Repeat it, or separate by commas." placeholder:"CIDR" name:"ip"`
	Origins []string `help:"Page that may use the key, such as https://app.example.com or https://*.example.com." placeholder:"ORIGIN" name:"origin"`

	addrs   billing.AddrList
	origins []billing.Origin
}

func (l *allowlists) parse() (err error) {
	if l.addrs, err = billing.ParseAddrList(l.IPs); err != nil {
		return invalid("--ip", err)
	}
	if l.origins, err = billing.ParseOrigins(l.Origins); err != nil {
		return invalid("--origin", err)
	}
	return nil
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

	key billing.Key
}

// A keyCreated is the result of "key create" and "key rotate". Only it has the key
// itself.
type keyCreated struct {
	Key      string `json:"key"`
	ID       string `json:"id"`
	Replaces string `json:"replaces,omitzero"` // id of the old key
	OldUntil string `json:"old_valid_until,omitzero"`
}

func (o *keyCreateOptions) check(*command.Env) (err error) {
	k := &o.key
	if k.Kind, err = billing.ParseKeyKind(o.Kind); err != nil {
		return invalid("--kind", err)
	}
	for _, scope := range o.Scopes {
		if scope != debugScope {
			return command.Usage(`--scope: %q is not a scope; expected %s`, scope, debugScope)
		}
		k.Debug = true
	}
	if err := o.parse(); err != nil {
		return err
	}
	if err := billing.CheckName(o.Name); err != nil {
		return invalid("--name", err)
	}
	k.Account, k.Name, k.Addrs, k.Origins = o.Account, o.Name, o.addrs, o.origins
	if o.Expires == "" {
		return nil
	}
	now := time.Now()
	if k.Expires, err = parseMoment("--expires", o.Expires, now, 1); err == nil && !k.Expires.After(now) {
		err = command.Usage(command.InvalidValue, "--expires", o.Expires, `in the future`)
	}
	return err
}

// debugScope is the additional right of keys.
const debugScope = "debug"

func (o *keyCreateOptions) run(c *call) ([]keyCreated, error) {
	k, secret, err := c.CreateKey(c.ctx, o.key)
	if err != nil {
		return nil, err
	}
	if c.StderrTerminal {
		c.Report(`the key cannot be shown again`)
	}
	return []keyCreated{{Key: secret, ID: k.ID}}, nil
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

func describeKey(k *billing.Key, now time.Time) keyInfo {
	info := keyInfo{
		ID: k.ID, Account: k.Account, Kind: string(k.Kind), Shown: k.Shown + "…", State: string(k.State(now)), Name: k.Name,
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

func listKeys(o *ofAccount, c *call) ([]keyInfo, error) {
	keys, err := c.Keys(c.ctx, o.ID)
	infos := make([]keyInfo, len(keys))
	for i := range keys {
		infos[i] = describeKey(&keys[i], c.now)
	}
	return infos, err
}

// keyArg names a key.
type keyArg struct {
	Key string `arg:"" name:"key" help:"The key's ID (key_…), as 'key list' shows it."`
}

func (a keyArg) checkID() error {
	if strings.HasPrefix(a.Key, "pg_") {
		return command.Usage(`this is an API key; use its ID (key_…), 'postgeo key list' shows the IDs`)
	}
	return nil
}

// ofKey are the options of a command about one key.
type ofKey struct {
	keyArg
	Flags
	command.Format
}

func (o *ofKey) check(*command.Env) error { return o.checkID() }

func (o *ofKey) store() Flags { return o.Flags }

type rotateOptions struct {
	keyArg
	Grace time.Duration `help:"How long the old key stays valid, at most 2160h. Default: 24h." default:"24h" placeholder:"SPAN"`

	Flags
	command.Format
}

func (o *rotateOptions) run(c *call) ([]keyCreated, error) {
	k, secret, err := c.RotateKey(c.ctx, o.Key, o.Grace)
	if err != nil {
		return nil, err
	}
	old, err := c.Key(c.ctx, o.Key)
	return []keyCreated{{Key: secret, ID: k.ID, Replaces: old.ID, OldUntil: stamp(old.Expires)}}, err
}

// switchKey declares a command that deactivates or activates a key. Servers apply
// it within a second.
func switchKey(name, short string, off bool) *cobra.Command {
	return task[ofKey, keyInfo]{
		name: name, short: short, examples: command.Examples("postgeo key "+name+" key_0123456789ab", ""),
		check: (*ofKey).check, store: (*ofKey).store,
		run: func(o *ofKey, c *call) ([]keyInfo, error) {
			return updateKey(c, o.Key, func(k *billing.Key) error { k.Off = off; return nil })
		},
	}.command()
}

func updateKey(c *call, id string, change func(*billing.Key) error) ([]keyInfo, error) {
	k, err := c.UpdateKey(c.ctx, id, change)
	return []keyInfo{describeKey(&k, c.now)}, err
}

type allowOptions struct {
	keyArg
	allowlists
	Flags
	command.Format
}

func (o *allowOptions) check(*command.Env) error {
	if err := o.parse(); err != nil {
		return err
	}
	return o.checkID()
}

// run replaces both lists of the key. Without flags they become empty.
func (o *allowOptions) run(c *call) ([]keyInfo, error) {
	return updateKey(c, o.Key, func(k *billing.Key) error {
		k.Addrs, k.Origins = o.addrs, o.origins
		return nil
	})
}
