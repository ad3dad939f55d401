"""Postal geography of the United States and Canada, from a dataset file.

    import postgeo
    pg = postgeo.open()
    df["county"] = pg.lookup(df.zip, "county_fips")

Columns may be pandas Series, numpy arrays, Arrow arrays or lists. Results are of the
same kind. A dataset may be used by any number of threads.
"""

import ctypes
import json
import numbers
import os
import sys
import threading

from . import _columns, _native
from ._errors import (
    AmbiguousError,
    ClosedError,
    DamagedError,
    Error,
    InvalidCodeError,
    InvalidParamError,
    NotDatasetError,
    NotFoundError,
    UnavailableError,
    VersionError,
)

__all__ = [
    "AmbiguousError", "ClosedError", "DamagedError", "Dataset", "Error", "InvalidCodeError", "InvalidParamError",
    "NotDatasetError", "NotFoundError", "UnavailableError", "VersionError", "open", "operations",
]  # fmt: skip
__version__ = "0.0.0"

_MOST_PREPARED = 32  # sets of fields that a dataset keeps prepared


def open(path=None):
    """Open a dataset file.

    The default is the file that POSTGEO_DATA names, else the user's dataset, else the
    embedded sample of invented data. "sample" is the sample.
    """
    return Dataset(path)


def operations():
    """Return the names of all operations with their parameters, as Dataset.call takes them."""
    return _native.call_json(_native.library().postgeo_operations)


class Dataset:
    """An open dataset. Use it as a context manager, or close it."""

    def __init__(self, path=None):
        self._c = _native.library()
        self._db = ctypes.c_uint64()
        self._prepared = {}
        self._lock = threading.Lock()
        path = path or os.environ.get("POSTGEO_DATA")
        _native.check(self._c.postgeo_open(os.fsencode(path) if path else None, ctypes.byref(self._db)))

    def close(self):
        """Close the dataset. It may be called more than once."""
        with self._lock:
            db, self._db = self._db, ctypes.c_uint64()
            self._prepared.clear()
            if db:
                _native.check(self._c.postgeo_close(db))

    def __reduce__(self):
        raise TypeError("a dataset cannot be copied or sent to another process; open it there")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        if getattr(self, "_db", None):
            self.close()

    def swap(self, path):
        """Serve later calls from another file. After an error the old one stays."""
        _native.check(self._c.postgeo_swap(self._db, os.fsencode(path)))

    def info(self):
        """Return the version, layers and sources of the dataset."""
        return _native.call_json(self._c.postgeo_info, self._db)

    def call(self, operation, **params):
        """Run any operation and return its result, as the HTTP interface has it."""
        return _native.call_json(self._c.postgeo_call, self._db, operation.encode(), _json(params))

    def lookup(self, keys, fields=None, *, kind="code", **options):
        """Return fields of each key: one column for a name, a table for a list of names.

        kind is what keys are: "code", "coordinates" (as text), "address" or "text". Options
        are status, restore_zeros, distance_to, as_of and plan. Rows without a match have
        missing values. One key gives values instead of columns, and without fields its
        full record.
        """
        if isinstance(keys, (str, bytes, int)):
            keys = _columns.key(keys).decode("utf-8", "replace")
            if fields is None:
                return self.call("lookup", code=keys, **options)
            one = self.lookup([keys], fields, kind=kind, **options)
            return {name: column[0] for name, column in one.items()} if isinstance(one, dict) else one[0]
        if fields is None:
            raise TypeError("lookup of several keys requires fields")
        columns = self._columns(fields, kind, options)
        if hasattr(keys, "combine_chunks"):  # pyarrow.ChunkedArray
            keys = keys.combine_chunks()
        if hasattr(keys, "__arrow_c_array__"):
            return self._arrow(columns, keys, fields)
        direct = _columns.fixed(keys)
        if direct is not None:
            np = _columns.numpy()
            index = _columns.Index(np.empty(len(direct), np.int32), _columns._array, True)
            parts = [self._entries(self._c.postgeo_columns_index, columns.handle, direct.ctypes.data, direct.dtype.itemsize, len(direct), _columns.address(index.numbers))]
        else:
            index, distinct = _columns.factorize(keys)
            parts = []
            for text, width, n in _columns.packed(distinct):
                numbers = (ctypes.c_int32 * n)()  # of equal keys, such as 1 and "1"
                parts.append(_spread(self._entries(self._c.postgeo_columns_index, columns.handle, text, width, n, ctypes.addressof(numbers)), numbers))
        return self._result(parts, index, columns.described, fields, keys)

    def lookup_points(self, latitude, longitude, fields, **options):
        """Return fields of each coordinate, as lookup does."""
        if isinstance(latitude, numbers.Real):
            return self.lookup(f"{latitude},{longitude}", fields, kind="coordinates", **options)
        columns = self._columns(fields, "coordinates", options)
        pair, pointers, n, index = _columns.doubles(latitude, longitude)
        parts = [self._entries(self._c.postgeo_columns_points, columns.handle, *pointers, n, _columns.address(index.numbers))]
        del pair
        return self._result(parts, index, columns.described, fields, latitude)

    def areas(self, latitude, longitude, layer="county"):
        """Return the GEOID of the area of a layer around each coordinate."""
        if isinstance(latitude, numbers.Real):
            return self.areas([latitude], [longitude], layer)[0]
        pair, pointers, n, index = _columns.doubles(latitude, longitude)
        part = self._entries(self._c.postgeo_areas, self._db, layer.encode(), *pointers, n, _columns.address(index.numbers))
        del pair
        return self._result([part], index, [{"name": "geoid", "type": "string"}], "geoid", latitude)

    def radius(self, center, max, **options):
        """Return the codes within some miles of a place; see the operation radius."""
        return self.call("radius", code=center, max=max, **options)

    def distance(self, start, end, **options):
        """Return the distance between two places, or the miles of each row.

        Both may be columns; end may also be one place.
        """
        if isinstance(start, str) and isinstance(end, str):
            return self.call("distance", **{"from": start, "to": end}, **options)
        if isinstance(start, str):
            start, end = end, start
        if isinstance(end, str):
            return self.lookup(start, "distance.miles", distance_to=end, **options)
        rows, ends = list(start), list(end)
        if len(rows) != len(ends):
            raise ValueError(f"{len(rows)} starts and {len(ends)} ends")
        pairs = [_columns.key(a).decode() + "\t" + _columns.key(b).decode() for a, b in zip(rows, ends)]
        return self.lookup(_like(pairs, start), "distance.miles", pairs=True, **options)

    def geocode(self, addresses, **options):
        """Return the position of an address, or a table of positions of a column."""
        if isinstance(addresses, str):
            return self.call("geocode", address=addresses, **options)
        fields = ["lat=geocode.location.lat", "lon=geocode.location.lon", "precision=geocode.precision", "radius_m=geocode.radius_m"]
        return self.lookup(addresses, fields, kind="address", **options)

    def suggest(self, query, **options):
        """Return the places and codes that a text may mean, the best first."""
        return self.call("suggest", query=query, **options)["matches"]

    def acs(self, codes, fields, year=None, **options):
        """Return figures of the American Community Survey of each code.

        Fields are paths such as "economic.income.median_household_income"; with .moe, .pct
        or .pct_moe after them they are margins of error and percentages.
        """
        prefix = "acs." if year is None else f"acs.{year}."
        if isinstance(fields, str):
            return self.lookup(codes, prefix + fields, **options)
        return self.lookup(codes, [f"{name}={prefix}{name}" for name in fields], **options)

    def crosswalk(self, start, end, weight=None, **options):
        """Return the pairs of areas of two geographies that overlap, with their shares.

        The result is a DataFrame if the program has loaded pandas, else a list of dicts.
        """
        if weight is not None:
            options["weight"] = weight
        rows = self.call("crosswalk", **{"from": start, "to": end, "limit": 1 << 30, **options})["rows"]
        pd = _columns.pandas()
        return pd.DataFrame(rows) if pd is not None else rows

    def _columns(self, fields, kind, options):
        """Return prepared columns."""
        options = {"kind": kind, "fields": [fields] if isinstance(fields, str) else list(fields), **options}
        text = _json(options)
        with self._lock:
            found = self._prepared.pop(text, None)
            if found is None:
                found = _Prepared(self._c, self._db, text)
                if len(self._prepared) >= _MOST_PREPARED:
                    del self._prepared[next(iter(self._prepared))]
            self._prepared[text] = found  # the last of the dict
        return found

    def _entries(self, function, *arguments):
        entries = _native.Entries()
        _native.check(function(*arguments, *entries.pointers()))
        return [values for _, _, values in entries.columns()]

    def _result(self, parts, index, described, fields, like):
        columns = []
        for i, of in enumerate(described):
            values = [v for part in parts for v in part[i]]
            kind = {"int": "l", "float": "g", "bool": "b"}.get(of["type"], "u")
            columns.append(index.take(_columns.decoded(values, of["type"]), kind))
        if isinstance(fields, str) and len(columns) == 1:
            return columns[0]
        return _columns.table([of["name"] for of in described], columns, like)

    def _arrow(self, columns, keys, fields):
        schema, array = keys.__arrow_c_array__()
        entries = _native.Entries()
        _native.check(
            self._c.postgeo_columns_arrow(
                columns.handle, _native.capsule_pointer(array, b"arrow_array"), _native.capsule_pointer(schema, b"arrow_schema"), *entries.pointers()
            )
        )
        pa = sys.modules.get("pyarrow")
        if pa is None:
            return entries
        batch = pa.record_batch(entries)
        return batch.column(0) if isinstance(fields, str) and batch.num_columns == 1 else batch


class _Prepared:
    """Prepared columns, which are closed when no thread uses them."""

    def __init__(self, c, db, text):
        self._c, self.handle = c, ctypes.c_uint64()
        _native.check(c.postgeo_columns_open(db, text, ctypes.byref(self.handle)))
        self.described = _native.call_json(c.postgeo_columns_fields, self.handle)

    def __del__(self):
        if self.handle:
            self._c.postgeo_columns_close(self.handle)


def _json(params):
    """Return parameters as JSON. Values of numpy become plain ones."""

    def plain(value):
        if hasattr(value, "tolist"):
            return value.tolist()
        raise TypeError(f"unexpected parameter {value!r}")

    return json.dumps(params, default=plain, allow_nan=False).encode()


def _spread(columns, numbers):
    """Return one value for each key, also for equal ones."""
    return [[values[n] for n in numbers] for values in columns]


def _like(values, column):
    """Return values as a column of the same kind."""
    np, pd = _columns.numpy(), _columns.pandas()
    if pd is not None and isinstance(column, pd.Series):
        return pd.Series(values, index=column.index, dtype=object)
    if np is not None and isinstance(column, np.ndarray):
        return np.array(values, object)
    return values
