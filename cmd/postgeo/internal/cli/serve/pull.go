package serve

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command"
	"github.com/postgeo/postgeo/dataset/signed"
)

// updates keeps the dataset of a server current.
type updates struct {
	options signed.PullOptions
	every   time.Duration

	mu     sync.Mutex
	last   time.Time // of the last success, at first of the start
	failed uint64
}

// updates returns the updates that the settings require, or nil.
func (c *settings) updates(env *command.Env, path string) (*updates, error) {
	switch {
	case (c.Pull == "") != (c.Trust == ""):
		return nil, command.Usage(`--pull and --trust, the publisher's public key, require each other`)
	case c.Pull == "":
		return nil, nil
	}
	key, err := signed.ReadTrust(c.Trust)
	if err != nil {
		return nil, err
	}
	if path == "" {
		return nil, command.Usage(`--pull replaces a dataset file; name it with --data, or run dataset pull first`)
	}
	o := signed.PullOptions{From: c.Pull, Name: c.PullName, Trust: key, Output: path, Now: env.Time}
	return &updates{options: o, every: c.Every, last: env.Time()}, nil
}

// state returns the time of the last success and the number of failures.
func (u *updates) state() (last time.Time, failed uint64) {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.last, u.failed
}

// run pulls at the start and then at each interval, and reloads a new dataset.
func (u *updates) run(ctx context.Context, logger *slog.Logger, reload func(context.Context) error) {
	ticker := time.NewTicker(u.every)
	defer ticker.Stop()
	for pending := false; ; {
		r, err := signed.Pull(ctx, u.options)
		if err == nil && (r.Installed || pending) {
			pending = true
			if err = reload(ctx); err == nil {
				pending = false
				logger.Info("dataset pulled", "vintage", r.Vintage, "bytes", r.CompressedSize)
			}
		}
		if ctx.Err() != nil {
			return
		}
		u.mu.Lock()
		if err == nil {
			u.last = u.options.Now()
		} else {
			u.failed++
			logger.Error("dataset not pulled, the old one stays in use", "error", err.Error())
		}
		u.mu.Unlock()
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}
