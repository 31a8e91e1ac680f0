"""A sum of monomials with few operations: what several have in common stands before a bracket."""

import sympy

from derive.algebra import monomials


def grouped(table, terms):
    """The sum as an expression."""
    if not terms:
        return sympy.S.Zero
    number, key = _content(terms)
    inner = {monomials.over(own, key): value / number for own, value in terms.items()}
    return _times(table.term(key, sympy.S.One), number, _brackets(table, inner))


def _content(terms):
    """The number and the monomial that stand in each term. One term is all of it."""
    keys, numbers = list(terms), list(terms.values())
    key = monomials.common(keys)
    if len(numbers) == 1:
        return numbers[0], key
    denominators = {number.q for number in numbers}
    shared = sympy.Rational(sympy.igcd(*[number.p for number in numbers]),
                            numbers[0].q if len(denominators) == 1 else 1)
    negative = all(number < 0 for number in numbers)
    return (-shared if negative and (key or shared != 1) else shared), key


def _times(monomial, number, bracket):
    """Their product; a number stays before the bracket, which SymPy would multiply with it where both are alone."""
    return sympy.Mul(number, monomial, bracket)


def _brackets(table, terms):
    """A sum whose terms have nothing in common: the group that saves most, in brackets, and the rest."""
    best = _best_group(list(terms))
    if best is None:
        return table.expression(terms)
    inside = {key: terms[key] for key in terms if _divides(best, key)}
    rest = {key: terms[key] for key in terms if key not in inside}
    outside = _brackets(table, rest) if rest else sympy.S.Zero
    return grouped(table, inside) + outside


def _best_group(keys):
    """The monomial that saves most multiplications before a bracket of those it divides, or None."""
    best, most = None, (0, 0)
    tried = set()
    for i, first in enumerate(keys):
        for second in keys[i + 1:]:
            shared = monomials.common([first, second])
            if shared and shared not in tried:
                tried.add(shared)
                saved = _saved(shared, keys)
                if saved > most:
                    best, most = shared, saved
    return best


def _saved(shared, keys):
    size = sum(1 if exponent in (1, 2) else 2 for _, exponent in shared)
    return (sum(_divides(shared, key) for key in keys) - 1) * size, size


def _divides(shared, key):
    exponents = dict(key)
    return all(0 < abs(exponent) <= abs(exponents.get(rank, 0)) and exponent * exponents[rank] > 0
               for rank, exponent in shared)
