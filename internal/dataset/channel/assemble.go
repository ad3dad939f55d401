package channel

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/postgeo/postgeo/internal/dataset/packed"
)

// assemble writes a file from its frame and packs.
func assemble(ctx context.Context, file *File, to *os.File, get func(Blob) (*os.File, error)) error {
	var j *packed.Joiner
	if err := with(file.Frame, get, func(in io.Reader) (err error) {
		j, err = packed.NewJoiner(in, to, file.Size)
		return err
	}); err != nil {
		return fmt.Errorf("the frame: %w", err)
	}
	for i, name := range packed.Names {
		k := slices.IndexFunc(file.Packs, func(p Pack) bool { return p.Name == name })
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case k < 0 && j.Uses(i):
			return fmt.Errorf("%w: the pack %s is missing", ErrContent, name)
		case k < 0:
			continue
		}
		if err := with(file.Packs[k].Blob, get, func(in io.Reader) error { return j.Pack(in, i) }); err != nil {
			return fmt.Errorf("the pack %s: %w", name, err)
		}
	}
	if err := j.Finish(); err != nil {
		return err
	}
	return file.verify(to)
}

// with calls f with the content of a file, after its size and hash were verified.
func with(b Blob, get func(Blob) (*os.File, error), f func(io.Reader) error) error {
	in, err := get(b)
	if err != nil {
		return err
	}
	defer in.Close()
	if err := b.verify(in); err != nil {
		return err
	}
	return f(in)
}

// verify compares a file with its size and hash, and returns to its beginning.
func (b Blob) verify(f *os.File) error {
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	h := sha256.New()
	n, err := io.Copy(h, io.LimitReader(f, b.Size+1))
	if err != nil {
		return err
	}
	if sum := hex.EncodeToString(h.Sum(nil)); n != b.Size || sum != b.SHA256 {
		return fmt.Errorf("%w: it has %d bytes and the SHA-256 %s; expected %d bytes and %s", ErrContent, n, sum, b.Size, b.SHA256)
	}
	_, err = f.Seek(0, io.SeekStart)
	return err
}

// applyDelta writes a file from the earlier one and a delta.
func applyDelta(file *File, d Delta, from, to *os.File, get func(Blob) (*os.File, error)) error {
	info, err := from.Stat()
	if err != nil {
		return err
	}
	was, err := packed.Open(from, info.Size())
	if err != nil {
		return err
	}
	if err := with(d.Blob, get, func(in io.Reader) error { return packed.ReadDelta(in, was, to, file.Size) }); err != nil {
		return err
	}
	return file.verify(to)
}
