"""Measures one call of the Python package, for main.go beside this file.

    columns.py DATASET KIND ROWS FILE

The codes are the lines of the file in IN. It writes the seconds of the call, and those of
processors, to FILE.
"""

import os
import sys
import time

import numpy as np
import pandas as pd

import postgeo

data, kind, rows, out = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4]
pg = postgeo.open(data)
if kind == "areas":
    random = np.random.default_rng(1)
    points = random.uniform(25, 49, rows), random.uniform(-124, -67, rows)

    def call():
        return pg.areas(*points, "county")

else:
    with open(os.environ["IN"]) as file:
        codes = file.read().split()
    keys = {"S5": lambda: np.array(codes, "S5"), "U5": lambda: np.array(codes, "U5"), "pandas": lambda: pd.Series(codes), "list": lambda: codes}[kind]()

    def call():
        return pg.lookup(keys, "county_fips")


start, processor = time.perf_counter(), time.process_time()
result = call()
seconds = time.perf_counter() - start, time.process_time() - processor
found = sum(v is not None for v in result[:1000])
if len(result) != rows or found < 100:
    sys.exit(f"{kind}: {len(result)} rows, {found} of the first thousand found")
with open(out, "w") as file:
    print(*seconds, file=file)
