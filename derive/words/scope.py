"""The names of a model: what each stands for, its unit, and where it may stand."""

import re
from dataclasses import dataclass, field, replace

import sympy

from derive.base.fault import Fault
from derive.base.model import TIME
from derive.words import units
from derive.words.expression import FUNCTIONS
from derive.words.text import did_you_mean

PARAMETERS = frozenset({"parameter"})
MOVING = PARAMETERS | {"time"}
PLACED = MOVING | {"coordinate"}
STATE = PLACED | {"velocity"}
ACTING = STATE | {"reaction"}
EVENTFUL = ACTING | {"friction"}
LONGEST_PRODUCT = 12            # characters of names that are tried as several
_VELOCITY = re.compile(r"(\w+?)_?dot\Z|[dv]_?(\w+)\Z", re.ASCII)
_KINDS = ("friction", "reaction", "velocity", "coordinate", "time")         # what is named first in a sentence
_ONLY = {frozenset(): "numbers", PARAMETERS: "parameters", MOVING: "parameters and t",
         PLACED: "coordinates, parameters and t", STATE: "coordinates, velocities, parameters and t",
         ACTING: "coordinates, velocities, reactions of constraints, parameters and t"}


@dataclass(frozen=True)
class Name:
    kind: str                   # "parameter", "coordinate", "time", "reaction", "friction", "word" (of let), "state"
    value: object               # an expression
    unit: object                # a Unit, or None
    line: int                   # 0: it was there before
    text: str = ""
    rate: object = None         # its velocity, or None
    why: str = "has no velocity"


@dataclass(frozen=True)
class Scope:
    """A view of names: those that may stand in an expression, and whether kinks may."""
    names: dict = field(default_factory=dict)
    kinds: dict = field(default_factory=dict)       # of symbols: "parameter", "velocity", ...
    checked: bool = True
    nonsmooth: bool = False
    allowed: frozenset = ACTING
    what: str = "it"            # "the mass of bob": of whom a sentence speaks
    hint: str = ""              # what to do instead, "; .."

    def within(self, allowed, what, nonsmooth=False, hint=""):
        return replace(self, allowed=allowed, what=what, nonsmooth=nonsmooth, hint=hint)

    def knows(self, name):
        return name in self.names

    def add(self, name, entry):
        """Fault where the name cannot be, or is taken."""
        if name in FUNCTIONS or name in ("t", "pi"):
            is_what = {"t": "the time", "pi": "the number pi"}.get(name, "a function")
            raise Fault(entry.line, f"'{name}' is {is_what}; choose another name")
        if name in self.names:
            raise Fault(entry.line, f"'{name}' is a {self.names[name].kind} already, in line {self.names[name].line}")
        self.names[name] = entry
        if entry.kind != "word" and entry.value is not None:
            self.kinds[entry.value] = entry.kind
        if entry.kind == "coordinate":
            self.kinds[entry.rate] = "velocity"

    def find(self, name, primes):
        """Value and unit; ValueError with a sentence."""
        if name not in self.names:
            raise ValueError(f"unknown '{name}'{self.meant(name)}")
        entry = self.names[name]
        if primes > 1:
            raise ValueError(f"{name}{primes * chr(39)} is an acceleration, which is what the equations give; only "
                             f"velocities, {name}', may stand here")
        if entry.kind == "state":
            raise ValueError(f"'{name}' is a state, and cannot stand in an expression")
        value, unit = entry.value, entry.unit
        if primes:
            if entry.rate is None:
                raise ValueError(f"{name} is a {entry.kind} and {entry.why}")
            value, unit = entry.rate, unit / units.SECOND if unit else None
        self.permit(value, name + primes * "'")
        return value, unit

    def permit(self, value, name):
        found = {self.kinds.get(symbol) for symbol in value.free_symbols}
        for kind in _KINDS:
            if kind in found - self.allowed:
                noun = {"time": "the time", "friction": "a force of friction"}.get(kind, f"a {kind}")
                verb = "depends on" if self.names[name.rstrip("'")].kind == "word" else "is"
                raise ValueError(f"'{name}' {verb} {noun}, and {self.what} depends on {_ONLY[self.allowed]} only"
                                 + self.hint)

    def meant(self, name):
        """What an unknown name may have been: names written together, a velocity, or one of its neighbours."""
        parts = self.parts(name) if len(name) <= LONGEST_PRODUCT else []
        if parts:
            return f"; names are multiplied with a space between them, {' '.join(parts)}"
        found = _VELOCITY.match(name)
        if found and self.names.get(found.group(found.lastindex), None) in self.coordinates():
            return f"; the velocity of {found.group(found.lastindex)} is {found.group(found.lastindex)}'"
        return did_you_mean(name, self.visible())

    def parts(self, name):
        """Known names that name is made of, the longest first; [] where it is not."""
        for end in range(len(name), 0, -1):
            if name[:end] in self.names:
                rest = self.parts(name[end:])
                if rest or end == len(name):
                    return [name[:end]] + rest
        return []

    def coordinates(self):
        return [entry for entry in self.names.values() if entry.kind == "coordinate"]

    def moves(self, value):
        """Does it change on the way? Parameters do not."""
        return any(self.kinds.get(symbol) != "parameter" for symbol in value.free_symbols)

    def visible(self):
        """Names with what they are, of which an unknown one may be a misspelling."""
        known = {name: entry.text for name, entry in self.names.items() if entry.kind != "state"}
        known.update({name: "" for name in FUNCTIONS})
        return known


def beginning(checked):
    scope = Scope(checked=checked)
    scope.names["t"] = Name("time", TIME, units.SECOND, 0, "time", None, "its rate is 1")
    scope.names["pi"] = Name("number", sympy.pi, units.ONE, 0)
    scope.kinds[TIME] = "time"
    return scope
