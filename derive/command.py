"""The command line: a model in words in, a problem file in C or its equations in LaTeX out."""

import argparse
import os
import sys
import traceback

from derive import whole_file
from derive.base.fault import Fault
from derive.limit import Limit

DONE, IN_THE_TEXT, OF_THE_SYSTEM = 0, 2, 3      # exit status, as of daelab


class Once(argparse.Action):
    """An option that is given twice is a mistake."""

    def __call__(self, parser, namespace, values, option_string=None):
        if getattr(namespace, self.dest) is not None:
            parser.error(f"{option_string} is given twice")
        setattr(namespace, self.dest, values if self.nargs is None else True)


def parse(arguments):
    parser = argparse.ArgumentParser(
        prog="derive", allow_abbrev=False,
        description="Write the problem file in C of a model in words (docs/models.md), from Lagrange's equations.")
    parser.add_argument("file", metavar="FILE.yaml", help="the model")
    parser.add_argument("--output", metavar="FILE", action=Once, help="write to FILE, not to standard output")
    parser.add_argument("--latex", nargs=0, action=Once, help="the equations in LaTeX, not the problem in C")
    parser.add_argument("--minimal", nargs=0, action=Once,
                        help="in minimal coordinates: without those that a constraint is solved for")
    return parser.parse_args(arguments)


def read(path, minimal, limit=None):
    from derive.algebra import shared
    from derive.words import reader
    from derive.mechanics import first_reactions, inertia
    from derive.switching import modes
    shared.once()
    model = reader.read(path)
    if limit is not None:
        limit.model = model
    if minimal:
        from derive.mechanics import redundant
        model = redundant.reduced(model)
    inertia.examine(model)
    model = modes.prepared(model)
    found = modes.of(model)
    first_reactions.examine(model, found[0])
    return model, found


def derived(path, as_latex, minimal):
    """The text that was asked for. SymPy takes its time to load, and so each part is loaded where it is needed."""
    with Limit() as limit:
        model, equations = read(path, minimal, limit)
        if as_latex:
            from derive.writing import latex
            return latex.write(model, equations)
        from derive.writing import problem_file
        return problem_file.write(model, equations)


def print_out(text):
    with open(1, "wb", closefd=False) as out:
        out.write(text.encode())


def write(text, output):
    try:
        if output is None:
            print_out(text)
        else:
            whole_file.write(text, output)
    except OSError as error:
        raise OSError(error.errno, error.strerror, "standard output" if output is None else output) from error


def complain(status, sentence):
    print(sentence, file=sys.stderr)
    return status


def where_it_failed(error):
    place = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__}: {' '.join(str(error).split())} ({os.path.basename(place.filename)}:{place.lineno})"


def run(asked):
    if asked.output is not None and os.path.exists(asked.output) and os.path.samefile(asked.file, asked.output):
        return complain(IN_THE_TEXT, f"derive: --output {asked.output} is the model itself")
    write(derived(asked.file, asked.latex, asked.minimal), asked.output)
    return DONE


def main(arguments):
    """The exit status; every failure has a sentence on standard error."""
    asked = parse(arguments)
    try:
        return run(asked)
    except Fault as fault:
        return complain(IN_THE_TEXT, fault.said_of(asked.file))
    except OSError as error:
        return complain(OF_THE_SYSTEM, f"derive: {error.filename or asked.file}: {error.strerror or error}")
    except MemoryError:
        return complain(OF_THE_SYSTEM, f"{asked.file}: out of memory")
    except Exception as error:                  # a mistake of this package: told in a sentence, too
        return complain(OF_THE_SYSTEM, f"{asked.file}: a mistake of derive, not of the model; please report it "
                        f"with the model and these words: {where_it_failed(error)}")
