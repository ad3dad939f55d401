"""Tests on the sample. Those of pandas are skipped without it."""

import ast
import copy
import inspect
import math
import os
import pickle
import threading
import unittest

import postgeo

CODES = ["90210", "10001", "99999", None, "", "90210"]
COUNTIES = ["06037", "36061", None, None, None, "06037"]


class Sample(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.pg = postgeo.open("sample")

    @classmethod
    def tearDownClass(cls):
        cls.pg.close()


class Operations(Sample):
    def test_calls(self):
        self.assertEqual(self.pg.lookup("90210")["county_fips"], "06037")
        self.assertEqual(self.pg.radius("90210", 3, limit=1)["matches"][0]["code"], "90210")
        self.assertEqual(len(self.pg.nearest("90210", 3)["matches"]), 3)
        self.assertEqual(self.pg.distance("90210", "10001")["distance"]["miles"], 2458.91)
        self.assertIn("precision", self.pg.geocode("350 5th Ave, New York NY 10118"))
        self.assertTrue(self.pg.suggest("los ang"))
        self.assertIn(("90210", "06037"), [(row["from"], row["to"]) for row in self.pg.crosswalk("zip", "county")])
        self.assertIn("nearest", [operation["name"] for operation in postgeo.operations()])
        self.assertTrue(self.pg.info())

    def test_errors(self):
        for cls, kind, call in (
            (postgeo.NotFoundError, "not found", lambda: self.pg.lookup("99999")),
            (postgeo.InvalidCodeError, "invalid code", lambda: self.pg.lookup("9")),
            (postgeo.InvalidParamError, "invalid parameter", lambda: self.pg.radius("90210", 9999)),
            (postgeo.InvalidParamError, "invalid parameter", lambda: self.pg.call("nothing")),
            (postgeo.InvalidParamError, "invalid parameter", lambda: self.pg.enrich({"zip": CODES}, "citty", key="zip")),
            (postgeo.InvalidParamError, "invalid parameter", lambda: self.pg.enrich({"zip": CODES}, "city", key="zip", wrong=1)),
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
        pg.close()
        pg.close()
        for call in (pg.info, lambda: pg.lookup("90210"), lambda: pg.enrich({"zip": CODES}, "city", key="zip")):
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
                calls = (lambda: self.pg.lookup("90210"), self.pg.info, lambda: postgeo.open("sample"))
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

    def test_threads(self):
        wrong = []

        def work(n):
            for i in range(50):
                try:
                    self.pg.lookup(f"9999{n}")
                except postgeo.NotFoundError as error:
                    wrong.extend([] if error.input == f"9999{n}" else [error])

        threads = [threading.Thread(target=work, args=[n]) for n in range(8)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(wrong, [])

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


class Tables(Sample):
    def test_dict(self):
        table = {"zip": CODES, "lat": [34.09, 0.0, None, math.nan, 91, 34.09], "lon": [-118.41, 0, 0, 0, 0, -118.41]}
        out = self.pg.enrich(table, "county_fips", key="zip")
        self.assertEqual(out["county_fips"], COUNTIES)
        self.assertEqual(out["zip"], CODES)
        self.assertNotIn("county_fips", table)
        out = self.pg.enrich(table, ["c=county_fips", "location.lat"], key=("lat", "lon"), status=True)
        self.assertEqual(out["c"], ["06037", None, None, None, None, "06037"])
        self.assertEqual(out["postgeo_status"][2:5], ["empty", "empty", "invalid"])
        out = self.pg.enrich({"zip": [501, 501.0, "00501"]}, "code", key="zip", restore_zeros=True)
        self.assertEqual(out["code"], ["00501"] * 3)
        self.assertEqual(self.pg.enrich({"zip": []}, "city", key="zip")["city"], [])
        self.assertRaises(TypeError, self.pg.enrich, table, "city")

    def test_many(self):
        out = self.pg.enrich({"zip": [f"{n:05}" for n in range(100_000)]}, ["county_fips", "city"], key="zip")
        self.assertEqual([len(out["county_fips"]), len(out["city"])], [100_000] * 2)
        self.assertEqual(out["county_fips"][90210], "06037")

    def test_pandas(self):
        try:
            import pandas as pd
        except ImportError:
            self.skipTest("needs pandas")
        df = pd.DataFrame({"zip": pd.array(CODES, dtype="string"), "lat": 34.09, "lon": -118.41}, index=range(10, 16))
        out = self.pg.enrich(df, ["county_fips", "multi_county", "location.lat"], key="zip")
        self.assertEqual([None if pd.isna(v) else v for v in out.county_fips], COUNTIES)
        self.assertEqual(out.index.tolist(), df.index.tolist())
        self.assertEqual([str(t) for t in out.dtypes][3:], ["object", "boolean", "float64"])
        self.assertEqual(self.pg.enrich(df, "county_fips", key=["lat", "lon"]).county_fips.tolist(), ["06037"] * 6)
        numbers = self.pg.enrich(pd.DataFrame({"zip": [90210, 10001]}), "city", key="zip")
        self.assertEqual(numbers.city.tolist(), ["Beverly Hills", "New York"])


if __name__ == "__main__":
    unittest.main()
