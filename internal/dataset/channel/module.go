package channel

import (
	"archive/zip"
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"go/token"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/internal/dataset/packed"
	"github.com/postgeo/postgeo/internal/disk"
)

// ModuleOptions configures a Go module with a dataset. All fields must be set.
type ModuleOptions struct {
	// File is the path of the dataset.
	File string
	// Path is the module path, such as "example.com/geodata".
	Path string
	// Version is the version of the module, such as "v2026.10.0".
	Version string
	// Requires is the version of this library that the module requires.
	Requires string
	// Folder receives the module, in Path@Version, and the files of a module proxy.
	Folder string
}

// A Module describes a written module.
type Module struct {
	Path    string `json:"path"`
	Version string `json:"version"`
	Folder  string `json:"folder"` // with the source of the module
	Bytes   int64  `json:"bytes"`  // of the packed dataset
	Zip     int64  `json:"zip"`    // bytes of the module in a proxy
}

//go:embed module.go.txt
var moduleSource string

const (
	// packedName is the name of the dataset in the module.
	packedName = "data.postgeo"
	// mostModule is the largest dataset of a module in bytes: it is unpacked in memory.
	mostModule = 256 << 20
)

// WriteModule writes a Go module that embeds a dataset. The module's function Open
// returns the dataset. It refuses datasets with sources that may not be passed on.
func WriteModule(ctx context.Context, o ModuleOptions) (*Module, error) {
	m, err := o.write(ctx)
	if err != nil {
		return nil, fmt.Errorf("channel: module: %w", err)
	}
	return m, nil
}

// Check returns an error for a path or a version that no module can have.
func (o ModuleOptions) Check() error {
	_, err := o.name()
	return err
}

func (o ModuleOptions) write(ctx context.Context) (*Module, error) {
	name, err := o.name()
	if err != nil {
		return nil, err
	}
	info, err := check(ctx, o.File)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.File, err)
	}
	data, err := packFile(o.File)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.File, err)
	}
	var terms strings.Builder
	fmt.Fprintf(&terms, "The dataset %s in this module is made from the sources below. Each is under its\nown license; programs that show the data must show these attributions.\n", info.Version)
	for _, s := range info.Sources {
		fmt.Fprintf(&terms, "\n%s (%s), edition %s\nlicense: %s (%s)\n", s.Title, s.ID, s.Vintage, s.License, s.Redistribution)
		if s.Attribution != "" {
			fmt.Fprintln(&terms, s.Attribution)
		}
	}
	files := map[string]string{
		"go.mod":   fmt.Sprintf("module %s\n\ngo 1.26\n\nrequire github.com/postgeo/postgeo %s\n", o.Path, o.Requires),
		"LICENSE":  terms.String(),
		packedName: string(data),
		"data.go":  fmt.Sprintf(moduleSource, name, info.Version, packedName),
	}
	m := &Module{Path: o.Path, Version: o.Version, Bytes: int64(len(data)), Folder: filepath.Join(o.Folder, filepath.FromSlash(o.Path)+"@"+o.Version)}
	if err := o.writeFolder(m.Folder, files); err != nil {
		return nil, err
	}
	m.Zip, err = o.writeProxy(files, info.Built.UTC().Format("2006-01-02T15:04:05Z"))
	return m, err
}

// packFile returns the packed form of a dataset file.
func packFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() > mostModule {
		return nil, fmt.Errorf("it has %d bytes; expected at most %d, which a program unpacks in memory: choose fewer layers", info.Size(), mostModule)
	}
	s, err := packed.Open(f, info.Size())
	if err != nil {
		return nil, err
	}
	scratch, err := os.CreateTemp("", "postgeo-module-*")
	if err != nil {
		return nil, err
	}
	defer os.Remove(scratch.Name())
	defer scratch.Close()
	if err := s.Predict(scratch); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = s.Write(&b)
	return b.Bytes(), err
}

// name completes the path of the module and returns the name of its package. The
// path of a version from v2 on ends in its major version.
func (o *ModuleOptions) name() (string, error) {
	var major, minor, patch int
	if n, err := fmt.Sscanf(o.Version, "v%d.%d.%d", &major, &minor, &patch); n != 3 || err != nil || fmt.Sprintf("v%d.%d.%d", major, minor, patch) != o.Version {
		return "", fmt.Errorf("the module version %q; expected one such as v2026.10.0", o.Version)
	}
	suffix := ""
	if major > 1 {
		suffix = fmt.Sprintf("/v%d", major)
	}
	o.Path = strings.TrimSuffix(o.Path, suffix)
	first, _, _ := strings.Cut(o.Path, "/")
	name := o.Path[strings.LastIndexByte(o.Path, '/')+1:]
	if !strings.Contains(first, ".") || strings.HasPrefix(first, ".") || path.Clean(o.Path) != o.Path || o.Path != strings.ToLower(o.Path) || !token.IsIdentifier(name) {
		return "", fmt.Errorf("the module path %q; expected one such as example.com/geodata in small letters, whose last part is a Go name", o.Path)
	}
	o.Path += suffix
	return name, nil
}

func (o ModuleOptions) writeFolder(folder string, files map[string]string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for name, text := range files {
		if err := disk.Write(disk.OS{}, filepath.Join(folder, name), func(w io.Writer) error { _, err := io.WriteString(w, text); return err }); err != nil {
			return err
		}
	}
	return nil
}

// writeProxy writes the files that GOPROXY=file://FOLDER reads.
func (o ModuleOptions) writeProxy(files map[string]string, built string) (size int64, err error) {
	folder := filepath.Join(o.Folder, filepath.FromSlash(o.Path), "@v")
	if err := o.writeFolder(folder, map[string]string{
		o.Version + ".mod":  files["go.mod"],
		o.Version + ".info": fmt.Sprintf("{\"Version\":%q,\"Time\":%q}\n", o.Version, built),
	}); err != nil {
		return 0, err
	}
	list := filepath.Join(folder, "list")
	have, err := os.ReadFile(list)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return 0, err
	}
	versions := append(strings.Fields(string(have)), o.Version)
	slices.Sort(versions)
	if err := o.writeFolder(folder, map[string]string{"list": strings.Join(slices.Compact(versions), "\n") + "\n"}); err != nil {
		return 0, err
	}
	path := filepath.Join(folder, o.Version+".zip")
	err = disk.Write(disk.OS{}, path, func(w io.Writer) error {
		z := zip.NewWriter(w)
		for _, name := range slices.Sorted(maps.Keys(files)) {
			f, err := z.Create(o.Path + "@" + o.Version + "/" + name)
			if err == nil {
				_, err = io.WriteString(f, files[name])
			}
			if err != nil {
				return err
			}
		}
		return z.Close()
	})
	if err != nil {
		return 0, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
}
