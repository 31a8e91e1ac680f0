"""What is known of a model while its text is read, and how names and expressions are read with it."""

import re
from dataclasses import dataclass, field

import sympy

from derive.base.fault import Fault
from derive.words import expression, units
from derive.words.scope import Scope
from derive.words.text import Mapping, as_mapping, as_scalar

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*\Z", re.ASCII)
LONGEST_NAME = 40


@dataclass
class Reading:
    tree: Mapping
    scope: Scope
    parameters: list = field(default_factory=list)
    coordinates: list = field(default_factory=list)
    points: dict = field(default_factory=dict)      # name -> Point
    energy: object = None                           # the unit of all energies
    happenings: dict = field(default_factory=dict)  # names of states, impacts and events -> line

    def section(self, key):
        return self.tree.values.get(key)

    def q(self):
        return [c.q for c in self.coordinates]

    def v(self):
        return [c.v for c in self.coordinates]

    def happens(self, name, line):
        """A state, an impact or an event of this name: once only, as their names meet in one table."""
        if name in self.happenings:
            raise Fault(line, f"'{name}' is the name of a state or an event already, in line {self.happenings[name]}")
        self.happenings[name] = line

    def read(self, node, what, allowed, nonsmooth=False, hint=""):
        """A Quantity of symbols that are allowed."""
        scope = self.scope.within(allowed, what, nonsmooth, hint)
        return _smooth(expression.read(as_scalar(node, what), scope), node.line, scope)

    def read_equation(self, node, what, allowed, nonsmooth=False):
        scope = self.scope.within(allowed, what, nonsmooth)
        return _smooth(expression.read_equation(as_scalar(node, what), scope), node.line, scope)

    def fits(self, quantity, unit, node, what):
        """Fault where a quantity has another unit than this."""
        if quantity.unit is not None and unit is not None and quantity.unit != unit:
            raise Fault(node.line, f"{what} is {units.told(quantity.unit)}, and should be {units.told(unit)}"
                        + units.unknown(quantity.unit, unit))

    def is_energy(self, quantity, node, what):
        """The first energy tells the unit of all: J, or mJ of millimetres and tonnes."""
        if quantity.unit is None:
            return
        if quantity.unit.dimension() != units.JOULE:
            raise Fault(node.line, f"{what} is an energy, in J, and here it is {units.told(quantity.unit)}"
                        + units.unknown(quantity.unit))
        if self.energy is None:
            self.energy = quantity.unit
        self.fits(quantity, self.energy, node, what)

    def named(self, key, what):
        """(name, value) of a section, none where the text has none; each is looked at as it is asked for."""
        node = self.section(key)
        if node is not None:
            section = as_mapping(node, key)
            for word, value in section.values.items():
                yield called(section.keys[word], what), value

    def conjugate(self, unit):
        """The unit of a force along a displacement of this unit."""
        return self.energy / unit if self.energy is not None and unit is not None else None


def called(key, what):
    """The name in a key; Fault where it is none."""
    name = key.value
    if not _NAME.match(name):
        raise Fault(key.line, f"'{name}' is no name of {what}: letters a to z, digits and _, a letter first")
    if len(name) > LONGEST_NAME:
        raise Fault(key.line, f"the name '{name[:20]}...' has more than {LONGEST_NAME} characters")
    return name


def unit_name(unit, torque=False):
    return "-" if unit is None else units.name(unit, torque)


def _smooth(quantity, line, scope):
    """Fault where a kink came in by a word of let, or as sqrt(x^2)."""
    if not scope.nonsmooth:
        for atom in sorted(quantity.value.atoms(sympy.Abs, sympy.Min, sympy.Max, sympy.sign), key=str):
            if scope.moves(atom):
                word = type(atom).__name__.lower()
                raise Fault(line, f"{scope.what} has a kink, that of {word}(), and must be smooth")
    return quantity
