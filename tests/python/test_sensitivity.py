"""solve(sensitivity=[..]): derivatives beside differences of whole runs at tight tolerances, and what is refused."""

import math
import pickle
import unittest
from pathlib import Path

import daelab
import numpy as np

RTOL = 1e-11


def moved(problem, name, by, base, options):
    """Options of a run in which a parameter, or the start of an unknown, is moved."""
    if name.startswith("start:"):
        unknown = name[len("start:"):]
        start = dict(options.get("start", {}))
        start[unknown] = start.get(unknown, base[unknown][0]) + by
        return {**options, "start": start}
    params = dict(options.get("params", {}))
    params[name] = params.get(name, problem.parameters[name].value) + by
    return {**options, "params": params}


def differences(problem, form, method, name, base, h, options):
    """dy of order 4, by four runs."""
    runs = [daelab.solve(problem, form, method, **moved(problem, name, k * h, base, options)).y for k in (-2, -1, 1, 2)]
    return (8 * (runs[2] - runs[1]) - (runs[3] - runs[0])) / (12 * h)


class Tested(unittest.TestCase):
    def test_errors_choose_steps(self):
        """Of an explicit method on a stiff problem, unless that is refused."""
        asked = {"params": {"epsilon": 1e-4}, "sensitivity": "epsilon", "rtol": 1e-6, "t_eval": [0, 2]}
        exact = daelab.solve("van_der_pol", **{**asked, "rtol": 1e-11}).sensitivity["epsilon"][0, -1]
        held = daelab.solve("van_der_pol", method="dopri5", **asked).sensitivity["epsilon"][0, -1]
        self.assertAlmostEqual(held, exact, delta=1e-3 * abs(exact))
        with self.assertRaisesRegex(daelab.DaelabError, "not finite"):
            daelab.solve("van_der_pol", method="dopri5", sensitivity_test=False, **asked)


class Compared(unittest.TestCase):
    def compare(self, problem, form, method, names, t_end, tolerance=1e-6, **options):
        """In units of the largest of the class of an unknown, in y over the parameter or in its derivative."""
        problem = daelab.problems[problem] if isinstance(problem, str) else problem
        options = {"rtol": RTOL, "estimate": False, "t_eval": np.linspace(problem.t0, t_end, 5),
                   "t_span": (problem.t0, t_end), **options}
        found = daelab.solve(problem, form, method, sensitivity=names, **options)
        self.assertEqual(list(found.sensitivity), names)
        for name in names:
            size = abs(found[name[6:]]).max() if name.startswith("start:") else abs(problem.parameters[name].value)
            expected = differences(problem, form, method, name, found, 1e-3 * (size or 1), options)
            self.assertEqual(found.sensitivity[name].shape, found.y.shape)
            for kind in set(found.classes) - {"auxiliary"}:         # which is 0
                rows = [i for i, one in enumerate(found.classes) if one == kind]
                got, true = found.sensitivity[name][rows], expected[rows]
                scale = np.max(abs(true), initial=0) + np.max(abs(found.y[rows]), initial=0) / (size or 1)
                away = np.max(abs(got - true), initial=0)
                self.assertLess(away, tolerance * scale, (problem.name, form, method, name, kind))
        return found


class Differences(Compared):
    def test_mechanical(self):
        """The rope, by all formulations; of it the recovered tension, too."""
        for form, methods in {"index1": ("radau", "rodas5p", "dop853"), "index2": ("radau5", "rodas5p"),
                              "index3": ("radau",), "baumgarte": ("radau",), "ggl": ("radau5",)}.items():
            for method in methods:
                found = self.compare("pendulum", form, method, ["L", "g0", "x0", "start:x", "start:vx"], 0.7)
                recovered = found.sensitivity["L"][found.names.index("T_recovered")]
                self.assertTrue(np.all(np.isfinite(recovered)))

    def test_minimal(self):
        found = self.compare("pendulum", "ode", "dop853", ["L", "g0"], 0.7)
        start = daelab.solve("pendulum", "ode", "dop853", sensitivity="start:theta", rtol=1e-9)
        self.assertEqual(list(start.sensitivity["start:theta"][:2, 0]), [1, 0])
        self.assertEqual(found.names[:2], ("theta", "omega"))

    def test_fixed_steps(self):
        """The derivatives are those of the steps that are made, however large these are."""
        for form, method in (("index2", "cros"), ("index1", "rk4"), ("index3", "radau5")):
            self.compare("pendulum", form, method, ["L", "start:vx"], 1.0, step=0.125)

    def test_first_order(self):
        for method in ("radau", "rodas5p"):
            self.compare("akzo_nobel", "native", method, ["k1", "start:y1"], 10)
            self.compare("van_der_pol", "native", method, ["epsilon", "start:y1"], 0.5)

    def test_mechanism(self):
        for form in ("index1", "index2"):
            self.compare("slider_crank", form, "radau", ["l1"], 0.3)

    def test_start_of_numbers(self):
        """Parameters do not move what is given, but the constraints that it is moved onto."""
        self.compare("pendulum", "index1", "radau", ["L", "x0"], 0.5, start={"x": 3.2})
        given = self.compare("pendulum", "index1", "radau", ["g0", "x0"], 0.5, start=[3, -4, 0, 0])
        self.assertEqual(abs(given.sensitivity["x0"]).max(), 0)

    def test_model_in_words(self):
        problem = daelab.load(Path(__file__).resolve().parents[2] / "examples" / "spherical_pendulum.yaml")
        name = next(one for one in problem.parameters if problem.parameters[one].value)
        self.compare(problem, "index2", "radau", [name], problem.t0 + 0.1 * (problem.t_end - problem.t0))


class Written(unittest.TestCase):
    """Of functions in Python, which are called with complex parameters."""

    def decay(self, rhs):
        return daelab.FirstOrderProblem("decay", u=lambda p: [p.u0**2], params={"k": 2.0, "u0": 1.5}, rhs=rhs)

    def check_decay(self, problem):
        """u = u0^2 exp(-k t)"""
        found = daelab.solve(problem, sensitivity=["k", "u0", "start:u1"], rtol=1e-11)
        one = np.exp(-2 * found.t)
        for name, exact in (("k", -2.25 * found.t * one), ("u0", 3 * one), ("start:u1", one)):
            self.assertLess(abs(found.sensitivity[name][0] - exact).max(), 1e-9, name)

    def test_complex_step(self):
        problem = self.decay(lambda t, u, k: -k * u)
        self.check_decay(problem)
        self.assertEqual(problem.derivatives, {"rhs": "complex step"})

    def test_differences(self):
        """What is not analytic in its parameters is found out."""
        for rhs in (lambda t, u, k: -abs(k) * u, lambda t, u, k: -float(k) * u):
            problem = self.decay(rhs)
            self.assertEqual(problem.derivatives, {"rhs": "complex step"})
            with self.assertWarnsRegex(daelab.DaelabWarning, "not analytic"):
                self.check_decay(problem)
            self.assertEqual(problem.derivatives, {"rhs": "differences"})

    def test_mechanical(self):
        """The rope, as the library's own has it; and its constraint where the start moves on it."""
        rope = daelab.MechanicalProblem(
            "rope", q=lambda p: [0.6 * p.L, -0.8 * p.L], v=[1, 0.75], params={"m": 1.0, "L": 5.0, "g": 9.81},
            mass=lambda t, q, m: m, force=lambda t, q, v, m, g: [0 * t, -m * g],
            constraint=lambda t, q, L: [(q @ q - L**2) / (2 * L)])
        times = [0.0, 0.5, 1.0]
        for form in ("index1", "index2"):
            found = daelab.solve(rope, form, sensitivity=["m", "L", "g", "start:q1"], rtol=RTOL, t_eval=times)
            for name in ("m", "L", "g"):
                options = {"rtol": RTOL, "t_eval": times}
                expected = differences(rope, form, "radau", name, found, 1e-3, options)
                self.assertLess(abs(found.sensitivity[name] - expected).max(), 1e-7, name)
            self.assertEqual(rope.derivatives["constraint"], "complex step")

    def test_real_constraint(self):
        hoop = daelab.MechanicalProblem("hoop", q=[2.0, 0.0], params={"R": 2.0}, force=lambda t, q, v: [0, -9.81],
                                        constraint=lambda t, q, R: [(q @ q - math.pow(R, 2)) / (2 * R)])
        daelab.solve(hoop, "index2", sensitivity="start:q1")
        with self.assertRaisesRegex(daelab.DaelabError, "does not take complex parameters"):
            daelab.solve(hoop, "index2", sensitivity="R")


class Events(Compared):
    def test_impact(self):
        """A ball; rows of steps have none at the time of the impact, but before and behind it."""
        self.compare("bouncing_ball", None, "radau", ["g", "e", "h"], 0.8)
        steps = daelab.solve("bouncing_ball", t_span=(0, 0.8), rtol=1e-9, sensitivity="g")
        t, height, impact = steps.t, steps.sensitivity["g"][0], steps.events[0].t
        self.assertTrue(np.array_equal(np.isnan(height), t == impact))
        self.assertLess(abs(height + t**2 / 2)[t < impact].max(), 1e-9)
        self.assertGreater(np.sum(t > impact), 0)

    def test_modes(self):
        """Rows of unknowns that a mode has not are NaN, as in y."""
        problem = daelab.problems.string_pendulum
        found = daelab.solve(problem, t_eval=[0.1, 0.9], rtol=1e-9, sensitivity="g")
        self.assertEqual(len(set(found.modes)), 2)
        self.assertTrue(np.array_equal(np.isnan(found.sensitivity["g"]), np.isnan(found.y)))

    def test_conditions(self):
        """Events of the caller, which change nothing."""
        found = self.compare("pendulum", "index1", "radau", ["L", "g0"], 5.0, events=lambda t, x: x[2])
        self.assertGreater(len(found.events), 1)


class Rows(unittest.TestCase):
    def test_steps(self):
        """Without times there are those of the ends of steps, and y is what it is without derivatives."""
        plain = daelab.solve("pendulum", "index2", rtol=1e-6)
        found = daelab.solve("pendulum", "index2", rtol=1e-6, sensitivity="L")
        self.assertTrue(np.array_equal(plain.y, found.y))
        self.assertEqual(found.sensitivity["L"].shape, found.y.shape)
        self.assertIsNone(plain.sensitivity)

    def test_arrays_and_doubles(self):
        found = daelab.solve("pendulum", rtol=1e-4, sensitivity=["L", "L", "start:x"])
        self.assertEqual(list(found.sensitivity), ["L", "start:x"])
        again = pickle.loads(pickle.dumps(found))
        self.assertTrue(np.array_equal(again.sensitivity["L"], found.sensitivity["L"]))
        with self.assertRaisesRegex(KeyError, "did you mean L"):
            found.sensitivity["l"]


class Refused(unittest.TestCase):
    def refuse(self, sentence, problem="pendulum", form=None, method="radau", **options):
        with self.assertRaisesRegex(daelab.DaelabError, sentence):
            daelab.solve(problem, form, method, **options)

    def test_names(self):
        self.refuse("no parameter of pendulum 'LL'; did you mean L?", sensitivity="LL")
        self.refuse("x is an unknown of pendulum and no parameter.*'start:x'", sensitivity=["x"])
        self.refuse("no unknown of the start 'start:xx'; did you mean start:x?", sensitivity=["start:xx"])
        self.refuse("no unknown of the start 'start:T'", sensitivity=["start:T"])
        self.refuse("counts copies, and has no derivative", "chain", sensitivity="N")

    def test_methods(self):
        for method in ("ida", "cvode", "erk", "dirk"):
            form = "index2" if method == "ida" else "ode"
            self.refuse(f"{method} has no sensitivities.*radau", "pendulum", form, method, sensitivity="L")

    def test_what_is_not_there(self):
        self.refuse("events accumulate", "box", sensitivity="g")
        self.refuse("no dense output", sensitivity="L", dense_output=True)
        self.refuse("in minimal coordinates", form="ode", sensitivity="L", start={"x": 2})


if __name__ == "__main__":
    unittest.main()
