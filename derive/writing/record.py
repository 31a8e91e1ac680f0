"""Records of problem.h: designated initialisers, texts, units."""

import re

from derive.writing.layout import WIDTH, paragraph

RANGES = {"positive": "DAE_POSITIVE", "nonnegative": "DAE_NONNEGATIVE", "any": "DAE_ANY_VALUE"}


def text(words):
    """A string of C."""
    plain = "".join(c if c.isprintable() else " " for c in words)
    return '"' + _without_trigraphs(plain.replace("\\", "\\\\").replace('"', '\\"'), "\\") + '"'


def comment(words):
    """Words that may stand in a comment."""
    plain = "".join(c if c.isprintable() else " " for c in words).replace("*/", "* /").replace("/*", "/ *")
    return _without_trigraphs(plain, " ")


def _without_trigraphs(words, between):
    """No two question marks beside each other, which begin a trigraph of C."""
    return re.sub(r"\?(?=\?)", lambda _: "?" + between, words)


def number(value):
    """A double of C."""
    plain = repr(float(value))
    return plain[:-2] if plain.endswith(".0") else plain


def as_typed(digits):
    """The number of a text as a double of C: no octal, no integer that is too long."""
    sign, rest = re.fullmatch(r"([+-]?)(.*)", digits.strip()).groups()
    rest = re.sub(r"^0+(?=\d)", "", rest)
    return sign.replace("+", "") + rest + (".0" if rest.isdigit() and len(rest) > 9 else "")


def of_velocity(unit):
    """The unit of a rate."""
    if unit in ("-", "1", ""):
        return "1/s"
    if unit.endswith("/s"):
        return unit + "^2"
    return unit + "/s"


def states(model, names, equations):
    """Words of .variables and .units, in the order q, v, lambda."""
    reactions = {r.symbol: r for r in [*model.constraints, *model.frictions]}
    acting = [reactions[s] for s in equations.multipliers]
    variables = [names.words[s] for s in [*equations.q, *equations.v, *equations.multipliers]]
    units = [c.unit for c in model.coordinates]
    units += [of_velocity(c.unit) for c in model.coordinates] + [r.unit for r in acting]
    return " ".join(variables), " ".join(units)


def field(name, value):
    return f".{name} = {value}"


def lines_of_text(name, lines):
    """.name = "line\\n" "line", one below the other."""
    head = f"    .{name} = "
    written = [text(line)[:-1] + "\\n\"" for line in lines[:-1]] + [text(lines[-1])]
    return head + ("\n" + " " * len(head)).join(written) + ","


def lines_of_words(name, words):
    """.name = "word word " "word", one below the other where there are many."""
    head = f"    .{name} = "
    lines = paragraph(words, WIDTH - len(head) - 6)
    written = [text(line + " ") for line in lines[:-1]] + [text(lines[-1])]
    return head + ("\n" + " " * len(head)).join(written) + ","


def parameter(p):
    one = (f"{{{text(p.name)}, {as_typed(p.value)}, {text(p.unit)}, {text(p.text)}, {RANGES[p.range]}}},")
    if len(one) + 8 <= WIDTH:
        return "        " + one
    at = one.rindex(", DAE_") + 1
    return "        " + one[:at] + "\n         " + one[at + 1:]


def filled(parts, indent):
    """Fields, as many on a line as fit."""
    lines = []
    for part in parts:
        if lines and len(lines[-1]) + len(part) + 2 <= WIDTH and "\n" not in part:
            lines[-1] += f" {part},"
        else:
            lines.append(" " * indent + part + ",")
    return lines
