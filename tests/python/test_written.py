"""Problems written in Python: against the same ones in C, closed solutions, and what they refuse."""

import math
import unittest

import daelab
import numpy as np

TIMES = np.linspace(0, 2, 21)


def pendulum(**changes):
    """The pendulum of problems/pendulum.c."""
    options = {
        "q": [3, -4], "mass": lambda t, q, p: p.m, "t_span": (0, 2), "variables": "x y vx vy T", "units": "m m m/s m/s N",
        "params": {"m": (1.0, "kg"), "L": (5.0, "m", "length of the rope")},
        "force": lambda t, q, v, p: np.array([0 * t, -p.m * (9.81 + 0.05 * np.sin(2 * np.pi * t))]),
        "constraint": lambda t, q, p: [(q @ q - p.L**2) / (2 * p.L)]}
    options.update(changes)
    return daelab.MechanicalProblem("rope", **options)


class Mechanical(unittest.TestCase):
    def test_as_in_c(self):
        """Every formulation, by dual numbers from complex arithmetic and Taylor series: the steps of C, to rounding."""
        rope = pendulum()
        self.assertEqual(rope.derivatives["force"], "complex step")
        self.assertEqual(rope.derivatives["acceleration"], "Taylor series of constraint")
        for form in ("index3", "index2", "index1", "baumgarte", "ggl"):
            for options in ({"method": "radau", "rtol": 1e-8}, {"method": "cros", "step": 0.01}):
                with self.subTest(form=form, **options):
                    ours = daelab.solve(rope, form, t_eval=TIMES, **options)
                    theirs = daelab.solve("pendulum", form, t_eval=TIMES, jacobian="dual", **options)
                    self.assertEqual(ours.names, theirs.names)
                    self.assertEqual(ours.units, theirs.units)
                    self.assertEqual(ours.statistics["steps"], theirs.statistics["steps"])
                    self.assertLess(abs(ours.y - theirs.y).max(), 1e-8)

    def test_check(self):
        """A slip in what is given beside the constraint is found; the library's check looks at the rest."""
        for slip in ({"rate": lambda t, q, v, p: [(q @ v) / p.L * 1.01]},
                     {"acceleration": lambda t, q, v, a, p: [(q @ a) / p.L]},
                     {"reaction": lambda t, q, r, p: -r[0] * q / p.L}):
            with self.assertRaisesRegex(daelab.DaelabError, f"{next(iter(slip))} contradicts") as caught:
                pendulum(**slip)
            self.assertEqual(caught.exception.code, "DAE_BAD_MODEL")
        pendulum(acceleration=lambda t, q, v, a, p: [(v @ v + q @ a) / p.L])
        self.assertEqual(pendulum().check(), [])
        tank = {"u": [1.0, 1.0], "mass": [1, 0], "rhs": lambda t, u: [-u[0], u[0] - u[1]]}
        self.assertEqual(daelab.check(daelab.FirstOrderProblem("tank", index=1, **tank)), [])
        self.assertIn("is of index 1", str(daelab.check(daelab.FirstOrderProblem("tank", index=2, **tank))))
        twice = daelab.MechanicalProblem("twice", q=[1, 0.0], mass=1.0, force=lambda t, q, v: [0, -9.81],
                                         constraint=lambda t, q: [q @ q - 1, 2 * (q @ q - 1)])
        self.assertIn("constraints 1, 2 (in Python from 0) depend on each other", str(daelab.check(twice)))
        self.assertEqual([f for f in daelab.problems.pendulum.check() if f.failed], [])

    def test_given_derivatives(self):
        """rate, acceleration and reaction by hand, for a constraint that takes no Taylor series."""
        def constraint(t, q, p):
            return [(math.hypot(q[0], q[1])**2 - p.L**2) / (2 * p.L)]
        with self.assertRaisesRegex(daelab.DaelabError, "give acceleration, rate, reaction"):
            pendulum(constraint=constraint)
        rope = pendulum(constraint=constraint, rate=lambda t, q, v, p: [q @ v / p.L],
                        acceleration=lambda t, q, v, a, p: [(v @ v + q @ a) / p.L],
                        reaction=lambda t, q, r, p: r[0] * q / p.L)
        self.assertEqual(rope.derivatives["constraint"], "differences")
        self.assertEqual(rope.derivatives["rate"], "complex step")
        ours = daelab.solve(rope, "index3", t_eval=TIMES, rtol=1e-7)
        theirs = daelab.solve("pendulum", "index3", t_eval=TIMES, rtol=1e-7)
        self.assertLess(abs(ours.y - theirs.y).max(), 1e-5)

    def test_wrong_constraint(self):
        """A constraint that loses its derivative without a word is found out."""
        def constraint(t, q, p):
            x, y = (c.c[0] if hasattr(c, "c") else c for c in q)
            return [x * x + y * y - p.L**2]
        with self.assertRaisesRegex(daelab.DaelabError, "does not take Taylor series"):
            pendulum(constraint=constraint)

    def test_mass(self):
        """A bead on a spring with a mass matrix M(q): energy stays, as H = v^T M v/2 + k q^2/2."""
        def mass(t, q, p):
            return np.array([[2 + np.cos(q[1]), 0.3], [0.3, 1.0]])

        def force(t, q, v, p):      # M v' = f with f = -dV/dq - (dM/dt) v + d(v^T M v/2)/dq
            kinetic = -np.sin(q[1]) * v[0]**2 / 2
            return np.array([-q[0] + np.sin(q[1]) * v[1] * v[0], -2 * q[1] + kinetic])

        def energy(t, q, v, p):
            return v @ mass(t, q, p) @ v / 2 + q[0]**2 / 2 + q[1]**2
        bead = daelab.MechanicalProblem("bead", q=[1, 0.5], mass=mass, force=force, energy=energy, t_span=(0, 5))
        result = daelab.solve(bead, rtol=1e-10)
        h = [energy(0, row[:2], row[2:4], None) for row in result.y.T]
        self.assertLess(max(abs(x - h[0]) for x in h), 1e-7)

    def test_lopsided_mass(self):
        for mass in ([[1.0, 0.5], [0.0, 1.0]], lambda t, q, p: np.array([[1.0, q[0]], [0.0, 1.0]])):
            with self.assertRaisesRegex(daelab.DaelabError, "rope: mass is not symmetric"):
                pendulum(mass=mass)

    def test_units(self):
        """The rope in units of length, time and mass from 1e-9 to 1e9: the same numbers."""
        def rope(length, time, mass):
            return pendulum(
                q=[3 * length, -4 * length], t_span=(0, 2 * time), mass=mass, params={},
                force=lambda t, q, v, p: [0, -mass * 9.81 * length / time**2],
                constraint=lambda t, q, p: [(q @ q - 25 * length**2) / (10 * length)])
        plain = daelab.solve(rope(1, 1, 1), "index2", rtol=1e-10, t_eval=[0, 1, 2])
        for length, time, mass in ((1e-9, 1, 1), (1e9, 1, 1), (1, 1e-9, 1), (1, 1e9, 1), (1, 1, 1e-9),
                                   (1e9, 1e-6, 1e6)):
            size = np.array([length, length, length / time, length / time, mass * length / time**2])
            for form in ("index3", "index2", "index1"):
                with self.subTest(length=length, time=time, mass=mass, form=form):
                    found = daelab.solve(rope(length, time, mass), form, rtol=1e-8, atol=1e-8 * size,
                                         t_eval=[0, time, 2 * time])
                    self.assertLess(abs(found.y[:5] / size[:, None] - plain.y[:5]).max(), 1e-7)
        with self.assertWarnsRegex(RuntimeWarning, r"the largest position is 4\.9\de-09, and atol = 1e-08"):
            daelab.solve(rope(1e-9, 1, 1), "index2", rtol=1e-8)

    def test_start(self):
        """A start that depends on parameters, which a run changes."""
        rope = pendulum(q=lambda p: [0.6 * p.L, -0.8 * p.L], v=[0, 0])
        result = daelab.solve(rope, params={"L": 10.0}, rtol=1e-6)
        self.assertTrue(np.allclose(result.y[:2, 0], [6, -8]))
        self.assertEqual(rope.parameters["L"].unit, "m")


class FirstOrder(unittest.TestCase):
    def test_decays(self):
        """Two decays and a balance, with parameters of an array: Bateman's solution."""
        decays = daelab.FirstOrderProblem(
            "decays", u=[1, 0, 0], mass=[1, 1, 0], t_span=(0, 2), params={"k": [3.0, 1.0]},
            rhs=lambda t, u, p: [-p.k[0] * u[0], p.k[0] * u[0] - p.k[1] * u[1], u[0] + u[1] + u[2] - 1])
        for k in ([3.0, 1.0], [5.0, 2.0]):
            result = daelab.solve(decays, t_eval=TIMES, rtol=1e-9, params={"k": k})
            b = k[0] / (k[0] - k[1]) * (np.exp(-k[1] * TIMES) - np.exp(-k[0] * TIMES))
            self.assertLess(abs(result["u2"] - b).max(), 1e-7)
            self.assertLess(abs(result.y.sum(axis=0) - 1).max(), 1e-9)

    def test_differences(self):
        """|u|, math.sin and a mass of (t, u) that complex arithmetic does not take."""
        def rhs(t, u, p):
            return np.array([-abs(u[0]) * math.sin(t)])
        problem = daelab.FirstOrderProblem("sine", u=[2.0], rhs=rhs, t_span=(0, 2))
        self.assertEqual(problem.derivatives, {"rhs": "differences"})
        for method in ("radau", "rodas4", "ida"):
            result = daelab.solve(problem, method=method, t_eval=TIMES, rtol=1e-8)
            self.assertLess(abs(result["u1"] - 2 * np.exp(np.cos(TIMES) - 1)).max(), 1e-6, method)

    def test_cut_off(self):
        """A function that drops the imaginary part in silence is not taken for one of complex numbers."""
        for rhs in (lambda t, u, p: -np.abs(u), lambda t, u, p: -np.real(u), lambda t, u, p: -np.conj(u),
                    lambda t, u, p: -np.array(u, dtype=float)):
            problem = daelab.FirstOrderProblem("cut", u=[1.0], rhs=rhs, t_span=(0, 1))
            self.assertEqual(problem.derivatives["rhs"], "differences")
            self.assertAlmostEqual(daelab.solve(problem, rtol=1e-9).y[0, -1], math.exp(-1), 7)

    def test_varying_mass(self):
        """(1 + u) u' = -u - u^2 is u' = -u."""
        for mass in (lambda t, u, p: 1 + u, lambda t, u, p: np.array([[1 + float(u[0])]])):
            problem = daelab.FirstOrderProblem("mass", u=[1.0], rhs=lambda t, u, p: -u - u * u, mass=mass, index=0,
                                               t_span=(0, 1))
            self.assertAlmostEqual(daelab.solve(problem, rtol=1e-9).y[0, -1], math.exp(-1), 7)

    def test_units(self):
        """The same problem in units a billion times smaller has the same steps, also by differences."""
        steps = []
        for unit in (1.0, 1e9):
            problem = daelab.FirstOrderProblem("unit", u=[unit], t_span=(0, 1),
                                               rhs=lambda t, u, p: -np.abs(u) * (1 + np.abs(u) / unit))
            steps.append(daelab.solve(problem, "native", "rodas4", rtol=1e-6, atol=1e-6 * unit).statistics["steps"])
        self.assertEqual(steps[0], steps[1])


class Failures(unittest.TestCase):
    def test_raised(self):
        """What a function raises ends the run, and is raised by solve; the next run is a new one."""
        broken, raised = [False], []

        def rhs(t, u, p):
            if broken[0] and np.real(t) > 0.5:
                raised.append(t)
                raise LookupError("no table beyond 0.5")
            return -u
        problem = daelab.FirstOrderProblem("table", u=[1.0], rhs=rhs, t_span=(0, 1))
        broken[0] = True
        with self.assertRaisesRegex(LookupError, "no table"):
            daelab.solve(problem)
        self.assertEqual(len(raised), 1)        # it is not called again
        broken[0] = False
        self.assertEqual(daelab.solve(problem).code, "DAE_OK")

        def condition(t, x):
            raise LookupError("no condition")
        with self.assertRaisesRegex(LookupError, "no condition"):
            daelab.solve(problem, events=condition)

    def test_shapes(self):
        problem = daelab.FirstOrderProblem("shape", u=[1.0, 2.0], rhs=lambda t, u, p: -u, t_span=(0, 1))
        self.assertEqual(daelab.solve(problem).y.shape[0], 2)
        for rhs, sentence in ((lambda t, u, p: [1, 2, 3], r"rhs answers an array of shape \(3,\), not \(2,\)"),
                              (lambda t, u, p: -1.0, r"of shape \(\), not"),       # numpy would spread these
                              (lambda t, u, p: [-1.0], r"of shape \(1,\), not"),
                              (lambda t, u, p: -u.reshape(2, 1), r"of shape \(2, 1\), not"),
                              (lambda t, u, p: None, "rhs answers None: has it no return"),
                              (lambda t, u, p: ["1.0", "2.0"], "and not numbers"),
                              (lambda t, u, p: [[1.0], [2.0, 3.0]], "does not answer 2 numbers"),
                              (lambda t, u, p: u > 0, "rhs answers bool"),
                              (lambda t, u, p: 1j * u, "rhs answers complex numbers")):
            with self.assertRaisesRegex(daelab.DaelabError, "shape: .*" + sentence) as caught:
                daelab.FirstOrderProblem("shape", u=[1.0, 2.0], rhs=rhs, t_span=(0, 1))
            self.assertEqual(caught.exception.code, "DAE_BAD_MODEL")
        for force in (lambda t, q, v, p: -9.81, lambda t, q, v, p: [0, -9.81, 0]):
            with self.assertRaisesRegex(daelab.DaelabError, "rope: force answers an array of shape"):
                pendulum(force=force)

        def grows(t, u, p):
            return -u if np.real(t) < 0.5 else np.append(u, 1)
        with self.assertRaisesRegex(daelab.DaelabError, "rhs answers an array of shape"):
            daelab.solve(daelab.FirstOrderProblem("shape", u=[1.0, 2.0], rhs=grows, t_span=(0, 1)))
        with self.assertRaisesRegex(daelab.DaelabError, "a mass is"):
            daelab.FirstOrderProblem("shape", u=[1.0, 2.0], rhs=lambda t, u, p: -u, mass=[1, 2, 3])

    def test_not_finite(self):
        """u' = u^2 from 1 has its pole at t = 1."""
        problem = daelab.FirstOrderProblem("pole", u=[1.0], rhs=lambda t, u, p: u * u, t_span=(0, 2))
        with self.assertRaises(daelab.DaelabError) as caught:
            daelab.solve(problem, rtol=1e-8)
        self.assertAlmostEqual(caught.exception.result.t[-1], 1, 3)

    def test_starts(self):
        """What is no start, no interval, no mass."""
        for options, sentence in (({"u": [[1.0, 2.0]]}, "a start is a list of numbers"),
                                  ({"u": []}, "a start is a list"),
                                  ({"u": np.array([1j])}, "the start answers complex"), ({"u": "1"}, "and not numbers"),
                                  ({"u": [math.nan]}, "not finite"), ({"t_span": (1, 0)}, "no pair"),
                                  ({"t_span": (0, math.inf)}, "no pair"), ({"t_span": 1.0}, "no pair"),
                                  ({"mass": [1j]}, "mass answers complex"), ({"mass": "one"}, "a mass is a number"),
                                  ({"name": ""}, "has a name")):
            with self.assertRaisesRegex(daelab.DaelabError, sentence):
                daelab.FirstOrderProblem(**{"name": "start", "u": [1.0], "rhs": lambda t, u, p: -u, **options})
        longer = daelab.FirstOrderProblem("longer", u=lambda p: [1.0] * int(p.n), params={"n": 1.0},
                                          rhs=lambda t, u, p: -u)
        with self.assertRaisesRegex(daelab.DaelabError, r"the start answers an array of shape \(2,\)"):
            daelab.solve(longer, params={"n": 2.0})

    def test_mass_that_varies_late(self):
        """2 u' = -u from t = 1 on: seen when the problem is made, as the whole interval is looked at."""
        late = daelab.FirstOrderProblem("late", u=[1.0], t_span=(0, 2), index=0, rhs=lambda t, u, p: -u,
                                        mass=lambda t, u, p: 1.0 if np.real(t) < 1 else 2.0)
        self.assertAlmostEqual(daelab.solve(late, rtol=1e-8).y[0, -1], math.exp(-1.5), 6)
        hidden = daelab.FirstOrderProblem("hidden", u=[1.0], t_span=(0, 2), index=0, rhs=lambda t, u, p: -u,
                                          mass_varies=True,
                                          mass=lambda t, u, p: 2.0 if 1.5 < np.real(t) < 1.9 else 1.0)
        self.assertAlmostEqual(daelab.solve(hidden, rtol=1e-8).y[0, -1], math.exp(-1.8), 6)

    def test_parameters_stay(self):
        """Functions read them by name or as a mapping, and do not change them."""
        def changes(t, u, p):
            p.k = 5.0
            return -u
        with self.assertRaisesRegex(AttributeError, "parameter k belongs to the run"):
            daelab.FirstOrderProblem("changes", u=[1.0], params={"k": 1.0}, rhs=changes)
        with self.assertRaisesRegex(AttributeError, "there is no parameter 'l'; there are k"):
            daelab.FirstOrderProblem("missing", u=[1.0], params={"k": 1.0}, rhs=lambda t, u, p: -p.l * u)
        seen = daelab.FirstOrderProblem("seen", u=[1.0], params={"k": 1.0}, rhs=lambda t, u, p: -p["k"] * u)
        for k in (1.0, 2.0):
            self.assertAlmostEqual(daelab.solve(seen, rtol=1e-9, params={"k": k}).y[0, -1], math.exp(-k), 7)

    def test_parameter_values(self):
        """What is no number is said to be none."""
        for value in (("kg", 1.0), None, 1j, [[1.0, 2.0]], [], math.nan, (), "heavy"):
            with self.assertRaisesRegex(daelab.DaelabError, "parameter k = .* is no number"):
                daelab.FirstOrderProblem("values", u=[1.0], rhs=lambda t, u, p: -u, params={"k": value})
        with self.assertRaisesRegex(daelab.DaelabError, "is no dictionary"):
            daelab.FirstOrderProblem("values", u=[1.0], rhs=lambda t, u, p: -u, params=[("k", 1.0)])

    def test_parameter_names(self):
        for name in ("a b", "keys"):
            with self.assertRaisesRegex(daelab.DaelabError, "must be one in Python"):
                pendulum(params={name: 1.0})


if __name__ == "__main__":
    unittest.main()
