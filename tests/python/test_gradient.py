"""gradient: the derivative of a sum of costs beside the sensitivities of all states, and what is refused."""

import unittest

import daelab
import numpy as np


class Backwards(unittest.TestCase):
    def test_agrees_with_sensitivities(self):
        by, times = ["L", "g0", "start:vx"], [0.5, 1, 3]
        for form in ("index1", "index2", "ggl"):
            for checkpoints in (0, 4):
                found = daelab.gradient("pendulum", form, cost=lambda t, u: (u[0] - t) ** 2 + u[1], times=times, by=by,
                                        rtol=1e-9, checkpoints=checkpoints)
                run = daelab.solve("pendulum", form, t_span=(0, 3), t_eval=times, rtol=1e-9, sensitivity=by)
                away = run["x"] - times
                self.assertAlmostEqual(found.value, np.sum(away ** 2 + run["y"]), places=12)
                expected = [np.sum(2 * away * dy[0] + dy[1]) for dy in run.sensitivity.values()]
                np.testing.assert_allclose(np.array(found), expected, rtol=1e-8)
                self.assertEqual(list(found.derivatives), by)

    def test_derivatives_of_the_cost(self):
        """By the complex step, by differences, and as they are given."""
        asked = {"times": [1], "by": "L", "rtol": 1e-8}
        exact = daelab.gradient("pendulum", cost=lambda t, u: -u[1] ** 3, **asked)
        kinked = daelab.gradient("pendulum", cost=lambda t, u: abs(u[1]) ** 3, **asked)
        given = daelab.gradient("pendulum", cost=lambda t, u: -u[1] ** 3,
                                cost_u=lambda t, u: -3 * u[1] ** 2 * (np.arange(len(u)) == 1), **asked)
        self.assertAlmostEqual(exact["L"], given["L"], delta=1e-12 * abs(given["L"]))
        self.assertAlmostEqual(kinked["L"], given["L"], delta=1e-6 * abs(given["L"]))

    def test_a_problem_in_python(self):
        decay = daelab.FirstOrderProblem("decay", u=[1.0], t_span=(0, 1), params={"k": 2.0}, variables="y",
                                         rhs=lambda t, u, k: -k * u)
        found = daelab.gradient(decay, cost=lambda t, u: u[0], times=1, by=["k", "start:y"], rtol=1e-10)
        np.testing.assert_allclose(np.array(found), [-np.exp(-2), np.exp(-2)], rtol=1e-8)

    def test_refused(self):
        height = {"cost": lambda t, u: u[0], "times": [1], "by": "g"}
        for sentence, problem, more in (
                ("an event has changed", "bouncing_ball", {}), ("times are", "pendulum", {"times": [2, 1]}),
                ("times are", "pendulum", {"times": []}), ("at least 2", "pendulum", {"by": "L", "checkpoints": 1}),
                ("no sensitivities", "pendulum", {"by": "L", "method": "ida"}),
                ("did you mean", "pendulum", {"rtl": 1}),
                ("and none of gradient", "pendulum", {"events": []}), ("there is no parameter", "pendulum", {}),
                ("cost answers", "pendulum", {"by": "L", "cost": lambda t, u: u}),
                ("cost_u answers", "pendulum", {"by": "L", "cost_u": lambda t, u: "x"})):
            with self.assertRaisesRegex(daelab.DaelabError, sentence):
                daelab.gradient(problem, **{**height, **more})


if __name__ == "__main__":
    unittest.main()
