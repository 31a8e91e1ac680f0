"""Coordinates that a constraint is solved for: the motion without them is that with them."""

import os
import unittest

import mpmath
import sympy
from sympy import cos, pi, sin

import mechanisms
from derive.mechanics import lagrange, redundant
from derive.base.fault import Fault
from derive.base.model import TIME, Event, Force, Friction, Impact, Invariant, Shape
from differences import STEP, Motion, number
from mechanisms import constraint, coordinate, kinetic, model, parameters


def atwood():
    """Two masses on a rope: x1 + x2 = l may be solved for either."""
    p, (m1, m2, g, l) = parameters("m1 m2 g l")
    x1, x2 = coordinate("x1"), coordinate("x2")
    return model("atwood", p, [x1, x2], (m1 * x1.v ** 2 + m2 * x2.v ** 2) / 2, -g * (m1 * x1.q + m2 * x2.q),
                 [constraint("S", x1.q + x2.q - l)])


def rolling():
    """A cylinder that rolls down a slope: x = R phi."""
    p, (m, R, J, g, alpha) = parameters("m R J g alpha")
    x, phi = coordinate("x"), coordinate("phi", "rad")
    return model("rolling", p, [x, phi], (m * x.v ** 2 + J * phi.v ** 2) / 2, -m * g * sin(alpha) * x.q,
                 [constraint("F", x.q - R * phi.q)])


def shaken():
    """A pendulum with a pivot that is moved, its positions beside the angle, and drag: time in the constraints."""
    p, (m, l, g, A, w, c, J) = parameters("m l g A w c J")
    x, y, phi = coordinate("x"), coordinate("y"), coordinate("phi", "rad")
    T = m * (x.v ** 2 + y.v ** 2) / 2 + J * phi.v ** 2 / 2
    drag = Force("drag", (x.q, y.q), (-c * x.v, -c * y.v * x.v), None, 1)
    wind = Force("wind", (), (A * cos(w * TIME),), x, 1)
    return model("shaken", p, [x, y, phi], T, m * g * y.q,
                 [constraint("X", x.q - l * sin(phi.q)), constraint("Y", y.q - A * cos(w * TIME) + l * cos(phi.q))],
                 [drag, wind])


def crossed():
    """Two constraints that are linear in the same two coordinates, neither solved for one alone."""
    p, (m, l, J) = parameters("m l J")
    x, y, phi = coordinate("x"), coordinate("y"), coordinate("phi", "rad")
    return model("crossed", p, [x, y, phi], m * (x.v ** 2 + 2 * y.v ** 2) / 2 + J * phi.v ** 2 / 2, m * x.q * y.q,
                 [constraint("P", x.q + y.q - l * sin(phi.q)), constraint("M", x.q - y.q - l * phi.q ** 2)])


SOLVED = [mechanisms.string, mechanisms.ladder, mechanisms.links, atwood, rolling, shaken, crossed]


def motion_of(eqs, state):
    """(a, lambda) of the equations at a state, in numbers: M a + G^T lambda = f, G a = - the rest of d2g/dt2."""
    nq, nl = len(eqs.q), len(eqs.multipliers)
    rest = {**state, **{a: mpmath.mpf(0) for a in eqs.a}}
    A, b = mpmath.zeros(nq + nl, nq + nl), mpmath.zeros(nq + nl, 1)
    for i in range(nq):
        b[i] = number(eqs.f[i], state)
        for j in range(nq):
            A[i, j] = number(eqs.M[i, j], state)
        for k in range(nl):
            A[i, nq + k] = A[nq + k, i] = number(eqs.G[k, i], state)
    for k in range(nl):
        b[nq + k] = -number(eqs.acceleration[k], rest)
    x = mpmath.lu_solve(A, b)
    return list(x[:nq]), list(x[nq:])


class Numbers(unittest.TestCase):
    def near(self, found, expected, what):
        self.assertLess(abs(found - expected), mpmath.mpf("1e-14") * (1 + abs(expected)), what)


class Solved(Numbers):
    def test_accelerations_and_reactions_solve_the_equations(self):
        for k, make in enumerate([*mechanisms.ALL, atwood, shaken, crossed]):
            made = make()
            eqs = lagrange.equations(made, made.constraints)
            state = Motion(made, 55 + k).state()
            for found, expected in zip(lagrange.solved(eqs), motion_of(eqs, state)):
                self.assertEqual(len(found), len(expected))
                for expr, value in zip(found, expected):
                    self.near(number(expr, state), value, made.name)

    def test_the_tension_of_a_string(self):
        made = mechanisms.string()
        eqs = lagrange.equations(made, made.constraints)
        m, _, g = [p.symbol for p in made.parameters]
        a, (S,) = lagrange.solved(eqs)
        self.assertEqual(sympy.expand(S), m * eqs.q[0] * eqs.v[1] ** 2 + m * g * cos(eqs.q[1]))
        self.assertEqual(a[0], 0)

    def test_the_ladder(self):
        """Kapranidis, Koo (2008): theta'' = 3 g/(2 l) sin theta, from rest at theta0 with y' = .. and the forces."""
        made = mechanisms.ladder()
        eqs = lagrange.equations(made, made.constraints)
        m, l, g = [p.symbol for p in made.parameters]
        theta, omega = eqs.q[2], eqs.v[2]
        a, (wall, floor) = lagrange.solved(eqs)
        self.assertEqual(sympy.simplify(a[2] - 3 * g / (2 * l) * sin(theta)), 0)
        first = sympy.Symbol("theta0", real=True)
        speed = 3 * g / l * (cos(first) - cos(theta))
        self.assertEqual(0, sympy.simplify(wall.subs(omega ** 2, speed) - sympy.Rational(3, 4) * m * g * sin(theta)
                                           * (3 * cos(theta) - 2 * cos(first))))
        self.assertEqual(0, sympy.simplify(floor.subs(omega ** 2, speed) - m * g / 4
                                           * ((3 * cos(theta) - cos(first)) ** 2 + sin(first) ** 2)))


class MinimalMotions(Numbers):
    def test_the_motion_is_that_of_all_coordinates(self):
        """q(t, s) along s'' by a second difference, and a of M a = f - G^T lambda on the constraints."""
        for k, make in enumerate(SOLVED):
            made = make()
            eqs = lagrange.equations(made, made.constraints)
            least = redundant.minimal(made, eqs)
            self.assertIsNotNone(least, made.name)
            self.assertEqual(len(least.kept) + len(made.constraints), len(made.coordinates), made.name)
            start = Motion(made, 77 + k).state()
            seconds = [number(expr, start) for expr in least.acceleration]

            def at(s):
                here = {**start, TIME: start[TIME] + s}
                for c, second in zip(least.kept, seconds):
                    here[c.q] += s * start[c.v] + s ** 2 * second / 2
                return [number(expr, here) for expr in least.q]
            before, here, after = at(-STEP), at(mpmath.mpf(0)), at(STEP)
            full = {**start, **dict(zip(eqs.q, here)), **dict(zip(eqs.v, [number(v, start) for v in least.v]))}
            for v, low, high in zip(eqs.v, before, after):
                self.near(full[v], (high - low) / (2 * STEP), f"{made.name} {v}")
            for g, rate in zip(eqs.g, eqs.rate):
                self.near(number(g, full), 0, made.name)
                self.near(number(rate, full), 0, made.name)
            for a, low, middle, high in zip(motion_of(eqs, full)[0], before, here, after):
                self.near((high - 2 * middle + low) / STEP ** 2, a, f"{made.name} acceleration")

    def test_what_is_kept(self):
        names = {make().name: [c.name for c in self.least(make()).kept] for make in SOLVED}
        self.assertEqual(names, {"string": ["phi"], "ladder": ["theta"], "links": ["a", "b"], "atwood": ["x1"],
                                 "rolling": ["phi"], "shaken": ["phi"], "crossed": ["phi"]})

    @staticmethod
    def least(made):
        return redundant.minimal(made, lagrange.equations(made, made.constraints))

    def test_closed_forms(self):
        made = mechanisms.string()
        m, L, g = [p.symbol for p in made.parameters]
        self.assertEqual(self.least(made).acceleration, [-g * sin(made.coordinates[1].q) / L])
        made = atwood()
        m1, m2, g, l = [p.symbol for p in made.parameters]
        self.assertEqual(sympy.simplify(self.least(made).acceleration[0] - g * (m1 - m2) / (m1 + m2)), 0)
        made = rolling()
        m, R, J, g, alpha = [p.symbol for p in made.parameters]
        gain = m * g * R * sin(alpha) / (J + m * R ** 2)
        self.assertEqual(sympy.simplify(self.least(made).acceleration[0] - gain), 0)

    def test_none_where_a_constraint_is_not_solved_for_a_coordinate(self):
        for make in (mechanisms.pendulum, mechanisms.slider_crank, mechanisms.moving_plane):
            made = make()
            if make is mechanisms.moving_plane:
                made.constraints[0] = constraint("N", made.constraints[0].g * made.coordinates[0].q)
            self.assertIsNone(self.least(made), made.name)

    def test_a_factor_that_may_be_zero_is_no_factor_to_divide_by(self):
        p, (m, c) = parameters("m c", "any")
        x, y = coordinate("x"), coordinate("y")
        made = model("free", p, [x, y], (x.v ** 2 + y.v ** 2) / 2, 0, [constraint("F", c * x.q - y.q ** 2)])
        self.assertIsNone(self.least(made))

    def test_none_where_nothing_is_left_to_move(self):
        p, (m, l) = parameters("m l")
        x, = [coordinate("x")]
        self.assertIsNone(self.least(model("held", p, [x], m * x.v ** 2 / 2, 0, [constraint("F", x.q - l)])))

    def test_without_constraints_all_coordinates_are_kept(self):
        made = mechanisms.string()
        eqs = lagrange.equations(made, [])
        least = redundant.minimal(made, eqs)
        self.assertEqual((least.kept, least.q, least.v), (made.coordinates, eqs.q, eqs.v))
        m, _, g = [p.symbol for p in made.parameters]
        self.assertEqual(sympy.simplify(least.acceleration[0] - eqs.q[0] * eqs.v[1] ** 2 - g * cos(eqs.q[1])), 0)


def event(name, value, then=(), measure=None):
    return Event(name, "", value, 1, False, tuple(then), measure, "", "-", (), 31)


class Reduced(Numbers):
    """--minimal: a model without the coordinates and their constraints."""

    def test_the_motion_stays(self):
        for k, make in enumerate(SOLVED[1:]):
            made = make()
            less = redundant.reduced(made)
            self.assertEqual(less.constraints, [], made.name)
            eqs = lagrange.equations(made, made.constraints)
            least = redundant.minimal(made, eqs)
            self.assertEqual(less.coordinates, least.kept)
            state = Motion(made, 99 + k).state()
            found = lagrange.solved(lagrange.equations(less, []))[0]
            for expr, expected in zip(found, least.acceleration):
                self.near(number(expr, state), number(expected, state), made.name)

    def test_reactions_in_events_become_formulas(self):
        made = mechanisms.ladder()
        wall = made.constraints[0].symbol
        made.events.append(event("leaves", wall, measure=made.coordinates[1].v))
        less = redundant.reduced(made)
        eqs = lagrange.equations(made, made.constraints)
        least = redundant.minimal(made, eqs)
        start = Motion(made, 5).state()
        full = {**start, **{x: number(e, start) for x, e in zip(eqs.q + eqs.v, least.q + least.v)}}
        self.near(number(less.events[0].value, start), motion_of(eqs, full)[1][0], "Nwall")
        self.near(number(less.events[0].measure, start), full[eqs.v[1]], "y'")
        self.assertLessEqual(less.events[0].value.free_symbols,
                             {p.symbol for p in made.parameters} | {eqs.q[2], eqs.v[2]})

    def test_coordinates_without_mass_go(self):
        """x = l sin(phi), y = -l cos(phi) of a bob in x and y; phi has no inertia. X is the force across."""
        p, (m, l, g) = parameters("m l g")
        x, y, phi = coordinate("x"), coordinate("y"), coordinate("phi", "rad")
        made = model("bare", p, [x, y, phi], m * (x.v ** 2 + y.v ** 2) / 2, m * g * y.q,
                     [constraint("Y", y.q + l * cos(phi.q)), constraint("X", x.q - l * sin(phi.q))])
        made.events.append(event("across", made.constraints[1].symbol))
        less = redundant.reduced(made)
        force = m * l * (phi.v ** 2 + g / l * cos(phi.q)) * sin(phi.q)
        self.assertEqual(sympy.simplify(less.events[0].value - force), 0)
        found = lagrange.solved(lagrange.equations(less, []))[0]
        self.assertEqual(sympy.simplify(found[0] + g / l * sin(phi.q)), 0)

    def test_a_reaction_that_another_one_presses(self):
        """N of a table below a point that is pulled by a string in its plane and upwards: with S, which is kept."""
        p, (m, g, l) = parameters("m g l")
        x, y = coordinate("x"), coordinate("y")
        made = model("table", p, [x, y], m * (x.v ** 2 + y.v ** 2) / 2, m * g * y.q,
                     [constraint("N", -y.q), constraint("S", x.q ** 2 / 2 + x.q + y.q ** 3 + y.q - l)])
        N, S = [c.symbol for c in made.constraints]
        made.events.append(event("off", N))
        less = redundant.reduced(made)
        self.assertEqual([c.name for c in less.constraints], ["S"])
        self.assertEqual(sympy.expand(less.events[0].value - m * g - S), 0)
        made.constraints[1] = constraint("S", made.constraints[1].g, 1)
        with self.assertRaises(Fault) as told:
            redundant.reduced(made)
        self.assertEqual(told.exception.line, 31)
        self.assertIn("depends on S", told.exception.sentence)

    def test_the_rest_of_a_text_follows(self):
        made = shaken()
        x, y, phi = made.coordinates
        m, l, g, A, w, c, J = [p.symbol for p in made.parameters]
        made.impacts.append(Impact("wall", x.q - l / 2, m / m, "", 1))
        made.invariants.append(Invariant("height", y.q + x.v, "m", 1))
        made.drawing.append(Shape("link", ((sympy.S.Zero, A * cos(w * TIME)), (x.q, y.q)), None, 1))
        made.start.update({x.q: l, phi.q: pi / 2, phi.v: w, made.constraints[0].symbol: m})
        less = redundant.reduced(made)
        x_is, y_is = l * sin(phi.q), A * cos(w * TIME) - l * cos(phi.q)
        self.assertEqual(less.impacts[0].g, x_is - l / 2)
        self.assertEqual(sympy.expand(less.invariants[0].value - y_is - l * cos(phi.q) * phi.v), 0)
        self.assertEqual(less.drawing[0].points[1], (x_is, y_is))
        self.assertEqual(less.start, {phi.q: pi / 2, phi.v: w})
        self.assertEqual(len(made.coordinates), 3, "the model that was given stays")

    def test_a_normal_force_that_is_a_reaction_presses_either_way(self):
        p, (m, g, mu, k) = parameters("m g mu k")
        x, y = coordinate("x"), coordinate("y")
        rubs = Friction("F", sympy.Symbol("F", real=True), x.q, sympy.Symbol("N", real=True), mu, mu, None, "forwards",
                        "sticks", "forwards", "backwards", "N", 12)
        made = model("sledge", p, [x, y], m * (x.v ** 2 + y.v ** 2) / 2, m * g * y.q + k * x.q ** 2 / 2,
                     [constraint("N", -y.q)], frictions=[rubs])
        self.assertEqual(redundant.reduced(made).frictions[0].normal, g * m)
        made.potential = -made.potential
        self.assertEqual(redundant.reduced(made).frictions[0].normal, g * m)
        made.frictions[0] = Friction(**{**vars(rubs), "along": x.q + y.q})
        with self.assertRaises(Fault) as told:
            redundant.reduced(made)
        self.assertEqual(told.exception.line, 12)

    def refused(self, made, line, part):
        with self.assertRaises(Fault) as told:
            redundant.reduced(made)
        self.assertEqual(told.exception.line, line)
        self.assertIn(part, told.exception.sentence)

    def test_refusals(self):
        self.refused(mechanisms.string(), 1, "may let go")
        made = mechanisms.pendulum()
        made.lines["constraints"] = 7
        self.refused(made, 7, "no constraint is solved for a coordinate")
        self.refused(mechanisms.hoop(), 1, "no constraints")
        made = mechanisms.ladder()
        made.events.append(event("kick", made.q()[2], then=[(made.v()[0], made.v()[0])]))
        self.refused(made, 31, "changes x'")


if __name__ == "__main__":
    unittest.main()
