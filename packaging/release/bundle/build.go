package bundle

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// A program is one of the binaries.
type program struct {
	name  string
	dir   string            // of its package, from the top
	stamp map[string]string // variables that the linker sets: what of the release they hold
}

// programs are the commands of a release.
var programs = []program{
	{"postgeo", "cmd/postgeo", map[string]string{
		"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command.stampedVersion":  "version",
		"github.com/postgeo/postgeo/cmd/postgeo/internal/cli/command.stampedRevision": "revision",
	}},
	{"postgeo-mcp", "cmd/postgeo-mcp", map[string]string{
		"github.com/postgeo/postgeo/cmd/postgeo-mcp/internal/program.stampedVersion": "version",
	}},
}

// build writes everything into the folder.
func (r *release) build(ctx context.Context) error {
	if err := emptied(r.out); err != nil {
		return err
	}
	tmp, err := os.MkdirTemp("", "postgeo-release")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	common, err := r.common(ctx, tmp)
	if err != nil {
		return err
	}
	for _, t := range r.targets {
		if err := r.target(ctx, t, common, tmp); err != nil {
			return fmt.Errorf("%s: %w", t, err)
		}
	}
	if err := r.provenance(); err != nil {
		return err
	}
	return r.sums()
}

// sumsName is the file of checksums.
const sumsName = "SHA256SUMS"

// emptied makes an empty folder. It removes a former release, and returns an
// error if the folder contains anything else.
func emptied(folder string) error {
	entries, err := os.ReadDir(folder)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	for _, e := range entries {
		if e.IsDir() || e.Name() != sumsName && e.Name() != sumsName+".minisig" && !strings.HasPrefix(e.Name(), "postgeo_") {
			return fmt.Errorf("the folder %s contains %s, which is not part of a release; choose another with -o, or empty it", folder, e.Name())
		}
	}
	if err := os.RemoveAll(folder); err != nil {
		return err
	}
	return os.MkdirAll(folder, 0o755)
}

// compile builds one program for one platform, once, and returns its path.
func (r *release) compile(ctx context.Context, p program, t target, tmp string) (string, error) {
	out := filepath.Join(tmp, strings.ReplaceAll(t.String(), "/", "_"), p.name+t.exe())
	if _, err := os.Stat(out); err == nil {
		return out, nil
	}
	flags := []string{"-s", "-w", "-buildid="}
	for variable, what := range p.stamp {
		value := r.version
		if what == "revision" {
			value = r.revision
		}
		flags = append(flags, "-X="+variable+"="+value)
	}
	slices.Sort(flags)
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false", "-ldflags", strings.Join(flags, " "), "-o", out, ".")
	cmd.Dir = p.dir
	// Nothing of the builder's own settings may be in the binary.
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+t.os, "GOARCH="+t.arch, "GOFLAGS=", "GOEXPERIMENT=", "GOAMD64=v1", "GOARM64=v8.0", "GOWORK=off")
	if msg, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build %s: %w\n%s", p.name, err, msg)
	}
	return out, nil
}

// common returns the files of all archives: texts, an initial configuration,
// the documentation, and completions and manual pages, which the programs of
// this machine print.
func (r *release) common(ctx context.Context, tmp string) ([]file, error) {
	var files []file
	for _, name := range []string{"LICENSE", "README.md", "CHANGELOG.md", "packaging/postgeo.json"} {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("%w; run at the top of a checkout", err)
		}
		files = append(files, file{name: filepath.Base(name), data: data})
	}
	docs, err := tree("docs")
	if err != nil {
		return nil, err
	}
	files = append(files, docs...)
	var here []string
	for _, p := range programs {
		path, err := r.compile(ctx, p, target{runtime.GOOS, runtime.GOARCH}, tmp)
		if err != nil {
			return nil, err
		}
		here = append(here, path)
	}
	day := r.date.Format(time.DateOnly)
	for _, p := range []struct {
		name    string
		program string
		args    []string
	}{
		{"completions/postgeo.bash", here[0], []string{"completion", "bash"}},
		{"completions/_postgeo", here[0], []string{"completion", "zsh"}},
		{"completions/postgeo.fish", here[0], []string{"completion", "fish"}},
		{"man/postgeo.1", here[0], []string{"__man", day}},
		{"man/postgeo-mcp.1", here[1], []string{"__man", day}},
	} {
		out, err := exec.CommandContext(ctx, p.program, p.args...).Output()
		if err != nil {
			return nil, fmt.Errorf("%s by %s: %w", p.name, strings.Join(p.args, " "), err)
		}
		files = append(files, file{name: p.name, data: out})
	}
	return files, nil
}

func tree(folder string) (files []file, err error) {
	err = filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		files = append(files, file{name: filepath.ToSlash(path), data: data})
		return err
	})
	return files, err
}

func (r *release) target(ctx context.Context, t target, common []file, tmp string) error {
	var built []file
	var parts []module
	for _, p := range programs {
		path, err := r.compile(ctx, p, t, tmp)
		if err != nil {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		built = append(built, file{name: p.name + t.exe(), data: data, executable: true})
		linked, err := modulesOf(ctx, p.dir, path)
		if err != nil {
			return err
		}
		parts = append(parts, linked...)
	}
	parts = unique(parts)
	notices := file{name: "THIRD_PARTY_LICENSES.txt", data: notices(parts)}
	name := fmt.Sprintf("postgeo_%s_%s_%s", strings.TrimPrefix(r.version, "v"), t.os, t.arch)
	for _, f := range built {
		r.programs = append(r.programs, subject{name + "/" + f.name, digest{SHA256: hexSum(f.data)}})
	}
	bom, err := r.bom(t, built, parts)
	if err != nil {
		return err
	}
	if err := r.write(name+".cdx.json", bom); err != nil {
		return err
	}
	files := slices.Concat(built, common, []file{notices})
	if t.os == "linux" {
		for _, name := range units {
			unit, err := os.ReadFile("packaging/" + name)
			if err != nil {
				return err
			}
			files = append(files, file{name: name, data: unit})
		}
		if err := r.debian(t, files, tmp); err != nil {
			return err
		}
	}
	var out bytes.Buffer
	if t.os == "windows" {
		err, name = zipped(&out, name, files, r.date), name+".zip"
	} else {
		err, name = tarred(&out, name, files, r.date), name+".tar.gz"
	}
	if err != nil {
		return err
	}
	return r.write(name, out.Bytes())
}

// write writes a file of the release.
func (r *release) write(name string, data []byte) error {
	fmt.Printf("%s  %d bytes\n", name, len(data))
	r.files = append(r.files, subject{name, digest{SHA256: hexSum(data)}})
	return os.WriteFile(filepath.Join(r.out, name), data, 0o644)
}

// sorted returns the files that have been written, by name.
func (r *release) sorted() []subject {
	return slices.SortedFunc(slices.Values(r.files), func(a, b subject) int { return strings.Compare(a.Name, b.Name) })
}

// sums writes SHA256SUMS in the form of sha256sum.
func (r *release) sums() error {
	var b bytes.Buffer
	for _, f := range r.sorted() {
		fmt.Fprintf(&b, "%s  %s\n", f.Digest.SHA256, f.Name)
	}
	return r.write(sumsName, b.Bytes())
}
