"""Long kinetic energies, which stay sums of squares: equal to those multiplied out, and short where these are not."""

import re
import unittest
from unittest import mock

import sympy
from sympy import cos, sin

import mechanisms
from differences import Motion, number
from derive import command
from derive.algebra import squares, tidy
from derive.base.model import TIME
from derive.mechanics import lagrange
from derive.switching import modes
from derive.words.reader import read_text
from derive.writing import problem_file

CHAIN = """model: chain
repeat: {{i: {n}}}
parameters: {{m: "1 kg, mass, positive", L: "1 m, link, positive", g: 9.81 m/s^2, w: 2 1/s}}
coordinates: {{a<i>: "rad, to the link before it"}}
let:
  A0: 0
  x0: {pivot}
  y0: 0
  A<i>: A<i-1> + a<i>
  x<i>: x<i-1> + L sin(A<i>)
  y<i>: y<i-1> - L cos(A<i>)
points: {{c<i>: [x<i-1> + L/2 sin(A<i>), y<i-1> - L/2 cos(A<i>)]}}
masses: {{b<i>: {{mass: m, at: c<i>, inertia: m L^2/12, angle: A<i>}}}}
gravity: [0, -g]
start: {{a1: 90 deg}}
interval: [0, 1]
"""


def chain(n, pivot="0"):
    return read_text(CHAIN.format(n=n, pivot=pivot))


class SameEquations(unittest.TestCase):
    def same(self, model, eqs, other, seed):
        state = Motion(model, seed).state()
        pairs = [*zip(eqs.M, other.M), *zip(eqs.f, other.f), (eqs.energy, other.energy),
                 *zip(eqs.M * sympy.Matrix(eqs.a), other.inertia or other.M * sympy.Matrix(eqs.a))]
        for one, two in pairs:
            a, b = number(one, state), number(two, state)
            self.assertLess(abs(a - b), 1e-30 * (1 + abs(a)), model.name)
        self.assertEqual(eqs.conservative, other.conservative, model.name)

    def both(self, make, seed):
        """Whether it was a sum of squares."""
        model = make()
        eqs = lagrange.equations(model, [])
        self.assertIsNone(eqs.inertia)
        with mock.patch.object(tidy, "LARGE", 0):               # every energy is long
            other = make()
        with mock.patch.object(lagrange, "LARGE", 0):
            found = lagrange.equations(other, [])
        self.same(model, eqs, found, seed)
        return found.inertia is not None

    def test_chains_in_relative_angles(self):
        for n, pivot in ((2, "0"), (3, "L sin(w t)"), (4, "0")):
            self.assertTrue(self.both(lambda n=n, pivot=pivot: chain(n, pivot), 10 * n))

    def test_mechanisms(self):
        found = [self.both(make, 1900 + k) for k, make in enumerate(mechanisms.ALL)]
        self.assertGreater(sum(found), 3)

    def test_velocities_that_are_no_rates(self):
        """Of a top, in the angles of Euler, about its own axes."""
        model = mechanisms.pendulum()
        a, b = model.coordinates
        c = mechanisms.coordinate("c", "rad")
        model.coordinates.append(c)
        m, L, g = (p.symbol for p in model.parameters[:3])
        turning = (a.v * sin(b.q) * sin(c.q) + b.v * cos(c.q), a.v * sin(b.q) * cos(c.q) - b.v * sin(c.q),
                   a.v * cos(b.q) + c.v)
        model.kinetic = sympy.Add(*[w * u ** 2 / 2 for w, u in zip((m, L, g), turning)])
        model.potential = sympy.S.Zero
        self.assertTrue(self.both(lambda: model, 7))

    def test_what_is_no_such_sum(self):
        q, v, w, m = sympy.symbols("q v w m", real=True)
        for T in (m * v * w, v ** 2 * cos(q), v ** 2 * (1 + TIME) ** 3, q ** 2 + v ** 2, v ** 4):
            self.assertIsNone(squares.of(T, [q], [v, w]), T)
        self.assertIsNotNone(squares.of(m * (v ** 2 + (v + w) ** 2) * cos(q) ** 2, [q], [v, w]))


def operations(text):
    """Of a problem file, in its functions."""
    body = re.sub(r"/\*.*?\*/", "", text.split("#else")[1], flags=re.S)
    return len(re.findall(r" [-+*/] ", body))


class Size(unittest.TestCase):
    """Of n links n^2 operations; multiplied out they are n^4 and more."""

    def test_of_chains(self):
        found = []
        for n in (5, 10):
            model = chain(n)
            found.append(operations(problem_file.write(model, modes.of(model))))
        self.assertLess(found[1], 1600)
        self.assertLess(found[1], 4 * found[0])


if __name__ == "__main__":
    unittest.main()
