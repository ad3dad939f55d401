package dataset

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"modernc.org/sqlite/vfs"

	"github.com/postgeo/postgeo/geo"
)

// A Dataset is an open dataset file. All its methods may be called from any
// number of goroutines at once.
type Dataset struct {
	path     string
	manifest Manifest
	cold     *pool

	loaded  atomic.Uint64 // Sections; the fields of a section are set before its bit
	loading sync.Mutex    // of sections
	columns []column      // without data; nil until a section is read

	names         nameTable
	states        []State
	stateByAbbr   map[stateKey]StateID
	counties      []County
	countyByFIPS  map[string]CountyID
	cbsas         []CBSA
	divisions     []Division
	zones         []Zone
	zipSet        codeSet
	zips          column
	fsaSet        codeSet
	fsas          column
	postalSet     codeSet
	postal        column
	places        []place // that postal codes refer to
	codePoints    *geo.PointIndex
	areaPoints    *geo.PointIndex
	streetSet     codeSet // the ZIPs that have street records
	streetZIPs    []zip4ZIP
	streetFirsts  []uint16 // of all pages
	streetFilters []byte
	citySet       codeSet  // the ZIPs that have city names
	cityStarts    []uint32 // of their names in cityNames
	cityNames     []byte
	aliases       codeSet  // the ZIPs whose streets have other names
	zipTexts      []string // of the details' qualities
	fsaTexts      []string
	zipDensity    column
	fsaDensity    column
	zipZones      zoneShares
	fsaZones      zoneShares
	zipAreas      *Areas[ZIP]
	fsaAreas      *Areas[FSA]
	stateAreas    *Areas[StateID]
	countyAreas   *Areas[CountyID]
	zoneAreas     *Areas[ZoneID]
	entities      *Entities
	acsAreas      [numACSLevels]acsAreas
	acsYears      [numACSLevels][]int
	acsTables     []ACSTable
	acsPages      int // of all tables
	acsCache      acsCache
	acsSegments   acsSegments
	acsRooms      sync.Pool // of *acsRoom
	zip4Rooms     sync.Pool // of *zip4Page
	layers        [endOfLayers]*Layer
	zipOverlaps   codeSet // the ZIPs that have overlaps
	fsaOverlaps   codeSet
	postalAreas   codeSet  // the FSAs whose postal codes have areas
	check         *checker // nil: the file cannot be read past SQLite
}

// Open opens the dataset file at the path and reads the codes and names of ZIP
// Codes and forward sortation areas. Other parts are read later; see [Sections].
// The file must not change while it is open. To replace a dataset, rename another
// file over it and open the path again; see [Dataset.Moved].
//
// The error matches [fs.ErrNotExist], [ErrNotDataset], [ErrVersion] or
// [ErrDamaged] if one of these is the cause.
func Open(path string) (*Dataset, error) {
	info, err := os.Stat(path) // before it is opened: opening a pipe waits for who writes to it
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("dataset: %s does not exist; build it with \"postgeo dataset build -o %s\": %w", path, path, fs.ErrNotExist)
	}
	if err != nil {
		return nil, fmt.Errorf("dataset: cannot open %s: %w", path, err)
	}
	if err := checkKind(path, info); err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("dataset: cannot open %s: %w", path, err)
	}
	return openFile(path, f)
}

// OpenFS opens the dataset file with the name in the file system, as Open
// does; an embed.FS will do. Its files must implement [io.Seeker].
func OpenFS(fsys fs.FS, name string) (*Dataset, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, fmt.Errorf("dataset: cannot open %s: %w", name, err)
	}
	if r, ok := f.(readable); ok {
		return openFile(name, r)
	}
	err = checkFile(name, f)
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return nil, err
	}
	vfsName, registered, err := vfs.New(fsys)
	if err != nil {
		return nil, fmt.Errorf("dataset: cannot register the file system of %s: %w", name, err)
	}
	d, err := open(name, vfsDSN(name, vfsName), registered.Close)
	if err != nil {
		return nil, errors.Join(err, registered.Close())
	}
	return d, nil
}

// openFile opens a dataset that is read from f alone, and closes f on failure.
func openFile(path string, f readable) (*Dataset, error) {
	if err := checkFile(path, f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	dsn, done, err := hold(f)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	d, err := open(path, dsn, done)
	if err != nil {
		return nil, errors.Join(err, done())
	}
	if d.check, err = newChecker(d, f); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	return d, nil
}

// vfsDSN returns the address of a file of a registered file system.
func vfsDSN(name, vfsName string) string {
	return "file:" + (&url.URL{Path: name}).EscapedPath() + "?mode=ro&immutable=1&vfs=" + vfsName + readPragmas
}

// readPragmas make SQLite check cells before it uses them and run no code of a
// schema. A connection keeps at most 2 MiB of pages: the inner pages of the
// largest table and the leaves of one area.
const readPragmas = "&_pragma=cell_size_check(1)&_pragma=trusted_schema(0)&_pragma=cache_size(-2048)"

// fileURL returns the path as SQLite's file: URL.
func fileURL(abs string) string {
	p := filepath.ToSlash(abs)
	if !strings.HasPrefix(p, "/") { // C:/…
		p = "/" + p
	}
	return (&url.URL{Scheme: "file", Path: p}).String()
}

// checkKind refuses everything but regular files.
func checkKind(path string, info fs.FileInfo) error {
	if info.IsDir() {
		return fmt.Errorf("%w: %s is a folder; give the file itself", ErrNotDataset, path)
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%w: %s is not a regular file (%s)", ErrNotDataset, path, info.Mode())
	}
	return nil
}

func checkFile(path string, f fs.File) error {
	info, err := f.Stat()
	if err != nil {
		return fmt.Errorf("dataset: cannot open %s: %w", path, err)
	}
	if err := checkKind(path, info); err != nil {
		return err
	}
	header, err := readHeader(f)
	if err != nil {
		return fmt.Errorf("dataset: cannot read %s: %w", path, err)
	}
	return checkHeader(path, header, info.Size())
}

func open(path, dsn string, done func() error) (*Dataset, error) {
	c, err := connect(path, dsn)
	if err != nil {
		return nil, err
	}
	d := newDataset(path)
	d.cold.dsn = dsn
	if err := d.load(context.Background(), c); err != nil {
		return nil, errors.Join(err, c.close())
	}
	d.cold.done = done
	d.cold.idle = append(d.cold.idle, c)
	return d, nil
}

func newDataset(path string) *Dataset {
	return &Dataset{
		path:         path,
		cold:         newPool(path, ""),
		stateByAbbr:  map[stateKey]StateID{},
		countyByFIPS: map[string]CountyID{},
		acsSegments:  acsSegments{limit: DefaultACSMemory},
	}
}

// load reads the manifest and the tables of no section.
func (d *Dataset) load(ctx context.Context, c *connection) error {
	if err := checkSchema(ctx, c); err != nil {
		return err
	}
	var err error
	if d.manifest, err = readManifest(ctx, c); err != nil {
		return readError(d.path, "the manifest", err)
	}
	return d.decode(0, &columnSet{next: func(id int64) (column, error) { return readColumn(ctx, c, id) }})
}

// checkSchema refuses a file whose tables are not exactly those of the format.
func checkSchema(ctx context.Context, c *connection) error {
	want := schema()
	i := 0
	err := c.each(ctx, "SELECT type, sql FROM sqlite_schema ORDER BY rowid", func(r *scanner) error {
		kind, sql := r.text(), r.text()
		if r.err == nil && (i >= len(want) || kind != "table" || sql != want[i]) {
			return fmt.Errorf("found %s %q, which is not part of the format", kind, sql)
		}
		i++
		return nil
	})
	if err == nil && i < len(want) {
		err = fmt.Errorf("table %s is missing", tableName(want[i]))
	}
	if err != nil {
		return readError(c.path, "the schema", err)
	}
	return nil
}

// columnHead is the part of a row that describes a column.
const columnHead = "id, name, width, row_count, crc32c"

func (r *scanner) column() (c column) {
	c.id, c.name, c.width, c.rows = r.int(), r.text(), int(r.int()), int(r.int())
	c.crc = uint32(r.int())
	return c
}

// readHeaders reads the list of columns without their data.
func readHeaders(ctx context.Context, c *connection) (list []column, err error) {
	err = c.each(ctx, "SELECT "+columnHead+" FROM column_data ORDER BY id", func(r *scanner) error {
		list = append(list, r.column())
		return checkNext(list)
	})
	if err != nil {
		return nil, readError(c.path, "the columns", err)
	}
	return list, nil
}

// checkNext checks the place of the last column of a list.
func checkNext(list []column) error {
	n := len(list)
	last := list[n-1]
	if last.id != int64(n) {
		return fmt.Errorf("found column %d, expected %d", last.id, n)
	}
	if slices.ContainsFunc(list[:n-1], func(c column) bool { return c.name == last.name }) {
		return fmt.Errorf("column %q is there twice", last.name)
	}
	return nil
}

// readColumn reads one column and compares its checksum.
func readColumn(ctx context.Context, c *connection, id int64) (column, error) {
	list, err := readColumns(ctx, c, fmt.Sprintf(" WHERE id = %d", id))
	if err != nil {
		return column{}, err
	}
	if len(list) == 0 {
		return column{}, damaged(c.path, "column %d is missing", id)
	}
	return list[0], nil
}

// readData reads the data of a column whose header was read.
func readData(ctx context.Context, c *connection, head *column) error {
	got, err := readColumn(ctx, c, head.id)
	if err != nil {
		return err
	}
	if got.name != head.name || got.crc != head.crc {
		return damaged(c.path, "column %d is %q with the CRC-32C %08x, was %q with %08x", head.id, got.name, got.crc, head.name, head.crc)
	}
	*head = got
	return nil
}

// readColumns reads the columns that a condition selects and compares their
// checksums.
func readColumns(ctx context.Context, c *connection, where string) (list []column, err error) {
	err = c.each(ctx, "SELECT "+columnHead+", data FROM column_data"+where+" ORDER BY id", func(r *scanner) error {
		col := r.column()
		col.data = r.blob()
		if r.err != nil {
			return r.err
		}
		if got := col.checksum(); got != col.crc {
			return fmt.Errorf("column %q: its CRC-32C is %08x, expected %08x", col.name, got, col.crc)
		}
		list = append(list, col)
		if where != "" {
			return nil
		}
		return checkNext(list)
	})
	if err != nil {
		return nil, readError(c.path, "the columns", err)
	}
	return list, nil
}

// Close closes the file. It waits for calls that read it; scans end early
// with [ErrClosed]. A second Close does nothing. After Close every method that
// returns an error returns one that matches ErrClosed; the others answer from
// memory as before.
func (d *Dataset) Close() error {
	if err := d.cold.close(); err != nil {
		return fmt.Errorf("dataset: closing %s: %w", d.path, err)
	}
	if d.check != nil {
		return d.check.end()
	}
	return nil
}

// Path returns the path or name that the dataset was opened with.
func (d *Dataset) Path() string { return d.path }

// Manifest returns the description of the file. Its slices must not be
// changed.
func (d *Dataset) Manifest() Manifest { return d.manifest }

// Ping reads one row from the file, past every cache of this package, and
// reports whether it is what Open saw.
func (d *Dataset) Ping(ctx context.Context) error {
	return d.cold.use(ctx, func(c *connection) error {
		digest := ""
		err := c.each(ctx, "SELECT value FROM manifest WHERE key = 'digest'", func(r *scanner) error {
			digest = r.text()
			return nil
		})
		if err != nil {
			return readError(d.path, "the manifest", err)
		}
		if digest != d.manifest.Digest {
			return damaged(d.path, "the manifest's digest is %q, was %q when the file was opened", digest, d.manifest.Digest)
		}
		return nil
	})
}
