"""The problem file in C of a model: what a person would write who has the equations."""

from derive.base.fault import Fault
from derive.writing import in_words, names as naming, record
from derive.writing.c_expression import Unwritable
from derive.writing.functions import Functions
from derive.writing.layout import paragraph, statement
from derive.writing.mode_file import Records


def write(model, modes):
    """The whole file; modes as modes.of gives them."""
    try:
        return _written(model, modes)
    except Unwritable as problem:
        raise Fault(1, f"the equations of {model.name} cannot be written in C: {problem}") from problem


def _written(model, modes):
    names = naming.Names(model)
    functions = Functions(model, names)
    records = Records(model, modes, names, functions)
    halves = records.text()
    first = [_comment(model, names), "#ifndef DAE_PASS", *_enumerators(names, records), *_includes(model), "",
             halves, f"DAE_PLUGIN_PROBLEMS(&{naming.record(model.name)});", "", "#else", ""]
    return "\n".join(first) + "\n" + functions.all_text() + "\n#endif\n"


def _comment(model, names):
    """What it is, the equations, the unknowns."""
    lines = [*paragraph(f"{model.name} - {model.title or 'a mechanical problem'}", 104), ""]
    lines += ["  " + line for line in in_words.lines(model, names)] + [""]
    lines += _unknowns(model.coordinates) + ["", "Derived from a model in words by daelab derive."]
    return "/*" + "\n".join((" * " + record.comment(line)).rstrip() for line in lines)[2:] + "\n */"


def _unknowns(coordinates):
    """What they are, with units, one below the other where there are texts."""
    heads = [f"{c.name} [{c.unit}]" for c in coordinates]
    if not any(c.text for c in coordinates):
        return ["  " + line for line in paragraph("of " + ", ".join(heads), 104)]
    width = max(map(len, heads))
    return [f"  {head.ljust(width)}  {c.text}" for head, c in zip(heads, coordinates)]


def _enumerators(names, records):
    lists = [list(names.parameters.values()), records.layout.enumerators() if records.switching else []]
    return [statement(f"enum {{ {', '.join(one)} }};", 0, 7) for one in lists if one]


def _includes(model):
    return ["#include <daelab/drawing.h>"] * bool(model.drawing) + ["#include <daelab/model.h>"]
