"""Constraints on velocities in Python: the skate, as in C; beside constraints on positions; what is refused."""

import types
import unittest

import daelab
import numpy as np

TIMES = np.linspace(0, 3, 31)


def skate(**changes):
    """The knife edge of problems/skate.c."""
    options = {
        "q": lambda p: [0.0, 0.0, 0.0], "v": lambda p: [0.0, 0.0, p.omega0], "t_span": (0, 3),
        "variables": "x y phi vx vy omega N",
        "params": {"m": 1.0, "J": 0.05, "g": 9.81, "slope": 0.3, "omega0": 2.0},
        "mass": lambda t, q, p: np.array([p.m, p.m, p.J]),
        "force": lambda t, q, v, p: [p.m * p.g * np.sin(p.slope), 0, 0],
        "nonholonomic": lambda t, q, v, p: [v[0] * np.sin(q[2]) - v[1] * np.cos(q[2])]}
    options.update(changes)
    return daelab.MechanicalProblem("edge", **options)


class Nonholonomic(unittest.TestCase):
    def test_as_in_c(self):
        """All forms that the skate in C has, to the bit but for rounding, and the cycloid of the textbook."""
        edge = skate()
        self.assertEqual(edge.nonholonomic, 1)
        self.assertEqual(edge.derivatives["acceleration"], "Taylor series of nonholonomic")
        self.assertEqual([form.name for form in edge.formulations],
                         [form.name for form in daelab.problems.skate.formulations])
        for form in edge.formulations:
            with self.subTest(form=form.name):
                ours = daelab.solve(edge, form, t_eval=TIMES, rtol=1e-8)
                theirs = daelab.solve("skate", form, t_eval=TIMES, rtol=1e-8, jacobian="dual")
                self.assertEqual(ours.statistics["steps"], theirs.statistics["steps"])
                self.assertLess(abs(ours.y - theirs.y).max(), 1e-7)
        tight = daelab.solve(edge, "index2", t_eval=TIMES, rtol=1e-11)
        a, w = 9.81 * np.sin(0.3) / (4 * 2.0**2), 2.0
        self.assertLess(abs(tight["x"] - a * (1 - np.cos(2 * w * TIMES))).max(), 1e-9)
        self.assertLess(abs(tight["y"] - a * (2 * w * TIMES - np.sin(2 * w * TIMES))).max(), 1e-9)

    def test_parameters(self):
        """Another spin for one run."""
        edge, theirs = skate(), {"omega0": 3.0, "slope": 0.1}
        ours = daelab.solve(edge, "index2", t_eval=TIMES, rtol=1e-9, params=theirs)
        in_c = daelab.solve("skate", "index2", t_eval=TIMES, rtol=1e-9, params=theirs)
        self.assertLess(abs(ours.y - in_c.y).max(), 1e-7)

    def test_given_derivatives(self):
        """By hand, each for all constraints; a slip is found."""
        def acceleration(t, q, v, a, p):
            c, s = np.cos(q[2]), np.sin(q[2])
            return [a[0] * s - a[1] * c + v[2] * (v[0] * c + v[1] * s)]
        by_hand = {"rate": lambda t, q, v, p: [v[0] * np.sin(q[2]) - v[1] * np.cos(q[2])], "acceleration": acceleration,
                   "reaction": lambda t, q, r, p: [np.sin(q[2]) * r[0], -np.cos(q[2]) * r[0], 0]}
        ours = daelab.solve(skate(**by_hand), "index2", t_eval=TIMES, rtol=1e-8)
        self.assertLess(abs(ours.y - daelab.solve(skate(), "index2", t_eval=TIMES, rtol=1e-8).y).max(), 1e-8)
        for slip in ({"reaction": lambda t, q, r, p: [np.sin(q[2]) * r[0], np.cos(q[2]) * r[0], 0]},
                     {"acceleration": lambda t, q, v, a, p: [a[0] * np.sin(q[2]) - a[1] * np.cos(q[2])]},
                     {"rate": lambda t, q, v, p: [v[0] * np.sin(q[2]) + v[1] * np.cos(q[2])]}):
            with self.assertRaisesRegex(daelab.DaelabError, f"{next(iter(slip))} contradicts"):
                skate(**{**by_hand, **slip})

    def test_beside_positions(self):
        """A sphere's point kept at a distance of 1 from the origin, its velocity bound by 0 = z v_x - x v_z - b(t):
        both constraints hold along the run, multipliers of g come first."""
        def nonholonomic(t, q, v, p):
            return [q[2] * v[0] - q[0] * v[2] - p.b * np.sin(t)]
        top = daelab.MechanicalProblem(
            "top", q=[1.0, 0.0, 0.0], v=[0, 0.5, 0], t_span=(0, 2), params={"b": 0.3}, mass=[1.0, 2.0, 1.5],
            force=lambda t, q, v, p: [0, 0, -9.81], nonholonomic=nonholonomic,
            constraint=lambda t, q, p: [(q @ q - 1) / 2])
        self.assertEqual((top.multipliers, top.nonholonomic), (2, 1))
        for form in ("index2", "index1", "baumgarte"):
            with self.subTest(form=form):
                result = daelab.solve(top, form, t_eval=np.linspace(0, 2, 21), rtol=1e-8)
                q, v = result.y[:3].T, result.y[3:6].T
                self.assertLess(abs((q**2).sum(axis=1) - 1).max(), 1e-6)
                self.assertLess(abs((q * v).sum(axis=1)).max(), 1e-6)
                bound = [nonholonomic(t, x, y, types.SimpleNamespace(b=0.3))[0]
                         for t, x, y in zip(result.t, q, v)]
                self.assertLess(max(map(abs, bound)), 1e-6)
        # the same as one set of equations of first order, multipliers solved for: M v' = f - G^T r - A^T s
        def rhs(t, u, p):
            q, v, m = u[:3], u[3:], np.array([1.0, 2.0, 1.5])
            rows = np.array([[q[0], q[1], q[2]], [q[2], 0 * q[0], -q[0]]])
            gamma = np.array([-(v @ v), p.b * np.cos(t)])               # rows v' = gamma
            f = np.array([0, 0, -9.81])
            forces = np.linalg.solve(rows / m @ rows.T, rows @ (f / m) - gamma)
            return np.concatenate([v, (f - rows.T @ forces) / m])
        plain = daelab.FirstOrderProblem("plain", u=[1, 0, 0, 0, 0.5, 0], rhs=rhs, t_span=(0, 2), params={"b": 0.3})
        theirs = daelab.solve(plain, method="dop853", t_eval=np.linspace(0, 2, 21), rtol=1e-11)
        ours = daelab.solve(top, "index2", t_eval=np.linspace(0, 2, 21), rtol=1e-10)
        self.assertLess(abs(ours.y[:6] - theirs.y).max(), 1e-6)

    def test_refused(self):
        """What is not linear in v, and raw index 3, which needs a constraint on positions."""
        with self.assertRaisesRegex(daelab.DaelabError, "not linear in the velocities: its row 1") as caught:
            skate(nonholonomic=lambda t, q, v, p: [v[0] * v[1] - 1])
        self.assertEqual(caught.exception.code, "DAE_BAD_MODEL")
        with self.assertRaisesRegex(daelab.DaelabError, "nonholonomic constraints"):
            daelab.solve(skate(), "index3")
        with self.assertRaisesRegex(daelab.DaelabError, "nonholonomic does not take Taylor series"):
            skate(nonholonomic=lambda t, q, v, p: [float(v[0])])
        with self.assertRaisesRegex(daelab.DaelabError, "nonholonomic answers None"):
            skate(nonholonomic=lambda t, q, v, p: None)


if __name__ == "__main__":
    unittest.main()
