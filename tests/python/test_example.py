"""examples/python/pendulum.py: the length to 2e-6, the tension 14 % wrong, order 0; a picture, by matplotlib."""

import importlib.util
import os
import pickle
import re
import subprocess
import sys
import tempfile
import unittest
import warnings
from pathlib import Path

import daelab
import numpy as np

ROOT = Path(__file__).resolve().parents[2]
MATPLOTLIB = importlib.util.find_spec("matplotlib") is not None


def run_example(*arguments, name="pendulum.py"):
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "python"), "MPLBACKEND": "Agg"}
    return subprocess.run([sys.executable, str(ROOT / "examples" / "python" / name), *arguments],
                          env=environment, stdout=subprocess.PIPE, text=True, check=True).stdout


class Example(unittest.TestCase):
    @unittest.skipUnless(MATPLOTLIB and importlib.util.find_spec("jinja2"), "there is no matplotlib or no jinja2")
    def test_paper(self):
        """paper.py with two tolerances: its files, and orders of all three problems."""
        with tempfile.TemporaryDirectory() as folder:
            out = run_example(folder, "1e-3", name="paper.py")
            for name in ("work.pdf", "pendulum.pdf"):
                self.assertEqual(Path(folder, name).read_bytes()[:5], b"%PDF-")
            orders = Path(folder, "orders.tex").read_text(encoding="utf-8")
            self.assertTrue(Path(folder, "work.csv").stat().st_size > 1000)
        for problem in ("pendulum", "double pendulum", "slider crank"):
            self.assertIn(problem, orders)
        self.assertIn("multiplier has order 0", out)

    def test_numbers(self):
        out = run_example()
        off = float(re.search(r"wrong by (\S+) m at most", out).group(1))
        self.assertAlmostEqual(off, 2e-6, delta=2e-7)
        levels = re.findall(r"^(0\.\d+) s +(\S+) m +(\S+) N, (\S+) %$", out, re.M)
        self.assertEqual(len(levels), 4)
        for (_, coarse, *_), (_, fine, *_) in zip(levels, levels[1:]):
            self.assertAlmostEqual(float(coarse) / float(fine), 4, delta=0.2)
        for *_, percent in levels:
            self.assertAlmostEqual(float(percent), 14, delta=0.5)
        orders = dict(re.findall(r"^(\w+) +(\S+) +\d$", out, re.M))
        self.assertEqual((orders["position"], orders["multiplier"], orders["recovered"]),
                         ("2.00", "0.00", "2.00"))

    @unittest.skipUnless(MATPLOTLIB, "there is no matplotlib")
    def test_picture(self):
        with tempfile.TemporaryDirectory() as folder:
            picture = Path(folder, "tension.png")
            run_example(str(picture))
            self.assertEqual(picture.read_bytes()[:8], b"\x89PNG\r\n\x1a\n")

    @unittest.skipUnless(MATPLOTLIB, "there is no matplotlib")
    def test_plot(self):
        """A panel for each class and unit as the command draws them, a line for each unknown, thin ones for events."""
        import matplotlib
        matplotlib.use("Agg")
        result = daelab.solve("string_pendulum", rtol=1e-6)
        figure = result.plot()
        self.assertEqual([(axes.get_xlabel(), axes.get_ylabel()) for axes in figure.axes],
                         [("t [s]", "x, y [m]"), ("t [s]", "vx, vy [m/s]"), ("t [s]", "T, T_recovered [N]")])
        self.assertEqual([len(axes.lines) for axes in figure.axes], [2 + 2, 2 + 2, 1 + 2])
        one = result.plot(["T"], axes=figure.axes[0])
        self.assertIs(one, figure)
        with self.assertRaisesRegex(KeyError, "no unknown 'speed'"):
            result.plot(["speed"])
        with tempfile.TemporaryDirectory() as folder:
            small = result.plot("T", file=f"{folder}/a.pdf", width="8.5cm", height=70, title="")
            self.assertEqual(Path(folder, "a.pdf").read_bytes()[:4], b"%PDF")
            for look, sentence in (({"widht": 1}, "did you mean width"), ({"width": "8.5km"}, "no length"),
                                   ({"width": "1cm", "height": "1cm"}, "no room")):
                with self.assertRaisesRegex(daelab.DaelabError, sentence):
                    result.plot("T", **look)
            with self.assertWarnsRegex(daelab.DaelabWarning, "the picture takes 3 pages: .*b-1.png to .*b-3.png"):
                result.plot(file=f"{folder}/b.png", width="4cm", height="5cm")
            with self.assertRaisesRegex(daelab.DaelabError, r"a.jpg: a picture is one of .svg"):
                result.plot("T", file=f"{folder}/a.jpg")
        self.assertTrue(np.allclose(small.get_size_inches() * 25.4, (85, 70)))

    @unittest.skipUnless(MATPLOTLIB, "there is no matplotlib")
    def test_smooth(self):
        """Curves by the dense output, of a run that kept none, too; one name is enough; what is wrong is so called."""
        import matplotlib
        matplotlib.use("Agg")
        result = daelab.solve("pendulum", rtol=1e-8)
        dense = daelab.solve("pendulum", rtol=1e-8, dense_output=True)
        self.assertLess(len(result), 20)
        for one in (result, dense):
            (axes,) = one.plot(show="T").axes
            t, tension = axes.lines[0].get_data()
            self.assertGreater(len(t), 1000)
            self.assertLess(abs(tension - dense.sol(t)[4]).max(), 1e-12)
        again = pickle.loads(pickle.dumps(result))
        self.assertEqual(len(again.plot("T").axes[0].lines[0].get_xdata()), len(result))
        ball = daelab.solve("bouncing_ball", t_span=(0, 1), rtol=1e-8)
        self.assertTrue(np.isnan(ball.plot("w").axes[0].lines[0].get_ydata()).any())       # they jump at impacts
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            wrong = daelab.solve("pendulum", "index3", "cros", step=0.01)
        self.assertEqual([line.get_label() for line in wrong.plot(["T", "T_recovered"]).axes[0].lines],
                         ["T, wrong", "T_recovered"])


if __name__ == "__main__":
    unittest.main()
