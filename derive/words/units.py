"""Units: powers of base units, and of what they are multiplied by.

A unit is a product of powers: of kg, m, s, A, K, mol, cd, of pi and of primes, 1000 = 2^3 5^3, so that km is not m;
an unknown word is a base unit of its own. Exponents are rational, and two units are the same where all powers are:
nothing is rounded. rad is 1.
"""

import re
from dataclasses import dataclass
from fractions import Fraction

import sympy

SI = ("kg", "m", "s", "A", "K", "mol", "cd")
LONGEST = 100                   # characters of a unit
LARGEST_POWER = 99


@dataclass(frozen=True)
class Unit:
    powers: tuple = ()          # pairs (base, exponent), sorted; exponents are not 0

    def __mul__(self, other):
        sums = dict(self.powers)
        for base, power in other.powers:
            sums[base] = sums.get(base, 0) + power
        return _unit(sums)

    def __pow__(self, exponent):
        exponent = Fraction(exponent)
        return _unit({base: power * exponent for base, power in self.powers})

    def __truediv__(self, other):
        return self * other ** -1

    def dimension(self):
        """What is left where factors are left out: metres for millimetres."""
        return _unit({base: power for base, power in self.powers if not _is_factor(base)})


def _unit(powers):
    return Unit(tuple(sorted((base, Fraction(power)) for base, power in powers.items() if power)))


def _is_factor(base):
    return base == "pi" or base.isdigit()


def _primes(number):
    powers, prime = {}, 2
    while number > 1:
        while number % prime == 0:
            powers[str(prime)] = powers.get(str(prime), 0) + 1
            number //= prime
        prime += 1
    return powers


def _factor(fraction):
    fraction = Fraction(fraction)
    return _unit(_primes(fraction.numerator)) / _unit(_primes(fraction.denominator))


ONE = Unit()
PI = _unit({"pi": 1})


def _base(word):
    return _unit({word: 1})


def _product(factor, **powers):
    return _factor(factor) * _unit(powers)


SECOND = _base("s")
NEWTON = _product(1, kg=1, m=1, s=-2)
JOULE = _product(1, kg=1, m=2, s=-2)
WATT = _product(1, kg=1, m=2, s=-3)
PASCAL = _product(1, kg=1, m=-1, s=-2)
VOLT = _product(1, kg=1, m=2, s=-3, A=-1)

# Those that take prefixes ...
_PREFIXED = {
    "g": _product("1/1000", kg=1), "m": _base("m"), "s": SECOND, "A": _base("A"), "K": _base("K"), "mol": _base("mol"),
    "cd": _base("cd"), "N": NEWTON, "J": JOULE, "W": WATT, "Pa": PASCAL, "Hz": SECOND ** -1, "V": VOLT,
    "C": _product(1, A=1, s=1), "F": _product(1, A=2, s=4, kg=-1, m=-2), "ohm": _product(1, kg=1, m=2, s=-3, A=-2),
    "S": _product(1, kg=-1, m=-2, s=3, A=2), "Wb": _product(1, kg=1, m=2, s=-2, A=-1),
    "T": _product(1, kg=1, s=-2, A=-1), "H": _product(1, kg=1, m=2, s=-2, A=-2), "l": _product("1/1000", m=3),
    "L": _product("1/1000", m=3), "bar": PASCAL * _factor(10 ** 5), "t": _product(1000, kg=1), "rad": ONE,
    "Wh": JOULE * _factor(3600),
}
# ... and those that take none.
_OTHER = {
    "1": ONE, "-": ONE, "sr": ONE, "%": _factor("1/100"), "deg": PI * _factor("1/180"), "rev": PI * _factor(2),
    "rpm": PI * _product("1/30", s=-1), "min": _product(60, s=1), "h": _product(3600, s=1), "d": _product(86400, s=1),
    "atm": PASCAL * _factor(101325), "in": _product("127/5000", m=1), "ft": _product("381/1250", m=1),
    "lb": _product("45359237/100000000", kg=1), "lbf": NEWTON * _factor("8896443230521/2000000000000"),
    "kp": NEWTON * _factor("196133/20000"), "kgf": NEWTON * _factor("196133/20000"),
}
_PREFIXES = {
    "da": 1, "h": 2, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "d": -1, "c": -2, "m": -3, "u": -6, "n": -9, "p": -12,
    "f": -15,
}
_WORD = re.compile(r"[^\W\d]+|%")
_POWER = re.compile(r"\^(-?\d+|\(-?\d+(?:/\d+)?\))")


def word(text):
    """The unit of a word: m, km, deg; one of its own where it is not known."""
    if text in _OTHER:
        return _OTHER[text]
    if text in _PREFIXED:
        return _PREFIXED[text]
    text = text.replace("\u00b5", "u").replace("\u03bc", "u")
    for prefix, power in _PREFIXES.items():
        rest = text[len(prefix):]
        if text.startswith(prefix) and rest in _PREFIXED:
            return _factor(Fraction(10) ** power) * _PREFIXED[rest]
    return _base(text)


def read(text):
    """The unit of a text, kg.m^2/s; ValueError with a sentence where it is none."""
    if len(text) > LONGEST:
        raise ValueError(f"a unit has at most {LONGEST} characters")
    if text.strip() in ("-", "1"):
        return ONE
    unit, at = _terms(text, 0)
    if at < len(text):
        raise ValueError(f"unit '{text}': ')' without '('")
    return unit


def _terms(text, at):
    """Factors up to a closing parenthesis or the end; (unit, where it ends)."""
    unit, at = _term(text, at, 1)
    while at < len(text) and text[at] != ")":
        if text[at] not in "./*\u00b7":
            raise ValueError(f"unit '{text}': '{text[at]}' is not understood; join units by . * or /, as in N.m")
        factor, at = _term(text, at + 1, -1 if text[at] == "/" else 1)
        unit = unit * factor
    return unit, at


def _term(text, at, sign):
    found = _WORD.match(text, at)
    if text[at:at + 1] == "(":
        unit, at = _terms(text, at + 1)
        if text[at:at + 1] != ")":
            raise ValueError(f"unit '{text}': '(' without ')'")
        at += 1
    elif found:
        unit, at = word(found.group()), found.end()
    elif text[at:at + 1] == "1" and not text[at + 1:at + 2].isdigit():
        unit, at = ONE, at + 1
    else:
        raise ValueError(f"'{text}' is no unit" if text else "a unit is missing")
    found = _POWER.match(text, at)
    if not found:
        return unit ** sign, at
    power = _exponent(text, found.group(1).strip("()"))
    return unit ** (sign * power), found.end()


def _exponent(text, digits):
    numerator, _, denominator = digits.partition("/")
    if max(len(numerator.lstrip("-")), len(denominator)) > 2:
        raise ValueError(f"unit '{text}': powers are at most {LARGEST_POWER}")
    if denominator and int(denominator) == 0:
        raise ValueError(f"unit '{text}': a power of {digits}")
    return Fraction(digits)


# What a product is called, the first that is the same.
_NAMED = (
    "-", "N", "J", "W", "Pa", "N/m", "N.s/m", "V", "C", "ohm", "Wb", "T", "H", "F",
    "m", "m/s", "m/s^2", "kg", "s", "1/s", "1/s^2",
    "kN", "MN", "mN", "kJ", "mJ", "kW", "MPa", "kPa", "kN/m", "N.mm", "kN.m", "mm", "mm/s", "mm/s^2",
    "deg", "deg/s", "deg/s^2", "J/deg", "%",
)
_FACTORS = (("g", "kg"), ("t", "kg"), ("mm", "m"), ("cm", "m"), ("km", "m"), ("ms", "s"), ("min", "s"), ("h", "s"))


def factor(unit):
    """The number of a unit without dimension, exact: pi/180 of deg."""
    return sympy.Mul(*[(sympy.pi if base == "pi" else sympy.Integer(base)) ** sympy.Rational(str(power))
                       for base, power in unit.powers])


def is_angle(unit):
    """rad, deg, rev: what differs from 1 by a factor that has pi in it."""
    return unit.dimension() == ONE and (unit == ONE or "pi" in dict(unit.powers))


def name(unit, torque=False):
    """What a unit is written as, without spaces: N, kg.m^2/s; with torque N.m for J."""
    if torque and unit == JOULE:
        return "N.m"
    if torque and unit == JOULE / _factor(1000):
        return "N.mm"
    for text in _NAMED:
        if read(text) == unit:
            return text
    scale = unit / unit.dimension()
    return _scaled(unit, scale) or (_number(scale) + _powers(unit.dimension(), {}))


def told(unit):
    """As a sentence says it: in N, or a number."""
    return "a number" if unit == ONE else f"in {name(unit)}"


def unknown(*several):
    """That there is a word among them that is no known unit; or nothing."""
    words = sorted({base for unit in several for base, _ in unit.powers if not _is_factor(base) and base not in SI})
    return f"; '{words[0]}' is no unit that daelab knows" if words else ""


def _scaled(unit, scale):
    """With one base unit replaced, mm for m, that takes up the scale; None where no such one is."""
    if scale == ONE:
        return _powers(unit, {})
    for other, base in _FACTORS:
        power = dict(unit.powers).get(base, 0)
        if power and (word(other) / word(base)) ** power == scale:
            return _powers(unit.dimension(), {base: other})
    return None


def _number(scale):
    value = 1.0
    for base, power in scale.powers:
        value *= (3.141592653589793 if base == "pi" else float(base)) ** float(power)
    return f"{value:.6g}."


def _powers(unit, replaced):
    order = {base: i for i, base in enumerate(SI)}
    powers = sorted(unit.powers, key=lambda item: (order.get(item[0], len(SI)), item[0]))
    above = [_power(replaced.get(base, base), power) for base, power in powers if power > 0]
    below = [_power(replaced.get(base, base), -power) for base, power in powers if power < 0]
    if not above and not below:
        return "1"
    return "/".join([".".join(above) or "1"] + below)


def _power(base, power):
    if power == 1:
        return base
    return f"{base}^{power}" if power.denominator == 1 else f"{base}^({power})"
