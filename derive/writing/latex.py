"""The equations of a model in LaTeX: energies, constraints, and of each mode the motion and its reactions.

A fragment of a document, of paragraphs and align* (amsmath). Constraints that are solved for a coordinate are put
into the reactions.
"""

import re

import sympy

from derive.algebra.tidy import multiplied_out, tidy
from derive.mechanics import lagrange, redundant
from derive.writing.latex_expression import Writer, escaped

SHORT = 5                       # terms, up to which a bracket is multiplied out
WIDTH = 55                      # characters of a line, as seen
LONGER = 1.3                    # than the same with brackets, by so much
MOST = 3                        # reactions that are solved for, where there are no minimal coordinates
LONG = 1500                     # of a formula that is left out


def write(model, modes):
    """All of it, as text."""
    page = _Page(model)
    page.paragraph(_headline(model))
    page.energies()
    page.constraints()
    for mode in modes:
        page.mode(mode, len(modes) > 1)
    return "\n".join(page.text) + "\n"


def _headline(model):
    return escaped(f"{model.name}: {model.title}" if model.title else model.name) + "."


class _Page:
    """Paragraphs and formulas, one below the other."""

    def __init__(self, model):
        self.model = model
        self.writer = Writer(model)
        self.text = []

    def paragraph(self, words):
        self.text += ([""] if self.text else []) + [words]

    def align(self, lines):
        if lines:
            self.text += [r"\begin{align*}", " \\\\\n".join(lines), r"\end{align*}"]

    def equation(self, left, *parts):
        """left = the sum of parts, over several lines where it is long."""
        rows, row = ([], f"{left} &=") if seen(left) <= WIDTH / 2 else ([f"& {left}"], r"&\quad =")
        terms = [term for part in map(self.readable, parts) if part != 0 for term in self.writer.terms(part)]
        for i, (sign, term) in enumerate(terms or [("+", "0")]):
            mark = sign if i else sign.replace("+", "")
            if i and seen(row) + seen(term) > WIDTH:
                rows, row = [*rows, row], r"&\quad"
            row += f" {mark} {term}" if mark and i else f" {mark}{term}"
        return " \\\\\n".join([*rows, row])

    def readable(self, expr):
        """Multiplied out where that has few terms, none of them with a sum below, and is not much longer."""
        short, long = tidy(expr), multiplied_out(sympy.sympify(expr))
        if long is None or len(sympy.Add.make_args(long)) > SHORT:
            return short
        if _has_sum_below(long) or _below(long) > _below(short):
            return short
        return long if self._width(long) <= LONGER * self._width(short) else short

    def _width(self, expr):
        return seen(self.writer.write(expr))

    def energies(self):
        """T and V, in script where the text has such a name for something else."""
        taken = set(self.writer.names.values())
        energies = [("T", self.model.kinetic), ("V", self.model.potential)]
        self.align([self.equation(rf"\mathcal{{{name}}}" if name in taken else name, energy)
                    for name, energy in energies if energy != 0])

    # ---- what acts ---------------------------------------------------------------------------

    def constraints(self):
        lines = [self._constraint(c) for c in self.model.constraints]
        lines += [f"0 &\\ge {self.writer.write(self.readable(i.g))}" for i in self.model.impacts]
        lines += [self._friction(f) for f in self.model.frictions]
        if lines:
            self.paragraph("Constraints and their reactions.")
            self.align(lines)

    def _constraint(self, c):
        bound = {0: "", 1: r" \ge 0", -1: r" \le 0"}[c.sign]
        return self.equation("0", c.g) + rf" && \text{{reaction}} \ {self.writer.symbol(c.symbol)}{bound}"

    def _friction(self, f):
        w = self.writer
        force, normal = w.symbol(f.symbol), self.readable(f.normal)
        return (rf"\left|{force}\right| &\le {w.write(f.rest * normal)}, \quad "
                rf"{force} = \mp {w.write(f.motion * normal)} && "
                rf"\text{{friction along}} \ {w.write(self.readable(f.along))}")

    # ---- a mode ------------------------------------------------------------------------------

    def mode(self, mode, named):
        self.paragraph(self._heading(mode) if named else "Equations of motion.")
        self._motion(mode.equations)
        least = mode.minimal or redundant.minimal(self.model, mode.equations)
        self._reactions(mode.equations, least)
        if least is not None and mode.equations.multipliers:
            self.paragraph("In minimal coordinates.")
            self.align([self.equation(self.writer.symbol(c.a), expr)
                        for c, expr in zip(least.kept, least.acceleration)])

    def _heading(self, mode):
        """Its name, and its title, in which constraints stand as formulas."""
        title = escaped(mode.title)
        for c in self.model.constraints:
            if c.text:
                title = title.replace(escaped(c.text), f"${self.writer.write(self.readable(c.g))} = 0$")
        return rf"\textbf{{{escaped(mode.name)}}}" + (f" ({title})." if title else ".")

    def _motion(self, eqs):
        """M a = f - G^T lambda, a row each."""
        n = len(eqs.q)
        self.align([self.equation(self._row([eqs.M[k, j] * eqs.a[j] for j in range(n)]), eqs.f[k], -eqs.reaction[k])
                    for k in range(n)])

    def _row(self, terms):
        parts = [self.writer.terms(self.readable(term)) for term in terms if term != 0]
        return self.writer.joined([part for of_term in parts for part in of_term])

    def _reactions(self, eqs, least):
        """The multipliers as formulas, or what they have to keep at zero."""
        if not eqs.multipliers:
            return
        formulas = (redundant.reactions(self.model, eqs, least.acceleration) if least is not None
                    else lagrange.solved(eqs)[1] if len(eqs.multipliers) <= MOST else [])
        lines = [self.equation(self.writer.symbol(symbol), formula)
                 for symbol, formula in zip(eqs.multipliers, formulas)]
        if lines and max(map(len, lines)) <= LONG:
            self.paragraph("Reactions.")
            self.align(lines)
        else:
            self.paragraph("The reactions are those that keep")
            self.align([self.equation("0", expr) for expr in eqs.acceleration])


def seen(text):
    """Characters that are seen of a formula, about."""
    letters = re.sub(r"\\(?!left|right|frac|dot|ddot|mathit|quad)[a-z]+", "x", text)
    return len(re.sub(r"\\[a-z]+|[{} ^_&]", "", letters))


def _below(expr):
    """Terms of a sum with a symbol in a denominator."""
    return sum(any(factor.is_Pow and factor.exp.is_negative and not factor.is_number
                   for factor in sympy.Mul.make_args(term)) for term in sympy.Add.make_args(expr))


def _has_sum_below(expr):
    return any(factor.is_Pow and factor.base.is_Add for term in sympy.Add.make_args(expr)
               for factor in sympy.Mul.make_args(term))
