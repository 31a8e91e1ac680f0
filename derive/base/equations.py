"""What is derived of a model: equations of one mode, and modes with their events. The rest writes it down.

Lists have the order of coordinates and multipliers; matrices are SymPy's.
"""

from dataclasses import dataclass, field


@dataclass
class Equations:
    """M a = f - G^T lambda with the constraints that act; nq coordinates, nl multipliers.

    Those that bind velocities come last; they have no g, their A is in G and A v + b in rate.
    """
    q: list
    v: list
    a: list
    multipliers: list           # symbols
    M: object                   # [nq x nq], of t, q
    f: object                   # [nq x 1], of t, q, v
    g: object                   # [nl - nonholonomic x 1], of t, q
    G: object                   # [nl x nq]
    rate: object                # [nl x 1], dg/dt, of t, q, v
    acceleration: object        # [nl x 1], d2g/dt2, of t, q, v, a
    reaction: object            # [nq x 1], G^T lambda
    energy: object              # an expression, or None
    conservative: bool          # along motions it changes by its explicit part only
    inertia: object = None      # [nq], M a, where it is shorter than entry by entry; else None

    @property
    def nonholonomic(self):
        return len(self.multipliers) - len(self.g)


@dataclass
class Minimal:
    """Minimal coordinates: those that the others are solved for."""
    kept: list                  # Coordinates of the model that stay
    q: list                     # all of q as expressions of the kept, [nq]
    v: list                     # [nq]
    acceleration: list          # s'' of (t, s, s'), [n]


@dataclass
class ModeEvent:
    """An event of one mode; x = (q, v, lambda)."""
    name: str
    title: str
    value: object
    direction: int
    then: tuple                 # (symbol, expression) pairs: all expressions are of the state before
    mode: object                # name of the mode to enter, or None
    limit: object               # name of the mode where such events accumulate, or None
    stop: bool
    measure: object
    measures: str
    unit: str
    only: tuple = ()            # (expression, sign) pairs: it is heard where expression >= 0 (sign 1) or < 0 (-1)
    passage: str = ""           # of the text: what events of several modes are one passage of; no guard


@dataclass
class Mode:
    name: str                   # "taut"
    title: str
    equations: Equations
    constraints: list           # those of the model that act in it, and the frictions that stick
    events: list = field(default_factory=list)
    minimal: object = None      # a Minimal, or None
    start: object = None        # symbol -> expression of parameters, a typical state; None: that of the model
