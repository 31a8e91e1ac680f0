"""The order of factors and terms: numbers, parameters as in the text, t, q, functions, v, a, multipliers.

SymPy's own order depends on names; this one is that of the text, and the same in every run.
"""

import sympy

from derive.base.model import TIME

PARAMETER, TIMES, POSITION, VELOCITY, ACCELERATION, MULTIPLIER = range(6)


def ranks(model):
    """symbol -> (kind, position in the text)."""
    found = {TIME: (TIMES, 0)}
    for i, p in enumerate(model.parameters):
        found[p.symbol] = (PARAMETER, i)
    for i, c in enumerate(model.coordinates):
        found.update({c.q: (POSITION, i), c.v: (VELOCITY, i), c.a: (ACCELERATION, i)})
    for i, reaction in enumerate([*model.constraints, *model.frictions]):
        found[reaction.symbol] = (MULTIPLIER, i)
    return found


def is_negative(term):
    """Does it begin with a minus?"""
    return bool(term.as_coeff_Mul()[0].is_negative)


class Order:
    """Sorts factors and terms; rank: symbol -> (kind, position)."""

    def __init__(self, rank):
        self.rank = rank
        self.plain = frozenset(rank)

    def ranks_in(self, expression):
        return sorted(self.rank[s] for s in expression.free_symbols)

    def factor(self, factor):
        """Numbers, what is of parameters, time and positions, functions and sums, velocities and the rest."""
        base = factor.as_base_exp()[0]
        ranks = self.ranks_in(base)
        if not ranks:
            group = 0
        elif ranks[-1][0] == PARAMETER:
            group = 1
        elif base not in self.plain:
            group = 3
        else:
            group = 2 if ranks[-1][0] <= POSITION else 4
        return group, ranks, sympy.default_sort_key(factor)

    def term(self, term):
        """Numbers come first; then terms with what changes most: accelerations, velocities, positions."""
        ranks = self.ranks_in(term)
        top = max((kind for kind, _ in ranks), default=-1)
        if top < 0 and not is_negative(term):
            return -MULTIPLIER - 1, [], [], sympy.default_sort_key(term)
        return -top, [i for kind, i in ranks if kind == top], ranks, sympy.default_sort_key(term)

    def factors(self, factors):
        return sorted(factors, key=self.factor)

    def terms(self, terms):
        """Of terms in their order the first that has no minus leads."""
        placed = sorted(terms, key=self.term)
        lead = next((t for t in placed if not is_negative(t)), placed[0])
        return [lead] + [t for t in placed if t is not lead]
