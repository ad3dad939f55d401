"""Asks SpatiaLite for what program peers asks of the others.

    spatialite.py DB load FOLDER            makes the database of points.tsv, areas.tsv, flat.tsv and discs.tsv
    spatialite.py DB version                prints the versions
    spatialite.py DB within METRES          times, in a file centers.tsv beside DB: the points of a circle
    spatialite.py DB nearest                ... the nearest point
    spatialite.py DB contains               ... the area that contains a point
    spatialite.py DB shares MILES           ... the part of every area in a ready circle

Times are nanoseconds a search, of the fastest of some passes about each center,
followed by how many were found on average.
"""

import math
import os
import sqlite3
import sys
import time

PASSES = 3


def connect(path):
    db = sqlite3.connect(path, cached_statements=64)
    db.enable_load_extension(True)
    db.load_extension("mod_spatialite")
    db.execute("PRAGMA cache_size = -1000000")
    db.execute("PRAGMA journal_mode = OFF")
    db.execute("PRAGMA synchronous = OFF")
    return db


def rows(folder, name):
    with open(os.path.join(folder, name), encoding="ascii") as lines:
        for line in lines:
            yield line.rstrip("\n").split("\t")


def load(db, folder):
    db.execute("SELECT InitSpatialMetadataFull(1)")
    for table, column, kind, srid in (
        ("point", "at", "POINT", 4326), ("area", "shape", "MULTIPOLYGON", 4326), ("flat", "shape", "GEOMETRY", 5070),
    ):
        db.execute(f"CREATE TABLE {table} (id INTEGER PRIMARY KEY, extent REAL)")
        db.execute(f"SELECT AddGeometryColumn('{table}', '{column}', {srid}, '{kind}', 'XY')")
    db.execute("CREATE TABLE disc (id INTEGER, miles REAL, shape BLOB, PRIMARY KEY (id, miles))")
    db.executemany("INSERT INTO point (id, at) VALUES (?1, MakePoint(?3, ?2, 4326))",
                   ((int(i), float(lat), float(lng)) for i, lat, lng in rows(folder, "points.tsv")))
    db.executemany("INSERT INTO area (id, shape) VALUES (?, CastToMulti(GeomFromWKB(?, 4326)))",
                   ((int(i), bytes.fromhex(shape)) for i, shape in rows(folder, "areas.tsv")))
    db.executemany("INSERT INTO flat (id, extent, shape) VALUES (?, ?, GeomFromWKB(?, 5070))",
                   ((int(i), float(extent), bytes.fromhex(shape)) for i, extent, shape in rows(folder, "flat.tsv")))
    db.executemany("INSERT INTO disc (id, miles, shape) VALUES (?, ?, GeomFromWKB(?, 5070))",
                   ((int(i), float(miles), bytes.fromhex(shape)) for i, miles, shape in rows(folder, "discs.tsv")))
    for table, column in (("point", "at"), ("area", "shape"), ("flat", "shape")):
        db.execute(f"SELECT CreateSpatialIndex('{table}', '{column}')")
    db.commit()
    db.execute("ANALYZE")
    db.commit()


# The spatial index is an R*Tree named by its table and column.
WITHIN = """SELECT p.id, ST_Distance(p.at, MakePoint(:lng, :lat, 4326), 1) AS d
    FROM idx_point_at i CROSS JOIN point p ON p.rowid = i.pkid
    WHERE i.xmax >= :west AND i.xmin <= :east AND i.ymax >= :south AND i.ymin <= :north AND d <= :metres
    ORDER BY d, p.id"""
CONTAINS = """SELECT a.id FROM idx_area_shape i CROSS JOIN area a ON a.rowid = i.pkid
    WHERE i.xmax >= :lng AND i.xmin <= :lng AND i.ymax >= :lat AND i.ymin <= :lat
    AND ST_Covers(a.shape, MakePoint(:lng, :lat, 4326))"""
SHARES = """SELECT f.id, CASE WHEN ST_Covers(c.shape, f.shape) THEN 100
        ELSE 100 * ST_Area(ST_Intersection(f.shape, c.shape)) / f.extent END
    FROM disc c CROSS JOIN idx_flat_shape i CROSS JOIN flat f ON f.rowid = i.pkid
    WHERE c.id = :center AND c.miles = :miles
    AND i.xmax >= MbrMinX(c.shape) AND i.xmin <= MbrMaxX(c.shape) AND i.ymax >= MbrMinY(c.shape) AND i.ymin <= MbrMaxY(c.shape)
    AND ST_Intersects(f.shape, c.shape)"""


def within(db, lat, lng, metres):
    d_lat = metres / 110000  # a little more than it is
    d_lng = d_lat / math.cos(math.radians(abs(lat) + d_lat))
    return db.execute(WITHIN, {
        "lat": lat, "lng": lng, "metres": metres,
        "west": lng - d_lng, "east": lng + d_lng, "south": lat - d_lat, "north": lat + d_lat,
    }).fetchall()


def nearest(db, lat, lng):
    metres = 2 * 1609.344
    while True:
        found = within(db, lat, lng, metres)
        if found:
            return found[:1]
        metres *= 4


def search(db, what, argument):
    def ask(center, lat, lng):
        if what == "within":
            return within(db, lat, lng, float(argument))
        if what == "nearest":
            return nearest(db, lat, lng)
        if what == "contains":
            return db.execute(CONTAINS, {"lat": lat, "lng": lng}).fetchall()
        return db.execute(SHARES, {"center": center, "miles": float(argument)}).fetchall()
    return ask


def main():
    path, what = sys.argv[1], sys.argv[2]
    db = connect(path)
    if what == "load":
        load(db, sys.argv[3])
        return
    if what == "version":
        print("SpatiaLite %s, SQLite %s" % db.execute("SELECT spatialite_version(), sqlite_version()").fetchone())
        return
    ask = search(db, what, sys.argv[3] if len(sys.argv) > 3 else None)
    centers = [(int(i), float(lat), float(lng)) for i, lat, lng in rows(os.path.dirname(path), "centers.tsv")]
    best, found = [math.inf] * len(centers), 0
    for _ in range(PASSES):
        found = 0
        for k, center in enumerate(centers):
            start = time.perf_counter_ns()
            n = len(ask(*center))
            best[k] = min(best[k], time.perf_counter_ns() - start)
            found += n
    print(sum(best) / len(best), found / len(centers))


main()
