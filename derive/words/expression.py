"""Expressions of a text, read into SymPy with their units.

    sum = [+ -] product {+ - product};  product = power {[* /] power};  power = atom [^ [+ -] power]
    atom = number | name | function ( sum {, sum} ) | ( sum )

Names and numbers beside each other are multiplied. A word behind a number that is no name of the model is its unit,
2 rad/s, where units are checked. All numbers are rational, 0.1 is 1/10. A unit of None fits every
unit: that of 0, and of everything where units are not checked.
"""

import re
from dataclasses import dataclass, replace
from fractions import Fraction

import sympy

from derive.base.fault import Fault
from derive.base.model import TIME
from derive.words import units

LONGEST = 4000                  # characters of an expression
DEEPEST = 40                    # parentheses, signs and powers within one another
LARGEST_EXPONENT = 64           # of what is not a number, and denominators of exponents
MOST_DIGITS = 700               # of a number that is computed

_TOKEN = re.compile(r"\s*(?:(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?P<name>[A-Za-z_]\w*)(?P<primes>'*)"
                    r"|(?P<sign>\*\*|[-+*/^(),=]))", re.ASCII)


def _hypot(x, y):
    return sympy.sqrt(x ** 2 + y ** 2)


# How units go through: "1": a number to a number; "angle": an angle, of any unit, to a number; "same": all the same,
# and the result; "ratio": the same, to a number; "half": the square root; "sign": any, to a number.
FUNCTIONS = {
    **{name: (getattr(sympy, name), 1, "1") for name in
       ("asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "exp", "log")},
    **{name: (getattr(sympy, name), 1, "angle") for name in ("sin", "cos", "tan")},
    "atan2": (sympy.atan2, 2, "ratio"), "sqrt": (sympy.sqrt, 1, "half"), "hypot": (_hypot, 2, "same"),
    "abs": (sympy.Abs, 1, "same"), "min": (sympy.Min, 2, "same"), "max": (sympy.Max, 2, "same"),
    "sign": (sympy.sign, 1, "sign"),
}
NONSMOOTH = ("abs", "min", "max", "sign")
_OTHER_NAMES = {"ln": "log", "arcsin": "asin", "arccos": "acos", "arctan": "atan", "arctan2": "atan2", "fabs": "abs",
                "pow": "^", "sgn": "sign", "e": "exp(x)", "arccot": "atan(1/x)"}

_MEANT = {                      # characters that are not understood, and what to write
    "\u2019": "the velocity of x is x'", "\u2032": "the velocity of x is x'", "\u00b7": "a product is m g or m*g",
    "\u00d7": "a product is m g or m*g", "\u2212": "minus is -", "\u00bd": "a half is 1/2",
    "\u00b2": "the square of x is x^2", "\u00b3": "the cube of x is x^3", "\u221a": "the root of x is sqrt(x)",
    ";": "one expression stands here", "|": "the absolute value is abs(x)", "[": "parentheses are round",
    "{": "parentheses are round",
}


@dataclass(frozen=True)
class Quantity:
    """What is read: an expression and its unit, and where it stands in the text it was read from."""
    value: sympy.Expr
    unit: object                # a units.Unit, or None: it fits every unit
    begin: int = 0
    end: int = 0


@dataclass(frozen=True)
class Token:
    kind: str                   # "number", "name", "sign" or "end"
    text: str
    primes: int                 # behind a name
    begin: int
    end: int


def read(scalar, scope):
    """The Quantity of an expression; scope answers to names."""
    parser = _Parser(scalar, scope)
    quantity = parser.sum()
    if parser.next.text == "=":
        raise parser.fault("'=' stands where an expression alone belongs")
    parser.finish()
    return quantity


def read_equation(scalar, scope):
    """left - right of an equation, or an expression alone."""
    parser = _Parser(scalar, scope)
    left = parser.sum()
    if parser.next.text == "=":
        parser.take()
        left = parser.added(left, parser.sum(), -1, "are not equal")
        if parser.next.text == "=":
            raise parser.fault("a second '=' stands here")
    parser.finish()
    return left


def in_radians(quantity, unit):
    """A quantity of deg where rad is wanted, of rpm where rad/s is, with its factor; others as they are."""
    if quantity.unit is None or unit is None or quantity.unit == unit or not units.is_angle(quantity.unit / unit):
        return quantity
    return replace(quantity, value=quantity.value * units.factor(quantity.unit / unit), unit=unit)


def number(text):
    """The rational of a decimal; ValueError with a sentence where a double cannot hold it."""
    mantissa, _, exponent = text.lower().partition("e")
    if len(mantissa) > 100 or len(exponent.lstrip("+-").lstrip("0")) > 3:
        raise ValueError(f"the number {text[:30]} is out of the range of doubles, or has too many digits")
    value = Fraction(text)
    if value and not 1e-307 < abs(value) < 1.7e308:
        raise ValueError(f"the number {text[:30]} is out of the range of doubles, 1e-307 to 1e308")
    return sympy.Rational(value.numerator, value.denominator)


class _Parser:
    def __init__(self, scalar, scope):
        self.scalar, self.scope, self.depth = scalar, scope, 0
        if len(scalar.source) > LONGEST:
            raise Fault(scalar.line, f"an expression has at most {LONGEST} characters; parts of it get names by let")
        self.tokens, self.at = self.split(), 0
        self.units = set()              # tokens that are units
        if self.next.kind == "end":
            raise Fault(scalar.line, "an expression is missing")

    # Tokens

    def split(self):
        source, at, tokens = self.scalar.source, 0, []
        while source[at:].strip():
            found = _TOKEN.match(source, at)
            if not found:
                at += len(source[at:]) - len(source[at:].lstrip())
                raise self.fault(self.stranger(source[at:]), at)
            kind = found.lastgroup if found.lastgroup != "primes" else "name"
            text = found.group(kind)
            tokens.append(Token(kind, text, len(found.group("primes") or ""), found.start(kind), found.end()))
            if text == "**":
                raise self.fault("a power is written ^, as in x^2", found.start(kind))
            at = found.end()
        return tokens + [Token("end", "", 0, len(source), len(source))]

    def stranger(self, rest):
        if rest[0] in "<>":
            return f"'{rest[0]}' stands in an expression; a constraint on one side is an equation with 'while:'"
        if rest[0] in _MEANT:
            return f"'{rest[0]}' is not understood; {_MEANT[rest[0]]}"
        if rest[0].isalpha():
            return f"'{rest[0]}' is not understood; names have letters a to z, digits and _"
        return f"'{rest[0]}' is not understood"

    @property
    def next(self):
        return self.tokens[self.at]

    def take(self):
        self.at += 1
        return self.tokens[self.at - 1]

    def fault(self, sentence, offset=None):
        offset = self.next.begin if offset is None else offset
        return Fault(self.scalar.line_at(offset), sentence + self.place(offset))

    def place(self, offset):
        """Where in the expression, in words: behind what."""
        before = " ".join(self.scalar.source[:offset].split())
        return f" (behind '{before[-24:].lstrip()}')" if before else ""

    def quoted(self, quantity):
        return "'" + " ".join(self.scalar.source[quantity.begin:quantity.end].split()) + "'"

    def deeper(self, parse):
        self.depth += 1
        if self.depth > DEEPEST:
            raise self.fault(f"the expression is more than {DEEPEST} parentheses, signs or powers deep")
        quantity = parse()
        self.depth -= 1
        return quantity

    def finish(self):
        token = self.next
        if token.text == ")":
            raise self.fault("')' without '('")
        if token.text == ",":
            raise self.fault("a ',' stands here")
        if token.kind != "end":
            raise self.fault(f"'{token.text}' is not understood here")

    # Grammar

    def sum(self):
        quantity = self.product()
        while self.next.text in ("+", "-"):
            sign = 1 if self.take().text == "+" else -1
            quantity = self.added(quantity, self.product(), sign, "cannot be added")
        return quantity

    def product(self):
        quantity, divided = self.power(), False
        while True:
            token = self.next
            if token.text == "*":
                self.take()
                quantity, divided = self.multiplied(quantity, self.power()), False
            elif token.text == "/":
                self.take()
                first = self.at
                quantity = self.divided(quantity, self.power())
                divided = self.tokens[first].text != "(" and any(
                    t.kind == "name" and t not in self.units for t in self.tokens[first:self.at])
            elif token.kind in ("name", "number") or token.text == "(":
                self.beside(quantity, divided)
                quantity = self.multiplied(quantity, self.power())
            else:
                return quantity

    def beside(self, left, divided):
        """Faults of what stands beside left without a sign between them."""
        last, token = self.tokens[self.at - 1], self.next
        if divided:
            above, _, below = (part.strip() for part in self.quoted(left)[1:-1].rpartition("/"))
            word = token.text + "(..)" * (token.text in FUNCTIONS) + ".." * (token.text == "(")
            raise self.fault(f"'{above}/{below} {word}' can be read in two ways: write {above}/({below} {word}) or "
                             f"{above}/{below}*{word}")
        if last.kind == token.kind == "number":
            raise self.fault(f"two numbers stand beside each other, {last.text} and {token.text}")
        if last.kind == "name" and token.text == "(" and last.end == token.begin:
            inside = self.tokens[self.at + 1:self.at + 3]
            if inside[-1].text == ")" and inside[0].text == "t":
                raise self.fault(f"'{last.text}(t)' is a product here; {last.text} alone is what changes in time")

    def power(self):
        if self.next.text in ("+", "-"):
            token = self.take()
            quantity = self.deeper(self.power)
            value = quantity.value if token.text == "+" else -quantity.value
            return Quantity(value, quantity.unit, token.begin, quantity.end)
        base = self.atom()
        if self.next.text != "^":
            return base
        self.take()
        return self.raised(base, self.deeper(self.power))

    def atom(self):
        token = self.next
        if token.kind == "number":
            return self.constant(self.take())
        if token.kind == "name":
            return self.named(self.take())
        if token.text == "(":
            self.take()
            quantity = self.deeper(self.sum)
            end = self.close(token)
            return Quantity(quantity.value, quantity.unit, token.begin, end)
        if token.kind == "end":
            raise self.fault("the expression ends where a name or a number is expected")
        raise self.fault(f"'{token.text}' stands where a name or a number is expected")

    def close(self, opened):
        if self.next.text == ")":
            return self.take().end
        if self.next.kind == "end":
            raise self.fault("'(' is not closed by ')'; within { } or [ ] an expression with a comma is put in quotes",
                             opened.begin)
        if self.next.text == ",":
            raise self.fault("a ',' stands here")
        raise self.fault(f"'{self.next.text}' stands where ')' is expected")

    def constant(self, token):
        try:
            value = number(token.text)
        except ValueError as error:
            raise self.fault(str(error), token.begin) from None
        return Quantity(value, units.ONE if self.scope.checked and value != 0 else None, token.begin, token.end)

    def unit_of(self, token):
        """The unit that a word is behind a number, or behind another unit; None where it is none."""
        before = [t for t in self.tokens[max(self.at - 3, 0):self.at - 1]][::-1]
        if before and before[0].text in ("*", "/"):
            before = before[1:]
        measures = before and (before[0].kind == "number" or before[0] in self.units)
        if not measures or not self.scope.checked or self.scope.knows(token.text) or self.next.text == "(":
            return None
        unit = None if token.primes else units.word(token.text)
        return None if unit is None or units.unknown(unit) else unit

    def named(self, token):
        unit = self.unit_of(token)
        if unit is not None:
            self.units.add(token)
            return Quantity(sympy.S.One, unit, token.begin, token.end)
        if token.text in FUNCTIONS and not self.scope.knows(token.text):
            return self.called(token)
        if token.text in _OTHER_NAMES and not self.scope.knows(token.text):
            raise self.fault(f"unknown '{token.text}'; write {_OTHER_NAMES[token.text]}", token.begin)
        try:
            value, unit = self.scope.find(token.text, token.primes)
        except ValueError as error:
            raise Fault(self.scalar.line_at(token.begin), str(error)) from None
        return Quantity(value, unit if self.scope.checked else None, token.begin, token.end)

    def of_time(self, quantity):
        """2 t as an argument of a function, of numbers without units and the time: the numbers are per second."""
        powers = quantity.unit.powers if quantity.unit else ()
        measured = any(quantity.begin <= token.begin < quantity.end for token in self.units)
        alone = quantity.value.free_symbols == {TIME} and [base for base, _ in powers] == ["s"] and not measured
        return replace(quantity, unit=units.ONE) if alone else quantity

    def called(self, token):
        function, count, rule = FUNCTIONS[token.text]
        following = self.next
        if token.primes:
            raise self.fault(f"{token.text} is a function, and has no velocity", token.begin)
        if following.text == "^":
            power = self.tokens[self.at + 1].text
            raise self.fault(f"write {token.text}(x)^{power} for the power of {token.text}", token.begin)
        if following.text != "(":
            rest = f": write {token.text}({following.text})" if following.kind in ("name", "number") else ""
            raise self.fault(f"{token.text} is a function and has parentheses{rest}", token.begin)
        opened = self.take()
        arguments = [self.deeper(self.sum)]
        while self.next.text == ",":
            self.take()
            arguments.append(self.deeper(self.sum))
        end = self.close(opened)
        if len(arguments) != count:
            raise self.fault(f"{token.text} takes {count} argument{'s' * (count > 1)}, and has {len(arguments)}",
                             token.begin)
        if token.text in NONSMOOTH and not self.scope.nonsmooth and any(self.scope.moves(a.value) for a in arguments):
            raise self.fault(f"{token.text} has a kink, and stands in forces, normal forces, events and drawings only",
                             token.begin)
        if rule in ("1", "angle"):
            arguments = [self.of_time(a) for a in arguments]
        if rule == "angle":
            arguments = [in_radians(a, units.ONE) for a in arguments]
        unit = self.through(token, arguments, rule)
        return self.finite(self.evaluated(lambda: function(*[a.value for a in arguments]), token.begin), unit,
                           token.begin, end)

    # Arithmetic

    def added(self, left, right, sign, fault):
        if left.unit is not None and right.unit is not None and left.unit != right.unit:
            raise self.unlike(left, right, fault)
        value = left.value + sign * right.value
        return self.finite(value, right.unit if left.unit is None else left.unit, left.begin, right.end)

    def unlike(self, left, right, fault):
        return Fault(self.scalar.line_at(right.begin), f"{self.quoted(left)} is {units.told(left.unit)} and "
                     f"{self.quoted(right)} {units.told(right.unit)}: they {fault}"
                     + "; a number may have its unit behind it, 2 m, where that is no name"
                     * (left.value.is_number or right.value.is_number)
                     + units.unknown(left.unit, right.unit))

    def multiplied(self, left, right):
        unit = None if left.unit is None or right.unit is None else left.unit * right.unit
        return self.finite(left.value * right.value, unit, left.begin, right.end)

    def divided(self, left, right):
        if right.value == 0:
            raise self.fault(f"{self.quoted(left)} is divided by {self.quoted(right)}, which is 0", right.begin)
        unit = None if left.unit is None or right.unit is None else left.unit / right.unit
        return self.finite(left.value / right.value, unit, left.begin, right.end)

    def raised(self, base, exponent):
        if exponent.unit not in (None, units.ONE):
            raise self.fault(f"the exponent {self.quoted(exponent)} is {units.told(exponent.unit)}, and must be a "
                             "number", exponent.begin)
        if base.value == 0 and not exponent.value.is_positive:
            raise self.fault(f"0 is raised to the power {self.quoted(exponent)}", exponent.begin)
        power = exponent.value if exponent.value.is_Rational else None
        self.bounded(base, exponent)
        if power is None and base.unit not in (None, units.ONE):
            raise self.fault(f"{self.quoted(base)} is {units.told(base.unit)}, and its exponent "
                             f"{self.quoted(exponent)} is not a number", exponent.begin)
        unit = base.unit
        if unit is not None and power is not None:
            unit = unit ** Fraction(int(power.p), int(power.q))
        return self.finite(self.evaluated(lambda: base.value ** exponent.value, base.begin), unit, base.begin,
                           exponent.end)

    def bounded(self, base, exponent):
        """Powers of numbers are computed where they can be: 10^10^10 and 10^(10^10 + x) are not tried."""
        power = exponent.value.as_coeff_Add()[0]
        large = abs(power) > LARGEST_EXPONENT
        if base.value.is_Rational:
            digits = max(len(str(abs(base.value.p))), len(str(base.value.q)))
            large = abs(power) * digits > MOST_DIGITS
        if large or power.q > LARGEST_EXPONENT:
            raise self.fault(f"the exponent {self.quoted(exponent)} is too large", exponent.begin)

    def through(self, token, arguments, rule):
        if not self.scope.checked:
            return None
        given = [a.unit for a in arguments if a.unit is not None]
        if rule in ("1", "angle"):
            for a in arguments:
                if a.unit not in (None, units.ONE):
                    wanted = "an angle" if rule == "angle" else "a number"
                    raise self.fault(f"{token.text} wants {wanted}, and {self.quoted(a)} is {units.told(a.unit)}",
                                     a.begin)
        if rule in ("same", "ratio") and len(given) > 1 and given[0] != given[1]:
            raise self.unlike(arguments[0], arguments[1], f"cannot stand together in {token.text}")
        if rule in ("1", "angle", "ratio", "sign"):
            return units.ONE
        return (given[0] ** Fraction(1, 2) if rule == "half" else given[0]) if given else None

    def evaluated(self, build, begin):
        """What SymPy makes of it, which evaluates as it builds."""
        try:
            return build()
        except (ArithmeticError, ValueError, TypeError):
            raise self.fault("this cannot be evaluated", begin) from None

    def finite(self, value, unit, begin, end):
        """A Quantity, unless it has no real value: 0^-1, log(0), sqrt(-1), a number too large for doubles."""
        quantity = Quantity(value, unit, begin, end)
        if value.has(sympy.zoo, sympy.nan, sympy.oo, -sympy.oo):
            raise self.fault(f"{self.quoted(quantity)} is infinite or has no value", begin)
        constant = (value if value.is_number else value.as_coeff_Mul()[0]).evalf(15)
        if value.has(sympy.I) or constant.has(sympy.I):
            raise self.fault(f"{self.quoted(quantity)} is not a real number", begin)
        size = abs(constant)
        if size != 0 and not 1e-307 < size < 1.7e308:
            raise self.fault(f"{self.quoted(quantity)} is out of the range of doubles", begin)
        return quantity
