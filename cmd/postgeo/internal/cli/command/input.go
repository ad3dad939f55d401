package command

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/paulmach/orb"

	"github.com/postgeo/postgeo/enrich/table"
	"github.com/postgeo/postgeo/geo/geojson"
)

// maxLine bounds a line of standard input. A code has at most 50 characters.
const maxLine = 4096

// Inputs yields words, and for "-" the lines of standard input that are not blank.
func (c *Call) Inputs(words []string) iter.Seq2[string, error] { return c.lines(words, true) }

// Lines yields words, and for "-" all lines of standard input.
func (c *Call) Lines(words []string) iter.Seq2[string, error] { return c.lines(words, false) }

// lines flushes the output before it reads the next line of standard input: a program that
// writes a code into a pipe and waits for its result would otherwise wait without end.
func (c *Call) lines(words []string, skipBlank bool) iter.Seq2[string, error] {
	flush := func() error {
		if c.writer == nil {
			return nil
		}
		return c.writer.Flush()
	}
	return func(yield func(string, error) bool) {
		for _, word := range words {
			if word != "-" {
				if !yield(word, nil) {
					return
				}
				continue
			}
			lines := bufio.NewScanner(flushBeforeRead{c.Stdin, flush})
			lines.Buffer(make([]byte, 0, maxLine), maxLine)
			for lines.Scan() {
				line := strings.TrimSpace(strings.TrimPrefix(lines.Text(), "\ufeff"))
				if !(skipBlank && line == "") && !yield(line, nil) {
					return
				}
			}
			if err := lines.Err(); err != nil {
				if errors.Is(err, bufio.ErrTooLong) {
					err = Failure(`a line is longer than %d bytes; write one input per line`, maxLine)
				}
				yield("", Failure(`read standard input: %w`, err))
				return
			}
		}
	}
}

type flushBeforeRead struct {
	io.Reader
	flush func() error
}

func (r flushBeforeRead) Read(p []byte) (int, error) {
	if err := r.flush(); err != nil {
		return 0, err
	}
	return r.Reader.Read(p)
}

// A Feature is a GeoJSON feature. Values of properties are kept as they are
// written, so that a long number keeps its digits.
type Feature struct {
	Properties map[string]json.RawMessage `json:"properties"`
	Geometry   json.RawMessage            `json:"geometry"`
}

// maxGeoJSON bounds the size of a file of polygons in bytes.
const maxGeoJSON = 64 << 20

// ReadFeatures reads a file with a collection, a feature or a geometry in GeoJSON. The path
// "-" means stdin; a nil stdin makes it a file like others.
func ReadFeatures(path string, stdin io.Reader) ([]Feature, error) {
	name, in := "standard input", stdin
	if path != "-" || stdin == nil {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		name, in = path, f
	}
	data, err := io.ReadAll(io.LimitReader(in, maxGeoJSON+1))
	var list []Feature
	switch {
	case err != nil:
		return nil, Failure(`read %s: %w`, name, err)
	case len(data) > maxGeoJSON:
		return nil, Failure(`%s has more than %d MiB; simplify its outlines`, name, maxGeoJSON>>20)
	}
	if list, err = ParseFeatures(data); err != nil {
		return nil, Failure(`%s: %w`, name, err)
	}
	return list, nil
}

// ParseFeatures reads a collection, a feature or a geometry.
func ParseFeatures(data []byte) ([]Feature, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	var object struct {
		Type     string     `json:"type"`
		Features []*Feature `json:"features"`
		Feature
	}
	if err := geojson.Unmarshal(data, &object); err != nil {
		return nil, Failure(`not valid GeoJSON: %w`, err)
	}
	switch object.Type {
	case "FeatureCollection":
		list := make([]Feature, len(object.Features))
		for i, f := range object.Features {
			if f == nil {
				return nil, Failure(`feature %d is null; must be a feature with a polygon`, i+1)
			}
			list[i] = *f
		}
		return list, nil
	case "Feature":
		return []Feature{object.Feature}, nil
	default:
		return []Feature{{Geometry: data}}, nil
	}
}

// ReadPolygon reads a file that holds a polygon; - is standard input.
func ReadPolygon(path string, stdin io.Reader) (orb.MultiPolygon, error) {
	list, err := ReadFeatures(path, stdin)
	if err != nil {
		return nil, err
	}
	var m orb.MultiPolygon
	if len(list) != 1 {
		err = Failure(`the collection has %d features; must have one polygon`, len(list))
	} else {
		m, err = PolygonsOf(list[0].Geometry)
	}
	if path == "-" {
		path = "standard input"
	}
	if err != nil {
		return nil, Failure(`%s: %w`, path, err)
	}
	return m, nil
}

// PolygonsOf reads the geometry of a feature.
func PolygonsOf(geometry []byte) (orb.MultiPolygon, error) {
	if len(geometry) == 0 || string(geometry) == "null" {
		return nil, Failure(`missing geometry; must be a polygon or multipolygon`)
	}
	return geojson.ParsePolygons(geometry)
}

// OpenTable opens a table in a file, or "-" for standard input. The end of the
// context ends the reading of a pipe.
func OpenTable(ctx context.Context, env *Env, path string, in table.Input) (*table.Source, error) {
	if path != "-" {
		if info, err := os.Stat(path); err != nil || info.Mode().IsRegular() || info.IsDir() {
			src, err := table.Open(path, in)
			return src, Kind("table", err)
		}
	}
	f, _, _ := table.FormatOf(path)
	in.Format = cmp.Or(in.Format, f)
	src, err := table.Read(Stoppable(ctx, func() (io.ReadCloser, error) {
		if path == "-" {
			return io.NopCloser(env.Stdin), nil
		}
		return os.Open(path) // waits for the writer of a named pipe
	}), in)
	return src, Kind("table", err)
}

// UntilStopped ends the context of the call with SIGINT or SIGTERM, for a command that
// has to clean up. A second signal ends the process. Other commands have nothing to clean
// up, and a signal ends them at once.
func (c *Call) UntilStopped() (stop context.CancelFunc) {
	c.Context, stop = signal.NotifyContext(c.Context, os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(c.Context, stop) // restores the default action of the second signal
	return stop
}

// Stoppable returns a reader of the stream that open returns, which may block. It ends with
// the context. The stream is closed at its end. A read of a pipe cannot be interrupted, so a
// goroutine does it and is left behind at the end of the context; the process ends soon.
func Stoppable(ctx context.Context, open func() (io.ReadCloser, error)) io.Reader {
	r, w := io.Pipe()
	stop := context.AfterFunc(ctx, func() { w.CloseWithError(ctx.Err()) })
	go func() {
		defer stop()
		in, err := open()
		if err == nil {
			defer in.Close()
			_, err = io.CopyBuffer(w, struct{ io.Reader }{in}, make([]byte, 1<<18))
		}
		w.CloseWithError(err)
	}()
	return r
}

// SwappedHint is the hint about coordinates that are [Swapped].
const SwappedHint = `hint: the coordinates of %s seem to be swapped; GeoJSON has the longitude first: [-118.4, 34.1]`

// Swapped reports whether a box lies outside North America, and inside it if its
// coordinates are swapped. Guam and American Samoa lie outside of its bounds either way, and
// get no hint.
func Swapped(box orb.Bound) bool {
	within := func(lon, lat float64) bool { return lon >= -180 && lon <= -50 && lat >= 15 && lat <= 84 }
	return !within(box.Min[0], box.Min[1]) && within(box.Min[1], box.Min[0]) && within(box.Max[1], box.Max[0])
}
