"""What changed from one result to another: nothing of two equal ones, and each thing that was changed by hand, with its
verdict; the statistics of times; the means of errors."""

import copy
import json
import math
import os
import re
import subprocess
import tempfile
import unittest

import daelab
import numpy

try:
    from daelab.show import changes, compare, curve_means, results, times
except ModuleNotFoundError as missing:
    raise unittest.SkipTest(f"there is no {missing.name}") from None

PROGRAM = daelab.program_path()


def made(*words):
    """What the program answers as JSON."""
    run = subprocess.run([PROGRAM, *words, "-q", "--format", "json"], check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(run.stdout)


def setUpModule():
    global BENCH, DRIFT
    BENCH = made("bench", "pendulum", "--form", "index1,index2", "--method", "radau,dopri5", "--rtol", "1e-3:1e-6",
                 "--runs", "5", "--seconds", "1e-9")
    DRIFT = made("drift", "pendulum", "--form", "index1", "--method", "rk4", "--reference")


def with_cells(document, table, row, **cells):
    """A copy with other values in a row."""
    new = copy.deepcopy(document)
    of = new["tables"][table]
    for column, value in cells.items():
        of["rows"][row][of["columns"].index(column)] = value
    return new


def cell(document, table, row, column):
    of = document["tables"][table]
    return of["rows"][row][of["columns"].index(column)]


def compared(old, new, tolerance=0.01, time_tolerance=None):
    found = compare.document(results.Result(old, "old"), results.Result(new, "new"), tolerance, time_tolerance)
    json.dumps(found, allow_nan=False)
    return found["result"]


def kinds(result, but=("times",)):
    """{(quantity, kind): how many} of what is not the same."""
    table = result["summary"]
    return {(row[0], kind): n for row in table["rows"] if row[0] not in but
            for kind, n in zip(table["columns"][3:], row[3:]) if n}


def first(result):
    return dict(zip(result["changes"]["columns"], result["changes"]["rows"][0]))


class Times(unittest.TestCase):
    def draw(self, random, n, mean, sigma, count=4000):
        """n samples each: (median, lower, upper, n)."""
        x = numpy.sort(random.normal(mean, sigma, (count, n)))
        return numpy.median(x, axis=1), x[:, (n - 1) // 4], x[:, n - 1 - (n - 1) // 4], numpy.full(count, n)

    def p_of(self, a, b):
        return times.p_of(numpy.log(b[0] / a[0]), times.within(a, b), times.Variance(0, 1))

    def test_level(self):
        """Noise alone is found as often as the level says, what is more nearly always."""
        random = numpy.random.default_rng(1)
        for n in (5, 8, 21, 61):                            # those of 4 k + 1 have their quartiles among them
            a, b, c = (self.draw(random, n, mean, 0.05) for mean in (1, 1, 1.4))
            equal = (self.p_of(a, b) < 0.05).mean()
            self.assertTrue((0.03 if n % 4 == 1 else 0) <= equal <= 0.06, (n, equal))
            self.assertGreater((self.p_of(a, c) < 0.05).mean(), 0.9)
        few, some, tick, other = (tuple(map(numpy.float64, x)) for x in (
            (1, 0.9, 1.1, 4), (2, 1.9, 2.1, 9), (1, 1, 1, 9), (1.2, 1.2, 1.2, 9)))
        self.assertTrue(numpy.isnan(self.p_of(few, some)))
        self.assertEqual((self.p_of(tick, tick), self.p_of(tick, other)), (1, 0))

    def test_between(self):
        """What differs from process to process is no change of a single time; one that differs by much more is."""
        random, wrong, found = numpy.random.default_rng(2), 0, 0
        for _ in range(60):
            a, b = (list(self.draw(random, 21, 1, 0.01, 60)) for _ in range(2))
            process = numpy.exp(0.05 * random.normal(size=60)) * numpy.where(numpy.arange(60) == 0, 1.6, 1)
            b[:3] = [x * process for x in b[:3]]
            difference = numpy.log(b[0] / a[0])
            certain = times.p_of(difference, times.within(a, b), times.between(difference)) < 0.05 / 60
            wrong += certain[1:].any()
            found += certain[0]
        self.assertLessEqual(wrong, 8)
        self.assertGreater(found, 54)
        self.assertEqual(times.between(numpy.array([1.0, 2, 3])).value, 0)

    def test_median(self):
        """P(X <= 0) of 6 coins is 1/64; n = 101 is in tables of the sign test."""
        self.assertEqual(times.median_interval(numpy.array([6.0, 1, 5, 2, 4, 3]), 0.95), (3.5, 1, 6, 31 / 32))
        self.assertTrue(math.isnan(times.median_interval(numpy.arange(5.0), 0.95)[1]))
        self.assertTrue(math.isnan(times.median_interval(numpy.array([]), 0.95)[0]))
        self.assertEqual(times.median_interval(numpy.arange(101.0), 0.95)[:3], (50, 40, 60))

    def test_all_longer(self):
        """Twice as long is found, with noise that hides a twentieth; not on another machine, unless it is asked for."""
        def timed(factor):
            new = BENCH
            for row in range(len(BENCH["tables"]["work"]["rows"])):
                t = 1e-3 * (row + 1) * factor
                new = with_cells(new, "work", row, wall_median=t, wall_lower=0.98 * t, wall_upper=1.02 * t, rounds=20)
            return new

        old, rows = timed(1), len(BENCH["tables"]["work"]["rows"])
        for factor, worse in ((1.05, 0), (2, rows)):
            found = compared(old, timed(factor))
            self.assertEqual((found["worse"], kinds(found, ()).get(("times", "worse"), 0)), (worse > 0, worse))
            self.assertAlmostEqual(found["times"]["low"], factor)
        other = timed(2)
        other["provenance"]["cpu"] = "another"
        self.assertEqual([compared(old, other, 0.01, t)["worse"] for t in (None, 0.1, 3)], [False, True, False])


class Cells(unittest.TestCase):
    EDITS = (                                               # a float: times as much
        ("runs", "error_position", 1.015, "accuracy", "worse"), ("runs", "error_position", 0.5, "accuracy", "better"),
        ("runs", "error_position", 1 + 2**-40, "accuracy", "changed"),
        ("runs", "error_velocity", None, "accuracy", "worse"), ("runs", "error_velocity", "no", "accuracy", "worse"),
        ("runs", "rhs", 1.5, "counts", "worse"), ("runs", "steps", 0.5, "counts", "better"),
        ("runs", "status", "DAE_SINGULAR", "outcomes", "worse"), ("runs", "t_reached", 0.5, "values", "changed"),
        ("orders", "verdict", "below", "orders", "worse"), ("orders", "verdict", "not determined", "orders", "changed"),
    )

    def test_same(self):
        found = compared(BENCH, copy.deepcopy(BENCH))
        self.assertEqual((kinds(found, ()), found["worse"], found["changes"]["rows"]), ({}, False, []))
        self.assertGreater(sum(row[1] for row in found["summary"]["rows"]), 100)

    def test_one_change(self):
        """One cell is changed; the one change is found, judged and named."""
        for table, column, to, quantity, kind in self.EDITS:
            with self.subTest(column=column, to=to):
                value = cell(BENCH, table, 0, column) * to if isinstance(to, float) else to
                found = compared(BENCH, with_cells(BENCH, table, 0, **{column: value}))
                self.assertEqual(kinds(found), {(quantity, kind): 1})
                self.assertEqual(found["worse"], kind == "worse")
                self.assertEqual([first(found)[key] for key in ("change", "table", "what")], [kind, table, column])
                self.assertEqual(first(found)["method"], cell(BENCH, table, 0, "method"))

    def test_order(self):
        """By intervals that have nothing in common."""
        low, high = (cell(BENCH, "orders", 0, c) for c in ("low", "high"))
        for to, kind in ((low - 1, "worse"), (low + 0.9 * (high - low), "changed"), (high + 1, "better")):
            new = with_cells(BENCH, "orders", 0, observed=to, low=to - 0.1, high=to + 0.1)
            self.assertEqual(kinds(compared(BENCH, new)), {("orders", kind): 1})

    def test_rounding(self):
        """An error that has grown by less than rounding is no worse, nor a drift that still is rounding."""
        error = cell(BENCH, "runs", 0, "error_position")
        for part, worse in ((2, False), (0.5, True)):
            old = with_cells(BENCH, "runs", 0, rounding_position=part * error)
            self.assertEqual(compared(old, with_cells(old, "runs", 0, error_position=2 * error))["worse"], worse)
        self.assertLess(cell(DRIFT, "runs", 0, "drift_acceleration"), 1e-12)
        for drift, worse in ((1e-14, False), (1e-6, True)):
            self.assertEqual(compared(DRIFT, with_cells(DRIFT, "runs", 0, drift_acceleration=drift))["worse"], worse)


class Rows(unittest.TestCase):
    def test_rows(self):
        """Rows are matched by their settings, in whatever order; one that is gone is a loss."""
        less, moved = copy.deepcopy(BENCH), copy.deepcopy(BENCH)
        del less["tables"]["runs"]["rows"][0]
        moved["tables"]["runs"]["rows"].reverse()
        found = compared(BENCH, less)
        self.assertEqual((found["worse"], found["rows"]["gone"], found["rows"]["added"]), (True, 1, 0))
        self.assertEqual((first(found)["what"], first(found)["after"]), ("row", "missing"))
        self.assertEqual(compared(less, BENCH)["rows"]["added"], 1)
        self.assertFalse(compared(less, BENCH)["worse"])
        self.assertEqual(compared(BENCH, moved)["changes"]["rows"], [])

    def test_choices(self):
        """Equal settings first; then all but the linear solver."""
        columns, roles = ["method", "rtol", "linear", "error_x"], ["setting", "level", "choice", "accuracy"]

        def table(*rows):
            return results.Result({**BENCH, "tables": {"runs": {"columns": columns, "roles": roles, "units": [""] * 4,
                                                                "rows": [list(row) for row in rows]}}}).table("runs")
        old = table(("a", 1, "dense", 1), ("a", 1, "klu", 2), ("b", 1, "klu", 3), ("c", 1, "klu", 4))
        new = table(("a", 1, "band", 5), ("a", 1, "dense", 6), ("b", 1, "band", 7), ("d", 1, "klu", 8))
        pair = changes.Pair("runs", old, new)
        self.assertEqual(list(zip(pair.old["error_x"], pair.new["error_x"])), [(2, 5), (1, 6), (3, 7)])
        self.assertEqual((list(pair.gone["error_x"]), list(pair.added["error_x"])), ([4], [8]))

    def test_roles(self):
        """A result of a program that wrote no roles takes those of the other one; of two such nothing is known."""
        old = copy.deepcopy(BENCH)
        for table in old["tables"].values():
            del table["roles"]
        new = with_cells(BENCH, "runs", 0, rhs=10 * cell(BENCH, "runs", 0, "rhs"))
        for pair, kind in (((old, new), "worse"), ((new, old), "better")):
            self.assertEqual(kinds(compared(*pair)), {("counts", kind): 1})
        with self.assertRaisesRegex(results.NoResult, "neither old nor new says what its columns are"):
            compared(old, old)

    def test_roles_of_columns(self):
        """Tables whose columns are compared have settings, too; their roles are of the list."""
        known = {"", "lower", "upper", "samples", *changes.SETTINGS, *changes.QUANTITIES}
        for document in (BENCH, DRIFT):
            for name, table in document["tables"].items():
                self.assertLessEqual(set(table["roles"]), known)
                self.assertEqual(len(table["roles"]), len(table["columns"]))
                if set(table["roles"]) & set(changes.QUANTITIES):
                    self.assertLessEqual({"problem", "form", "method"}, {
                        c for c, r in zip(table["columns"], table["roles"]) if r == "setting"}, name)

    def test_events(self):
        """Errors of the times of events count as those of the state, and have a curve of their own."""
        box = made("converge", "box", "--method", "dop853", "--rtol", "1e-4", "--levels", "2")
        old, new = (with_cells(box, "runs", 0, error_event_time=late) for late in (1e-6, 3e-5))
        found = compared(old, new)
        self.assertEqual(kinds(found), {("accuracy", "worse"): 1})
        self.assertIn("event_time", [row[found["curves"]["columns"].index("class")] for row in found["curves"]["rows"]])

    def test_old_names(self):
        """What an earlier version called multiplier_recovered is compared with what is called recovered now."""
        text = re.sub(r'(\b|_)recovered"', r'\1multiplier_recovered"', json.dumps(BENCH))
        self.assertGreater(text.count("multiplier_recovered"), 3)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "old.json")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            old = results.read(path)
        for name, table in old.tables.items():
            self.assertEqual(list(table), BENCH["tables"][name]["columns"])
        self.assertEqual(kinds(compare.document(old, results.Result(BENCH, "new"), 0.01, None)["result"]), {})

    def test_no_whole_result(self):
        with tempfile.TemporaryDirectory() as folder:
            for text, said in (("{", "no JSON"), ("{}", "no result"), ('{"schema": 9, "tables": {}}', "schema is 9"),
                               ('{"schema": 1, "tables": {}}', "no whole result")):
                path = os.path.join(folder, "r.json")
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
                with self.assertRaisesRegex(results.NoResult, said):
                    results.read(path)


class Curves(unittest.TestCase):
    def curves(self, rows):
        """Of (method, rtol, scale, atol_of, before, after) with atol = rtol/10."""
        columns = ["method", "rtol", "scale_x", "atol_of", "before", "after"]
        runs = results.Table(rows, columns=columns).assign(step=None)
        runs["atol"] = runs["rtol"] / 10
        found = curve_means.errors_of(runs, "error_x", *(results.numbers(runs, c) for c in ("before", "after")))
        table = curve_means.table(runs[["method"]], list(zip(runs["method"], runs["atol_of"])), [found])
        return table.to_dict("records")

    def test_means(self):
        a, b = self.curves([("a", 1e-3, 2, None, 1, 8), ("a", 1e-4, 2, None, 1, 2), ("a", 1e-5, 2, None, 1e-6, 1e-5),
                            ("b", 1e-3, 2, None, 1, 1), ("b", 1e-4, 2, None, 1, 1), ("b", 1e-5, 2, None, 1, None)])
        self.assertAlmostEqual(a["mean"], (8 * 2 * 10) ** (1 / 3), 12)
        self.assertEqual((a["method"], a["class"], a["levels"], b["levels"], b["mean"]), ("a", "x", 3, 2, 1))
        self.assertEqual((a["worst"], a["worst_rtol"], a["worst_error"]), (8, 1e-3, 8))     # 1e-5 is below 10 rtol
        self.assertEqual([a[c] for c in ("larger", "smaller", "much_larger", "much_smaller")], [3, 0, 1, 0])

    def test_directions(self):
        """By a hair, by a factor, by much; 1e-3 of a scale of 2 m and more matter at rtol = 1e-4."""
        pairs = ((1, 1.009), (1, 1.02), (1, 3.1), (1, 0.3), (1, 0.991), (1.999e-3, 1e-9), (2.001e-3, 1e-9))
        near_zero = (("z", 1e-4, 1e-16, None, 1e-9, 0.99e-4), ("y", 1e-4, 1e-16, "x=1e-9", 1e-9, 0.99e-4))
        found = {c["method"]: [c[k] for k in ("larger", "smaller", "much_larger", "much_smaller")]
                 for c in self.curves([("a", 1e-4, 2, None, *pair) for pair in pairs] + list(near_zero))}
        self.assertEqual(found, {"a": [2, 3, 1, 2], "z": [1, 0, 0, 0], "y": [1, 0, 1, 0]})

    def test_rounding(self):
        """Errors at rounding are equal: 1e-17 of 2 m, and a hundred times as much; 64 roundings are 4 times 16."""
        means = [self.curves([("a", 1e-10, 2, None, before, after)])[0]["mean"] for before, after in (
            (1e-17, 1e-15), (1e-17, 64 * 2**-52 * 2), (0, 128 * 2**-52 * 2))]
        numpy.testing.assert_allclose(means, [1, 4, 8], rtol=1e-12)
        self.assertEqual(self.curves([("a", 1e-10, None, None, 0, 1e-3)]), [])


if __name__ == "__main__":
    unittest.main()
