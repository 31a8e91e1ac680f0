"""An end to what would take too long: after SECONDS of CPU time the model is refused, with what is long in it."""

import signal

from derive.base.fault import Fault

SECONDS = 120


class TooLong(BaseException):
    """No Exception: what tries an expression and goes on without it must not catch this."""


def _stop(number, frame):
    raise TooLong


class Limit:
    """with Limit() as limit: .. - model is what has been read by then, or None."""

    def __init__(self, seconds=None):
        self.seconds, self.model = seconds or SECONDS, None

    def __enter__(self):
        self.before = signal.signal(signal.SIGVTALRM, _stop)
        signal.setitimer(signal.ITIMER_VIRTUAL, self.seconds)
        return self

    def __exit__(self, kind, error, where):
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, self.before)
        if kind is TooLong:
            raise Fault(*_sentence(self.model, self.seconds)) from None


def _sentence(model, seconds):
    tried = f"not derived within {seconds:g} s of CPU time"
    if model is None:
        return 1, f"{tried}, which the text took to be read: write it shorter, or the problem in C"
    line, what, size = _longest(model)
    return line, (f"{tried}: the longest of its expressions is {what}, of {float(size):.3g} parts when it is written "
                  "out; take other coordinates, with constraints between them, or write the problem in C")


def _longest(model):
    """(line, what it is, its size)"""
    from derive.algebra.tidy import size
    made = [(model.lines.get("T", model.lines.get("masses", 1)), "the kinetic energy", model.kinetic),
            (model.lines.get("V", model.lines.get("gravity", 1)), "the potential energy", model.potential)]
    made += [(c.line, f"the constraint {c.name}", c.g) for c in model.constraints]
    made += [(f.line, f"the force {f.name}", part) for f in model.forces for part in f.value + f.point]
    made += [(e.line, f"the event {e.name}", e.value) for e in model.events]
    return max(((line, what, size(expr)) for line, what, expr in made), key=lambda one: one[2])
