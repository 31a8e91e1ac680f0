"""daelab.fit: parameters and starts by arrays, frames and files; what the data do not determine; what is refused."""

import os
import tempfile
import unittest
import warnings

import daelab
import numpy as np

TRUE = {"L": 5.2, "g0": 9.75}


def positions(noise=0.01, seed=1):
    """Noisy data of the pendulum, and one value that is missing."""
    t = np.linspace(0, 5, 51)
    run = daelab.solve("pendulum", "index1", t_span=(0, 5), t_eval=t, rtol=1e-10, params=TRUE)
    random = np.random.default_rng(seed)
    data = {"t": t, **{name: run[name] + noise * random.standard_normal(t.size) for name in "xy"}}
    data["x"][7] = np.nan
    return data


def quiet(*arguments, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", daelab.DaelabWarning)
        return daelab.fit(*arguments, **options)


class Fits(unittest.TestCase):
    def test_arrays(self):
        """Values, errors, matrices, the table of residuals."""
        data = positions()
        fit = daelab.fit("pendulum", data, fit=["L", "g0"])
        self.assertTrue(fit.success, fit.message)
        self.assertEqual((fit.names, fit.freedom, len(fit.residuals)), (("L", "g0"), 99, 101))
        for i, (name, true) in enumerate(TRUE.items()):
            self.assertLess(abs(fit.params[name] - true), 3 * fit.stderr[name])
            self.assertAlmostEqual(fit.stderr[name], fit.cov[i, i] ** 0.5, delta=1e-9)
        correlation = fit.cov[0, 1] / np.sqrt(fit.cov[0, 0] * fit.cov[1, 1])
        self.assertAlmostEqual(fit.correlation[0, 1], correlation, delta=1e-9)
        self.assertAlmostEqual(fit.chi2, 99, delta=0.5)
        self.assertIn("L = 5.", repr(fit))
        self.assertIn("<table>", fit._repr_html_())         # pylint: disable=protected-access

    def test_same_of_all_kinds(self):
        """A file, two of them, a frame, deviations in a column or by name."""
        data = positions()
        given = {"sd": {"x": 0.01, "y": 0.01}, "fit": "L", "params": {"g0": 9.75}}
        found = daelab.fit("pendulum", data, **given).params["L"]
        parts = [{key: data[key] for key in ("t", name)} for name in "xy"]
        spread = {**data, "x_sd": np.full(51, 0.01), "y_sd": np.full(51, 0.01)}
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "data.csv")
            with open(path, "w", encoding="utf-8") as out:
                out.write("t,x,y,note\n")
                for t, x, y in zip(*(data[key] for key in ("t", "x", "y"))):
                    out.write(f"{float(t)!r},{'' if np.isnan(x) else repr(float(x))},{float(y)!r},a\n")
            same = [daelab.fit("pendulum", path, use=["x", "y"], **given), daelab.fit("pendulum", parts, **given),
                    daelab.fit("pendulum", spread, fit=["L"], params={"g0": 9.75})]
        for fit in same:
            self.assertEqual(fit.params["L"], found)
        try:
            import pandas
        except ImportError:
            return
        self.assertEqual(daelab.fit("pendulum", pandas.DataFrame(data), **given).params["L"], found)

    def test_bounds_and_starts(self):
        fit = quiet("pendulum", positions(), fit=["L", "start:vx"], bounds={"L": (None, 5), "start:vx": (-1, 1)},
                    params={"g0": 9.75, "L": 4}, start={"vx": 0.1})
        self.assertEqual((fit.params["L"], fit.at_bound), (5, {"L": "upper"}))
        self.assertTrue(np.isnan(fit.stderr["L"]) and fit.stderr["start:vx"] > 0)

    def test_not_determined(self):
        with self.assertWarnsRegex(daelab.DaelabWarning, "do not determine 1.00 m"):
            fit = daelab.fit("pendulum", positions(), fit=["L", "m"], params={"g0": 9.75})
        self.assertFalse(fit.success)
        self.assertEqual((fit.undetermined, fit.params["m"]), ([{"m": 1.0}], 1.0))
        self.assertTrue(np.isnan(fit.stderr["m"]) and np.isnan(fit.cov[1, 0]) and fit.stderr["L"] > 0)

    def test_refused(self):
        for data, options, says in (({"t": [0, 1], "q": [1, 2]}, {}, "^data, line 1: 'q' is no unknown of this"),
                                    ({"t": [0, 1], "x": [1, 2, 3]}, {}, "columns of one length"),
                                    ({"t": [0, 1], "x": [3, 2]}, {"bounds": {"L": 3}}, "bounds = "),
                                    ({"t": [0, 1], "x": [3, 2]}, {"method": "ida"}, "does not differentiate its steps"),
                                    ("nowhere.csv", {}, "nowhere.csv: No such file")):
            with self.assertRaisesRegex(daelab.DaelabError, says):
                daelab.fit("pendulum", data, fit="L", **options)

    def test_plot(self):
        try:
            import matplotlib                               # pylint: disable=unused-import
            import pandas                                   # pylint: disable=unused-import
        except ImportError:
            self.skipTest("there is no matplotlib")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "fit.svg")
            page = daelab.fit("pendulum", positions(), fit=["L", "g0"]).plot(path)
            self.assertEqual([axes.get_ylabel() for axes in page.axes], ["x [m]", "y [m]"])
            self.assertEqual([len(axes.containers) for axes in page.axes], [1, 1])      # points with their bars
            self.assertGreater(os.path.getsize(path), 1000)


if __name__ == "__main__":
    unittest.main()
