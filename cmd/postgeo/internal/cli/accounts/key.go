package accounts

import (
	"strings"
	"time"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
)

// allowlists are the flags of the callers of a key.
type allowlists struct {
	IPs     []string `help:"Address or network that may use the key. Repeat it, or separate by commas." placeholder:"CIDR" name:"ip"`
	Origins []string `help:"Page that may use the key, such as https://app.example.com or https://*.example.com." placeholder:"ORIGIN" name:"origin"`
}

// set replaces both lists of a key. Without flags they become empty.
func (l *allowlists) set(k *billing.Key) (err error) {
	if k.Addrs, err = billing.ParseAddrList(l.IPs); err != nil {
		return command.Usage("--ip: %s", command.Bare(err))
	}
	if k.Origins, err = billing.ParseOrigins(l.Origins); err != nil {
		return command.Usage("--origin: %s", command.Bare(err))
	}
	return nil
}

type keyCreateOptions struct {
	Account string   `help:"The account's ID." placeholder:"ID" required:""`
	Kind    string   `help:"live, test or demo." enum:"live,test,demo" default:"live" placeholder:"KIND"`
	Name    label    `help:"Name for your reference; at most 200 characters." placeholder:"TEXT"`
	Scopes  []string `help:"Additional right of the key: debug." enum:"debug" placeholder:"SCOPE" name:"scope"`
	Expires moment   `help:"Expiry: a duration (36h, 90d), a day or a time. Default: never." placeholder:"WHEN"`

	allowlists
	ofAll
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

func (o *keyCreateOptions) run(c *call) (keyCreated, error) {
	k := billing.Key{Account: o.Account, Name: string(o.Name), Kind: billing.KeyKind(o.Kind), Debug: len(o.Scopes) > 0, Expires: o.Expires.Time}
	if err := o.set(&k); err != nil {
		return keyCreated{}, err
	}
	k, secret, err := c.CreateKey(c.Context, k)
	if err == nil && c.StderrTerminal {
		c.Report(`the key cannot be shown again`)
	}
	return keyCreated{Key: secret, ID: k.ID}, err
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

func listKeys(o *ofAccount, c *call) ([]keyInfo, error) {
	keys, err := c.Keys(c.Context, o.ID)
	return describe(keys, err, c.key)
}

// ofKey are the options of a command about one key.
type ofKey struct {
	Key keyID `arg:"" name:"key" help:"The key's ID (key_…), as 'key list' shows it."`
	ofAll
}

// A keyID is the ID of a key, not the key.
type keyID string

// UnmarshalText refuses API keys, which the error does not repeat.
func (id *keyID) UnmarshalText(text []byte) error {
	if strings.HasPrefix(string(text), "pg_") {
		return command.Usage(`this is an API key; use its ID (key_…), 'postgeo key list' shows the IDs`)
	}
	*id = keyID(text)
	return nil
}

func showKey(o *ofKey, c *call) (keyInfo, error) {
	k, err := c.Key(c.Context, string(o.Key))
	return c.key(&k), err
}

// update changes a key. Servers apply it within a second.
func (o *ofKey) update(c *call, change func(*billing.Key)) (keyInfo, error) {
	k, err := c.UpdateKey(c.Context, string(o.Key), func(k *billing.Key) error { change(k); return nil })
	return c.key(&k), err
}

type rotateOptions struct {
	ofKey
	Grace time.Duration `help:"How long the old key stays valid, at most 2160h. Default: 24h." default:"24h" placeholder:"SPAN"`
}

func (o *rotateOptions) run(c *call) (keyCreated, error) {
	k, secret, err := c.RotateKey(c.Context, string(o.Key), o.Grace)
	if err != nil {
		return keyCreated{}, err
	}
	old, err := c.Key(c.Context, string(o.Key))
	return keyCreated{Key: secret, ID: k.ID, Replaces: old.ID, OldUntil: stamp(old.Expires)}, err
}

type allowOptions struct {
	ofKey
	allowlists
}

func (o *allowOptions) run(c *call) (keyInfo, error) {
	var lists billing.Key
	if err := o.set(&lists); err != nil {
		return keyInfo{}, err
	}
	return o.update(c, func(k *billing.Key) { k.Addrs, k.Origins = lists.Addrs, lists.Origins })
}
