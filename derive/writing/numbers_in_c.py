"""Exact numbers in C: what is no number of a double is not rounded before the pass rounds it."""

from fractions import Fraction

LARGEST_INT = 2**31 - 1
MOST_DIGITS = 34                # of a quad number


def decimal(value):
    """The digits of a fraction that ends, "9.81", "1.5e-08" as "1.5e-8"; None of one that does not."""
    numerator, denominator, places = abs(value.numerator), value.denominator, 0
    while denominator % 10 == 0:
        denominator, places = denominator // 10, places + 1
    for factor in (2, 5):
        while denominator % factor == 0:
            denominator, numerator, places = denominator // factor, numerator * (10 // factor), places + 1
    digits = str(numerator)
    if denominator != 1 or len(digits.rstrip("0")) > MOST_DIGITS:
        return None
    while digits.endswith("0") and len(digits) > 1:
        digits, places = digits[:-1], places - 1
    return ("-" if value < 0 else "") + _placed(digits, places)


def _placed(digits, places):
    """digits 10^-places, with a point or an exponent."""
    exponent = len(digits) - 1 - places
    if -5 <= exponent < 16:
        if places <= 0:
            return digits + "0" * -places + ".0"
        padded = digits.rjust(places + 1, "0")
        return padded[:-places] + "." + padded[-places:]
    return digits[0] + ("." + digits[1:] if digits[1:] else "") + f"e{exponent}"


def integer(value):
    """A whole number as a literal that every pass holds exactly."""
    return str(value) if abs(value) <= LARGEST_INT else literal(Fraction(value), True)


def literal(value, exact):
    """A number by itself; exact: EXACT(...) where a double would round it."""
    if value.denominator == 1 and abs(value) <= LARGEST_INT:
        return str(value.numerator)
    digits = decimal(value)
    if digits is None:
        return None
    rounded = Fraction(float(digits)) != value
    return f"EXACT({digits})" if exact and rounded else digits


def is_small(value):
    """A coefficient that reads well as 3 x/4."""
    return abs(value.numerator) <= 100 and value.denominator <= 1000
