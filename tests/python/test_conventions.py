"""Names and shapes as scipy has them, one name for one thing, and sentences for wrong and for old ones."""

import os
import subprocess
import tempfile
import unittest
import warnings

import daelab
import numpy as np


def decay(**options):
    return daelab.FirstOrderProblem("decay", u=[2.0, 1.0], rhs=lambda t, u: -u, t_span=(0, 3), **options)


class Shapes(unittest.TestCase):
    def test_result(self):
        """y [unknowns, times], sol(t), success, status 0."""
        times = np.linspace(0, 3, 31)
        result = daelab.solve(decay(), t_eval=times, rtol=1e-9, dense_output=True)
        self.assertEqual(result.y.shape, (2, 31))
        self.assertTrue(np.array_equal(result.t, times))
        self.assertLess(abs(result.y - [2 * np.exp(-times), np.exp(-times)]).max(), 1e-8)
        self.assertEqual((result.sol(0.5).shape, result.sol(times).shape, result.sol([[1, 2]] * 3).shape),
                         ((2,), (2, 31), (2, 3, 2)))
        self.assertTrue(np.array_equal(result.sol([1.0, 2.0])[:, 1], result.sol(2.0)))
        self.assertEqual((result.sol.t_min, result.sol.t_max), (0, 3))
        self.assertEqual((result.status, result.success, result.code), (0, True, "DAE_OK"))
        self.assertEqual(result.message, "t = 3 was reached")
        self.assertEqual((result.nfev, result.njev, result.nlu),
                         tuple(result.statistics[key] for key in ("rhs", "jacobians", "factorizations")))
        self.assertIsNone(daelab.solve(decay()).sol)

    def test_span(self):
        """An end, and another beginning, which has its own start."""
        result = daelab.solve(decay(), t_span=(0, 1), rtol=1e-9)
        self.assertEqual((result.t[0], result.t[-1]), (0, 1))
        later = daelab.solve(decay(), t_span=(1, 2), start=result.y[:, -1], rtol=1e-9)
        self.assertLess(abs(later.y[:, -1] - [2 * np.exp(-2), np.exp(-2)]).max(), 1e-8)

    def test_events(self):
        """A list of times for each function, also where it was never 0; then those of the problem's own events."""
        def half(t, x):
            return x[0] - 1

        def never(t, x):
            return x[0] + 1
        result = daelab.solve(decay(), rtol=1e-10, events=[never, half])
        self.assertEqual(result.event_names, ("never", "half"))
        self.assertEqual([len(some) for some in result.t_events], [0, 1])
        self.assertAlmostEqual(result.t_events[1][0], np.log(2), 8)
        self.assertLess(abs(result.y_events[1] - [[1, 0.5]]).max(), 1e-8)
        half.terminal = True
        ended = daelab.solve(decay(), rtol=1e-10, events=half)
        self.assertEqual((ended.status, ended.success, ended.code), (1, True, "DAE_EVENT"))
        ball = daelab.solve("bouncing_ball", t_span=(0, 1), rtol=1e-9)
        self.assertEqual((ball.event_names, len(ball.t_events[0])), (("floor",), len(ball.events)))
        with self.assertRaises(daelab.DaelabError) as caught:
            daelab.solve("pendulum", max_steps=3, rtol=1e-8)
        self.assertEqual((caught.exception.result.status, caught.exception.result.success), (-1, False))

    def test_start_by_name(self):
        """x = 0: the rope goes straight down, with a warning; in minimal coordinates, too. T is no start."""
        for form in ("index3", "index1", "ggl", "ode"):
            with self.assertWarnsRegex(daelab.DaelabWarning, "positions 1"):
                result = daelab.solve("pendulum", form, start={"x": 0}, t_span=(0, 0.01))
            here = np.array([0, -5]) if form != "ode" else np.array([0])
            self.assertLess(abs(result.y[:len(here), 0] - here).max(), 1e-9, form)
            self.assertAlmostEqual(result.start_change.position, 1, 6)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            moving = daelab.solve("pendulum", start={"vx": 4, "vy": 3}, t_span=(0, 0.01))
        self.assertLess(abs(moving.y[:4, 0] - [3, -4, 4, 3]).max(), 1e-12)
        self.assertAlmostEqual(daelab.solve(decay(), start={"u2": 5}).y[1, 0], 5)
        self.assertAlmostEqual(daelab.solve("chain", start={"vx2": 0.1}, params={"N": 3}, t_span=(0, 1e-3)).t[-1], 1e-3)
        for start, sentence in (({"T": 0}, "no unknown of the start 'T'"), ({"vz": 0}, "did you mean vx"),
                                ({"x": "far"}, "start of x = 'far' is no number")):
            with self.assertRaisesRegex(daelab.DaelabError, sentence):
                daelab.solve("pendulum", start=start)


class Parameters(unittest.TestCase):
    def test_functions(self):
        """rhs(t, u), rhs(t, u, p), rhs(t, u, k), and others' alike; args in place of params."""
        for rhs in (lambda t, u, p: -p.k * u, lambda t, u, k: -k * u, lambda t, u, k, c=1.0: -c * k * u,
                    lambda t, u, *more: -more[0]["k"] * u):
            problem = daelab.FirstOrderProblem("decay", u=[1.0], rhs=rhs, params={"k": 2.0})
            self.assertAlmostEqual(daelab.solve(problem, rtol=1e-9).y[0, -1], np.exp(-2), 7)
            for given in ({"params": {"k": 3.0}}, {"args": (3.0,)}):
                self.assertAlmostEqual(daelab.solve(problem, rtol=1e-9, **given).y[0, -1], np.exp(-3), 7)
        problem = daelab.FirstOrderProblem("decay", u=[1.0], rhs=lambda t, u, k: -k * u, args=(2.0,))
        self.assertEqual(problem.parameters["k"].value, 2)
        k = 2.0
        problem = daelab.FirstOrderProblem("decay", u=[1.0], rhs=lambda t, u: -k * u, index=0,
                                           mass=lambda t, u: 1.0)
        self.assertAlmostEqual(daelab.solve(problem, rtol=1e-9).y[0, -1], np.exp(-2), 7)
        rope = daelab.MechanicalProblem(
            "rope", q=[3, -4], mass=lambda t, q, m: m, force=lambda t, q, v, m, g: [0 * t, -m * g], args=(2.0, 9.81),
            params={"L": 5.0}, constraint=lambda t, q, L: [(q @ q - L**2) / (2 * L)], t_span=(0, 2))
        here = daelab.solve(rope, "index1", rtol=1e-9)
        there = daelab.solve("pendulum", "index1", params={"m": 2, "g1": 0}, rtol=1e-9)
        self.assertLess(abs(here.y[:, -1] - there.y[:, -1]).max(), 1e-6)

    def test_args(self):
        short = daelab.solve("pendulum", "index1", args=(1, 5), rtol=1e-6)
        self.assertTrue(np.array_equal(short.y, daelab.solve("pendulum", "index1", params={"L": 5}, rtol=1e-6).y))
        for function, sentence in (
                (lambda: daelab.solve("kepler", args=[1] * 20), "and args 20"),
                (lambda: daelab.solve("pendulum", params=[1]), "is no dictionary"),
                (lambda: decay(args=(1,)), "takes 0 arguments behind 2 .none., and args has 1"),
                (lambda: daelab.FirstOrderProblem("x", u=[1.0], rhs=lambda t, u, k, c: u, params={"k": 1}),
                 "no parameter of x: rhs 'c'")):
            with self.assertRaisesRegex(daelab.DaelabError, sentence):
                function()


class Words(unittest.TestCase):
    def test_one_name(self):
        """What solve calls t_span, params, max_steps, as_given is so called by studies."""
        study = daelab.converge("pendulum", "index1", "rk4", (0, 1), params={"L": 6}, step=0.125, levels=2)
        runs = study.runs if isinstance(study.runs, list) else study.runs.to_dict("records")
        self.assertEqual({run["t_end"] for run in runs}, {1.0})
        self.assertEqual(study.document["parameters"]["L"], 6)
        with self.assertRaisesRegex(daelab.DaelabError, "t_span begins at 0.5, and pendulum at 0"):
            daelab.drift("pendulum", t_span=(0.5, 1))
        given = daelab.drift("pendulum", "index1", "rk4", step=0.125, as_given=True, max_steps=1000)
        self.assertEqual(given.document["options"]["start"], "as-given")

    def test_wrong_and_old(self):
        """The nearest right one, or what an old one is called now."""
        for function in (daelab.solve, daelab.converge, daelab.drift, daelab.bench):
            for keyword, sentence in (("rtoll", "no keyword '?rtoll'?; did you mean rtol"),
                                      ("parameters", "now params"), ("t_end", "t_span"),
                                      ("limit_steps", "called max_steps")):
                with self.subTest(function=function.__name__, keyword=keyword), \
                        self.assertRaisesRegex(daelab.DaelabError, sentence):
                    function("pendulum", **{keyword: 1})
        for keyword, sentence in (("t", "t_span=.t0, t_end., and t_eval"), ("dense", "now dense_output"),
                                  ("y0", "called start"), ("t0", "t_span"), ("dense_outputt", "mean dense_output")):
            with self.assertRaisesRegex(daelab.DaelabError, sentence):
                daelab.solve("pendulum", **{keyword: 1})
        for keyword, sentence in (("t", "t_span"), ("parameters", "now params"), ("unit", "did you mean units")):
            with self.assertRaisesRegex(daelab.DaelabError, sentence):
                decay(**{keyword: 1})
        result = daelab.solve("pendulum")
        with self.assertRaisesRegex(daelab.DaelabError, "now result.sol"):
            result(1.0)
        with self.assertRaisesRegex(KeyError, "did you mean T_recovered"):
            result["T_recoverd"]
        with self.assertRaisesRegex(AttributeError, "now error.code"):
            daelab.DaelabError("x").status
        with self.assertRaisesRegex(daelab.DaelabError, "FirstOrderProblem makes one of a function"):
            daelab.solve(lambda t, u: -u)
        with self.assertRaisesRegex(daelab.DaelabError, "times of rows are t_eval"):
            daelab.solve("pendulum", t_span=np.linspace(0, 1, 5))

    def test_check(self):
        """What a check finds; a model of a file whose functions contradict each other is not solved."""
        self.assertEqual(repr(daelab.check("pendulum", quick=True)), "nothing was found")
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([daelab.program_path(), "new", "bead"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
            path = os.path.join(folder, "bead.c")
            self.assertTrue(daelab.solve(path, "index2", t_span=(0, 0.01)).success)
            with open(path, encoding="utf-8") as file:
                text = file.read()
            wrong = text.replace("r[0] = v[1] + p[A]", "r[0] = v[1] + 2 * p[A]")
            self.assertNotEqual(wrong, text)
            with open(path, "w", encoding="utf-8") as file:
                file.write(wrong)
            found = daelab.check(path)
            self.assertTrue(any(one.failed for one in found))
            with self.assertRaises(daelab.DaelabError) as caught:
                daelab.solve(path, "index2", t_span=(0, 0.01))
            self.assertEqual(caught.exception.code, "DAE_BAD_MODEL")
            self.assertIn(str(caught.exception), repr(found))
            daelab.solve(path, "index2", t_span=(0, 1e-6), no_check=True)


if __name__ == "__main__":
    unittest.main()
