package cli

import (
	"context"
	"strings"
	"time"

	"github.com/postgeo/postgeo/billing"
	"github.com/postgeo/postgeo/cmd/postgeo/internal/output"
)

// keyCmd is "postgeo key".
type keyCmd struct {
	Create     keyCreateCmd     `cmd:"" help:"Create a key and print it, once."`
	List       keyListCmd       `cmd:"" help:"List the keys of an account."`
	Show       keyShowCmd       `cmd:"" help:"Show a key, without its secret."`
	Rotate     keyRotateCmd     `cmd:"" help:"Replace a key by a new one; the old one stays valid for a while."`
	Deactivate keyDeactivateCmd `cmd:"" help:"Refuse a key from now on."`
	Activate   keyActivateCmd   `cmd:"" help:"Accept a deactivated key again."`
	Allow      keyAllowCmd      `cmd:"" help:"Say from which addresses and pages a key may be used."`
}

// listFlags are the allowlists of a key.
type listFlags struct {
	IPs     []string `help:"Address or network that the key may be used from. Repeat it, or divide by commas." placeholder:"CIDR" name:"ip"`
	Origins []string `help:"Page that the key may be used from, as https://app.example.com or https://*.example.com." placeholder:"ORIGIN" name:"origin"`
}

func (f listFlags) parse() (billing.AddrList, []billing.Origin, error) {
	addrs, err := billing.ParseAddrList(f.IPs)
	if err != nil {
		return nil, nil, wrongUse("--ip: %s", bare(err))
	}
	origins, err := billing.ParseOrigins(f.Origins)
	if err != nil {
		return nil, nil, wrongUse("--origin: %s", bare(err))
	}
	return addrs, origins, nil
}

// keyCreateCmd is "postgeo key create".
type keyCreateCmd struct {
	Account string   `help:"The account's id." placeholder:"ID" required:""`
	Kind    string   `help:"live, test or demo." default:"live" placeholder:"KIND"`
	Name    string   `help:"What you call it; at most 200 characters." placeholder:"TEXT"`
	Scopes  []string `help:"Further right of the key: debug." placeholder:"SCOPE" name:"scope"`
	Expires string   `help:"When it expires: a span (36h, 90d), a day or a time. Default: never." placeholder:"WHEN"`

	listFlags
	accountsFlag
	formatFlag
}

// A keyCreated is what "key create" and "key rotate" tell. The key is told
// here and nowhere else.
type keyCreated struct {
	Key      string `json:"key"`
	ID       string `json:"id"`
	Replaces string `json:"replaces,omitzero"` // id of the old key
	OldUntil string `json:"old_valid_until,omitzero"`
}

// Run creates the key.
func (c *keyCreateCmd) Run(ctx context.Context, env *Env) error {
	kind, err := billing.ParseKeyKind(c.Kind)
	if err != nil {
		return wrongUse("--kind: %s", bare(err))
	}
	k := billing.Key{Account: c.Account, Kind: kind, Name: c.Name}
	if k.Scopes, err = billing.ParseScopes(c.Scopes); err != nil {
		return wrongUse("--scope: %s", bare(err))
	}
	if k.Addrs, k.Origins, err = c.parse(); err != nil {
		return err
	}
	if err := billing.CheckName(c.Name); err != nil {
		return wrongUse("--name: %s", bare(err))
	}
	if c.Expires != "" {
		now := time.Now()
		if k.Expires, err = parseMoment("--expires", c.Expires, now, 1); err != nil {
			return err
		}
		if !k.Expires.After(now) {
			return wrongUse("--expires %s is over; give a time to come", c.Expires)
		}
	}
	return showItems(ctx, env, c.accountsFlag, showing{format: c.formatFlag}, func(s *accounts) ([]keyCreated, error) {
		k, secret, err := s.keyring().Create(ctx, k)
		if err != nil {
			return nil, err
		}
		if env.StderrTerminal {
			env.say("the key cannot be shown again")
		}
		return []keyCreated{{Key: secret.Reveal(), ID: k.ID}}, nil
	})
}

// A keyInfo is what is told of a key.
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
		ID: k.ID, Account: k.Account, Kind: k.Kind.String(), Shown: k.Shown + "…", State: k.State(now).String(), Name: k.Name,
		Created: stamp(k.Created), Expires: stamp(k.Expires), IPs: k.Addrs.Strings(),
	}
	if s := k.Scopes.String(); s != "" {
		info.Scopes = strings.Split(s, ",")
	}
	for _, o := range k.Origins {
		info.Origins = append(info.Origins, o.String())
	}
	return info
}

// keyListCmd is "postgeo key list".
type keyListCmd struct {
	accountRef
	accountsFlag
	formatFlag
}

// Run lists the keys, oldest first.
func (c *keyListCmd) Run(ctx context.Context, env *Env) error {
	id, err := c.id()
	if err != nil {
		return err
	}
	columns, _ := output.Find(output.Columns[keyInfo](), []string{"id", "kind", "shown", "state", "name", "created", "expires"})
	return showItems(ctx, env, c.accountsFlag, showing{format: c.formatFlag, array: true, summary: columns}, func(s *accounts) ([]keyInfo, error) {
		keys, err := s.Keys(ctx, id)
		if err != nil {
			return nil, err
		}
		infos := make([]keyInfo, len(keys))
		for i := range keys {
			infos[i] = describeKey(&keys[i], time.Now())
		}
		return infos, nil
	})
}

// keyArg names a key.
type keyArg struct {
	Key string `arg:"" name:"key" help:"The key's id (key_…), as 'key list' shows it."`
}

func (a keyArg) id() (string, error) {
	if strings.HasPrefix(a.Key, "pg_") {
		return "", wrongUse("give the key's id (key_…), not the key itself; 'postgeo key list' shows ids")
	}
	return a.Key, nil
}

// keyShowCmd is "postgeo key show".
type keyShowCmd struct {
	keyArg
	accountsFlag
	formatFlag
}

// Run shows the key.
func (c *keyShowCmd) Run(ctx context.Context, env *Env) error {
	id, err := c.id()
	if err != nil {
		return err
	}
	return showItems(ctx, env, c.accountsFlag, showing{format: c.formatFlag}, func(s *accounts) ([]keyInfo, error) {
		k, err := s.Key(ctx, id)
		if err != nil {
			return nil, err
		}
		return []keyInfo{describeKey(&k, time.Now())}, nil
	})
}

// keyRotateCmd is "postgeo key rotate".
type keyRotateCmd struct {
	keyArg
	Grace time.Duration `help:"How long the old key stays valid, at most 2160h. Default: ${default}." default:"24h" placeholder:"SPAN"`

	accountsFlag
	formatFlag
}

// Run replaces the key.
func (c *keyRotateCmd) Run(ctx context.Context, env *Env) error {
	id, err := c.id()
	if err != nil {
		return err
	}
	return showItems(ctx, env, c.accountsFlag, showing{format: c.formatFlag}, func(s *accounts) ([]keyCreated, error) {
		k, secret, err := s.keyring().Rotate(ctx, id, c.Grace)
		if err != nil {
			return nil, err
		}
		old, err := s.Key(ctx, id)
		if err != nil {
			return nil, err
		}
		return []keyCreated{{Key: secret.Reveal(), ID: k.ID, Replaces: old.ID, OldUntil: stamp(old.Expires)}}, nil
	})
}

// keyDeactivateCmd is "postgeo key deactivate".
type keyDeactivateCmd struct {
	keyArg
	accountsFlag
	formatFlag
}

// Run deactivates the key. Servers learn of it within a second.
func (c *keyDeactivateCmd) Run(ctx context.Context, env *Env) error {
	return changeKey(ctx, env, c.keyArg, c.accountsFlag, c.formatFlag, func(k *billing.Key) error { k.Off = true; return nil })
}

// keyActivateCmd is "postgeo key activate".
type keyActivateCmd struct {
	keyArg
	accountsFlag
	formatFlag
}

// Run activates the key.
func (c *keyActivateCmd) Run(ctx context.Context, env *Env) error {
	return changeKey(ctx, env, c.keyArg, c.accountsFlag, c.formatFlag, func(k *billing.Key) error { k.Off = false; return nil })
}

// keyAllowCmd is "postgeo key allow".
type keyAllowCmd struct {
	keyArg
	listFlags
	accountsFlag
	formatFlag
}

// Run replaces both lists of the key; without flags it empties them.
func (c *keyAllowCmd) Run(ctx context.Context, env *Env) error {
	addrs, origins, err := c.parse()
	if err != nil {
		return err
	}
	return changeKey(ctx, env, c.keyArg, c.accountsFlag, c.formatFlag, func(k *billing.Key) error {
		k.Addrs, k.Origins = addrs, origins
		return nil
	})
}

func changeKey(ctx context.Context, env *Env, arg keyArg, f accountsFlag, format formatFlag, change func(*billing.Key) error) error {
	id, err := arg.id()
	if err != nil {
		return err
	}
	return showItems(ctx, env, f, showing{format: format}, func(s *accounts) ([]keyInfo, error) {
		k, err := s.UpdateKey(ctx, id, change)
		if err != nil {
			return nil, err
		}
		return []keyInfo{describeKey(&k, time.Now())}, nil
	})
}
