package userdata_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/postgeo/postgeo/internal/userdata"
)

func environment(values map[string]string) func(string) string {
	return func(name string) string { return values[name] }
}

func TestDir(t *testing.T) {
	home, other := filepath.Join(t.TempDir(), "home"), t.TempDir()
	tests := []struct {
		name, goos, home string
		env              map[string]string
		want             string
	}{
		{"linux", "linux", home, nil, filepath.Join(home, ".local", "share", "postgeo")},
		{"linux with XDG", "linux", home, map[string]string{"XDG_DATA_HOME": other}, filepath.Join(other, "postgeo")},
		{"a relative XDG is ignored", "linux", home, map[string]string{"XDG_DATA_HOME": "data"}, filepath.Join(home, ".local", "share", "postgeo")},
		{"macOS", "darwin", home, nil, filepath.Join(home, "Library", "Application Support", "postgeo")},
		{"Windows", "windows", home, map[string]string{"LOCALAPPDATA": other}, filepath.Join(other, "postgeo")},
		{"Windows without a profile", "windows", home, nil, ""},
		{"homeless", "linux", "", nil, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := userdata.Dir(tt.goos, tt.home, environment(tt.env)); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestChoose(t *testing.T) {
	dir := t.TempDir()
	own := filepath.Join(dir, userdata.File)
	if err := os.WriteFile(own, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct{ name, named, env, dir, want string }{
		{"named wins", "a.db", "b.db", dir, "a.db"},
		{"then the environment", "", "b.db", dir, "b.db"},
		{"then the user's own", "", "", dir, own},
		{"a folder without one", "", "", t.TempDir(), ""},
		{"no folder", "", "", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := userdata.Choose(tt.named, environment(map[string]string{"POSTGEO_DATA": tt.env}), tt.dir)
			if got != tt.want || err != nil {
				t.Errorf("got %q, %v; want %q", got, err, tt.want)
			}
		})
	}
	if got, err := userdata.Choose("", environment(nil), own); err == nil {
		t.Errorf("a file in the place of the folder gives %q", got)
	}
}
