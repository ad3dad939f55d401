"""Postal geography of the United States and Canada, from a dataset file.

    import postgeo
    pg = postgeo.open()
    df = pg.enrich(df, ["county_fips", "city"], key="zip")

A table is a pandas DataFrame or a dict of lists. A dataset may be used by any number of
threads.
"""

import ctypes
import numbers
import os
import sys
import threading

from . import _native
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


def open(path=None):
    """Open a dataset file.

    The default is the file that POSTGEO_DATA names, else the user's dataset, else the
    embedded sample. "sample" is the sample.
    """
    return Dataset(path)


def operations():
    """Return the names of all operations with their parameters, as Dataset.call takes them."""
    return _native.call(0, "operations", {})


class Dataset:
    """An open dataset. Use it as a context manager, or close it."""

    def __init__(self, path=None):
        self._db, self._lock = ctypes.c_uint64(), threading.Lock()
        path = path or os.environ.get("POSTGEO_DATA")
        _native.check(_native.library().postgeo_open(os.fsencode(path) if path else None, ctypes.byref(self._db)))

    def close(self):
        """Close the dataset. It may be called more than once."""
        with self._lock:
            db, self._db = self._db, ctypes.c_uint64()
            if db:
                _native.check(_native.library().postgeo_close(db))

    def __reduce__(self):
        raise TypeError("a dataset cannot be copied or sent to another process; open it there")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        if getattr(self, "_db", None):
            self.close()

    def info(self):
        """Return the version, layers and sources of the dataset."""
        return self.call("info")

    def call(self, operation, **params):
        """Run any operation and return its result, as the HTTP interface has it."""
        return _native.call(self._db, operation, params)

    def lookup(self, code, **options):
        """Return the full record of a code or a coordinate; see the operation lookup."""
        return self.call("lookup", code=code, **options)

    def radius(self, center, max, **options):
        """Return the codes within some miles of a place; see the operation radius."""
        return self.call("radius", code=center, max=max, **options)

    def nearest(self, center, count=1, **options):
        """Return the codes nearest to a place; see the operation nearest."""
        return self.call("nearest", code=center, count=count, **options)

    def distance(self, start, end):
        """Return the distance between two places."""
        return self.call("distance", **{"from": start, "to": end})

    def geocode(self, address, **options):
        """Return the position of an address; see the operation geocode."""
        return self.call("geocode", address=address, **options)

    def suggest(self, query, **options):
        """Return the places and codes that a text may mean, the best first."""
        return self.call("suggest", query=query, **options)["matches"]

    def crosswalk(self, start, end, **options):
        """Return the pairs of areas of two geographies that overlap, with their shares."""
        return self.call("crosswalk", **{"from": start, "to": end, "limit": 1 << 30, **options})["rows"]

    def enrich(self, table, fields, key=None, **options):
        """Return a table with added columns: a copy of a DataFrame, or a dict of lists.

        key is the column of codes, or a pair of columns of latitudes and longitudes. With
        kind="address" it is the column of addresses. Further options are status,
        restore_zeros, as_of and plan. Rows without a match have None.
        """
        fields = [fields] if isinstance(fields, str) else list(fields)
        columns = [key] if isinstance(key, str) else list(key or [])
        if not 1 <= len(columns) <= 2:
            raise TypeError("key must be the name of a column, or those of latitude and longitude")
        if len(columns) == 2:
            options["kind"] = "coordinates"
        rows = [_cell(cells) for cells in zip(*(table[c] for c in columns))]
        added = self.call("enrich", rows=rows, fields=fields, **options)["columns"]
        pd = sys.modules.get("pandas")
        if pd is not None and isinstance(table, pd.DataFrame):
            return table.assign(**{c["name"]: pd.Series(c["values"], index=table.index, dtype=_dtype(c)) for c in added})
        return {**table, **{c["name"]: c["values"] for c in added}}


def _cell(cells):
    """Return the key of a row as JSON has it: None for missing values."""
    cells = [_plain(c) for c in cells]
    if len(cells) == 1:
        return cells[0]
    return None if None in cells else [float(c) for c in cells]


def _plain(value):
    if value is None or isinstance(value, str):
        return value
    if not isinstance(value, numbers.Real):
        value = getattr(value, "item", lambda: str(value))()  # of numpy
    try:
        return value if value == value else None  # NaN and NaT differ from themselves
    except TypeError:  # pandas.NA has no truth value
        return None


def _dtype(column):
    return {"int": "Int64", "float": "float64", "bool": "boolean"}.get(column["type"], "object")
