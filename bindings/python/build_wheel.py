"""Write a wheel of the package with the compiled library. It needs nothing but Python.

    python3 build_wheel.py --library libpostgeo.so --output dist [--version 1.2.3]
"""

import argparse
import base64
import hashlib
import os
import re
import sys
import sysconfig
import zipfile

PACKAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "postgeo")


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--library", required=True)
    options.add_argument("--output", required=True)
    options.add_argument("--version", default="0.0.0")
    options.add_argument("--platform", default=re.sub(r"[-.]", "_", sysconfig.get_platform()))
    options = options.parse_args()

    files = {}
    for name in sorted(os.listdir(PACKAGE)):
        if name.endswith((".py", ".pyi", ".typed")):
            with open(os.path.join(PACKAGE, name), "rb") as file:
                files["postgeo/" + name] = file.read()
    version = f'__version__ = "{options.version}"'.encode()
    files["postgeo/__init__.py"] = re.sub(rb'__version__ = "[^"]*"', version, files["postgeo/__init__.py"])
    names = {"darwin": "libpostgeo.dylib", "win32": "postgeo.dll"}
    with open(options.library, "rb") as file:
        files["postgeo/" + names.get(sys.platform, "libpostgeo.so")] = file.read()

    info = f"postgeo-{options.version}.dist-info/"
    tag = "py3-none-" + options.platform
    files[info + "METADATA"] = (
        f"Metadata-Version: 2.1\nName: postgeo\nVersion: {options.version}\n"
        "Summary: Postal geography of the United States and Canada from a dataset file\nRequires-Python: >=3.9\n"
    ).encode()
    files[info + "WHEEL"] = f"Wheel-Version: 1.0\nGenerator: postgeo\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()
    record = ""
    for name, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(data)}\n"
    files[info + "RECORD"] = (record + info + "RECORD,,\n").encode()

    os.makedirs(options.output, exist_ok=True)
    path = os.path.join(options.output, f"postgeo-{options.version}-{tag}.whl")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))  # equal bytes of equal files
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            wheel.writestr(entry, data)
    print(path)


main()
