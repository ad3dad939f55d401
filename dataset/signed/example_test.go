package signed_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"time"

	"github.com/postgeo/postgeo/dataset/signed"
	"github.com/postgeo/postgeo/internal/sample"
)

func Example() {
	dir, err := os.MkdirTemp("", "publish")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	in := func(name string) string { return filepath.Join(dir, name) }
	data, err := fs.ReadFile(sample.FS(), sample.Name)
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(in("west.db"), data, 0o600); err != nil {
		log.Fatal(err)
	}

	// The publisher keeps the key and gives away key.pub.
	if err := signed.NewKey(in("key")); err != nil {
		log.Fatal(err)
	}
	key, err := signed.ReadKey(in("key"))
	if err != nil {
		log.Fatal(err)
	}
	list, err := signed.Publish(context.Background(), signed.PublishOptions{
		Files: []string{in("west.db")}, To: in("site"), Key: key, Expires: time.Now().AddDate(0, 3, 0),
	})
	if err != nil {
		log.Fatal(err)
	}

	// A user installs the dataset, and later its newer versions.
	trust, err := signed.ReadTrust(in("key.pub"))
	if err != nil {
		log.Fatal(err)
	}
	opt := signed.PullOptions{From: in("site"), Name: "west", Trust: trust, Output: in("postgeo.db")}
	for range 2 {
		report, err := signed.Pull(context.Background(), opt)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(report.Name, report.Vintage == list[0].Vintage, report.Installed)
	}
	opt.Now = func() time.Time { return time.Now().AddDate(1, 0, 0) }
	_, err = signed.Pull(context.Background(), opt)
	fmt.Println(errors.Is(err, signed.ErrExpired))
	// Output:
	// west true true
	// west true false
	// true
}
