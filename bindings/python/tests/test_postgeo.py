"""Tests on the sample. Those of pandas and numpy are skipped without them."""

import ast
import copy
import inspect
import math
import os
import pickle
import tempfile
import threading
import unittest
import unittest.mock

import postgeo
from postgeo import _columns, _native

CODES = ["90210", "10001", "99999", None, "", "90210"]
COUNTIES = ["06037", "36061", None, None, None, "06037"]
LAT, LON = [34.09, 0.0, None], [-118.41, 0.0, -118.41]


class Sample(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.pg = postgeo.open("sample")

    @classmethod
    def tearDownClass(cls):
        cls.pg.close()


class Lists(Sample):
    def test_lookup(self):
        self.assertEqual(self.pg.lookup(CODES, "county_fips"), COUNTIES)
        self.assertEqual(self.pg.lookup("90210", "city"), "Beverly Hills")
        self.assertEqual(self.pg.lookup("90210", ["city", "location.lat"]), {"city": "Beverly Hills", "location.lat": 34.1})
        self.assertEqual(self.pg.lookup("90210")["county_fips"], "06037")
        self.assertEqual(self.pg.lookup([], "city"), [])
        self.assertEqual(self.pg.lookup((c for c in CODES), "county_fips"), COUNTIES)
        self.assertEqual(self.pg.lookup([math.nan, "90210", float("nan")], "city"), [None, "Beverly Hills", None])
        self.assertEqual([self.pg.lookup(code, "city") for code in (b"90210", 90210)], ["Beverly Hills"] * 2)
        self.assertEqual(self.pg.lookup(["90210\0x", b"90210\0", "9" * (2 << 20), "\ud800"], "city"), [None, "Beverly Hills", None, None])
        table = self.pg.lookup(["K1A 0B1", "1"], ["c=city", "multi_county"], status=True)
        self.assertEqual(table["c"], ["Ottawa", None])
        self.assertEqual(table["postgeo_status"], ["matched", "invalid"])
        self.assertEqual(self.pg.lookup([501, 501.0, "00501"], "code", restore_zeros=True), ["00501"] * 3)

    def test_many(self):
        codes = [f"{n:05}" for n in range(100_000)]
        counties = self.pg.lookup(codes, "county_fips")
        self.assertEqual(len(counties), len(codes))
        self.assertEqual(counties[90210], "06037")

    def test_packed(self):
        keys = [b"90210"] * 1000 + [b"x" * 10_000] + [b"10001"] * 1000
        parts = list(_columns.packed(keys, 1 << 15))
        self.assertTrue(all(len(text) == width * n and (n == 1 or len(text) <= 1 << 15) for text, width, n in parts))
        unpacked = [text[i : i + width].rstrip(b"\0") for text, width, n in parts for i in range(0, len(text), width)]
        self.assertEqual(unpacked, keys)
        codes = self.pg.lookup(["90210", "x" * 100_000, *(str(n) for n in range(70_000)), "10001"], "city")
        self.assertEqual((len(codes), codes[0], codes[1], codes[-1]), (70_003, "Beverly Hills", None, "New York"))

    def test_older_library(self):
        class Older:
            def postgeo_abi(self):
                return 0

        with unittest.mock.patch.object(_native, "_loaded", None), unittest.mock.patch.object(_native.ctypes, "CDLL", lambda path: Older()):
            self.assertRaises(ImportError, _native.library)

    def test_points(self):
        self.assertEqual(self.pg.areas(LAT, LON), ["06037", None, None])
        self.assertEqual(self.pg.areas(34.09, -118.41, "county"), "06037")
        table = self.pg.lookup_points(LAT, LON, ["county_fips", "census.county.fips"])
        self.assertEqual(table, {"county_fips": ["06037", None, None], "census.county.fips": [["06037"], None, None]})
        self.assertEqual(self.pg.areas([34.09, math.nan], [-118.41, None]), ["06037", None])
        with self.assertRaises(ValueError):
            self.pg.areas([1.0], [])

    def test_operations(self):
        self.assertEqual(self.pg.radius("90210", 2)["matches"][0]["code"], "90210")
        self.assertEqual(self.pg.distance("90210", "10001")["distance"]["miles"], 2458.88)
        self.assertEqual(self.pg.distance(["90210", None], "10001"), [2458.88, None])
        self.assertEqual(self.pg.distance(["90210", "10001"], ["10001", "10001"]), [2458.88, 0])
        self.assertEqual(self.pg.suggest("los ang", limit=1)[0]["name"], "Los Angeles")
        income = self.pg.acs(["90210"], "economic.income.median_household_income")
        self.assertGreater(income[0], 0)
        self.assertEqual(self.pg.acs(["90210"], ["economic.income.median_household_income"]), {"economic.income.median_household_income": income})
        address = "350 N Canon Dr, Beverly Hills, CA 90210"
        self.assertEqual(self.pg.geocode([address])["precision"], [self.pg.geocode(address)["precision"]])
        pairs = self.pg.crosswalk("zip", "county", "area")
        pairs = pairs if isinstance(pairs, list) else pairs.to_dict("records")
        self.assertIn(("90210", "06037"), [(row["from"], row["to"]) for row in pairs])
        self.assertEqual(len(self.pg.crosswalk("zip", "county", limit=3)), 3)
        self.assertRaises(ValueError, self.pg.radius, "90210", math.nan)
        self.assertRaises(TypeError, self.pg.radius, "90210", {1})
        self.assertIn("nearest", [operation["name"] for operation in postgeo.operations()])
        self.assertTrue(self.pg.info())

    def test_errors(self):
        for cls, kind, call in (
            (postgeo.NotFoundError, "not found", lambda: self.pg.lookup("99999")),
            (postgeo.InvalidCodeError, "invalid code", lambda: self.pg.lookup("9")),
            (postgeo.InvalidParamError, "invalid parameter", lambda: self.pg.radius("90210", 9999)),
            (postgeo.InvalidParamError, "invalid parameter", lambda: self.pg.lookup(["90210"], "citty")),
            (postgeo.InvalidParamError, "invalid parameter", lambda: self.pg.lookup(["90210"], "city", wrong=1)),
            (postgeo.InvalidParamError, "invalid parameter", lambda: self.pg.areas([1], [1], "nothing")),
            (postgeo.NotDatasetError, "not a dataset", lambda: postgeo.open(__file__)),
            (postgeo.Error, "other", lambda: postgeo.open("/no/such/file.db")),
        ):
            with self.assertRaises(cls) as caught:
                call()
            self.assertEqual(caught.exception.kind, kind)
            self.assertIs(type(pickle.loads(pickle.dumps(caught.exception))), cls)
        with self.assertRaises(LookupError) as caught:
            self.pg.lookup("99999")
        self.assertEqual((caught.exception.code, caught.exception.input), ("NOT_FOUND_ZIP", "99999"))

    def test_closed(self):
        pg = postgeo.open("sample")
        pg.lookup(["90210"], "city")
        pg.close()
        pg.close()
        for call in (pg.info, lambda: pg.lookup("90210"), lambda: pg.lookup(["90210"], "city")):
            self.assertRaises(postgeo.ClosedError, call)

    def test_copy(self):
        for copy_of in (copy.copy, copy.deepcopy, pickle.dumps):
            with self.assertRaisesRegex(TypeError, "another process"):
                copy_of(self.pg)
        self.assertTrue(self.pg.info())

    @unittest.skipUnless(hasattr(os, "fork"), "needs fork")
    def test_fork(self):
        child = os.fork()
        if child == 0:  # it must not wait forever, also for its end
            try:
                calls = (lambda: self.pg.lookup(["90210"], "city"), self.pg.info, lambda: postgeo.open("sample"), lambda: self.pg.areas([1.0], [1.0]))
                refused = 0
                for call in calls:
                    try:
                        call()
                    except postgeo.Error as error:
                        refused += "fork" in str(error)
                self.pg.close()
                os._exit(len(calls) - refused)
            finally:
                os._exit(99)
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 0)

    def test_prepared(self):
        with postgeo.open("sample") as pg:
            for n in range(100):
                self.assertEqual(pg.lookup(["90210"], f"c{n}=city"), ["Beverly Hills"])

    def test_threads(self):
        pg = postgeo.open("sample")
        wrong = []

        def work(n):
            try:
                rows(n)
            except Exception as error:
                wrong.append(error)

        def rows(n):
            for i in range(50):
                codes = [f"{(n * 50 + i) * 13:05}", "90210"]
                if pg.lookup(codes, f"c{i}=county_fips")[1] != "06037":
                    wrong.append(n)
                try:
                    pg.lookup("99999")
                except postgeo.NotFoundError:
                    continue
                wrong.append(n)

        threads = [threading.Thread(target=work, args=[n]) for n in range(8)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        pg.close()
        self.assertEqual(wrong, [])

    def test_swap(self):
        with postgeo.open("sample") as pg:
            before = pg.lookup(CODES, "county_fips")
            with tempfile.NamedTemporaryFile() as empty:
                self.assertRaises(postgeo.Error, pg.swap, empty.name)
            self.assertEqual(pg.lookup(CODES, "county_fips"), before)
            sample = os.environ.get("POSTGEO_TEST_SAMPLE")
            if sample:
                pg.swap(sample)
                self.assertEqual(pg.lookup(CODES, "county_fips"), before)

    def test_arrow(self):
        entries, _ = self.arrow(["90210", "10001"])
        result = self.pg.lookup(Capsules(entries), ["city", "location.lat"])
        if hasattr(result, "columns") and isinstance(result, _native.Entries):
            columns = {name: values for name, _, values in result.columns()}
            self.assertEqual(columns["city"], ["Beverly Hills", "New York"])
            capsules = result.__arrow_c_array__()
            self.assertEqual(len(capsules), 2)
            self.assertRaises(ValueError, result.__arrow_c_array__)

    def arrow(self, codes):
        """Return the codes as an Arrow array, which the library makes."""
        columns = self.pg._columns("code", "code", {})
        text, width, n = next(_columns.packed([c.encode() for c in codes]))
        entries = _native.Entries()
        numbers = (_native.ctypes.c_int32 * n)()
        _native.check(self.pg._c.postgeo_columns_index(columns.handle, text, width, n, _native.ctypes.addressof(numbers), *entries.pointers()))
        return entries, numbers

    def test_stubs(self):
        path = os.path.join(os.path.dirname(postgeo.__file__), "__init__.pyi")
        with open(path) as file:
            stub = ast.parse(file.read())
        named = {n.name: n for n in stub.body if isinstance(n, (ast.ClassDef, ast.FunctionDef))}
        self.assertEqual(sorted(named), sorted(postgeo.__all__))
        methods = {m.name: m for m in named["Dataset"].body if isinstance(m, ast.FunctionDef)}
        self.assertEqual(sorted(m for m in vars(postgeo.Dataset) if not m.startswith("_")), sorted(m for m in methods if not m.startswith("_")))
        for name, method in methods.items():
            have = list(inspect.signature(getattr(postgeo.Dataset, name)).parameters)
            args = method.args
            stubbed = [a.arg for a in args.args + [a for a in (args.vararg,) if a] + args.kwonlyargs + [a for a in (args.kwarg,) if a]]
            self.assertEqual(stubbed, have, name)


class Capsules:
    """The first column of an Arrow struct."""

    def __init__(self, entries):
        self.entries = entries

    def __arrow_c_array__(self, requested_schema=None):
        one = _native.Entries()
        for of, part, name in ((self.entries.schema, one.schema, b"schema"), (self.entries.array, one.array, b"array")):
            child = of.children[0].contents
            _native.ctypes.memmove(_native.ctypes.byref(part), _native.ctypes.byref(child), _native.ctypes.sizeof(child))
            child.release = type(child.release)()  # moved
        return one.__arrow_c_array__()


class Numpy(Sample):
    def setUp(self):
        try:
            import numpy
        except ImportError:
            self.skipTest("needs numpy")
        self.np = numpy

    def test_lookup(self):
        np = self.np
        for column in (np.array(CODES, object), np.array([c or "" for c in CODES]), np.array([c or "" for c in CODES], "S9"), np.array([c or "é" for c in CODES])):
            counties = self.pg.lookup(column, "county_fips")
            self.assertIsInstance(counties, np.ndarray)
            self.assertEqual(counties.tolist(), COUNTIES)
        numbers = self.pg.lookup(np.array([501, 90210]), ["code", "location.lat", "multi_county", "elevation.ft"], restore_zeros=True)
        self.assertEqual(numbers["code"].tolist(), ["00501", "90210"])
        self.assertEqual(numbers["location.lat"].dtype, np.float64)
        self.assertEqual(self.pg.lookup(np.array([], "U5"), "city").tolist(), [])
        self.assertEqual(self.pg.lookup(np.array(["90210", "10001"])[::-1], "county_fips").tolist(), ["36061", "06037"])

    def test_shapes(self):
        np = self.np
        self.assertEqual(self.pg.lookup(np.ma.array([90210, 10001], mask=[0, 1]), "city").tolist(), ["Beverly Hills", None])
        self.assertEqual(self.pg.lookup(np.ma.array(["90210", "10001"], mask=[0, 1]), "city").tolist(), ["Beverly Hills", None])
        self.assertEqual(self.pg.areas(np.ma.array([34.09, 34.09], mask=[0, 1]), np.array([-118.41, -118.41])).tolist(), ["06037", None])
        self.assertEqual(self.pg.areas(np.float32(34.09), np.float32(-118.41)), "06037")
        self.assertEqual(len(self.pg.radius("90210", np.int64(2), limit=np.int32(1))["matches"]), 1)
        for call in (
            lambda: self.pg.lookup(np.array([["90210"]]), "city"),
            lambda: self.pg.lookup(np.array([["90210"]], object), "city"),
            lambda: self.pg.lookup(np.array("90210"), "city"),
            lambda: self.pg.areas(np.zeros((2, 2)), np.zeros((2, 2))),
        ):
            self.assertRaisesRegex(ValueError, "dimension", call)

    def test_missing(self):
        column = self.np.array(["90210", None, math.nan, "90210"], object)
        with unittest.mock.patch.object(_columns, "pandas", lambda: None):
            index, keys = _columns.factorize(column)
        self.assertEqual(keys, [b"90210", b"", b""])
        self.assertEqual(index.numbers.tolist(), [0, 1, 2, 0])

    def test_points(self):
        lat, lon = self.np.array(LAT, float), self.np.array(LON, float)
        self.assertEqual(self.pg.areas(lat, lon).tolist(), ["06037", None, None])


class Pandas(Sample):
    def setUp(self):
        try:
            import pandas
        except ImportError:
            self.skipTest("needs pandas")
        self.pd = pandas

    def test_lookup(self):
        df = self.pd.DataFrame({"zip": CODES, "lat": 34.09, "lon": -118.41}, index=range(10, 16))
        df["county"] = self.pg.lookup(df.zip, "county_fips")
        self.assertEqual(df.county.tolist(), COUNTIES)
        more = self.pg.lookup(df.zip, ["city", "multi_county", "location.lat"])
        self.assertEqual(more.index.tolist(), df.index.tolist())
        self.assertEqual([str(t) for t in more.dtypes], ["object", "boolean", "float64"])
        self.assertEqual(self.pg.areas(df.lat, df.lon).tolist(), ["06037"] * 6)
        self.assertEqual(self.pg.distance(df.zip, df.zip).iloc[0], 0)
        nullable = self.pd.Series([34.09, None], dtype="Float64")
        self.assertEqual(self.pg.areas(nullable, nullable - 152.5).tolist(), ["06037", None])
        self.assertEqual(self.pg.areas([34.09, self.pd.NA], [-118.41, 0]), ["06037", None])
        self.assertRaisesRegex(ValueError, "dimension", self.pg.lookup, df, "county_fips")
        strings = df.zip.astype("string")
        self.assertEqual(self.pg.distance(strings, strings).tolist()[:2], [0, 0])
        self.assertEqual(self.pg.lookup(["90210", self.pd.NA, self.pd.NaT], "city"), ["Beverly Hills", None, None])
        self.assertEqual(self.pg.lookup(df.zip.astype("category"), "county_fips").tolist(), COUNTIES)
        self.assertEqual(list(self.pg.geocode(df.zip).columns), ["lat", "lon", "precision", "radius_m"])
        self.assertIn("from", self.pg.crosswalk("zip", "county").columns)

    def test_pyspark(self):
        os.environ["POSTGEO_DATA"] = "sample"
        self.addCleanup(os.environ.pop, "POSTGEO_DATA")
        folder = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "example_pyspark.py")
        import importlib.util

        spec = importlib.util.spec_from_file_location("example_pyspark", folder)
        example = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(example)
        self.assertEqual(example.counties(self.pd.Series(CODES)).tolist(), COUNTIES)
        example.dataset().close()


if __name__ == "__main__":
    unittest.main()
