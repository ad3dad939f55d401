package packed_test

import (
	"bytes"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/postgeo/postgeo/internal/dataset/packed"
	"github.com/postgeo/postgeo/internal/dataset/sample"
)

// A fixture is the sample in its packed form.
type fixture struct {
	file  []byte
	frame []byte
	packs [][]byte
	delta []byte
}

var fixed = sync.OnceValues(func() (f fixture, err error) {
	if f.file, err = fs.ReadFile(sample.FS(), sample.Name); err != nil {
		return f, err
	}
	s, err := packed.Open(bytes.NewReader(f.file), int64(len(f.file)))
	if err != nil {
		return f, err
	}
	scratch := make(target, len(f.file))
	if err := s.Predict(scratch); err != nil {
		return f, err
	}
	var b bytes.Buffer
	if err := s.WriteFrame(&b); err != nil {
		return f, err
	}
	f.frame = bytes.Clone(b.Bytes())
	for i := range packed.Names {
		b.Reset()
		if err := s.WritePack(&b, i); err != nil {
			return f, err
		}
		f.packs = append(f.packs, bytes.Clone(b.Bytes()))
	}
	b.Reset()
	err = packed.WriteDelta(&b, s, s)
	f.delta = b.Bytes()
	return f, err
})

// A target is a file in memory.
type target []byte

// WriteAt implements io.WriterAt.
func (m target) WriteAt(b []byte, at int64) (int, error) {
	if at < 0 || at+int64(len(b)) > int64(len(m)) {
		return 0, io.ErrShortWrite
	}
	return copy(m[at:], b), nil
}

// ReadAt implements io.ReaderAt.
func (m target) ReadAt(b []byte, at int64) (int, error) { return bytes.NewReader(m).ReadAt(b, at) }

func load(t testing.TB) fixture {
	t.Helper()
	f, err := fixed()
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// join restores a file from its frame and packs.
func join(frame []byte, packs [][]byte, size int) ([]byte, error) {
	out := make(target, size)
	j, err := packed.NewJoiner(bytes.NewReader(frame), out, int64(size))
	if err != nil {
		return nil, err
	}
	for i, p := range packs {
		if err := j.Pack(bytes.NewReader(p), i); err != nil {
			return nil, err
		}
	}
	return out, j.Finish()
}

// TestRoundTrip restores the sample from its packs and from a delta to itself.
func TestRoundTrip(t *testing.T) {
	f := load(t)
	b, err := join(f.frame, f.packs, len(f.file))
	if err != nil || !bytes.Equal(b, f.file) {
		t.Errorf("packs: error %v, same %t", err, bytes.Equal(b, f.file))
	}
	was, err := packed.Open(bytes.NewReader(f.file), int64(len(f.file)))
	if err != nil {
		t.Fatal(err)
	}
	out := make(target, len(f.file))
	if err := packed.ReadDelta(bytes.NewReader(f.delta), was, out, int64(len(f.file))); err != nil || !bytes.Equal(out, f.file) {
		t.Errorf("delta: error %v, same %t", err, bytes.Equal(out, f.file))
	}
}

// TestBomb refuses streams that expand to more than the file.
func TestBomb(t *testing.T) {
	f := load(t)
	bomb := compress(t, bytes.Repeat([]byte{0}, 64<<20))
	if _, err := join(bomb, nil, len(f.file)); err == nil {
		t.Error("a frame of zeros was accepted")
	}
	pack := append(bytes.Clone(f.packs[0]), bomb...)
	if _, err := join(f.frame, append([][]byte{pack}, f.packs[1:]...), len(f.file)); err == nil {
		t.Error("a pack with a bomb behind it was accepted")
	}
	if _, err := packed.Unpack(bomb, 1<<30); err == nil {
		t.Error("a bomb was unpacked")
	}
}

func compress(t testing.TB, b []byte) []byte {
	t.Helper()
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	return w.EncodeAll(b, nil)
}

func decompress(t testing.TB, b []byte) []byte {
	t.Helper()
	r, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	out, err := r.DecodeAll(b, nil)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Inputs of the fuzz targets are the streams before compression, since a changed
// compressed stream would seldom reach the readers.

func FuzzFrame(f *testing.F) {
	x := load(f)
	f.Add(decompress(f, x.frame)[:2000])
	f.Add([]byte("PGFRAME1\x01\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, b []byte) {
		_, _ = join(compress(t, b), nil, len(x.file))
	})
}

func FuzzPack(f *testing.F) {
	x := load(f)
	for i, p := range x.packs {
		b := decompress(f, p)
		f.Add(b[:min(len(b), 4000)], uint8(i))
	}
	out := make(target, len(x.file))
	f.Fuzz(func(t *testing.T, b []byte, pack uint8) {
		j, err := packed.NewJoiner(bytes.NewReader(x.frame), out, int64(len(out)))
		if err != nil {
			t.Fatal(err)
		}
		_ = j.Pack(bytes.NewReader(compress(t, b)), int(pack)%len(packed.Names))
	})
}

func FuzzDelta(f *testing.F) {
	x := load(f)
	b := decompress(f, x.delta)
	frame := len(decompress(f, x.frame))
	f.Add(b[frame:min(len(b), frame+4000)])
	was, err := packed.Open(bytes.NewReader(x.file), int64(len(x.file)))
	if err != nil {
		f.Fatal(err)
	}
	out := make(target, len(x.file))
	f.Fuzz(func(t *testing.T, changes []byte) {
		_ = packed.ReadDelta(bytes.NewReader(compress(t, append(bytes.Clone(b[:frame]), changes...))), was, out, int64(len(out)))
	})
}

// TestOpenDamaged reads files with changed pages. It must not panic.
func TestOpenDamaged(t *testing.T) {
	if testing.Short() {
		t.Skip("long, in one goroutine")
	}
	f := load(t)
	for page := range min(len(f.file)/8192, 60) {
		for _, at := range []int{0, 3, 8, 12, 16000} {
			b := bytes.Clone(f.file)
			b[page*8192+at] ^= 0xff
			s, err := packed.Open(bytes.NewReader(b), int64(len(b)))
			if err == nil {
				_ = s.Predict(make(target, len(b)))
			}
		}
	}
	path := filepath.Join(t.TempDir(), "short")
	if err := os.WriteFile(path, f.file[:5000], 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := packed.Open(bytes.NewReader(f.file[:5000]), 5000); err == nil {
		t.Error("a short file was opened")
	}
}
