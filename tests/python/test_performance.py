"""scripts/performance: points are smoothed, and what is compared with what."""

import sys
import unittest
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path

SCRIPT = str(Path(__file__).resolve().parents[2] / "scripts" / "performance")
LOADER = SourceFileLoader("performance", SCRIPT)
script = module_from_spec(spec_from_loader("performance", LOADER))
sys.dont_write_bytecode = True
LOADER.exec_module(script)


def curve(errors, wall):
    """Points at 1e-2, 1e-3, ..; the time grows by half from one to the next."""
    points = []
    for i, error in enumerate(errors):
        time = wall * 1.5**i
        work = {"wall": time, "cpu": time, "rtol": 10.0 ** -(2 + i), **{name: 10 * (i + 1) for name in script.COUNTS}}
        points.append(script.Point(work, {"error_position": error, "scale_position": 1}, {1: time, 2: time, 3: time}))
    return points


ERRORS = [1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10]


class Performance(unittest.TestCase):
    def test_a_lucky_point_is_none(self):
        lucky = [*ERRORS[:3], 1e-9, *ERRORS[4:]]
        self.assertEqual([p.error for p in script.smooth(curve(lucky, 1))],
                         [1e-3, 1e-4, 1e-6, 1e-7, 1e-7, 1e-8, 1e-9])
        ratio = {}
        for name, errors in (("plain", ERRORS), ("lucky", lucky)):
            curves = {("index1", "dop853", "all"): script.smooth(curve(errors, 1)),
                      ("index1", "ida", "all"): script.smooth(curve(ERRORS, 3))}
            ratio[name] = script.cell_of(curves, 1e-8)["ratio"][0]
        self.assertAlmostEqual(ratio["plain"], 3)
        self.assertAlmostEqual(ratio["lucky"], 3)

    def test_the_best_of_theirs_counts(self):
        curves = {("ode", "radau", "all"): script.smooth(curve(ERRORS, 2)),
                  ("ode", "ida", "all"): script.smooth(curve(ERRORS, 20)),
                  ("index1", "ida", "differential"): script.smooth(curve(ERRORS, 10)),
                  ("ode", "erk", "all"): script.smooth(curve(ERRORS, 4))}
        self.assertAlmostEqual(script.cell_of(curves, 1e-4)["ratio"][0], 2)
        self.assertAlmostEqual(script.cell_of(curves, 1e-4, theirs=("ida",))["ratio"][0], 5)
        self.assertIsNone(script.cell_of(curves, 1e-4, native=("dopri5",)))

    def test_stiff(self):
        curves = {("ode", "radau", "all"): script.smooth(curve(ERRORS, 2))}
        self.assertTrue(script.is_stiff(curves))
        curves["ode", "dopri5", "all"] = script.smooth(curve(ERRORS, 3))
        self.assertTrue(script.is_stiff(curves))
        curves["ode", "dopri5", "all"] = script.smooth(curve(ERRORS, 1))
        self.assertFalse(script.is_stiff(curves))


if __name__ == "__main__":
    unittest.main()
