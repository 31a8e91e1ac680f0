"""Expressions in LaTeX, as a person writes them: m L \\dot{\\varphi}^{2} + m g \\cos\\varphi.

Factors come as numbers, parameters in the order of the text, coordinates, velocities, sums, functions; terms as in
order.py: those with velocities first.
"""

import re

import sympy


from derive.algebra.order import Order, is_negative, ranks

GREEK = {name: "\\" + name for name in (
    "alpha beta gamma delta zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon chi psi omega "
    "Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega").split()}
GREEK.update(phi=r"\varphi", epsilon=r"\varepsilon")

FUNCTIONS = {
    "sin": r"\sin", "cos": r"\cos", "tan": r"\tan", "asin": r"\arcsin", "acos": r"\arccos", "atan": r"\arctan",
    "sinh": r"\sinh", "cosh": r"\cosh", "tanh": r"\tanh", "asinh": r"\operatorname{arsinh}",
    "acosh": r"\operatorname{arcosh}", "atanh": r"\operatorname{artanh}", "log": r"\ln", "Max": r"\max",
    "Min": r"\min", "sign": r"\operatorname{sgn}", "atan2": r"\operatorname{atan2}",
}

SUM, PRODUCT, FACTOR = range(3)         # what stands without parentheses: a + b, a b, a


def escaped(text):
    """Words in LaTeX."""
    special = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    return "".join(special.get(c, "\\" + c if c in "_%&#${}" else c) for c in text)


def name_of(word):
    """theta0 -> \\theta_{0}, mu_s -> \\mu_{s}, x1' -> \\dot{x}_{1}, nail -> \\mathit{nail}."""
    stem, dots = word.rstrip("'"), len(word) - len(word.rstrip("'"))
    head, below = _split(stem)
    head = {0: "%s", 1: r"\dot{%s}", 2: r"\ddot{%s}"}[dots] % _letters(head)
    return head + (f"_{{{below}}}" if below else "")


def _split(stem):
    """(head, subscript) of a name such as m1, mu_s, k_1_2."""
    head, *rest = [part for part in stem.split("_") if part] or [stem]
    tail = re.search(r"\d+$", head)
    if tail and tail.start():
        head, rest = head[:tail.start()], [tail.group(), *rest]
    return head, ",".join(part if len(part) == 1 or part.isdigit() else _letters(part) for part in rest)


def _letters(word):
    if len(word) == 1:
        return word
    return GREEK.get(word, r"\mathit{%s}" % word)


def names(symbols):
    """{symbol: LaTeX}; one that would look like another is written out."""
    found, taken = {}, set()
    for symbol in symbols:
        name = name_of(symbol.name)
        if name in taken:
            name = r"\mathit{%s}" % escaped(symbol.name)
        taken.add(name)
        found[symbol] = name
    return found


def _beside(factors):
    """A product; words of several letters keep a distance."""
    row = factors[0]
    for last, factor in zip(factors, factors[1:]):
        apart = last.startswith(r"\mathit") or factor.startswith(r"\mathit")
        row += (r" \, " if apart else " ") + factor
    return row


class Writer:
    """Writes the expressions of a model."""

    def __init__(self, model):
        rank = ranks(model)
        self.names = names(sorted(rank, key=rank.get))
        self.rank = rank
        self.order = Order(rank)

    def write(self, expr):
        return self._within(sympy.sympify(expr), SUM)

    def terms(self, expr):
        """[(sign, term)] of a sum, in their order; of anything else the one that it is."""
        if is_negative(expr) and (-expr).is_Add:
            expr = sympy.Add(*[-term for term in (-expr).args])
        terms = self.order.terms(expr.args) if expr.is_Add else [expr]
        return [("-" if is_negative(t) else "+", self._within(-t if is_negative(t) else t, PRODUCT)) for t in terms]

    def symbol(self, symbol):
        return self.names.get(symbol) or name_of(symbol.name)

    def _within(self, expr, level):
        """expr where what binds less than level stands in parentheses."""
        if expr.is_Add:
            return self._closed(self.joined(self.terms(expr)), level > SUM)
        if is_negative(expr):
            return self._closed("-" + self._within(-expr, PRODUCT), level > SUM)
        if expr.is_Mul or expr.is_Rational and not expr.is_Integer:
            return self._closed(self._product(expr), level > PRODUCT)
        if expr.is_Pow:
            return self._power(expr, level)
        return self._atom(expr)

    @staticmethod
    def _closed(text, closed):
        return rf"\left({text}\right)" if closed else text

    @staticmethod
    def joined(terms):
        first, rest = terms[0], terms[1:]
        lead = "-" if first[0] == "-" else ""
        return lead + first[1] + "".join(f" {sign} {term}" for sign, term in rest)

    # ---- products ----------------------------------------------------------------------------

    def _product(self, expr):
        """Parameters over parameters, and the rest behind; where a coordinate is below, all in one fraction."""
        above, below = self._parts(expr)
        if not below:
            return self._row(above)
        plain = all(self._is_plain(factor) for factor in below)
        if plain and all(factor.is_number for factor in below):
            front = [factor for factor in above if factor.is_number]
        else:
            front = [factor for factor in above if not plain or self._is_plain(factor)]
        front = front or (above if not below[-1].is_number else [])
        rest = [factor for factor in above if factor not in front]
        fraction = rf"\frac{{{self._row(front)}}}{{{self._row(below)}}}"
        return _beside([fraction, *(self._within(factor, FACTOR) for factor in rest)])

    def _is_plain(self, factor):
        """Of parameters, and no sum of them."""
        return not factor.is_Add and all(self.rank.get(s, (9,))[0] == 0 for s in factor.free_symbols)

    def _parts(self, expr):
        above, below = [], []
        for factor in sympy.Mul.make_args(expr):
            if factor.is_Rational:
                above += [sympy.Integer(factor.p)] if factor.p != 1 else []
                below += [sympy.Integer(factor.q)] if factor.q != 1 else []
            elif factor.is_Pow and factor.exp.is_Rational and factor.exp.is_negative:
                below.append(factor.base ** -factor.exp)
            else:
                above.append(factor)
        return sorted(above, key=self._place), sorted(below, key=self._place)

    def _place(self, factor):
        """Where a factor stands in a product."""
        base = factor.as_base_exp()[0] if not isinstance(factor, sympy.exp) else factor
        ranked = sorted(self.rank.get(symbol, (9, 0)) for symbol in base.free_symbols)
        kind = 0 if base.is_number else 1 if base.is_Symbol else 2 if base.is_Add else 3
        return kind, ranked, self.order.factor(factor)

    def _row(self, factors):
        if not factors:
            return "1"
        if len(factors) == 1:
            return self._within(factors[0], SUM)
        return _beside([self._within(factor, FACTOR) for factor in factors])

    # ---- powers and functions ----------------------------------------------------------------

    def _power(self, expr, level):
        base, exponent = expr.base, expr.exp
        if exponent.is_Rational and exponent.is_negative:
            return self._closed(self._product(expr), level > PRODUCT)
        if exponent == sympy.Rational(1, 2):
            return rf"\sqrt{{{self.write(base)}}}"
        raised = f"{exponent.p}/{exponent.q}" if exponent.is_Rational and exponent.q != 1 else self.write(exponent)
        if base.is_Function and base.func.__name__ in FUNCTIONS and len(base.args) == 1 and exponent.is_Integer:
            return f"{FUNCTIONS[base.func.__name__]}^{{{raised}}}{self._argument(base.args[0])}"
        under = self._within(base, FACTOR)
        if not (base.is_Symbol or base.is_Integer or under.startswith(r"\left")):
            under = rf"\left({under}\right)"
        return f"{under}^{{{raised}}}"

    def _argument(self, arg):
        """\\sin\\varphi, and \\sin x, of a symbol; in parentheses of anything else."""
        if not arg.is_Symbol:
            return rf"\left({self.write(arg)}\right)"
        name = self.symbol(arg)
        return name if name.startswith("\\") else " " + name

    def _atom(self, expr):
        if expr.is_Symbol:
            return self.symbol(expr)
        if expr is sympy.pi:
            return r"\pi"
        if isinstance(expr, sympy.exp):
            return f"e^{{{self.write(expr.args[0])}}}"
        if isinstance(expr, sympy.Abs):
            return rf"\left|{self.write(expr.args[0])}\right|"
        if expr.is_Function:
            return self._call(expr)
        return sympy.latex(expr)

    def _call(self, expr):
        name = FUNCTIONS.get(expr.func.__name__, rf"\operatorname{{{escaped(expr.func.__name__)}}}")
        if len(expr.args) == 1:
            return name + self._argument(expr.args[0])
        args = expr.args if isinstance(expr, sympy.atan2) else sorted(expr.args, key=self.order.term)
        return name + rf"\left({', '.join(self.write(arg) for arg in args)}\right)"
