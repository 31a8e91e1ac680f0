"""converge, drift, bench: tables that lose nothing, with pandas and without; and what is said of wrong options."""

import importlib.util
import json
import os
import pickle
import re
import subprocess
import tempfile
import unittest
import unittest.mock
import warnings
from pathlib import Path

import daelab
import numpy as np
from daelab import study

PROGRAM = daelab.program_path()


def records(table):
    return table if isinstance(table, list) else table.to_dict("records")


class Studies(unittest.TestCase):
    def test_nothing_is_lost(self):
        """Every table, column and value of what the command writes."""
        arguments = ["pendulum", "--form", "index3,index1", "--method", "cros", "--step", "0.05", "--levels", "3"]
        out = subprocess.run([PROGRAM, "converge", *arguments, "--format", "json", "--quiet"], check=True,
                             stdout=subprocess.PIPE, text=True).stdout
        document = json.loads(out)
        found = daelab.converge("pendulum", form=["index3", daelab.formulations.index1], method="cros", step=0.05,
                                levels=3)
        self.assertEqual(set(found.tables), set(document["tables"]))
        measured = {"seconds"}                              # differ from run to run
        for name, table in document["tables"].items():
            rows = records(found.tables[name])
            self.assertEqual(len(getattr(found, name)), len(rows))
            self.assertIs(found[name], found.tables[name])
            self.assertEqual(len(rows), len(table["rows"]))
            for row, values in zip(rows, table["rows"]):
                for column, value in zip(table["columns"], values):
                    here = row[column]
                    if value is None:
                        self.assertTrue(here is None or here != here, column)
                    elif column not in measured:
                        self.assertEqual(here, value, column)
        self.assertEqual(found.units["runs"]["error_multiplier"], "N")
        self.assertEqual([row["class"] for row in records(found)], [row["class"] for row in records(found.orders)])
        self.assertTrue(any("order 0" in remark for remark in found.remarks))

    def test_orders(self):
        """Published orders of CROS in index 3: 2 of the positions, 0 of the multiplier."""
        found = daelab.converge(daelab.problems.pendulum, form="index3", method=daelab.methods.cros,
                                params={"L": 5.0}, t_span=(0, 1))
        orders = {row["class"]: row["observed"] for row in records(found.orders)}
        self.assertAlmostEqual(orders["position"], 2, 1)
        self.assertAlmostEqual(orders["multiplier"], 0, 1)
        self.assertAlmostEqual(orders["recovered"], 2, 1)

    def test_numbers(self):
        """Numbers of numpy are numbers; what is none is refused with a sentence."""
        plain = daelab.converge("pendulum", form="index1", method="rk4", step=0.0625, levels=3, params={"L": 4.0})
        for options in ({"step": np.float32(0.0625)}, {"levels": np.int64(3)}, {"params": {"L": np.float64(4)}},
                        {"step": np.array([0.0625])}, {"no_check": np.False_}):
            options = {"step": 0.0625, "levels": 3, "params": {"L": 4.0}, **options}
            same = daelab.converge("pendulum", form="index1", method="rk4", **options)
            self.assertEqual(repr(same), repr(plain))
        varied = daelab.converge("pendulum", form="index1", method="rk4", levels=2, vary={"L": np.array([4.0, 5.0])})
        self.assertEqual({row["vary_L"] for row in records(varied)}, {4.0, 5.0})
        self.assertNotIn("frequency=1", repr(varied))
        for sentence, problem, options in (("None is no name", None, {}), ("is no name", [], {}),
                                           ("3 is no name", 3, {}),
                                           ("is no dictionary", "pendulum", {"params": ["L=2"]}),
                                           ("format is no option here", "pendulum", {"format": "csv"})):
            with self.assertRaisesRegex(daelab.DaelabError, sentence):
                daelab.converge(problem, **options)

    def test_no_program(self):
        with unittest.mock.patch.dict(os.environ, {"DAELAB_PROGRAM": "/nowhere/daelab"}):
            with self.assertRaisesRegex(daelab.DaelabError, "/nowhere/daelab: No such file") as caught:
                daelab.converge("pendulum")
        self.assertEqual(caught.exception.code, "DAE_FILE")

    def test_drift(self):
        """Index 1 drifts off the constraint, but for what is projected after each step."""
        largest = []
        for project in (None, "position,velocity"):
            found = daelab.drift("pendulum", form="index1", method="heun", step=0.01, project=project)
            self.assertEqual(len(found), len(found.drift))
            largest.append(records(found.runs)[0]["drift_position"])
        self.assertGreater(largest[0], 1e-6)
        self.assertLess(largest[1], largest[0] / 100)

    def test_bench(self):
        found = daelab.bench("pendulum", form="index1", method=["radau", "dop853"], rtol="1e-3:1e-5",
                             vary={"L": [5, 2]})
        rows = records(found.work)
        self.assertEqual({row["method"] for row in rows}, {"radau", "dop853"})
        self.assertEqual({row["vary_L"] for row in rows}, {5, 2})
        self.assertTrue(all(row["wall"] > 0 for row in rows if row["status"] == "ok"))

    def test_failed_run(self):
        found = daelab.converge("pendulum", form="index1", method="radau", rtol=1e-4, levels=3, max_steps=2)
        rows = records(found.runs)
        self.assertTrue(all(row["status"] != "ok" and row["reason"] for row in rows))
        self.assertIn(f"index1 radau: {rows[0]['status']}", repr(found))

    def test_without_pandas(self):
        there, study._pandas = study._pandas, lambda: None
        try:
            found = daelab.converge("pendulum", form="index3", method="cros", step=0.05, levels=3)
        finally:
            study._pandas = there
        self.assertIsInstance(found, daelab.Study)
        self.assertIsInstance(found.runs, list)
        self.assertEqual(found.runs[0]["problem"], "pendulum")
        self.assertEqual(found[0]["class"], "position")
        self.assertEqual([row["class"] for row in found], [row["class"] for row in found["orders"]])
        with self.assertRaisesRegex(daelab.DaelabError, "no pandas"):
            found.to_frame()
        self.assert_shown(found)

    def assert_shown(self, found):
        """What a reader sees: the orders, no setting that is the same in all rows, and the remark on the multiplier."""
        heads, *rows = (re.split("  +", line) for line in repr(found).splitlines())
        self.assertEqual(heads[:4], ["problem", "form", "method", "class"])
        self.assertNotIn("alpha", heads)
        self.assertEqual(rows[0][:4], ["pendulum", "index3", "cros", "position"])
        self.assertIn("multiplier has order 0", repr(found))
        self.assertIn("<td>recovered</td>", found._repr_html_())
        self.assertIn("multiplier has order 0", found._repr_html_())

    def test_with_pandas(self):
        pandas = study._pandas()
        if pandas is None:
            self.skipTest("there is no pandas")
        found = daelab.converge("pendulum", form="index3", method="cros", step=0.05, levels=3)
        self.assertIsInstance(found, pandas.DataFrame)
        self.assertIsInstance(found, daelab.Study)
        self.assert_shown(found)
        for part in (found.runs, found[["class", "observed"]], found.head(), found.copy(), found.describe(),
                     found.to_frame(), found[found["class"] == "position"]):
            self.assertIs(type(part), pandas.DataFrame)
        self.assertEqual(found.observed.max(), found["observed"].max())
        again = pickle.loads(pickle.dumps(found))
        self.assertEqual((repr(again), again.remarks, len(again.runs)), (repr(found), found.remarks, len(found.runs)))
        with self.assertRaises(KeyError):
            found["nothing"]
        found["twice"] = 2 * found["observed"]
        self.assertIn("twice", repr(found))                  # what was changed is shown
        frame = daelab.solve("pendulum", rtol=1e-4).to_frame()
        self.assertEqual(list(frame.columns), ["t", "x", "y", "vx", "vy", "T", "T_recovered"])

    def test_kept(self):
        """A folder that the command has written is opened as the study that it is, and draws the same picture."""
        pandas = study._pandas()
        if pandas is None or importlib.util.find_spec("matplotlib") is None:
            self.skipTest("there is no pandas or no matplotlib")
        options = ["--form", "index3,index1", "--method", "cros", "--step", "0.05", "--levels", "3", "--vary", "L=5,6"]
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([PROGRAM, "converge", "pendulum", *options, "--plot", f"{folder}/there.svg", "--output",
                            f"{folder}/kept/", "-q"], check=True, stdout=subprocess.DEVNULL)
            kept = daelab.open(f"{folder}/kept")
            found = daelab.converge("pendulum", ["index3", "index1"], "cros", step=0.05, levels=3, vary={"L": [5, 6]})
            self.assertEqual(repr(kept), repr(found))
            self.assertEqual(kept.command, "converge")
            text = Path(folder, "kept", "study.json").read_text(encoding="utf-8")
            old = re.sub(r'(\b|_)recovered"', r'\1multiplier_recovered"', text)      # as an earlier one wrote it
            Path(folder, "old.json").write_text(old, encoding="utf-8")
            self.assertGreater(old.count("multiplier_recovered"), 6)
            self.assertEqual(repr(daelab.open(f"{folder}/old.json")), repr(found))
            figure = kept.plot(f"{folder}/here.svg")
            self.assertEqual(Path(folder, "here.svg").read_bytes(), Path(folder, "there.svg").read_bytes())
            self.assertEqual(len(figure.axes), len(found.plot().axes))
            for what, sentence in ((f"{folder}/nothing", "No such file"),
                                   (f"{folder}/here.svg", "no result of daelab")):
                with self.assertRaisesRegex(daelab.DaelabError, sentence):
                    daelab.open(what)
        small = daelab.bench("pendulum", "index1", "radau", rtol=1e-3, levels=2, runs=1, seconds=1e-9)
        self.assertIn("steps", small.plot(axes="steps:velocity", width=85, height=70).axes[0].get_xlabel())
        for options, sentence in (({"axes": "step:velocity"}, "no axis 'step'; did you mean steps"),
                                  ({"widht": 85}, "no look 'widht'; did you mean width"),
                                  ({"width": 5, "height": 5}, "")):
            with self.assertRaisesRegex(daelab.DaelabError, sentence):
                small.plot(**options)

    def test_sentences(self):
        for sentence, options in (("did you mean", {"frm": "index3"}), ("L", {"params": {"LL": 1}}),
                                  ("radu", {"method": "radu"})):
            with self.assertRaisesRegex(daelab.DaelabError, sentence) as caught:
                daelab.converge("pendulum", **options)
            self.assertEqual(caught.exception.code, "DAE_BAD_ARGUMENT")
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            moved = daelab.converge("pendulum", "index1", "cros", step=0.05, levels=3, start={"x": 3.5},
                                    t_span=(0, 0.5))
        self.assertRegex(moved.remarks[0],
                         r"start=\{'x': 3\.29\d*, 'y': -3\.76\d*\} begins there; as_given=True keeps it")
        self.assertEqual([str(one.message) for one in told], moved.remarks)
        for said, sentence in (("--rtol 0.5 asks", "rtol=0.5 asks"),
                               ("; --limit-steps, --max-step", "; max_steps, max_step")):
            self.assertEqual(study._in_python(said), sentence)
        runs = {"columns": ["problem", "form", "method", "status", "reason"],
                "rows": [["a", "f", "m", "X", "y"], ["b", "f", "m", "ok", None]]}
        self.assertEqual(study._text.failures(runs), ["a f m: X: y"])   # of which problem, where there are several
        written = daelab.FirstOrderProblem("mine", u=[1.0], rhs=lambda t, u, p: -u)
        with self.assertRaisesRegex(daelab.DaelabError, "mine: a study is made by the program"):
            daelab.converge(written)
        with self.assertRaises(AttributeError):
            daelab.converge("pendulum", form="index3", method="cros", step=0.05, levels=3).nothing


if __name__ == "__main__":
    unittest.main()
