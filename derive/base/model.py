"""What a model in words says, as SymPy expressions: what reader.py makes of a text, and what the rest works on.

Symbols are real; those of parameters that are said to be positive are positive. A coordinate x has three:
x, its velocity x' and its acceleration x''. Expressions may hold the time t.

    M v' = f(t, q, v) - G(t, q)^T lambda,    0 = g(t, q),    G = dg/dq

A line is that of the text, counted from 1.
"""

from dataclasses import dataclass, field

import sympy

TIME = sympy.Symbol("t", real=True)


@dataclass(frozen=True)
class Parameter:
    name: str
    symbol: sympy.Symbol
    value: str                  # the number as it was typed
    unit: str                   # as it was typed, "m/s^2"; "-" for none
    text: str                   # what it is, "length of the rope"; may be empty
    range: str                  # "positive", "nonnegative" or "any"
    line: int


@dataclass(frozen=True)
class Coordinate:
    name: str
    q: sympy.Symbol
    v: sympy.Symbol
    a: sympy.Symbol
    unit: str
    text: str
    line: int


@dataclass(frozen=True)
class Force:
    """What acts, beside the potential: value at the point, or value as the generalised force of on."""
    name: str
    point: tuple                # expressions, two or three; () where on is given
    value: tuple                # as many; one where on is given
    on: object                  # a Coordinate, or None
    line: int


@dataclass(frozen=True)
class Constraint:
    """0 = g(t, q), and the name of its reaction, which enters as - (dg/dq)^T reaction.

    sign = 0: it holds both ways. sign = 1: while reaction >= 0, and without it g <= 0; it begins to act again
    where g rises to zero. sign = -1: while reaction <= 0, and without it g >= 0.

    One that binds velocities only (nonholonomic) has g(t, q, v) = A(t, q) v + b(t, q), and its reaction enters as
    - A^T reaction.
    """
    name: str                   # of the reaction
    symbol: sympy.Symbol        # the reaction
    g: sympy.Expr
    unit: str                   # of the reaction
    text: str                   # as it was written
    sign: int
    restitution: object         # an expression of parameters, or None: nothing bounces
    begins_open: bool
    closed: str                 # what the state of the constraint is called where it acts: "taut"
    open: str                   # and where not: "slack"
    line: int
    nonholonomic: bool = False


@dataclass(frozen=True)
class Impact:
    """A wall that turns velocities, and never holds: g <= 0, and where g rises to zero g' becomes -restitution g'."""
    name: str
    g: sympy.Expr
    restitution: sympy.Expr
    text: str
    line: int


@dataclass(frozen=True)
class Friction:
    """Coulomb friction against the displacement d(t, q), which slides with the velocity d'.

    While it sticks, 0 = held - d, with the force of friction, |F| <= rest * normal, as its multiplier; while it
    slides the force is - sign(d') motion * normal, along dd/dq.
    """
    name: str                   # of the force, a multiplier while it sticks
    symbol: sympy.Symbol
    along: sympy.Expr           # d
    normal: sympy.Expr          # >= 0; of t, q, v and reactions of constraints
    rest: sympy.Expr            # coefficients, of parameters
    motion: sympy.Expr
    held: object                # the Parameter that is set to d where it begins to stick; None: one is added
    begins: str                 # "sticking", "forwards" (d' > 0) or "backwards"
    sticking: str               # what these three are called
    forwards: str
    backwards: str
    unit: str                   # of the force
    line: int
    along_unit: str = "-"       # of d


@dataclass(frozen=True)
class Event:
    name: str
    title: str
    value: sympy.Expr           # of t, q, v, reactions: where it passes zero
    direction: int              # 1 rising, -1 falling, 0 both
    stop: bool
    then: tuple                 # of (symbol of a coordinate, a velocity or a parameter, expression before it)
    measure: object             # an expression to report, or None
    measures: str
    unit: str                   # of measure
    during: tuple               # states (closed, open, sticking, ...) in which it is heard; (): in all
    line: int


@dataclass(frozen=True)
class Shape:
    kind: str                   # "body", "link", "spring" or "wall"
    points: tuple               # pairs of expressions: one of a body, two of the others
    size: object                # radius of a body, width of a spring; None: the default of the kind
    line: int
    name: str = ""              # of a body at a point: the point's


@dataclass(frozen=True)
class Invariant:
    name: str
    value: sympy.Expr
    unit: str
    line: int


@dataclass
class Model:
    path: str                   # of the text, as it was given
    name: str
    title: str
    citation: str
    parameters: list
    coordinates: list
    kinetic: sympy.Expr         # T(t, q, v), that of masses and bodies included
    potential: sympy.Expr       # V(t, q), that of gravity included
    forces: list
    constraints: list
    impacts: list
    frictions: list
    start: dict                 # symbol of a coordinate, a velocity or a reaction -> expression of parameters
    t0: float
    t_end: float
    events: list
    invariants: list
    drawing: list
    rtol: float = 0             # the relative tolerance of single runs; 0: none is stated
    lines: dict = field(default_factory=dict)       # key of the text, "T", "constraints" -> its line

    def q(self):
        return [c.q for c in self.coordinates]

    def v(self):
        return [c.v for c in self.coordinates]

    def a(self):
        return [c.a for c in self.coordinates]
