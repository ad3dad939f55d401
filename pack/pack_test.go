package pack_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/postgeo/postgeo/internal/dataset/packed"
	"github.com/postgeo/postgeo/internal/dataset/sample"
	"github.com/postgeo/postgeo/pack"
)

// packSample returns the sample as a module embeds it.
func packSample(dir string) ([]byte, error) {
	f, err := sample.FS().Open(sample.Name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var b bytes.Buffer
	size, err := b.ReadFrom(f)
	if err != nil {
		return nil, err
	}
	file, err := packed.Open(bytes.NewReader(b.Bytes()), size)
	if err != nil {
		return nil, err
	}
	scratch, err := os.Create(filepath.Join(dir, "scratch"))
	if err != nil {
		return nil, err
	}
	defer scratch.Close()
	if err := file.Predict(scratch); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = file.Write(&out)
	return out.Bytes(), err
}

func ExampleOpen() {
	dir, err := os.MkdirTemp("", "pack")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	data, err := packSample(dir) // a module embeds the data
	if err != nil {
		fmt.Println(err)
		return
	}
	db, err := pack.Open(data)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	fmt.Println(db.Info().Version)
	// Output: sample-2026-11
}

// TestOpenDamaged refuses data that is cut off, changed, or something else.
func TestOpenDamaged(t *testing.T) {
	data, err := packSample(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	changed := bytes.Clone(data)
	changed[len(changed)/2]++
	for name, b := range map[string][]byte{"empty": nil, "cut": data[:len(data)/2], "changed": changed, "text": []byte("SQLite format 3"), "followed": append(bytes.Clone(data), data...)} {
		if db, err := pack.Open(b); err == nil {
			if err := db.Verify(t.Context()); err == nil {
				t.Errorf("%s: opened", name)
			}
			db.Close()
		} else if !strings.HasPrefix(err.Error(), "p") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
