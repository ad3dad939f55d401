"""Columns of pandas, numpy, Arrow and plain lists: distinct keys in, columns out."""

import ctypes
import json
import math
import sys
from array import array
from collections import defaultdict
from itertools import count


def numpy():
    """Return numpy if the program has loaded it."""
    return sys.modules.get("numpy")


def pandas():
    return sys.modules.get("pandas")


def missing(value):
    """Report whether a value is None, NaN, NaT or pandas.NA."""
    if value is None:
        return True
    try:
        return bool(value != value)
    except TypeError:  # pandas.NA has no truth value
        return True


_LONGEST = 1 << 20  # bytes of a key, of which a valid one has far fewer


def key(value):
    """Return the key of a value: "" for a missing one. NUL only ends keys."""
    if missing(value):
        return b""
    if not isinstance(value, bytes):
        value = str(value).encode("utf-8", "replace")
    return value[:_LONGEST].replace(b"\0", b" ")


class Index:
    """The number of each row's entry. Rows of number -1 have none."""

    def __init__(self, numbers, wrap, vector):
        self.numbers, self.wrap, self.vector = numbers, wrap, vector  # vector: a numpy array

    def take(self, values, kind):
        """Return the column of the rows' values."""
        values = values + [None]  # of rows without an entry
        if not self.vector:
            return self.wrap(map(values.__getitem__, self.numbers))
        np = numpy()
        present = np.array([v is not None for v in values])
        whole = bool(present[:-1].all()) and not (self.numbers < 0).any()
        if kind == "l":
            entries = np.array([v or 0 for v in values], np.int64)
            column = entries[self.numbers]
            return self.wrap(column, None if whole else ~present[self.numbers], "Int64")
        if kind == "b":
            column = np.array([bool(v) for v in values])[self.numbers]
            return self.wrap(column, None if whole else ~present[self.numbers], "boolean")
        if kind == "g":
            return self.wrap(np.array([math.nan if v is None else v for v in values])[self.numbers])
        entries = np.empty(len(values), object)
        entries[:] = values
        return self.wrap(entries.take(self.numbers))


def _array(column, missing=None, dtype=None):
    """Return a column as a numpy array: with NaN or None if values are missing."""
    if missing is None:
        return column
    column = column.astype(float if dtype == "Int64" else object)
    column[missing] = math.nan if dtype == "Int64" else None
    return column


def _series(like):
    pd = pandas()

    def wrap(column, missing=None, dtype=None):
        if missing is not None:
            column = pd.array(column, dtype=dtype)
            column[missing] = pd.NA
        return pd.Series(column, index=like.index)

    return wrap


def _distinct(values):
    """Return the number of each value among the distinct ones, and these."""
    known = defaultdict(count().__next__)  # each value is hashed once
    return list(map(known.__getitem__, values)), list(known)


def factorize(column):
    """Return the index of a column and its distinct keys."""
    np, pd = numpy(), pandas()
    if getattr(column, "ndim", 1) != 1:
        raise ValueError(f"expected a column, not an object of {column.ndim} dimensions")
    if np is not None and isinstance(column, np.ma.MaskedArray):
        column = column.astype(object).filled(None)
    if pd is not None and isinstance(column, (pd.Series, pd.Index, pd.Categorical)):
        numbers, distinct = pd.factorize(column)
        wrap = _series(column) if isinstance(column, pd.Series) else _array
        return Index(numbers, wrap, True), [key(v) for v in distinct]
    if np is not None and isinstance(column, np.ndarray):
        if pd is not None:
            numbers, distinct = pd.factorize(column.astype(object) if column.dtype.kind in "SU" else column)
        elif column.dtype.kind == "O":
            numbers, distinct = _distinct(column.tolist())
            numbers = np.array(numbers, np.int64)
        else:
            distinct, numbers = np.unique(column, return_inverse=True)
        return Index(numbers, _array, True), [key(v) for v in distinct]
    numbers, distinct = _distinct(column)
    return Index(numbers, list, False), [key(v) for v in distinct]


def fixed(column):
    """Return a numpy array of texts as bytes of fixed width, or None."""
    np = numpy()
    if np is None or type(column) is not np.ndarray or column.ndim != 1 or column.dtype.kind not in "SU" or not 0 < column.dtype.itemsize <= _LONGEST:
        return None
    column = np.ascontiguousarray(column)
    if column.dtype.kind == "U":  # four bytes for a character
        characters = column.view(f"{'>' if column.dtype.byteorder == '>' else '<'}u4")
        if column.size and characters.max() > 127:
            return None
        column = characters.astype(np.uint8).view(f"S{column.dtype.itemsize // 4}")
    return column


def _floats(column):
    """Return numbers with NaN for those that are masked or NA."""
    np, pd = numpy(), pandas()
    if isinstance(column, np.ma.MaskedArray):
        return column.astype(float).filled(math.nan)
    if pd is not None and isinstance(column, pd.Series):
        return column.to_numpy(float, na_value=math.nan)
    return column


def doubles(latitude, longitude):
    """Return two buffers of doubles with their number of rows and the wrapper of results."""
    np, pd = numpy(), pandas()
    vector = np is not None and (isinstance(latitude, np.ndarray) or pd is not None and isinstance(latitude, pd.Series))
    if vector:
        pair = [np.ascontiguousarray(_floats(v), np.float64) for v in (latitude, longitude)]
        if any(v.ndim != 1 for v in pair):
            raise ValueError("expected columns of one dimension")
        wrap = _array if isinstance(latitude, np.ndarray) else _series(latitude)
        n, other = (len(v) for v in pair)
        numbers = np.empty(n, np.int32)
        pointers = [v.ctypes.data for v in pair]
    else:
        pair = [array("d", (math.nan if missing(v) else v for v in values)) for values in (latitude, longitude)]
        n, other = (len(v) for v in pair)
        numbers, wrap = array("i", bytes(4 * n)), list
        pointers = [v.buffer_info()[0] for v in pair]
    if n != other:
        raise ValueError(f"{n} latitudes and {other} longitudes")
    return pair, pointers, n, Index(numbers, wrap, vector)


def address(numbers):
    return numbers.buffer_info()[0] if isinstance(numbers, array) else numbers.ctypes.data


def packed(keys, most=1 << 24):
    """Yield buffers of keys with their width and number.

    Keys are padded to the longest. A buffer of several has at most so many bytes.
    """
    step, at = 1 << 16, 0
    while at < len(keys):
        part = keys[at : at + step]
        while (width := max(1, max(map(len, part)))) * len(part) > most and len(part) > 1:
            part = part[: len(part) // 2]
        at += len(part)
        yield b"".join(k.ljust(width, b"\0") for k in part), width, len(part)


def decoded(values, kind):
    """Return values with lists and objects instead of their JSON."""
    if kind in ("list", "json"):
        return [None if v is None else json.loads(v) for v in values]
    return values


def table(names, columns, like):
    """Return several columns: a DataFrame for pandas, else a dict."""
    pd = pandas()
    of = dict(zip(names, columns))
    if pd is not None and isinstance(like, pd.Series):
        return pd.DataFrame(of, index=like.index)
    return of
