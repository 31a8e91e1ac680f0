"""Models by hand, for tests of what writes them down."""

import sympy

from derive.base.equations import Equations, Mode
from derive.base.model import TIME, Constraint, Coordinate, Model, Parameter, Shape


def parameter(name, value, unit, range_="positive", text=""):
    symbol = sympy.Symbol(name, real=True, positive=True if range_ == "positive" else None)
    return Parameter(name, symbol, value, unit, text, range_, 1)


def coordinate(name, unit, text=""):
    return Coordinate(name, *(sympy.Symbol(name + "'" * i, real=True) for i in range(3)), unit, text, 1)


def constraint(name, g, unit="N", text=""):
    return Constraint(name, sympy.Symbol(name, real=True), g, unit, text or f"0 = {g}", 0, None, False, "closed",
                      "open", 1)


def model(name, parameters, coordinates, kinetic, potential, constraints=(), start=None, **more):
    given = dict(path="-", title=f"a model called {name}", citation="", forces=[], impacts=[], frictions=[], t0=0.0,
                 t_end=2.0, events=[], invariants=[], drawing=[])
    given.update(more)
    return Model(name=name, parameters=parameters, coordinates=coordinates, kinetic=kinetic, potential=potential,
                 constraints=list(constraints), start=start or {}, **given)


def along(e, pairs):
    return sum((sympy.diff(e, s) * d for s, d in pairs), sympy.S.Zero)


def equations(m):
    """Lagrange's equations by plain differentiation."""
    q, v, a = m.q(), m.v(), m.a()
    p = sympy.Matrix([sympy.diff(m.kinetic, x) for x in v])
    M = p.jacobian(v)
    dp = sympy.Matrix([along(x, zip(q, v)) + sympy.diff(x, TIME) for x in p])
    f = sympy.Matrix([sympy.diff(m.kinetic - m.potential, x) for x in q]) - dp
    g = sympy.Matrix([c.g for c in m.constraints])
    multipliers = [c.symbol for c in m.constraints]
    G = g.jacobian(q) if multipliers else sympy.zeros(0, len(q))
    rate = sympy.Matrix([along(x, zip(q, v)) + sympy.diff(x, TIME) for x in g])
    acceleration = sympy.Matrix([along(x, zip(q + v, v + a)) + sympy.diff(x, TIME) for x in rate])
    reaction = G.T * sympy.Matrix(multipliers) if multipliers else sympy.zeros(len(q), 1)
    return Equations(q, v, a, multipliers, M, f, g, G, rate, acceleration, reaction,
                     m.kinetic + m.potential, True)


def smooth(m):
    """The one mode of a model that nothing leaves."""
    return [Mode("", "", equations(m), list(m.constraints))]


def pendulum():
    m, L, g, f = parameter("m", "1", "kg"), parameter("L", "5", "m"), parameter("g", "9.81", "m/s^2"), parameter(
        "f", "1", "Hz", "any")
    x, y = coordinate("x", "m", "to the right"), coordinate("y", "m", "upwards")
    kinetic = m.symbol * (x.v**2 + y.v**2) / 2
    gravity = g.symbol * (1 + sympy.sin(2 * sympy.pi * f.symbol * TIME) / 10)
    held = (x.q**2 + y.q**2 - L.symbol**2) / (2 * L.symbol)
    zero = sympy.S.Zero
    drawing = [Shape("link", ((zero, zero), (x.q, y.q)), None, 1), Shape("body", ((x.q, y.q),), None, 1)]
    return model("rope", [m, L, g, f], [x, y], kinetic, m.symbol * gravity * y.q,
                 [constraint("T", held, "N", "(x^2 + y^2 - L^2)/(2 L) = 0")],
                 {x.q: 3 * L.symbol / 5, y.q: -4 * L.symbol / 5}, drawing=drawing)


def two_angles():
    """A double pendulum in its angles: M(q), no constraints."""
    m1, m2 = parameter("m", "1", "kg"), parameter("M", "2", "kg")
    l1, l2, g = parameter("l1", "1", "m"), parameter("l2", "0.5", "m"), parameter("g", "9.81", "m/s^2")
    a, b = coordinate("a", "rad"), coordinate("b", "rad")
    M1, M2, r1, r2 = m1.symbol, m2.symbol, l1.symbol, l2.symbol
    kinetic = ((M1 + M2) * r1**2 * a.v**2 / 2 + M2 * r2**2 * b.v**2 / 2
               + M2 * r1 * r2 * a.v * b.v * sympy.cos(a.q - b.q))
    potential = -(M1 + M2) * g.symbol * r1 * sympy.cos(a.q) - M2 * g.symbol * r2 * sympy.cos(b.q)
    return model("two_angles", [m1, m2, l1, l2, g], [a, b], kinetic, potential, (), {a.q: sympy.pi / 2})
