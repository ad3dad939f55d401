package tables

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/postgeo/postgeo/internal/dataset/internal/store"
)

// Section holds the tables of users.
const Section store.Sections = 1 << 59

// A Reader holds the tables of one file.
type Reader struct {
	file *store.File
	list []*Table // by name, the newest year first
}

// A Writer collects the tables of a new file.
type Writer struct {
	out  *store.Writer
	list []*Table
	base *Reader // of an extended file, else nil
}

// New registers the tables with a file.
func New(f *store.File) *Reader {
	d := &Reader{file: f}
	f.Tables.Add([]store.Bound{table.Bind(d, nil)}, nil)
	return d
}

// NewWriter registers the tables with a new file.
func NewWriter(out *store.Writer) *Writer {
	w := &Writer{out: out}
	out.Add(table.Bind(nil, w))
	return w
}

// Extend keeps the tables of another file. A table that is added takes the place of
// the one with the same name and year.
func (w *Writer) Extend(base *Reader) { w.base = base }

// Renewed reports whether a table is encoded again in an extended file.
func (w *Writer) Renewed(name string) bool { return name == table.Name && len(w.list) > 0 }

// OwnTables returns the tables of users by name, the newest year first. They must not
// be changed. [Section] must be loaded.
func (d *Reader) OwnTables() []*Table {
	d.file.Need(Section)
	return d.list
}

// AddOwnTable adds a table of a user.
func (w *Writer) AddOwnTable(t Data) error {
	if err := w.out.Usable(); err != nil {
		return err
	}
	if err := t.check(); err != nil {
		return store.Invalid("%v", err)
	}
	if slices.ContainsFunc(w.list, func(o *Table) bool { return o.info.Name == t.Name && o.info.Year == t.Year }) {
		return store.Invalid("the table %s of the year %d was given twice", t.Name, t.Year)
	}
	if len(t.Values) != len(t.Columns) || len(t.Keys) == 0 {
		return store.Invalid("table %s has %d columns with values of %d and %d rows", t.Name, len(t.Values), len(t.Columns), len(t.Keys))
	}
	width := 1
	for i, k := range t.Keys {
		if k == "" || len(k) > maxKey || strings.IndexByte(k, 0) >= 0 || i > 0 && k <= t.Keys[i-1] {
			return store.Invalid("the key %q of table %s; expected ascending texts of at most %d bytes", k, t.Name, maxKey)
		}
		width = max(width, len(k))
	}
	keys := store.Column{Name: t.id() + ".keys", Width: width, Rows: len(t.Keys), Data: make([]byte, width*len(t.Keys))}
	for i, k := range t.Keys {
		copy(keys.Data[i*width:], k)
	}
	var e store.Encoder
	for i, v := range t.Values {
		used, other := len(v.Numbers), len(v.Texts)
		if t.Columns[i].Meaning == Category {
			used, other = other, used
		}
		if used != len(t.Keys) || other > 0 {
			return store.Invalid("column %s of table %s has %d values of %d rows, and %d of another type", t.Columns[i].Name, t.Name, used, len(t.Keys), other)
		}
		for _, n := range v.Numbers {
			if math.Abs(n) > MaxNumber {
				return store.Invalid("column %s of table %s has the number %v; expected at most %v", t.Columns[i].Name, t.Name, n, float64(MaxNumber))
			}
		}
		e.B = append(e.B, v.encode()...)
	}
	w.list = append(w.list, &Table{info: t.Info, keys: keys, values: store.Column{Name: t.id() + ".values", Rows: len(t.Columns), Data: e.B}})
	return nil
}

// maxKey is the maximum length of a key.
const maxKey = 100

const heads = "own_tables"

var table = store.ResidentTable[*Reader, *Writer]{
	Name: "own_tables", Section: Section,
	Encode: func(w *Writer, c *store.Columns) error {
		list := slices.Clone(w.list)
		if w.base != nil {
			if err := w.base.file.Load(context.Background(), Section); err != nil {
				return err
			}
			for _, t := range w.base.list {
				if !slices.ContainsFunc(w.list, func(o *Table) bool { return compare(o, t) == 0 }) {
					list = append(list, t)
				}
			}
		}
		if len(list) == 0 {
			return nil
		}
		slices.SortFunc(list, compare)
		if err := agree(list); err != nil {
			return store.Invalid("%v", err)
		}
		err := store.AddList(c, heads, store.NewCoder(nil), list, codeInfo)
		for _, t := range list {
			c.Add(t.keys)
			c.Add(t.values)
		}
		return err
	},
	Decode: func(d *Reader, c *store.Columns) error {
		d.list = nil
		if !c.Has(heads) {
			return nil
		}
		list, err := store.TakeList(c, heads, store.DecodeWith(nil, nil), codeInfo)
		if err != nil {
			return err
		}
		for i, t := range list {
			if err := t.info.check(); err != nil {
				return err
			}
			if i > 0 && compare(list[i-1], t) >= 0 {
				return fmt.Errorf("table %s is out of order", t.info.Name)
			}
		}
		if err := agree(list); err != nil {
			return err
		}
		for _, t := range list {
			if err := t.decode(c); err != nil {
				return fmt.Errorf("table %s: %w", t.info.Name, err)
			}
		}
		d.list = list
		return nil
	},
}

// codeInfo codes the description of a table.
func codeInfo(t **Table, c *store.Coder) {
	if c.Reading() {
		*t = &Table{}
	}
	i := &(*t).info
	c.Text(&i.Name, &i.Key, &i.Weight, &i.Title, &i.Source, &i.License)
	store.Max(c, &i.Year, maxYear)
	store.List(c, &i.Columns, func(v *Column) {
		c.Text(&v.Name)
		store.Fixed(c, &v.Meaning)
		c.Text(&v.Weight, &v.Absent)
	})
}

// decode reads the keys and values.
func (t *Table) decode(c *store.Columns) (err error) {
	at := c.Index(t.info.id() + ".keys")
	if at < 0 {
		return fmt.Errorf("column %s.keys is missing", t.info.id())
	}
	if t.keys, err = c.Take(t.info.id()+".keys", c.Heads[at].Width); err != nil {
		return err
	}
	if t.keys.Width < 1 || t.keys.Width > maxKey || t.keys.Rows == 0 {
		return fmt.Errorf("%d keys of %d bytes", t.keys.Rows, t.keys.Width)
	}
	for i := range t.keys.Rows {
		k := t.keys.Row(i)
		if bytes.IndexByte(bytes.TrimRight(k, "\x00"), 0) >= 0 || k[0] == 0 || i > 0 && bytes.Compare(t.keys.Row(i-1), k) >= 0 {
			return fmt.Errorf("key %d %q is malformed or out of order", i, k)
		}
	}
	if t.values, err = c.Take(t.info.id()+".values", 0); err != nil {
		return err
	}
	if t.values.Rows != len(t.info.Columns) {
		return fmt.Errorf("%d columns of values, expected %d", t.values.Rows, len(t.info.Columns))
	}
	d, text := &store.Decoder{B: t.values.Data}, ""
	if slices.ContainsFunc(t.info.Columns, func(c Column) bool { return c.Meaning == Category }) {
		text = string(t.values.Data)
	}
	for i := range t.info.Columns {
		r, err := decode(d, text, &t.info.Columns[i], t.keys.Rows)
		if err != nil {
			return fmt.Errorf("column %s: %w", t.info.Columns[i].Name, err)
		}
		t.read = append(t.read, r)
	}
	return d.End()
}

// KindTable returns the kind of the rows of a table in a comparison.
func KindTable(name string) store.Kind { return store.Kind("table " + name) }

// Kinds returns the kinds of the tables of two files.
func Kinds(a, b *Reader) (kinds []store.Kind) {
	for _, t := range slices.Concat(a.list, b.list) {
		kinds = append(kinds, KindTable(t.info.Name))
	}
	slices.Sort(kinds)
	return slices.Compact(kinds)
}

// Diff reports the changes between the tables of two files whose sections are
// loaded; false ends the comparison.
func Diff(ctx context.Context, c *store.Comparison, a, b *Reader) bool {
	for _, kind := range Kinds(a, b) {
		name := strings.TrimPrefix(string(kind), "table ")
		for _, year := range years(name, a, b) {
			if !diff(ctx, c, kind, a.find(name, year), b.find(name, year)) {
				return false
			}
		}
	}
	return true
}

func years(name string, files ...*Reader) (list []int) {
	for _, f := range files {
		for _, t := range f.list {
			if t.info.Name == name {
				list = append(list, t.info.Year)
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func (d *Reader) find(name string, year int) *Table {
	i := slices.IndexFunc(d.list, func(t *Table) bool { return t.info.Name == name && t.info.Year == year })
	if i < 0 {
		return nil
	}
	return d.list[i]
}

// A row is a row of a table for a comparison.
type row struct {
	t  *Table
	at int
}

func (t *Table) rows() iter.Seq[row] {
	return func(yield func(row) bool) {
		if t == nil {
			return
		}
		for i := range t.Len() {
			if !yield(row{t, i}) {
				return
			}
		}
	}
}

func (r row) key() string { return r.t.Key(r.at) }

func (r row) value(column string) any {
	i := r.t.Column(column)
	if i < 0 {
		return nil
	}
	if r.t.info.Columns[i].Meaning != Category {
		v, ok := r.t.Number(i, r.at)
		return [2]any{v, ok}
	}
	if n := r.t.Category(i, r.at); n >= 0 {
		return r.t.Categories(i)[n]
	}
	return ""
}

func diff(ctx context.Context, c *store.Comparison, kind store.Kind, a, b *Table) bool {
	var names []string
	if a != nil && b != nil {
		if !reflect.DeepEqual(a.info, b.info) && !c.Changed(kind, "", "Info") {
			return false
		}
		if bytes.Equal(a.keys.Data, b.keys.Data) && bytes.Equal(a.values.Data, b.values.Data) {
			return true
		}
		for _, col := range slices.Concat(a.info.Columns, b.info.Columns) {
			if !slices.Contains(names, col.Name) {
				names = append(names, col.Name)
			}
		}
	}
	code := func(r row) string {
		if y := r.t.info.Year; y != 0 {
			return fmt.Sprintf("%s %d", r.key(), y)
		}
		return r.key()
	}
	return store.Merge(ctx, c, kind, a.rows(), b.rows(), row.key, code, func(x, y row) (changed []string, err error) {
		for _, n := range names {
			changed = store.AddIf(changed, n, x.value(n) != y.value(n))
		}
		return changed, nil
	})
}
