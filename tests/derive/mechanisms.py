"""Models for the tests of what is derived: written as data, with SymPy, as reader.py makes them of a text."""

import dataclasses

import sympy
from sympy import Rational, cos, pi, sin

from derive.base.model import TIME, Constraint, Coordinate, Force, Model, Parameter
from derive.algebra.rates import total


def coordinate(name, unit="m"):
    symbols = [sympy.Symbol(name + dots, real=True) for dots in ("", "'", "''")]
    return Coordinate(name, *symbols, unit, "", 1)


def parameters(names, range="positive"):
    made = [Parameter(name, sympy.Symbol(name, real=True, positive=True if range == "positive" else None), "1", "-",
                      "", range, 1) for name in names.split()]
    return made, [parameter.symbol for parameter in made]


def constraint(name, g, sign=0):
    return Constraint(name, sympy.Symbol(name, real=True), g, "N", "", sign, None, False, "closed", "open", 1)


def kinetic(mass, point, coordinates):
    q, v = [c.q for c in coordinates], [c.v for c in coordinates]
    return mass * sum(total(sympy.sympify(x), q, v) ** 2 for x in point) / 2


def model(name, of_parameters, coordinates, T, V, constraints=(), forces=(), **more):
    given = dict(path=name + ".yaml", name=name, title="", citation="", parameters=of_parameters,
                 coordinates=coordinates, kinetic=sympy.sympify(T), potential=sympy.sympify(V), forces=list(forces),
                 constraints=list(constraints), impacts=[], frictions=[], start={}, t0=0.0, t_end=1.0, events=[],
                 invariants=[], drawing=[])
    given.update(more)
    return Model(**given)


def pendulum():
    """In Cartesian coordinates, gravity varying in time."""
    p, (m, L, g0, g1, w) = parameters("m L g0 g1 w")
    x, y = coordinate("x"), coordinate("y")
    gravity = g0 + g1 * sin(2 * pi * w * TIME)
    return model("pendulum", p, [x, y], m * (x.v ** 2 + y.v ** 2) / 2, m * gravity * y.q,
                 [constraint("T", (x.q ** 2 + y.q ** 2 - L ** 2) / (2 * L))])


def string():
    """A bob in polar coordinates, whose distance is held."""
    p, (m, L, g) = parameters("m L g")
    r, phi = coordinate("r"), coordinate("phi", "rad")
    bob = (r.q * sin(phi.q), -r.q * cos(phi.q))
    return model("string", p, [r, phi], kinetic(m, bob, [r, phi]), m * g * bob[1], [constraint("S", r.q - L, 1)])


def ladder():
    p, (m, l, g) = parameters("m l g")
    x, y, theta = coordinate("x"), coordinate("y"), coordinate("theta", "rad")
    T = m * (x.v ** 2 + y.v ** 2) / 2 + m * l ** 2 / 12 * theta.v ** 2 / 2
    return model("ladder", p, [x, y, theta], T, m * g * y.q,
                 [constraint("Nwall", l / 2 * sin(theta.q) - x.q), constraint("Nfloor", l / 2 * cos(theta.q) - y.q)])


def slider_crank():
    """Rods with masses in their middle and moments of inertia, a slider."""
    p, (l1, l2, m1, m2, m3, g) = parameters("l1 l2 m1 m2 m3 g")
    phi, psi = coordinate("phi", "rad"), coordinate("psi", "rad")
    joint = (l1 * cos(phi.q), l1 * sin(phi.q))
    crank, rod = [x / 2 for x in joint], (joint[0] + l2 / 2 * cos(psi.q), joint[1] + l2 / 2 * sin(psi.q))
    T = m1 * l1 ** 2 / 12 * phi.v ** 2 / 2 + m2 * l2 ** 2 / 12 * psi.v ** 2 / 2
    T += kinetic(m1, crank, [phi, psi]) + kinetic(m2, rod, [phi, psi])
    T += kinetic(m3, [joint[0] + l2 * cos(psi.q)], [phi, psi])
    return model("slider_crank", p, [phi, psi], T, m1 * g * crank[1] + m2 * g * rod[1],
                 [constraint("F", l1 * sin(phi.q) + l2 * sin(psi.q))])


def double_pendulum():
    """In angles."""
    p, (m1, m2, l1, l2, g) = parameters("m1 m2 l1 l2 g")
    a, b = coordinate("a", "rad"), coordinate("b", "rad")
    upper = (l1 * sin(a.q), -l1 * cos(a.q))
    lower = (upper[0] + l2 * sin(b.q), upper[1] - l2 * cos(b.q))
    return model("double_pendulum", p, [a, b], kinetic(m1, upper, [a, b]) + kinetic(m2, lower, [a, b]),
                 g * (m1 * upper[1] + m2 * lower[1]))


def links():
    """Two rods with masses at their ends, the positions of these beside the angles: four constraints in a chain."""
    p, (m1, m2, l1, l2, g, J) = parameters("m1 m2 l1 l2 g J")
    x1, y1, x2, y2 = (coordinate(name) for name in ("x1", "y1", "x2", "y2"))
    a, b = coordinate("a", "rad"), coordinate("b", "rad")
    T = m1 * (x1.v ** 2 + y1.v ** 2) / 2 + m2 * (x2.v ** 2 + y2.v ** 2) / 2
    T += J * (a.v ** 2 + b.v ** 2) / 2
    return model("links", p, [x1, y1, x2, y2, a, b], T, g * (m1 * y1.q + m2 * y2.q),
                 [constraint("X2", x2.q - x1.q - l2 * sin(b.q)), constraint("X1", x1.q - l1 * sin(a.q)),
                  constraint("Y1", y1.q + l1 * cos(a.q)), constraint("Y2", y2.q - y1.q + l2 * cos(b.q))])


def spherical_pendulum():
    """In angles."""
    p, (m, l, g) = parameters("m l g")
    theta, phi = coordinate("theta", "rad"), coordinate("phi", "rad")
    bob = (l * sin(theta.q) * cos(phi.q), l * sin(theta.q) * sin(phi.q), -l * cos(theta.q))
    return model("spherical_pendulum", p, [theta, phi], kinetic(m, bob, [theta, phi]), m * g * bob[2])


def moving_pivot():
    """A pendulum whose pivot goes up and down, in its angle: T has a part that is linear in the velocity."""
    p, (m, l, g, A, w) = parameters("m l g A w")
    theta = coordinate("theta", "rad")
    bob = (l * sin(theta.q), A * cos(w * TIME) - l * cos(theta.q))
    return model("moving_pivot", p, [theta], kinetic(m, bob, [theta]), m * g * bob[1])


def turned_table():
    """A point on a table that is turned to and fro: a linear part of T that is no slope of a function."""
    p, (m, k, A, w) = parameters("m k A w")
    x, y = coordinate("x"), coordinate("y")
    angle = A * sin(w * TIME)
    at = (x.q * cos(angle) - y.q * sin(angle), x.q * sin(angle) + y.q * cos(angle))
    return model("turned_table", p, [x, y], kinetic(m, at, [x, y]), k * (x.q ** 2 + y.q ** 4) / 2)


def growing():
    """A mass that grows."""
    p, (m, k) = parameters("m k")
    x = coordinate("x")
    return model("growing", p, [x], m * (1 + TIME / 4) * x.v ** 2 / 2, k * x.q ** 2 / 2)


def lift():
    """A double pendulum in a lift that goes sideways, too."""
    p, (m, l, g, A, w) = parameters("m l g A w")
    a, b = coordinate("a", "rad"), coordinate("b", "rad")
    pivot = (A * sin(w * TIME), A * TIME ** 2 / 2)
    upper = (pivot[0] + l * sin(a.q), pivot[1] - l * cos(a.q))
    lower = (upper[0] + l * sin(b.q), upper[1] - l * cos(b.q))
    return model("lift", p, [a, b], kinetic(m, upper, [a, b]) + kinetic(m, lower, [a, b]),
                 m * g * (upper[1] + lower[1]))


def hoop():
    """A bead on a hoop that turns about its vertical diameter."""
    p, (m, R, g, w) = parameters("m R g w")
    theta = coordinate("theta", "rad")
    bead = (R * sin(theta.q) * cos(w * TIME), R * sin(theta.q) * sin(w * TIME), -R * cos(theta.q))
    return model("hoop", p, [theta], kinetic(m, bead, [theta]), m * g * bead[2])


def moving_plane():
    """A point on a wedge that is moved: a constraint that holds the time, and a spring, a push and a torque."""
    p, (m, M, k, l0, c, A, w) = parameters("m M k l0 c A w")
    x, y, s = coordinate("x"), coordinate("y"), coordinate("s")
    length = sympy.sqrt((x.q - s.q) ** 2 + y.q ** 2)
    T = m * (x.v ** 2 + y.v ** 2) / 2 + (M + m * Rational(1, 10) * TIME) * s.v ** 2 / 2 + m * sin(x.q) * x.v * s.v / 8
    forces = [Force("drag", (x.q, y.q), (-c * x.v, -c * y.v), None, 1), Force("drive", (), (A * cos(w * TIME),), s, 1),
              Force("push", (x.q * s.q + TIME, y.q), (A, 2 * A), None, 1)]
    return model("moving_plane", p, [x, y, s], T, k * (length - l0) ** 2 / 2,
                 [constraint("N", (x.q - A * sin(w * TIME)) / 2 - y.q * s.q)], forces)


def skate():
    """A knife edge on a plane that is moved: it binds velocities; and a rod that holds it, named behind it."""
    p, (m, J, g, A, w) = parameters("m J g A w")
    x, y, phi = coordinate("x"), coordinate("y"), coordinate("phi", "rad")
    across = x.v * sin(phi.q) - y.v * cos(phi.q) + A * w * x.q * cos(w * TIME)
    edge = dataclasses.replace(constraint("N", across), nonholonomic=True)
    return model("skate", p, [x, y, phi], m * (x.v ** 2 + y.v ** 2) / 2 + J * phi.v ** 2 / 2, m * g * y.q,
                 [edge, constraint("S", (x.q ** 2 + y.q ** 2 - A ** 2) / 2)])


ALL = [pendulum, string, ladder, slider_crank, double_pendulum, links, spherical_pendulum, moving_pivot, hoop,
       turned_table, growing, lift, moving_plane, skate]
