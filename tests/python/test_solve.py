"""solve: values that are known otherwise, rows, dense output, events, tolerances, failures."""

import math
import signal
import subprocess
import sys
import time
import unittest
import warnings

import daelab
import numpy as np


def falls(height, restitution, count, g=9.81):
    """Times of the first bounces of a ball that falls from a height, and the limit of all of them."""
    first = math.sqrt(2 * height / g)
    times = [first]
    for k in range(1, count):
        times.append(times[-1] + 2 * first * restitution**k)
    return times, first * (1 + restitution) / (1 - restitution)


class Rows(unittest.TestCase):
    def test_values(self):
        """u' = -u, u(0) = 1 has the solution exp(-t)."""
        decay = daelab.FirstOrderProblem("decay", u=[1.0], rhs=lambda t, u, p: -u, t_span=(0, 3))
        times = np.linspace(0, 3, 31)
        for method in ("radau", "dop853", "ida", "rodas5p", "cros"):
            result = daelab.solve(decay, method=method, t_eval=times, rtol=1e-8)
            self.assertTrue(np.array_equal(result.t, times))
            self.assertLess(abs(result["u1"] - np.exp(-times)).max(), 1e-6, method)

    def test_pendulum_by_two_formulations(self):
        """x = L sin theta, y = -L cos theta; the rope of index 1 keeps its length."""
        times = np.linspace(0, 2, 21)
        angle = daelab.solve("pendulum", "ode", "dop853", t_eval=times, rtol=1e-11)
        rope = daelab.solve("pendulum", "index1", "radau", t_eval=times, rtol=1e-11)
        self.assertEqual((angle.names, angle.units), (("theta", "omega", "T_recovered"), ("rad", "rad/s", "N")))
        self.assertEqual(rope.classes, ("position", "position", "velocity", "velocity", "multiplier",
                                        "recovered"))
        self.assertLess(abs(5 * np.sin(angle["theta"]) - rope["x"]).max(), 1e-8)
        self.assertLess(abs(-5 * np.cos(angle["theta"]) - rope["y"]).max(), 1e-8)
        self.assertLess(abs(np.hypot(rope["x"], rope["y"]) - 5).max(), 1e-8)

    def test_steps(self):
        result = daelab.solve("pendulum", "index2", "cros", step=0.01)
        self.assertEqual(len(result), 201)
        self.assertEqual(result.statistics["steps"], 200)
        self.assertTrue(np.allclose(np.diff(result.t), 0.01))
        self.assertTrue(np.array_equal(result.y[:2, 0], [3, -4]))
        self.assertAlmostEqual(result.y[4, 0], (9.81 * 4) / 5, 10)      # T = m (g cos theta) at rest

    def test_rows_are_those_of_steps(self):
        """Times that are ends of steps have the rows of the steps, to the bit."""
        steps = daelab.solve("pendulum", "index1", "rk4", step=0.125)
        rows = daelab.solve("pendulum", "index1", "rk4", t_eval=steps.t, step=0.125)
        self.assertTrue(np.array_equal(steps.y, rows.y))

    def test_dense(self):
        for form, method in (("index1", "radau"), ("ode", "dop853"), ("index2", "ida"), ("index1", "rodas5p"),
                             ("index3", "radau")):
            times = np.linspace(0, 2, 333)
            with self.subTest(form=form, method=method):
                rows = daelab.solve("pendulum", form, method, t_eval=times, rtol=1e-7)
                dense = daelab.solve("pendulum", form, method, rtol=1e-7, dense_output=True)
                size = abs(rows.y).max(axis=1)[:, None]
                self.assertLess((abs(dense.sol(times) - rows.y) / size).max(), 1e-7)
                self.assertTrue(np.array_equal(dense.sol(dense.t), dense.y))
                self.assertEqual(dense.sol(0.5).shape, (len(dense.names),))
                both = daelab.solve("pendulum", form, method, t_eval=times, rtol=1e-7, dense_output=True)
                self.assertTrue(np.array_equal(both.y, dense.sol(times)))

    def test_dense_outside(self):
        dense = daelab.solve("pendulum", rtol=1e-4, dense_output=True)
        for t in (-0.1, 2.1, math.nan):
            with self.assertRaisesRegex(daelab.DaelabError, "no solution outside"):
                dense.sol(t)
        with self.assertRaisesRegex(daelab.DaelabError, "dense_output=True"):
            daelab.solve("pendulum", rtol=1e-4)(1.0)

    def test_start(self):
        """Kepler's ellipse from its far end: half a period later at the near one."""
        whole = daelab.solve("kepler", method="dop853", rtol=1e-11)
        x = whole.y[:, -1]
        again = daelab.solve("kepler", method="dop853", rtol=1e-11, start=x[:4],
                             t_span=(whole.t[-1], 2 * whole.t[-1]))
        further = daelab.solve("kepler", method="dop853", rtol=1e-11, t_span=(0, 2 * whole.t[-1]))
        self.assertLess(abs(again.y[:4, -1] - further.y[:4, -1]).max(), 1e-8)

    def test_start_that_is_moved(self):
        """(3, -3) beside a rope of 5 m goes to the circle along its radius, with a warning; a little is only told."""
        with self.assertWarnsRegex(RuntimeWarning, "start of pendulum was not consistent.*positions 0.536"):
            moved = daelab.solve("pendulum", params={"y0": -3}, rtol=1e-6)
        self.assertLess(abs(moved.y[:2, 0] - [12.5**0.5, -12.5**0.5]).max(), 1e-12)
        self.assertAlmostEqual(moved.start_change.position, 12.5**0.5 - 3, 9)
        self.assertGreater(moved.start_change.relative, 0.1)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            little = daelab.solve("pendulum", params={"y0": -4.001}, rtol=1e-6)
            self.assertIsNone(daelab.solve("pendulum", "ode", params={"y0": -4.0}, rtol=1e-6).start_change)
        self.assertLess(little.start_change.position, 1e-3)
        with self.assertRaisesRegex(daelab.DaelabError, "violates the constraints"):
            daelab.solve("pendulum", start=[3, -3, 0, 0])

    def test_parameters(self):
        short = daelab.solve("pendulum", "ode", params={"L": 1, "x0": 0.6, "y0": -0.8}, rtol=1e-8)
        self.assertLess(abs(np.sin(short["theta"][0]) - 0.6), 1e-12)
        self.assertEqual(daelab.problems.pendulum.parameters["L"].value, 5)
        self.assertEqual(daelab.problems.pendulum.parameters["L"].unit, "m")
        chain = daelab.solve("chain", "index1", t_span=(0, 0.01), params={"N": 7}, rtol=1e-4)
        self.assertEqual(len(chain.names), 6 * 7)


class Events(unittest.TestCase):
    def test_bounces(self):
        """Times of impacts, and their limit, by the formula of free fall."""
        ball = daelab.problems.bouncing_ball
        height, e = (ball.parameters[k].value for k in ("h", "e"))
        times, limit = falls(height, e, 6)
        result = daelab.solve(ball, rtol=1e-9)
        found = [event.t for event in result.events][:6]
        self.assertLess(max(abs(a - b) for a, b in zip(found, times)), 1e-8)
        self.assertEqual(result.code, "DAE_ACCUMULATION")
        self.assertAlmostEqual(result.t[-1], limit, 4)
        first = result.events[0]
        self.assertEqual((first.name, first.direction), ("floor", -1))
        self.assertAlmostEqual(first.after[1] / first.before[1], -e, 12)

    def test_modes(self):
        """A string that is slack has no tension: NaN in those rows."""
        result = daelab.solve("string_pendulum", rtol=1e-8)
        self.assertEqual(set(result.mode_names), {"taut", "slack"})
        slack = result.modes == result.mode_names.index("slack")
        self.assertTrue(slack.any() and not slack.all())
        self.assertTrue(np.isnan(result["T"][slack]).all() and np.isfinite(result["T"][~slack]).all())
        self.assertTrue(np.isfinite(result["x"]).all())
        self.assertEqual(result.code, "DAE_EVENT")
        self.assertEqual([event.mode_after for event in result.events], ["slack", "slack"])

    def test_own_events(self):
        """cos t has its zeros at pi/2, 3 pi/2, ..."""
        swing = daelab.FirstOrderProblem("swing", u=[1.0, 0.0], rhs=lambda t, u, p: [u[1], -u[0]], t_span=(0, 10))

        def zero(t, x):
            return x[0]

        def falling(t, x):
            return x[0] - 0.5
        falling.direction = -1
        times = np.linspace(0, 10, 101)
        result = daelab.solve(swing, t_eval=times, rtol=1e-10, events=[zero, falling])
        found = {name: [e.t for e in result.events if e.name == name] for name in ("zero", "falling")}
        self.assertTrue(np.allclose(found["zero"], [math.pi * (k + 0.5) for k in range(3)], atol=1e-8))
        self.assertTrue(np.allclose(found["falling"], [math.pi / 3, math.pi / 3 + 2 * math.pi], atol=1e-8))
        self.assertTrue(np.array_equal(result.t, times))
        self.assertLess(abs(result["u1"] - np.cos(times)).max(), 1e-8)
        self.assertEqual(result.code, "DAE_OK")
        zero.terminal = True
        for dense in (False, True):
            ended = daelab.solve(swing, t_eval=times, rtol=1e-10, events={"zero": zero}, dense_output=dense)
            self.assertEqual(ended.code, "DAE_EVENT")
            self.assertEqual(len(ended.t), 16)
            self.assertAlmostEqual(ended.events[-1].t, math.pi / 2, 8)

    def test_own_events_in_modes(self):
        """x is (q, v, lambda) of the present mode: a slack string has no tension."""
        seen = {}

        def height(t, x):
            seen.setdefault(len(x), 0)
            return x[1] - 0.3
        result = daelab.solve("string_pendulum", rtol=1e-8, events=height)
        self.assertEqual(set(seen), {4, 5})
        ours = [e for e in result.events if e.name == "height"]
        self.assertTrue(ours)
        for event in ours:
            self.assertAlmostEqual(event.before[1], 0.3, 8)

    def test_dense_through_events(self):
        result = daelab.solve("bouncing_ball", rtol=1e-9, dense_output=True, t_span=(0, 1))
        for event in result.events:
            self.assertTrue(np.array_equal(result.sol(event.t), event.after))
            self.assertLess(abs(result.sol(event.t - 1e-9) - event.before).max(), 1e-6)
        t = 0.3
        self.assertAlmostEqual(result.sol(t)[0], 1 - 9.81 * t**2 / 2, 8)


    def test_max_events(self):
        """Those of the caller count, too: sin 50 t has its sixth zero beside the start at 6 pi/50."""
        with self.assertRaisesRegex(daelab.DaelabError, "more events happened than max_events = 5") as caught:
            daelab.solve("pendulum", events=lambda t, x: math.sin(50 * t), max_events=5)
        self.assertEqual(caught.exception.code, "DAE_MAX_EVENTS")
        self.assertEqual(len(caught.exception.result.events), 6)
        self.assertAlmostEqual(caught.exception.result.t[-1], 6 * math.pi / 50, 8)
        five = daelab.solve("pendulum", t_span=(0, 0.35), events=lambda t, x: math.sin(50 * t), max_events=5)
        self.assertEqual(len(five.events), 5)

    def test_conditions(self):
        """Truth values have no zero, and neither has what is no number; x is the condition's own."""
        for condition, sentence in ((lambda t, x: x[0] > 1, "an event is where a function is 0"),
                                    (lambda t, x: bool(x[0] > 1), "an event is where a function is 0"),
                                    (lambda t, x: None, "answers None, and not a number"),
                                    (lambda t, x: x, "and not a number"), (lambda t, x: 1j * x[0], "and not a number")):
            with self.assertRaisesRegex(daelab.DaelabError, "event .*" + sentence):
                daelab.solve("pendulum", events=condition)
        kept = []

        def turns(t, x):
            kept.append(x)
            return x[2]
        plain = daelab.solve("pendulum", rtol=1e-8, t_span=(0, 5), events=lambda t, x: x[2])
        result = daelab.solve("pendulum", rtol=1e-8, t_span=(0, 5), events=turns)
        self.assertTrue(np.array_equal(result.y, plain.y))
        self.assertEqual(len(result.events), 2)
        self.assertGreater(len({x[0] for x in kept}), 20)       # each its own, not one that was written over


class Failures(unittest.TestCase):
    def says(self, sentence, status, *arguments, **options):
        with self.assertRaisesRegex(daelab.DaelabError, sentence) as caught:
            daelab.solve(*arguments, **options)
        self.assertEqual(caught.exception.code, status)
        return caught.exception

    def test_sentences(self):
        self.says("no problem 'pendulm'; did you mean pendulum", "DAE_BAD_ARGUMENT", "pendulm")
        self.says("no formulation 'index4'; did you mean index", "DAE_BAD_ARGUMENT", "pendulum", "index4")
        self.says("no method 'radu'; did you mean radau", "DAE_BAD_ARGUMENT", "pendulum", method="radu")
        self.says("no parameter of pendulum 'l'; did you mean", "DAE_BAD_ARGUMENT", "pendulum", params={"l": 1})
        self.says("", "DAE_BAD_ARGUMENT", "pendulum", params={"L": -1})
        self.says("no jacobian 'quick'; there are best", "DAE_BAD_ARGUMENT", "pendulum", jacobian="quick")
        self.says("", "DAE_UNSUPPORTED", "pendulum", "native")
        self.says("do not decrease", "DAE_BAD_ARGUMENT", "pendulum", t_eval=[1, 0.5])
        self.says("t_eval goes from -1 to 0.5", "DAE_BAD_ARGUMENT", "pendulum", t_eval=[-1, 0.5])
        self.says("", "DAE_BAD_ARGUMENT", "pendulum", atol={"speed": 1e-3})
        self.says("atol has the shape .4,.; pendulum in index1 has 5 unknowns", "DAE_BAD_ARGUMENT", "pendulum",
                  atol=[1e-9] * 4)
        self.says("a start of pendulum has 4 numbers", "DAE_BAD_ARGUMENT", "pendulum", start=[1, 2])
        self.says("as_given=True", "DAE_BAD_ARGUMENT", "pendulum", start="as-given")
        self.says("begins at 1, and pendulum at 0: give the start there", "DAE_BAD_ARGUMENT", "pendulum", t_span=(1, 2))
        self.says("parameter L = None is no number", "DAE_BAD_ARGUMENT", "pendulum", params={"L": None})
        self.says("L takes 1 values, not 2", "DAE_BAD_ARGUMENT", "pendulum", params={"L": [5, 5]})
        self.says("max_steps = 1.5 is no whole number", "DAE_BAD_ARGUMENT", "pendulum", max_steps=1.5)
        self.says("3 is no problem", "DAE_BAD_ARGUMENT", 3)
        self.says("no pair", "DAE_BAD_ARGUMENT", "pendulum", t_span=(0, -1.0))
        self.says("no pair .t0, t_end.; that of pendulum begins at 0", "DAE_BAD_ARGUMENT", "pendulum", t_span=5.0)
        self.says("no pair", "DAE_BAD_ARGUMENT", "pendulum", t_span=(0, math.nan))
        self.says("do not decrease", "DAE_BAD_ARGUMENT", "pendulum", t_eval=[])
        self.says("not finite", "DAE_NOT_FINITE", "pendulum", start=[3, math.nan, 0, 0])

    def test_numbers(self):
        """What is a number is taken as one: 1e6 steps, arrays without dimensions, whole numbers."""
        plain = daelab.solve("pendulum", rtol=1e-6, t_eval=np.linspace(0, 2, 5))
        for options in ({"max_steps": 1e6}, {"max_steps": 10**30}, {"params": {"L": np.array(5)}},
                        {"params": {"L": np.array([5])}}, {"start": np.array([3, -4, 0, 0])},
                        {"start": np.asfortranarray(np.array([[3.0, -4, 0, 0]] * 2)).T[:, 1]}):
            same = daelab.solve("pendulum", rtol=1e-6, t_eval=np.linspace(0, 2, 9)[::2], **options)
            self.assertLess(abs(same.y - plain.y).max(), 1e-9)

    def test_partial_result(self):
        error = self.says("did not reach", "DAE_MAX_STEPS", "pendulum", max_steps=3, rtol=1e-8)
        self.assertEqual(len(error.result), 4)
        self.assertEqual(error.result.code, "DAE_MAX_STEPS")

    def test_tolerances(self):
        loose = daelab.solve("pendulum", rtol=1e-3)
        for atol in (1e-9, {"T": 1e-9, "position": 1e-9, None: 1e-9}, [1e-9] * 5):
            tight = daelab.solve("pendulum", rtol=1e-9, atol=atol)
            self.assertGreater(tight.statistics["steps"], loose.statistics["steps"])

    def test_interrupt(self):
        """Ctrl-C, once and twice, ends a run that would take days, as KeyboardInterrupt. Nothing works on behind it:
        the problem can be solved again, and the process ends well."""
        program = """
import daelab
for once in range(3):
    try:
        print('begins', flush=True)
        daelab.solve('kepler', t_span=(0, 1e9), method='rk4', step=1e-6, max_steps=10**16)
    except KeyboardInterrupt:
        print('interrupted', flush=True)
    for again in range(20):
        daelab.solve('pendulum', t_span=(0, 0.1))
"""
        path = "import sys; sys.path[:0] = " + repr(sys.path) + "\n"
        child = subprocess.Popen([sys.executable, "-c", path + program], stdout=subprocess.PIPE, text=True)
        for times in (1, 1, 2):
            self.assertEqual(child.stdout.readline().strip(), "begins")
            time.sleep(0.3)                         # before or within the run: both must answer
            for _ in range(times):
                child.send_signal(signal.SIGINT)
            self.assertEqual(child.stdout.readline().strip(), "interrupted")
        child.communicate(timeout=120)
        self.assertEqual(child.returncode, 0)

    def test_exception_of_a_signal(self):
        """What any handler of a signal raises comes out of solve when the run has ended, wherever it was."""
        class Late(Exception):
            pass

        def ring(*_):
            raise Late
        before = signal.signal(signal.SIGALRM, ring)
        self.addCleanup(signal.signal, signal.SIGALRM, before)
        calls = []
        problem = daelab.FirstOrderProblem("long", u=[1.0], rhs=lambda t, u, p: (calls.append(t), -u)[1])
        for i in range(20):
            signal.setitimer(signal.ITIMER_REAL, 0.002 + 0.001 * i)
            with self.assertRaises(Late):
                daelab.solve(problem, t_span=(0, 1e9), method="rk4", step=1e-6, max_steps=10**16)
            count = len(calls)
            time.sleep(0.005)
            self.assertEqual(len(calls), count)


if __name__ == "__main__":
    unittest.main()
