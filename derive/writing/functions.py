"""The functions of a problem file: maps, starts, events and actions of the second half.

A function whose text is there already is not written again: two modes share it.
"""

import itertools

import sympy

from derive.base.model import TIME
from derive.algebra import tidy
from derive.algebra.order import Order, ranks
from derive.algebra.subexpressions import Named
from derive.writing import layout
from derive.writing.c_expression import CWriter
from derive.writing.names import Locals

ZERO = "(real){0}"
SHORT = 200                     # operations
HEAD = "const param *p, real t, const real *"
ONE = HEAD + "q, real *"
TWO = HEAD + "q, const real *"
EVENT = "const param *p, real t, const real *x, int k"
ACTION = "const param *p, real t, real *x, real *p_new, int k"


class Block:
    """Statements of one function: definitions of what its rows share, and the rows, as C."""

    def __init__(self, model, names, place, rows, passes=True, given=(), lengths=False, groups=()):
        self.order = Order(ranks(model))
        self.locals = Locals(names)
        self.named = Named([sympy.sympify(r) for r in rows], self.order, self.locals, given, groups)
        place = {**names_in_p(names), **place, **self.named.names}
        self.writer, self.passes = CWriter(place, self.order, passes, lengths), passes
        self.rows = self.named.rows

    def new_local(self, name):
        return self.locals.new(name)

    def text_of(self, row):
        return self.writer.write(row)

    def kind(self, symbol, e):
        if not self.passes:
            return "double"
        of_parameters = self.named.is_param(symbol) and not e.has(sympy.sign)
        return "param" if of_parameters else "real"

    def declarations(self, wanted=None):
        """Those of the definitions that are wanted, all by default."""
        return layout.declarations([(self.kind(s, e), f"{self.named.names[s]} = {self.writer.write(e)}")
                                    for s, e in self.named.definitions if wanted is None or s in wanted])

    def has_sign(self):
        return any(e.has(sympy.sign) for e in self.rows + [d for _, d in self.named.definitions])


def names_in_p(names):
    return {**{s: f"p[{e}]" for s, e in names.parameters.items()}, TIME: "t"}


def assignments(targets, texts, zero=ZERO):
    """target = text; targets of one text are set together."""
    by_text = {}
    for target, text in zip(targets, texts):
        by_text.setdefault(zero if text == "0" else text, []).append(target)
    lines = []
    for text, same in by_text.items():
        align = 4 + len(same[0]) + 3 if len(same) == 1 else 8
        lines.append(layout.statement(" = ".join(same + [text]) + ";", 4, align))
    return lines


def _tidied(rows):
    """Few and short rows in their cheapest form; what is long shares more as it stands."""
    return [tidy.tidy(r) for r in rows] if sum(tidy.cost(r) for r in rows) < SHORT else rows


class Functions:
    """The functions of one file, in the order in which they were asked for."""

    def __init__(self, model, names):
        self.model, self.names = model, names
        self.texts = {}             # name -> what stands behind FN(name)
        self.uses_sign = False

    def all_text(self):
        sign = ["static real FN(sign)(real x)\n{\n    return value(x) > 0 ? 1 : value(x) < 0 ? -1 : 0 * x;\n}\n"]
        written = [self._whole(name, text) for name, text in self.texts.items()]
        return "\n".join((sign if self.uses_sign else []) + written)

    @staticmethod
    def _whole(name, text):
        kind, arguments, body = text
        head = f"static {kind} FN({name})({arguments})"
        short = f"{head} {{ {body.strip()} }}\n"
        if kind == "real" and "\n" not in body and len(short) <= layout.WIDTH:
            return short
        return layout.statement(head, 0, head.index(")(") + 2) + "\n{\n" + body + "\n}\n"

    def add(self, stem, kind, arguments, body, suffix=""):
        """The name of a function of this text: stem, or with the suffix where another has it."""
        text, name, number = (kind, arguments, body), stem, 1
        same = [n for n, t in self.texts.items() if t == text]
        if same:
            return same[0]
        while name in self.texts or name == "sign":
            name = stem + suffix + (f"_{number}" if number > 1 or not suffix else "")
            number += 1
        self.texts[name] = text
        return name

    def _block(self, place, rows, given=(), lengths=False):
        block = Block(self.model, self.names, place, rows, given=given, lengths=lengths)
        self.uses_sign = self.uses_sign or block.has_sign()
        return block

    # Maps

    def _map(self, stem, arguments, out, place, rows, suffix="", given=()):
        block = self._block(place, rows, given)
        targets = [f"{out}[{i}]" for i in range(len(rows))]
        lines = block.declarations() + assignments(targets, [block.text_of(r) for r in block.rows])
        return self.add(stem, "void", arguments + out, "\n".join(lines), suffix)

    def maps(self, equations, suffix=""):
        """The six maps of the equations, without constraints two, without those on positions five: what they
        are in a record -> name."""
        e, place = equations, places(equations)
        table = [("force", TWO + "v, real *", "f", e.f)]
        if e.multipliers:
            table += [("constraint", ONE, "g", e.g)] if len(e.g) else []
            table += [("rate", TWO + "v, real *", "dg", e.rate),
                      ("acceleration", TWO + "v, const real *a, real *", "ddg", e.acceleration),
                      ("reaction", TWO + "lambda, real *", "r", e.reaction)]
        if e.energy is not None:
            table.append(("energy", TWO + "v, real *", "h", [e.energy]))
        found = {"inertia": self._inertia(e, place, suffix)}
        for stem, arguments, out, rows in table:
            found[stem] = self._map(stem, arguments, out, place, list(rows), suffix)
        return found

    def _inertia(self, e, place, suffix):
        """M a; what of M is off its diagonal is computed once."""
        if e.inertia is not None:
            return self._map("inertia", TWO + "a, real *", "r", place, e.inertia, suffix)
        M, given = e.M.copy(), []
        for i, j in itertools.combinations(range(len(e.q)), 2):
            if M[i, j].args:
                symbol = sympy.Symbol(f"M{i + 1}{j + 1}", real=True)
                given.append((symbol, M[i, j], f"m{i + 1}{j + 1}"))
                M[i, j] = M[j, i] = symbol
        return self._map("inertia", TWO + "a, real *", "r", place, list(M * sympy.Matrix(e.a)), suffix, given)

    def minimal(self, minimal, equations, suffix=""):
        """Minimal coordinates: the maps of their record."""
        n, kept = len(minimal.kept), minimal.kept
        place = {c.q: f"s[{i}]" for i, c in enumerate(kept)}
        place.update({c.v: f"ds[{i}]" for i, c in enumerate(kept)})
        head = HEAD + "s, const real *ds, real *"
        acceleration = self._map("minimal_acceleration", head, "dds", place, minimal.acceleration, suffix)
        embed = self._map("embed", head, "u", place, [*minimal.q, *minimal.v], suffix)
        at = [equations.q.index(c.q) for c in kept]
        rows = [f"    s[{i}] = q[{j}];" for i, j in enumerate(at)]
        rows += [f"    s[{n + i}] = v[{j}];" for i, j in enumerate(at)]
        chart = self.add("chart", "void", TWO + "v, real *s", "\n".join(rows), suffix)
        return {"acceleration": acceleration, "embed": embed, "chart": chart}

    # What is not of the equations: starts, numbers along a motion

    def start(self, start, symbols, suffix=""):
        """u of (q, v, lambda), symbols; what is 0 is left out."""
        rows = [sympy.sympify(start.get(s, 0)) for s in symbols]
        block = self._block({}, rows)
        lines = [layout.statement(f"u[{i}] = {block.text_of(r)};", 4, 11) for i, r in enumerate(block.rows) if r != 0]
        if not lines:
            lines = ["    u[0] = " + ZERO + ";"]
        return self.add("start", "void", "const param *p, real *u", "\n".join(block.declarations() + lines), suffix)

    def vector(self, stem, rows, place):
        """Numbers along a motion, such as invariants, of (t, x)."""
        return self._map(stem, HEAD + "x, real *", "out", place, rows)

    def number(self, stem, value, place, only=(), falling=False, suffix=""):
        """A number of (t, x): an event's, heard where the expressions of only have their signs, or a measure."""
        block = self._block(place, [tidy.tidy(e) for e in (value, *(e for e, _ in only))], lengths=True)
        text, *others = [block.text_of(r) for r in block.rows]
        lines = block.declarations()
        if only:
            lines.append(layout.statement(f"const real distance = {text};", 4, 27))
            sides = [(self._named(block, lines, o), sign) for o, (_, sign) in zip(others, only)]
            text = _heard(sides, falling)
        lines.append(layout.statement(f"return {text};", 4, 11))
        return self.add(stem, "real", EVENT, "\n".join(lines), suffix)

    @staticmethod
    def _named(block, lines, text):
        """A number that is asked more than once: by a name, where it is long."""
        if " " not in text:
            return text
        name = block.new_local("along")
        lines.append(layout.statement(f"const real {name} = {text};", 4, 4 + len(f"const real {name} = ")))
        return name

    def action(self, stem, then, place, suffix=""):
        """Changes of x and p_new; all are of the state before."""
        block = self._block(place, _tidied([e for _, e in then]))
        new = {p.symbol: f"p_new[{self.names.parameters[p.symbol]}]" for p in self.model.parameters}
        targets = [new.get(symbol) or place[symbol] for symbol, _ in then]
        lines, texts, changed = block.declarations(), [], set()
        for (symbol, _), row in zip(then, block.rows):
            text = block.text_of(row)
            if changed & row.free_symbols:
                name = block.new_local("new_" + self.names.small[symbol])
                lines.append(layout.statement(f"const real {name} = {text};", 4, 4 + len(f"const real {name} = ")))
                text = name
            changed |= {symbol} & set(place)
            texts.append(text)
        lines += assignments(targets, texts) + ["    return 0;"]
        return self.add(stem, "int", ACTION, "\n".join(lines), suffix)


def _heard(sides, falling):
    """distance where each number has its sign, >= 0 or < 0, else what has not passed zero.

    It is continuous until distance passes: a jump beyond would hide the passage within a long step.
    """
    conditions = " && ".join(f"value({text}) {'>=' if sign > 0 else '<'} 0" for text, sign in sides)
    nearest, away = ("fmax", -1) if falling else ("fmin", 1)
    otherwise = "distance"
    for text, sign in sides:
        otherwise = f"{nearest}({otherwise}, {text if sign * away > 0 else '-' + text})"
    return f"{conditions} ? distance : {otherwise}"


def places(equations):
    """symbol -> its place among the arguments of a map."""
    found = {}
    for name, symbols in (("q", equations.q), ("v", equations.v), ("a", equations.a),
                          ("lambda", equations.multipliers)):
        found.update({s: f"{name}[{i}]" for i, s in enumerate(symbols)})
    return found
