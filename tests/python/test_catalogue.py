"""What there is: objects with their texts, and that all of it can be solved."""

import subprocess
import unittest

import daelab


class Catalogue(unittest.TestCase):
    def test_as_the_program(self):
        """The names of the program's lists, in their order."""
        for what, table in (("problems", daelab.problems), ("formulations", daelab.formulations),
                            ("methods", daelab.methods)):
            out = subprocess.run([daelab.program_path(), "list", what, "--format", "csv"], check=True,
                                 stdout=subprocess.PIPE, text=True).stdout
            names = [line.split(",")[0] for line in out.splitlines()[1:] if line and not line.startswith(("#", '"'))]
            self.assertEqual(list(table)[:len(names)], names, what)
            self.assertGreater(len(names), 5)

    def test_texts(self):
        pendulum = daelab.problems.pendulum
        self.assertIs(pendulum, daelab.problems["pendulum"])
        self.assertEqual(repr(pendulum), "<Problem pendulum: pendulum on a rigid rope, gravity varying in time>")
        self.assertEqual(pendulum.variables, ("x", "y", "vx", "vy", "T"))
        self.assertEqual(pendulum.units, ("m", "m", "m/s", "m/s", "N"))
        self.assertIn("x^2 + y^2", pendulum.equations)
        self.assertEqual((pendulum.t0, pendulum.t_end, pendulum.rtol), (0, 2, 1e-6))
        self.assertEqual([form.name for form in pendulum.formulations],
                         ["index3", "index2", "index1", "baumgarte", "ggl", "ode"])
        parameter = pendulum.parameters["L"]
        self.assertEqual(tuple(parameter), ("L", 5, "m", "length of the rope", "positive"))
        self.assertIn("pendulum", dir(daelab.problems))
        self.assertIn("radau", repr(daelab.methods))
        with self.assertRaises(AttributeError):
            daelab.problems.pendulm

    def test_methods(self):
        cros, auto = daelab.methods.cros, daelab.methods["auto"]
        self.assertTrue(cros.implicit and cros.fixed and cros.dense_output)
        self.assertFalse(auto.fixed)
        self.assertEqual(cros.order("index3", 3, "position"), 2)
        self.assertEqual(cros.order("index3", 3, "multiplier"), 0)
        with self.assertRaisesRegex(daelab.DaelabError, "no class of unknowns 'speed'"):
            cros.order("index3", 3, "speed")

    def test_all_problems(self):
        """Each in the form that is taken where none is given, to a tenth of its interval."""
        for problem in list(daelab.problems.values()):
            if problem.name in ("fekete", "elastica"):
                continue                                # large
            with self.subTest(problem=problem.name):
                end = problem.t0 + 0.1 * (problem.t_end - problem.t0)
                form = "index2" if problem.nonholonomic else None
                result = daelab.solve(problem, form, t_span=(problem.t0, end), dense_output=True)
                self.assertIn(result.code, ("DAE_OK", "DAE_EVENT", "DAE_ACCUMULATION"))
                self.assertEqual(result.y.shape, (len(result.names), len(result.t)))
                self.assertEqual(len(result.units), len(result.names))
                self.assertTrue(repr(result))


if __name__ == "__main__":
    unittest.main()
