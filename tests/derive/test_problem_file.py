"""Problem files compile without a warning, in all passes, whatever names their models have."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import sympy

import models

from derive.words import reader
from derive.switching import modes
from derive.writing import problem_file
from derive.base.model import TIME

ROOT = pathlib.Path(__file__).resolve().parents[2]

FLAGS = ["-std=gnu11", "-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror", "-fsyntax-only"]


def compiled(test, text):
    """Nothing is said of the text by any compiler there is."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "model.c"
        path.write_text(text)
        for compiler in ("gcc", "clang"):
            if shutil.which(compiler):
                run = subprocess.run([compiler, *FLAGS, f"-I{ROOT / 'include'}", str(path)], capture_output=True,
                                     text=True, check=False)
                test.assertEqual(run.returncode, 0, run.stderr + text)


def written(m):
    return problem_file.write(m, models.smooth(m))


ODD = ("I PI E M_PI NAN NULL EOF FN DAE_PASS INFINITY DOMAIN y0 y1 gamma double real param value t0 p q v a r f g h u "
       "s d x_ k lambda_ unix linux partials draw modes start force M m Mu MU mu T sin_ index EXACT").split()


def oddly_named():
    """Every odd name is a parameter that enters."""
    parameters = [models.parameter(name, "1", "N/m") for name in ODD]
    names = ["double", "u", "register", "DBL_MAX"]
    coordinates = [models.coordinate(name, "m") for name in names]
    total = sum(p.symbol for p in parameters)
    kinetic = sum(total * (1 + i) * c.v**2 / 2 for i, c in enumerate(coordinates))
    potential = sum(sympy.sin(p.symbol * c.q) * p.symbol for p in parameters for c in coordinates[:1])
    square = sum(c.q**2 for c in coordinates) - parameters[3].symbol
    return models.model("event", parameters, coordinates, kinetic, potential, [models.constraint("lambda", square)],
                        {coordinates[0].q: 1})


CORNER = """model: system
title: a disc between two walls, "quoted" and 100 % odd
parameters:
  M: 1 kg, big, positive
  m: 0.25 kg, small, positive
  I: 0.1 kg.m^2, inertia, positive
  PI: 0.3 m, not pi, positive
  E: 0.5 -, restitution, nonnegative
  gamma: 9.81 m/s^2, gravity, positive
  y0: 1.5 m, height, positive
  double: 0.2 -, friction, nonnegative
  real: 1 N, force, nonnegative
  t_end: 2 s, some time, positive
  N_: 0.3 m, amplitude, positive
coordinates: {q: m, u: m, lambda: rad}
let: {c: 1/(m + M)}
points:
  hub: [q, u]
masses:
  hub: {mass: M + m, at: hub, inertia: I, angle: lambda}
gravity: [0, -gamma]
forces:
  p: {on: q, is: real sin(2 pi t/t_end)}
constraints:
  FN: {equation: -u = PI, while: FN >= 0, restitution: E, begins: open, closed: on, open: off}
  W: {equation: 2 PI = q, while: W >= 0, begins: open, closed: left, open: right}
start: {u: y0, q: y0 + y0, q': -1/3*y0/t_end}
interval: [0, 2]
drawing:
  - body: hub
"""

SLOPE = """model: slope
parameters:
  m: 1 kg, mass, positive
  g: 9.81 m/s^2, gravity, positive
  alpha: 0.4 rad, slope
  mu: 0.3 -, friction, nonnegative
  v0: 3 m/s, start, positive
coordinates: {x: m, y: m}
masses: {block: {mass: m, at: [x, y]}}
gravity: [0, -g]
constraints:
  N: {equation: x sin(alpha) = y cos(alpha), while: N >= 0}
friction:
  F: {along: x cos(alpha) + y sin(alpha), normal: N, coefficient: mu, begins: forwards}
start: {x': v0 cos(alpha), y': v0 sin(alpha)}
interval: [0, 2]
drawing: [{body: [x, y]}]
"""

TWELVE = """model: twelve
parameters: {m: 1 kg, k: 3 N/m, L: 0.1 m, w: 3 rad/s, A: 0.1 m}
coordinates: {x1: m, x2: m, x3: m, x4: m, x5: m, x6: m, x7: m, x8: m, x9: m, x10: m, x11: m, x12: m}
T: m/2 (x1'^2 + x2'^2 + x3'^2 + x4'^2 + x5'^2 + x6'^2 + x7'^2 + x8'^2 + x9'^2 + x10'^2 + x11'^2 + x12'^2)
V: k/2 ((x1 - A sin(w t))^2 + (x2 - x1)^2 + (x3 - x2)^2 + (x4 - x3)^2 + (x5 - x4)^2 + (x6 - x5)^2 + (x7 - x6)^2
   + (x8 - x7)^2 + (x9 - x8)^2 + (x10 - x9)^2 + (x11 - x10)^2 + (x12 - x11)^2)
constraints: {S: x12 = x1, R: x6 - x3 = A cos(w t) - A}
interval: [0, 2]
"""

CART = """model: cart_pole
parameters:
  M: 2 kg, cart, positive
  m: 300 g, bob, positive
  l: 500 mm, rod, positive
  g: 9.81 m/s^2, gravity, positive
  c: 0.1 N.s/m, damping, nonnegative
coordinates: {x: m, theta: rad}
units: unchecked
masses: {cart: {mass: M, at: [x, 0]}, bob: {mass: m, at: [x + l sin(theta), l cos(theta)]}}
gravity: [0, -g]
forces: {d: {on: x, is: -c x'}}
start: {theta: 0.1}
interval: [0, 2]
drawing: [{link: [[x, 0], [x + l sin(theta), l cos(theta)]]}, {body: [x, 0]}]
"""


RODS = """model: rods_floor
title: a double pendulum whose ends hit a wall and a floor
parameters:
  m1: 1 kg, first, positive
  m2: 2 kg, second, positive
  l1: 1 m, first rod, positive
  l2: 0.7 m, second rod, positive
  g: 9.81 m/s^2, gravity, positive
  e: 0.5 -, restitution, nonnegative
  wall: 0.9 m, where the wall is
  h: 1.2 m, depth of the floor
coordinates: {a: rad, b: rad}
points:
  joint: [l1 sin(a), -l1 cos(a)]
  end: [l1 sin(a) + l2 sin(b), -l1 cos(a) - l2 cos(b)]
masses: {joint: m1, end: m2}
gravity: [0, -g]
constraints:
  W: {equation: -wall = l1 sin(a) + l2 sin(b), while: W >= 0, restitution: e, begins: open, closed: leaning, open: away}
  N: {equation: -h = -l1 cos(a) - l2 cos(b), while: N >= 0, begins: open, closed: down, open: up}
start: {a: 1, b: 1.5}
interval: [0, 3]
drawing: [{link: [[0, 0], joint]}, {link: [joint, end]}, {body: joint}, {body: end},
          {wall: [[-wall, -2 l1], [-wall, l1]]}, {wall: [[-2 l1, -h], [2 l1, -h]]}]
"""


def derived(text):
    """The C of a text, and its modes."""
    prepared = modes.prepared(reader.read_text(text, "model.yaml"))
    found = modes.of(prepared)
    return problem_file.write(prepared, found), found


class ProblemFile(unittest.TestCase):
    def test_a_constraint_and_time(self):
        text = written(models.pendulum())
        compiled(self, text)
        self.assertIn("static void partials(", text)
        self.assertIn("f[0] = (real){0};", text)

    def test_a_mass_matrix_of_the_state(self):
        text = written(models.two_angles())
        compiled(self, text)
        self.assertIn(".mass = DAE_MASS_VARIES", text)
        self.assertNotIn("partials", text)

    def test_names_of_c(self):
        compiled(self, written(oddly_named()))

    def test_texts_that_c_would_read(self):
        m = models.pendulum()
        m.title = 'a "rope" \\ */ ??/ /* of\nlines % '
        compiled(self, written(m))

    def test_the_same_bytes_in_every_run(self):
        program = ("import sys; sys.path[:0] = sys.argv[1:3]; sys.dont_write_bytecode = True\n"
                   "import models; from derive.writing import problem_file\n"
                   "for m in (models.pendulum(), models.two_angles()):\n"
                   "    print(problem_file.write(m, models.smooth(m)))\n")
        texts = set()
        for seed in ("0", "1", "2"):
            run = subprocess.run([sys.executable, "-c", program, str(ROOT), str(ROOT / "tests" / "derive")],
                                 capture_output=True, text=True, check=True, env={**os.environ, "PYTHONHASHSEED": seed})
            texts.add(run.stdout)
        self.assertEqual(len(texts), 1)

    def test_no_parameters_and_no_unknown_time(self):
        x = models.coordinate("x", "m")
        compiled(self, written(models.model("free", [], [x], x.v**2 / 2, x.q**2 * (2 + sympy.cos(TIME)) / 2)))

    def test_two_walls_and_names_of_c(self):
        text, found = derived(CORNER)
        compiled(self, text)
        self.assertEqual(len(found), 4)
        self.assertIn("enum { M, SMALL_M, THE_I, THE_PI, E, GAMMA, Y0, DOUBLE, REAL, T_END, N };", text)
        self.assertEqual(text.count("static real FN(left)("), 1)        # of two modes
        self.assertIn("const dae_problem dae_system_problem = {", text)
        for mode in found:
            self.assertIn(f'"{mode.name}"', text)
            for event in mode.events:
                self.assertIn(f'.name = "{event.name}"', text)

    def test_friction_of_a_reaction(self):
        text, found = derived(SLOPE)
        compiled(self, text)
        self.assertEqual(len(found), 4)
        self.assertEqual(text.count("fmin(distance, "), 2)          # forwards or backwards: of one surface

    def test_a_jump_that_lets_another_constraint_go(self):
        text, found = derived(RODS)
        compiled(self, text)
        self.assertEqual(len(found), 4)
        for mode in found:
            names = [event.name for event in mode.events]
            self.assertEqual(len(set(names)), len(names), mode.name)

    def test_a_long_chain(self):
        text, _ = derived(TWELVE)
        compiled(self, text)
        self.assertNotIn("MASS_VARIES", text)
        self.assertLessEqual(max(map(len, text.splitlines())), 110)

    def test_damping_and_a_mass_matrix(self):
        text, _ = derived(CART)
        compiled(self, text)
        self.assertIn("MASS_VARIES", text)
        self.assertNotIn(".conservative", text)

    def test_examples(self):
        paths = sorted((ROOT / "examples").glob("*.yaml"))
        self.assertGreater(len(paths), 5)
        for path in paths:
            with self.subTest(path.name):
                text, _ = derived(path.read_text())
                compiled(self, text)
                self.assertLessEqual(max(map(len, text.splitlines())), 110)


if __name__ == "__main__":
    unittest.main()
