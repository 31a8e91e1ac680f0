"""Common subexpressions of the rows of a function, where a name of its own pays.

A name pays where it saves a call, a quotient, or several operations; the names say what they stand for:
s_phi = sin(phi), x2_minus_x1, square_dphi, g_over_l.
"""

from collections import Counter

import sympy

from derive.algebra import shared, tidy
from derive.algebra.order import PARAMETER, is_negative

CALL, QUOTIENT, LEAST_SAVING, LONGEST_NAME = 8, 4, 2, 24
LONG = 20000                    # nodes of a row, written out: beyond this the search for equal parts is a simpler one
SHORT = {sympy.sin: "s", sympy.cos: "c", sympy.tan: "tan", sympy.exp: "exp", sympy.Abs: "abs"}

NUMBERS = {sympy.Rational(1, 2): "half", sympy.S(2): "two", sympy.S(3): "three", sympy.S(4): "four"}


def cost(e):
    """Operations of an expression, those of what is in it included; a multiplication is 1."""
    own = 0
    if e.is_Add:
        own = len(e.args) - 1
    elif e.is_Mul:
        own = len([a for a in e.args if a is not sympy.S.NegativeOne]) - 1
    elif e.is_Pow:
        whole = e.exp.is_Integer
        own = (QUOTIENT if e.exp.is_negative else 0) + (abs(int(e.exp)) - 1 if whole else QUOTIENT)
    elif e.args:
        own = CALL
    return own + sum(cost(a) for a in e.args)


def _uses(expressions):
    """How often each symbol is written."""
    found = Counter()

    def count(e, times):
        if e.is_Symbol:
            found[e] += times
        elif e.is_Pow and e.exp.is_Integer:
            count(e.base, times * min(abs(int(e.exp)), 4))
        else:
            for a in e.args:
                count(a, times)
    for e in expressions:
        count(e, 1)
    return found


class Signs:
    """Differences that are factors in one direction, that which comes last in the text positive: x2 - x1."""

    def __init__(self, order):
        self.order, self.known = order, {}

    def settled(self, e):
        if not e.args:
            return e
        if e not in self.known:
            args = [self.settled(a) for a in e.args]
            self.known[e] = self._product(args) if e.is_Mul else e.func(*args) if args != list(e.args) else e
        return self.known[e]

    def _product(self, factors):
        minus = [f.is_Add and self._turned(f) for f in factors]
        sign = -1 if sum(minus) % 2 else 1
        return sympy.Mul(sign, *(-f if turn else f for f, turn in zip(factors, minus)))

    def _turned(self, total):
        last = max(total.args, key=lambda term: (self.order.ranks_in(term)[-1:], sympy.default_sort_key(term)))
        return is_negative(last)


def _shared(rows, symbols):
    """The same of rows that are long when they are written out: a name for each part that stands in several places."""
    uses = Counter(part for whole in shared.parts(*rows) for part in set(whole.args))
    uses.update(rows)
    known, definitions = {}, []
    for part in shared.parts(*rows):
        if not part.args:
            known[part] = part
            continue
        made = part.func(*[known[a] for a in part.args])
        if uses[part] > 1 and made.args and not is_negative(made):
            symbol = next(symbols)
            definitions.append((symbol, made))
            made = symbol
        known[part] = made
    return definitions, [known[row] for row in rows]


class Named:
    """rows with names for what they share: definitions (symbol, expression) in order, rows.

    given: (symbol, expression, name) of what has a name already; rows hold the symbol, not the expression.
    groups: numbers of rows that follow each other; what the first need is defined first.
    """

    def __init__(self, rows, order, local, given=(), groups=()):
        self.order, self.local = order, local
        self.wanted = {symbol: name for symbol, _, name in given}
        signs = Signs(order)
        expressions = [signs.settled(e) for e in [e for _, e, _ in given] + rows]
        definitions, reduced = self._worth_it(*self._common(expressions))
        self.rows = reduced[len(given):]
        self.definitions = self._placed(definitions, [(s, e) for (s, _, _), e in zip(given, reduced)])
        self._bases_of_powers()
        self._without_minus()
        self._sort()
        self._by_groups(groups or [len(self.rows)])
        self._name()

    @staticmethod
    def _common(rows):
        symbols = (sympy.Symbol(f"common{i}", real=True) for i in range(10**6))
        if max((tidy.size(row) for row in rows), default=0) > LONG:
            return _shared(rows, symbols)
        return sympy.cse(rows, symbols=symbols, order="canonical")

    @staticmethod
    def _placed(definitions, given):
        """Those given stand before what is made of them."""
        made, before, behind = {s for s, _ in given}, [], []
        for symbol, e in definitions:
            if e.free_symbols & made:
                made.add(symbol)
                behind.append((symbol, e))
            else:
                before.append((symbol, e))
        return before + given + behind

    def _worth_it(self, definitions, rows):
        """Definitions that save enough; the others go back to where they came from."""
        kept = []
        for symbol, e in reversed(definitions):
            uses = _uses(rows + [d for _, d in kept])[symbol]
            if (uses - 1) * cost(e) >= LEAST_SAVING:
                kept.append((symbol, e))
            else:
                rows = [r.xreplace({symbol: e}) for r in rows]
                kept = [(s, d.xreplace({symbol: e})) for s, d in kept]
        return kept[::-1], rows

    def _bases_of_powers(self):
        """What is multiplied with itself has a name."""
        i = 0
        while i < len(self.definitions) + len(self.rows):
            n = len(self.definitions)
            base = self._base_in(self.definitions[i][1] if i < n else self.rows[i - n])
            if base is None:
                i += 1
                continue
            symbol = sympy.Symbol(f"base{n}", real=True)
            self._replace(base, symbol)
            self.definitions.insert(min(i, n), (symbol, base))

    @staticmethod
    def _base_in(e):
        """An innermost base of a power that is no symbol."""
        for part in sympy.postorder_traversal(e):
            if part.is_Pow and part.exp.is_Integer and abs(part.exp) > 1 and part.base.args:
                return part.base
        return None

    def _without_minus(self):
        """Names are of m g, not of -m g."""
        for i, (symbol, e) in enumerate(self.definitions):
            if is_negative(e) and symbol not in self.wanted:
                self.definitions[i] = symbol, -e
                self._replace(symbol, -symbol, i + 1)

    def _replace(self, e, symbol, first=0):
        self.definitions[first:] = [(s, d.xreplace({e: symbol})) for s, d in self.definitions[first:]]
        self.rows = [r.xreplace({e: symbol}) for r in self.rows]

    def _sort(self):
        """What is made of parameters only comes first, then by what it is made of, as far as each can be."""
        for symbol, e in self.definitions:
            self.order.rank[symbol] = max(self.order.ranks_in(e), default=(PARAMETER, -1))
        left, self.definitions = list(self.definitions), []
        while left:
            waiting = {s for s, _ in left}
            ready = [d for d in left if not d[1].free_symbols & waiting]
            first = min(ready, key=lambda d: (not self.is_param(d[0]), self.order.rank[d[0]], self._function(d[1])))
            left.remove(first)
            self.definitions.append(first)

    def needed_by(self, rows):
        """Symbols of the definitions that these rows are made of."""
        needed = {s for r in rows for s in r.free_symbols}
        for symbol, e in reversed(self.definitions):
            if symbol in needed:
                needed |= e.free_symbols
        return needed & {s for s, _ in self.definitions}

    def _by_groups(self, groups):
        """In the order of their use; what no row needs is left out."""
        placed, begin = [], 0
        for count in groups:
            needed = self.needed_by(self.rows[begin:begin + count])
            placed += [d for d in self.definitions if d[0] in needed and d not in placed]
            begin += count
        self.definitions = placed

    @staticmethod
    def _function(e):
        """sin comes before cos."""
        return {sympy.sin: 0, sympy.cos: 1}.get(e.func, 2)

    def is_param(self, symbol):
        return self.order.rank[symbol][0] == PARAMETER

    # Names

    def _name(self):
        self.names, names = {}, dict(self.local.names.small)
        for symbol, e in self.definitions:
            wanted = [self.wanted.get(symbol), describe(e, names, self.order)]
            wanted = [w for w in wanted if w and len(w) <= LONGEST_NAME]
            self.names[symbol] = names[symbol] = self.local.new(*(wanted or [plain_name(e)]))


def plain_name(e):
    """A name for what has none."""
    if e.is_Add:
        return "sum"
    if e.is_Pow and e.exp == sympy.Rational(1, 2):
        return "root"
    return "product" if e.is_Mul or e.is_Pow else "term"


def describe(e, names, order):
    """A name made of the names in it, or None."""
    if e.is_Symbol or e is sympy.pi:
        return "pi" if e is sympy.pi else names.get(e, "t")
    if e.is_Add:
        return _of_sum(e, names, order)
    if e.is_Mul or e.is_Pow:
        return _of_product(e, names, order)
    parts = [describe(a, names, order) for a in e.args] or [None]
    head = SHORT.get(e.func, e.func.__name__.lower())
    return None if None in parts else "_".join([head, *parts])


def _of_sum(e, names, order):
    terms = order.terms(e.args)
    parts = [describe(-t if is_negative(t) else t, names, order) for t in terms]
    if len(terms) != 2 or None in parts or is_negative(terms[0]):
        return None
    return f"{parts[0]}_{'minus' if is_negative(terms[1]) else 'plus'}_{parts[1]}"


def _of_product(e, names, order):
    coefficient, factors = e.as_coeff_mul()
    above, below = [], []
    for factor in order.factors(factors):
        base, exponent = factor.as_base_exp()
        part = describe(base, names, order)
        if part is None or abs(exponent) not in (1, 2, sympy.Rational(1, 2)):
            return None
        word = {1: "", 2: "square_"}.get(abs(exponent), "root_") + part
        (below if exponent.is_negative else above).append(word)
    number = [] if abs(coefficient) == 1 else [NUMBERS.get(abs(coefficient), "part_of")]
    return "_".join(number + above + (["over"] + below if below else []))
