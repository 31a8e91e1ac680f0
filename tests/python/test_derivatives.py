"""Derivatives of functions in Python: what the complex step gets wrong without a word is found, at the start, later."""

import math
import unittest
import warnings

import daelab
import numpy as np
from daelab.derivatives import Differentiable, NotAnalytic, Watch

H = 2.0**-200


def decay(rhs, **options):
    return daelab.FirstOrderProblem("decay", u=[1.0], rhs=rhs, **options)


class Start(unittest.TestCase):
    def test_not_analytic(self):
        """Functions that answer complex numbers, or real ones, that are not their derivatives."""
        real_buffer = np.zeros(1)

        def by_buffer(t, u, p):
            real_buffer[0] = -u[0]
            return real_buffer

        for rhs in (lambda t, u, p: -abs(u), lambda t, u, p: [-float(np.real(u[0]))],
                    lambda t, u, p: -np.hypot(u, 0 * u.real), lambda t, u, p: [-math.fabs(u[0])], by_buffer,
                    lambda t, u, p: -np.sqrt(np.abs(u * u)),
                    lambda t, u, p: -np.linalg.norm(u) * np.ones(1), lambda t, u, p: -u.real, lambda t, u, p: -u.conj(),
                    lambda t, u, p: -u.astype(float)):
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                problem = decay(rhs)
                self.assertEqual(problem.derivatives["rhs"], "differences")
                self.assertAlmostEqual(daelab.solve(problem, method="rodas4", rtol=1e-8).y[0, -1], math.exp(-1), 6)

    def test_analytic(self):
        """Comparisons of real parts, maxima and buffers for complex numbers are no reason for differences."""
        buffer = np.zeros(1, complex)

        def by_buffer(t, u, p):
            buffer[0] = -u[0]
            return buffer
        for rhs in (by_buffer, lambda t, u, p: -np.maximum(u, 1e-9), lambda t, u, p: -u if u[0].real > 0 else u,
                    lambda t, u, p: np.where(np.real(u) > 0, -u, u)):
            problem = decay(rhs)
            self.assertEqual(problem.derivatives["rhs"], "complex step")
            self.assertAlmostEqual(daelab.solve(problem, rtol=1e-8).y[0, -1], math.exp(-1), 7)

    def test_raises_elsewhere(self):
        """A table that ends: what it raises beside the start is no verdict on it."""
        def table(t, u, p):
            if np.real(u[0]) > 1:
                raise LookupError("no table above 1")
            return -u
        problem = decay(table)
        self.assertAlmostEqual(daelab.solve(problem, rtol=1e-8).y[0, -1], math.exp(-1), 7)


class Run(unittest.TestCase):
    def test_later(self):
        """A branch with abs that the start does not see: the run is made anew, and says so."""
        def rhs(t, u, p):
            return -u if np.real(t) < 0.5 else -np.abs(u)
        for method, options in (("rodas4", {"rtol": 1e-8}), ("ida", {"rtol": 1e-8}), ("cros", {"step": 1e-3})):
            with self.subTest(method=method):
                problem = decay(rhs)
                self.assertEqual(problem.derivatives["rhs"], "complex step")
                with self.assertWarnsRegex(RuntimeWarning, "decay: rhs is not analytic: its row 1 has the derivative "
                                           "0 by the complex step, -1 by differences"):
                    result = daelab.solve(problem, method=method, **options)
                self.assertEqual(problem.derivatives["rhs"], "differences")
                by_differences = daelab.solve(decay(lambda t, u, p: -np.abs(u)), method=method, **options)
                self.assertLess(abs(result.y[0, -1] - by_differences.y[0, -1]), 1e-10)
                with warnings.catch_warnings():
                    warnings.simplefilter("error")          # once for a problem
                    daelab.solve(problem, method=method, **options)

    def test_last(self):
        """The last dual number of a run is compared, too."""
        def rhs(t, u, p):
            return -u if np.real(t) < 0.985 else -np.abs(u)
        with self.assertWarnsRegex(RuntimeWarning, "not analytic"):
            daelab.solve(decay(rhs), method="cros", step=0.01)

    def test_refuses_later(self):
        """What complex arithmetic does not take, met in the run."""
        def rhs(t, u, p):
            return -u if np.real(t) < 0.5 else np.array([-max(u[0] * 1.0, math.sin(t))]) * 0 - u
        with self.assertWarnsRegex(RuntimeWarning, "not analytic: TypeError"):
            result = daelab.solve(decay(rhs), method="rodas4", rtol=1e-8)
        self.assertAlmostEqual(result.y[0, -1], math.exp(-1), 6)

    def test_mechanical(self):
        """Dry friction by abs on one side of the swing only."""
        def force(t, q, v, p):
            drag = v * np.sqrt(v @ v) if np.real(q[0]) > 0 else v * np.sqrt(np.abs(v @ v))
            return np.array([0 * t, -9.81 + 0 * t]) - 0.1 * drag
        swing = daelab.MechanicalProblem("swing", q=[3, -4], force=force, t_span=(0, 2),
                                         constraint=lambda t, q, p: [(q @ q - 25) / 10])
        with self.assertWarnsRegex(RuntimeWarning, "swing: force is not analytic"):
            result = daelab.solve(swing, "index2", rtol=1e-7, max_step=0.02)
        exact = daelab.MechanicalProblem(
            "swing", q=[3, -4], t_span=(0, 2), constraint=lambda t, q, p: [(q @ q - 25) / 10],
            force=lambda t, q, v, p: np.array([0 * t, -9.81 + 0 * t]) - 0.1 * v * np.sqrt(v @ v))
        right = daelab.solve(exact, "index2", rtol=1e-9)
        self.assertLess(abs(result.y[:, -1] - right.y[:, -1]).max(), 1e-4)

    def test_watched(self):
        """One dual number in 24 is compared, the first among them; of columns in turn none is left out."""
        watch = Watch()
        due = [watch.is_due() for _ in range(24000)]
        self.assertTrue(due[0])
        self.assertAlmostEqual(sum(due), 1000, delta=5)
        for n in (2, 3, 5, 8, 13, 24):
            self.assertEqual({i % n for i, one in enumerate(due) if one}, set(range(n)))


class Differences(unittest.TestCase):
    def derivative(self, function, x, size=1.0):
        f = Differentiable("f", lambda t, u, p: function(u), 1, [1.0, size])
        f.analytic = False
        u = np.atleast_1d(np.asarray(x, dtype=float))
        return [float((f.dual((0.0, u + 1j * H * e), None).imag / H)[0]) for e in np.eye(len(u))]

    def test_sizes(self):
        """exp(x/s) and x^3 at sizes from 1e-9 to 1e9, where the start was of another."""
        for size in (1e-9, 1.0, 1e9):
            for x in (size, 1e-6 * size, 0.0):
                found = self.derivative(lambda u: np.exp(u[:1] / size), x, size)[0]
                self.assertLess(abs(found * size / math.exp(x / size) - 1), 1e-6)

    def test_two_sizes(self):
        """1e-9 and 1e9 beside each other: the step of the larger one is shortened for the smaller."""
        found = self.derivative(lambda u: np.array([(u[0] / 1e-9)**3 + np.sin(u[1] / 1e9)]), [1e-9, 1e9], 1e9)
        self.assertLess(abs(found[0] / 3e9 - 1), 1e-5)
        self.assertLess(abs(found[1] / (math.cos(1) / 1e9) - 1), 1e-5)

    def test_domain(self):
        """Steps that leave the domain are shortened."""
        found = self.derivative(lambda u: np.array([math.sqrt(u[0])]), 1e-8)[0]
        self.assertLess(abs(found / (0.5 / math.sqrt(1e-8)) - 1), 1e-4)

    def test_solve_by_sizes(self):
        """Unknowns of 1e-9 and 1e9, by both ways: u' = -u^3/s^2 has u(1) = s/sqrt 3."""
        for cast in (lambda x: x, float):
            problem = daelab.FirstOrderProblem("sizes", u=[1e-9, 1e9], rhs=lambda t, u, p: [
                -cast(u[0])**3 / 1e-18, -cast(u[1]) * (1 + cast(u[0]) / 1e9)])
            for method in ("radau", "rodas4", "ida"):
                result = daelab.solve(problem, method=method, rtol=1e-8, atol=[1e-17, 10])
                self.assertLess(abs(result.y[:, -1] / [1e-9 / math.sqrt(3), 1e9 * math.exp(-1)] - 1).max(), 1e-6)

    def test_compare(self):
        """A kink between the points of differences is no contradiction, a derivative that is lost is one."""
        right = Differentiable("f", lambda t, u, p: np.maximum(u, 0), 1, [1.0, 1.0])
        right.analytic = True
        for x in (1e-6, -1e-6, 1e-3, 0.5):
            right.dual((0.0, np.array([x + 1j * H])), None, Watch())
        wrong = Differentiable("f", lambda t, u, p: 1e6 + np.abs(u), 1, [1.0, 1.0])
        wrong.analytic = True
        with self.assertRaisesRegex(NotAnalytic, "its row 1 has the derivative 0"):
            wrong.dual((0.0, np.array([0.5 + 1j * H])), None, Watch())


if __name__ == "__main__":
    unittest.main()
