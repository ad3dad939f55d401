"""The C library: its functions, errors and Arrow structures."""

import ctypes
import json
import os
import struct
import sys
from array import array

from ._errors import Error

_LIBRARY = {"darwin": "libpostgeo.dylib", "win32": "postgeo.dll"}.get(sys.platform, "libpostgeo.so")


class ArrowSchema(ctypes.Structure):
    pass


class ArrowArray(ctypes.Structure):
    pass


_SchemaRelease = ctypes.CFUNCTYPE(None, ctypes.POINTER(ArrowSchema))
_ArrayRelease = ctypes.CFUNCTYPE(None, ctypes.POINTER(ArrowArray))

ArrowSchema._fields_ = [
    ("format", ctypes.c_char_p),
    ("name", ctypes.c_char_p),
    ("metadata", ctypes.c_void_p),
    ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("children", ctypes.POINTER(ctypes.POINTER(ArrowSchema))),
    ("dictionary", ctypes.POINTER(ArrowSchema)),
    ("release", _SchemaRelease),
    ("private_data", ctypes.c_void_p),
]
ArrowArray._fields_ = [
    ("length", ctypes.c_int64),
    ("null_count", ctypes.c_int64),
    ("offset", ctypes.c_int64),
    ("n_buffers", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("buffers", ctypes.POINTER(ctypes.c_void_p)),
    ("children", ctypes.POINTER(ctypes.POINTER(ArrowArray))),
    ("dictionary", ctypes.POINTER(ArrowArray)),
    ("release", _ArrayRelease),
    ("private_data", ctypes.c_void_p),
]

_TEXT, _HANDLE, _INT = ctypes.c_char_p, ctypes.c_uint64, ctypes.c_int64
_OUT = ctypes.POINTER(ctypes.c_void_p)
_POINTER = ctypes.c_void_p
_FUNCTIONS = {
    "postgeo_open": [_TEXT, ctypes.POINTER(_HANDLE)],
    "postgeo_close": [_HANDLE],
    "postgeo_swap": [_HANDLE, _TEXT],
    "postgeo_info": [_HANDLE, _OUT],
    "postgeo_operations": [_OUT],
    "postgeo_call": [_HANDLE, _TEXT, _TEXT, _OUT],
    "postgeo_columns_open": [_HANDLE, _TEXT, ctypes.POINTER(_HANDLE)],
    "postgeo_columns_close": [_HANDLE],
    "postgeo_columns_fields": [_HANDLE, _OUT],
    "postgeo_columns_index": [_HANDLE, _POINTER, _INT, _INT, _POINTER, _POINTER, _POINTER],
    "postgeo_columns_points": [_HANDLE, _POINTER, _POINTER, _INT, _POINTER, _POINTER, _POINTER],
    "postgeo_columns_arrow": [_HANDLE, _POINTER, _POINTER, _POINTER, _POINTER],
    "postgeo_areas": [_HANDLE, _TEXT, _POINTER, _POINTER, _INT, _POINTER, _POINTER, _POINTER],
}
ABI = 1

_loaded = None


def library():
    """Return the loaded library: the one that POSTGEO_LIBRARY names, else that of the wheel."""
    global _loaded
    if _loaded is None:
        path = os.environ.get("POSTGEO_LIBRARY") or os.path.join(os.path.dirname(__file__), _LIBRARY)
        lib = ctypes.CDLL(path)
        if lib.postgeo_abi() != ABI:  # an older library lacks functions
            raise ImportError(f"{path} has interface {lib.postgeo_abi()}; this package needs {ABI}")
        for name, arguments in _FUNCTIONS.items():
            function = getattr(lib, name)
            function.argtypes, function.restype = arguments, ctypes.c_int32
        lib.postgeo_last_error.restype = ctypes.c_char_p
        lib.postgeo_free.argtypes, lib.postgeo_free.restype = [ctypes.c_void_p], None
        _loaded = lib
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=lambda: _refuse(lib))
    return _loaded


def _refuse(lib):
    """Replace the functions of the library after a fork, which would wait forever."""

    def refuse(*_):
        raise Error("the library does not survive a fork; start processes with spawn, or open the first dataset after the fork")

    for name in [*_FUNCTIONS, "postgeo_last_error"]:
        setattr(lib, name, refuse)
    for name in ["postgeo_close", "postgeo_columns_close", "postgeo_free"]:
        setattr(lib, name, lambda *_: 0)


def check(status):
    """Raise the last error of the thread unless the status is 0."""
    if status:
        raise Error._of(json.loads(library().postgeo_last_error()))


def call_json(function, *arguments):
    """Call a function whose last argument receives JSON, and return its value."""
    out = ctypes.c_void_p()
    check(function(*arguments, ctypes.byref(out)))
    try:
        return json.loads(ctypes.string_at(out))
    finally:
        library().postgeo_free(out)


class Entries:
    """An Arrow struct of the library: named columns of values."""

    def __init__(self):
        self.array, self.schema = ArrowArray(), ArrowSchema()

    def pointers(self):
        return ctypes.addressof(self.array), ctypes.addressof(self.schema)

    def __del__(self):
        for of in (self.array, self.schema):
            if of.release:
                of.release(ctypes.byref(of))

    def columns(self):
        """Return the name, the Arrow format and the list of values of each column."""
        for i in range(self.schema.n_children):
            of = self.schema.children[i].contents
            yield of.name.decode(), of.format.decode(), _values(self.array.children[i].contents, of.format)

    # The Arrow PyCapsule interface: pyarrow.record_batch(entries), polars.from_arrow(entries).

    def __arrow_c_schema__(self):
        return _moved(self.schema, b"arrow_schema")

    def __arrow_c_array__(self, requested_schema=None):
        return _moved(self.schema, b"arrow_schema"), _moved(self.array, b"arrow_array")


def _values(of, kind):
    n = of.length
    if n == 0:
        return []
    if kind in (b"u", b"z"):
        ends = array("i", ctypes.string_at(of.buffers[1], 4 * (n + 1)))
        data = ctypes.string_at(of.buffers[2], ends[n]) if ends[n] else b""
        values = [data[a:b] for a, b in zip(ends, ends[1:])]
        if kind == b"u":
            values = [v.decode() for v in values]
    elif kind == b"b":
        bits = ctypes.string_at(of.buffers[1], (n + 7) // 8)
        values = [bool(bits[i >> 3] >> (i & 7) & 1) for i in range(n)]
    else:
        code = {b"l": "q", b"g": "d"}[kind]
        values = list(struct.unpack(f"={n}{code}", ctypes.string_at(of.buffers[1], 8 * n)))
    if of.null_count and of.buffers[0]:
        bits = ctypes.string_at(of.buffers[0], (n + 7) // 8)
        for i in range(n):
            if not bits[i >> 3] >> (i & 7) & 1:
                values[i] = None
    return values


# Capsules own a copy of the structure. Their destructor releases it unless a
# consumer has taken it over.

_python = ctypes.pythonapi
_python.PyCapsule_New.restype = ctypes.py_object
_python.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
_python.PyCapsule_GetPointer.restype = ctypes.c_void_p
_python.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
_Destructor = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)
_kept = {}  # structures of capsules by their addresses


def _destructor(name, structure):
    get = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(("PyCapsule_GetPointer", _python))

    def destroy(capsule):
        at = get(capsule, name)
        of = structure.from_address(at)
        if of.release:
            of.release(ctypes.byref(of))
        _kept.pop(at, None)

    return _Destructor(destroy)


_destructors = {b"arrow_schema": _destructor(b"arrow_schema", ArrowSchema), b"arrow_array": _destructor(b"arrow_array", ArrowArray)}


def _moved(of, name):
    """Return a capsule that takes over a structure."""
    if not of.release:
        raise ValueError("the Arrow data has been taken over already")
    copy = type(of)()
    ctypes.memmove(ctypes.byref(copy), ctypes.byref(of), ctypes.sizeof(of))
    ctypes.memset(ctypes.addressof(of), 0, ctypes.sizeof(of))
    at = ctypes.addressof(copy)
    _kept[at] = copy
    return _python.PyCapsule_New(at, name, ctypes.cast(_destructors[name], ctypes.c_void_p))


def capsule_pointer(capsule, name):
    return _python.PyCapsule_GetPointer(capsule, name)
