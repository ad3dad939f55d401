"""The C library: its functions and errors."""

import ctypes
import json
import os
import sys

from ._errors import Error

_LIBRARY = {"darwin": "libpostgeo.dylib", "win32": "postgeo.dll"}.get(sys.platform, "libpostgeo.so")
_FUNCTIONS = {
    "postgeo_open": [ctypes.c_char_p, ctypes.POINTER(ctypes.c_uint64)],
    "postgeo_close": [ctypes.c_uint64],
    "postgeo_call": [ctypes.c_uint64, ctypes.c_char_p, ctypes.c_char_p, ctypes.POINTER(ctypes.c_void_p)],
}
ABI = 1

_loaded = None


def library():
    """Return the loaded library: the one that POSTGEO_LIBRARY names, else that of the wheel."""
    global _loaded
    if _loaded is None:
        path = os.environ.get("POSTGEO_LIBRARY") or os.path.join(os.path.dirname(__file__), _LIBRARY)
        lib = ctypes.CDLL(path)
        if lib.postgeo_abi() != ABI:
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

    lib.postgeo_open = lib.postgeo_call = refuse
    lib.postgeo_close = lib.postgeo_free = lambda *_: 0


def check(status):
    """Raise the last error of the thread unless the status is 0."""
    if status:
        raise Error._of(json.loads(library().postgeo_last_error()))


def call(db, name, params):
    """Run an operation with parameters and return its result. Values of numpy become plain ones."""

    def plain(value):
        if hasattr(value, "tolist"):
            return value.tolist()
        raise TypeError(f"unexpected parameter {value!r}")

    lib, out = library(), ctypes.c_void_p()
    arguments = json.dumps(params, default=plain, allow_nan=False).encode()
    check(lib.postgeo_call(db, name.encode(), arguments, ctypes.byref(out)))
    try:
        return json.loads(ctypes.string_at(out))
    finally:
        lib.postgeo_free(out)
