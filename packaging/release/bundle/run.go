package bundle

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// allTargets are the platforms of a release.
const allTargets = "linux/amd64,linux/arm64,darwin/amd64,darwin/arm64,windows/amd64,windows/arm64"

// A release holds the options of a build.
type release struct {
	out      string // folder
	version  string // "v1.2.3", or a pseudo-version
	revision string // commit
	date     time.Time
	targets  []target
	files    []subject // as written
	programs []subject // in the archives
}

// A target is a platform, e.g. linux/amd64.
type target struct{ os, arch string }

func (t target) String() string { return t.os + "/" + t.arch }

// exe is the end of a program's file name.
func (t target) exe() string {
	if t.os == "windows" {
		return ".exe"
	}
	return ""
}

// Run builds a release with the given arguments.
func Run(ctx context.Context, args []string) error {
	r, err := parse(ctx, args)
	if errors.Is(err, flag.ErrHelp) {
		return nil
	}
	if err != nil {
		return err
	}
	return r.build(ctx)
}

// parse parses the flags. Defaults come from git.
func parse(ctx context.Context, args []string) (*release, error) {
	f := flag.NewFlagSet("release", flag.ContinueOnError)
	r := &release{}
	targets := f.String("targets", allTargets, "platforms, divided by commas")
	epoch := f.String("date", os.Getenv("SOURCE_DATE_EPOCH"), "`SECONDS` since 1970 that files carry; default: the commit's date")
	top := f.String("C", ".", "`FOLDER` of the checkout")
	f.StringVar(&r.out, "o", "dist", "`FOLDER` to write to; the release that it holds is removed")
	f.StringVar(&r.version, "version", "", "version; default: the tag of the commit, else one made of its date and name")
	f.StringVar(&r.revision, "revision", "", "commit; default: that of the checkout")
	if err := f.Parse(args); err != nil {
		return nil, err
	}
	var err error
	if r.out, err = filepath.Abs(r.out); err != nil {
		return nil, err
	}
	if err := os.Chdir(*top); err != nil {
		return nil, err
	}
	if r.revision == "" {
		out, err := git(ctx, "rev-parse", "HEAD")
		if err != nil {
			return nil, err
		}
		r.revision = out
	}
	if *epoch == "" {
		out, err := git(ctx, "log", "-1", "--format=%ct", r.revision)
		if err != nil {
			return nil, err
		}
		*epoch = out
	}
	seconds, err := strconv.ParseInt(*epoch, 10, 64)
	if err != nil || seconds < 0 {
		return nil, fmt.Errorf("the date is %q; expected seconds since 1970", *epoch)
	}
	r.date = time.Unix(seconds, 0).UTC()
	if r.version == "" {
		r.version = versionOf(ctx, r)
	}
	if !strings.HasPrefix(r.version, "v") || strings.ContainsAny(r.version, " /\\\"'") {
		return nil, fmt.Errorf("the version is %q; expected one such as v1.2.3", r.version)
	}
	for name := range strings.SplitSeq(*targets, ",") {
		system, arch, ok := strings.Cut(strings.TrimSpace(name), "/")
		if !ok || !slices.Contains(strings.Split(allTargets, ","), system+"/"+arch) {
			return nil, fmt.Errorf("unknown target %q; must be one of %s", name, allTargets)
		}
		r.targets = append(r.targets, target{system, arch})
	}
	return r, nil
}

// versionOf is the tag of the commit, or a pseudo-version in Go's form.
func versionOf(ctx context.Context, r *release) string {
	if tag, err := git(ctx, "describe", "--tags", "--exact-match", "--match", "v*", r.revision); err == nil && tag != "" {
		return tag
	}
	return "v0.0.0-" + r.date.Format("20060102150405") + "-" + r.revision[:min(12, len(r.revision))]
}

func git(ctx context.Context, args ...string) (string, error) {
	out, err := exec.CommandContext(ctx, "git", args...).Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w; outside of a checkout give -version, -revision and -date", strings.Join(args, " "), err)
	}
	return strings.TrimSpace(string(out)), nil
}
