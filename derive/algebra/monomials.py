"""An expression as a sum of monomials, number * factor^exponent * ..., whose sums are multiplied out.

A factor is what is neither a sum nor a product: a symbol, a function, the base of a root or of a denominator. It
has a number, its rank, in the order in which factors are met; a monomial is {rank: exponent}, kept as a sorted
tuple, so that what is done with monomials has the same order each time.
"""

import sympy

MOST = 120                      # monomials; beyond them an expression stays as it is


class TooMany(Exception):
    """An expression of more than MOST monomials."""


class Monomials:
    """The factors of expressions, by rank; sums are {((rank, exponent), ...): number}.

    With sums_stay a sum within a product is a factor like others, and not multiplied out.
    """

    def __init__(self, sums_stay=False):
        self.factors = []
        self.ranks = {}
        self.sums_stay = sums_stay

    def rank(self, factor):
        if factor not in self.ranks:
            self.ranks[factor] = len(self.factors)
            self.factors.append(factor)
        return self.ranks[factor]

    def of(self, expr):
        if expr.is_Add:
            return sum_of([self.of(term) for term in expr.args])
        if expr.is_Mul:
            product = {(): sympy.S.One}
            for part in expr.args:
                product = product_of(product, self._factor(part))
            return product
        if expr.is_Rational:
            return {(): expr} if expr != 0 else {}
        if expr.is_Pow and expr.exp.is_Rational:
            return self._power(expr.base, expr.exp)
        return {((self.rank(expr), sympy.S.One),): sympy.S.One}

    def _factor(self, part):
        if part.is_Add and self.sums_stay:
            return self._power(part, sympy.S.One)
        return self.of(part)

    def _power(self, base, exponent):
        if exponent.is_Integer and exponent > 0 and not (base.is_Add and self.sums_stay):
            product = {(): sympy.S.One}
            for _ in range(exponent):
                product = product_of(product, self.of(base))
            return product
        return {((self.rank(base), exponent),): sympy.S.One}

    def term(self, key, number):
        return sympy.Mul(number, *[self.factors[rank] ** exponent for rank, exponent in key])

    def expression(self, terms):
        return sympy.Add(*[self.term(key, number) for key, number in terms.items()])


def sum_of(sums):
    """The sum of several."""
    total = {}
    for terms in sums:
        for key, number in terms.items():
            total[key] = total.get(key, sympy.S.Zero) + number
    return {key: number for key, number in total.items() if number != 0}


def product_of(left, right):
    """The product of two."""
    if len(left) * len(right) > MOST:
        raise TooMany
    return sum_of([{times(a, b): left[a] * right[b]} for a in left for b in right])


def times(left, right):
    """The product of two monomials."""
    exponents = dict(left)
    for rank, exponent in right:
        exponents[rank] = exponents.get(rank, sympy.S.Zero) + exponent
    return tuple(sorted((rank, exponent) for rank, exponent in exponents.items() if exponent != 0))


def over(left, right):
    """Their quotient."""
    return times(left, tuple((rank, -exponent) for rank, exponent in right))


def common(keys):
    """The largest monomial that divides each of keys: exponents that all of them have with one sign."""
    shared = dict(keys[0])
    for key in keys[1:]:
        exponents = dict(key)
        shared = {rank: _nearer(exponent, exponents[rank]) for rank, exponent in shared.items()
                  if exponents.get(rank, 0) * exponent > 0}
    return tuple(sorted(shared.items()))


def _nearer(a, b):
    return a if abs(a) <= abs(b) else b
