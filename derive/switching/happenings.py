"""The events of one state of a model; the modes that they enter are States here, and get their names in modes.py."""

import dataclasses

import sympy

from derive.base.equations import ModeEvent
from derive.algebra import independence, rates, vanishing
from derive.switching import impulse, outcomes, states
from derive.switching.states import ABSENT, BACKWARDS, DRIVEN, FORWARDS, STICKING, State


def of(model, state, motion):
    """The events of a state, whose motion sliding.py gives."""
    here = _Here(model, state, motion)
    events = _jams(here, motion)
    for k, constraint in enumerate(states.unilateral(model)):
        events += _opens(here, k, constraint) if state.acts[k] else _closes(here, k, constraint)
    for impact in model.impacts:
        events += _hits(here, impact)
    for k, friction in enumerate(model.frictions):
        events += _rubs(here, k, friction)
    for event in model.events:
        events += _users(here, event)
    return events


class _Here:
    """What all events of a state look at."""

    def __init__(self, model, state, motion):
        self.model, self.state = model, state
        self.equations, self.forces = motion.equations, motion.forces
        self.determined = () if motion.determinant is None else ((motion.determinant, 1),)
        self.q, self.v = model.q(), model.v()
        self.acting = states.acting(model, state.acts)
        self.reactions = {c.symbol for c in model.constraints} | {f.symbol for f in model.frictions}

    def held(self, without=()):
        """The rates that constraints hold at zero, but for those without."""
        return [rates.held(c, self.q, self.v) for c in self.acting if c not in without]

    def rate(self, g):
        return rates.total(g, self.q, self.v)

    def acts(self, k, does):
        """The unilateral constraints that act, number k of them changed."""
        return self.state.acts[:k] + (does,) + self.state.acts[k + 1:]

    def rubbing(self, k, rubs):
        return State(self.state.acts, self.state.rubs[:k] + (rubs,) + self.state.rubs[k + 1:])

    def other(self, state):
        """The state, where it is another."""
        return state if state != self.state else None


# ---- unilateral constraints


def _opens(here, k, constraint):
    """It lets go where its reaction passes zero; the error of g is taken out, or it might act again at once."""
    step = impulse.onto(here.equations)
    found = outcomes.of(here.model, here.state, [here.acts(k, False)], {})
    return [ModeEvent(_named(here, constraint.open, [after], found),
                      f"{constraint.name} = 0: {constraint.text} lets go",
                      constraint.symbol, -constraint.sign,
                      step + outcomes.sticks(here.model, here.state, after, dict(step)), after, None, False,
                      None, "", "", here.determined + only) for only, [after] in found]


def _closes(here, k, constraint):
    """It acts again where g comes to zero; with a restitution, where the bounces accumulate."""
    if not independence.independent(here.held() + [here.rate(constraint.g)], here.v):
        return _contradicts(here, constraint, constraint.sign)
    lasting, found = here.acts(k, True), []
    for only, acts, jump in _collisions(here, constraint.g, constraint.sign, constraint.restitution or sympy.S.Zero):
        landed = acts[:k] + (constraint.restitution is None,) + acts[k + 1:]
        found += [(only + more, after, jump)
                  for more, after in outcomes.of(here.model, here.state, [landed, lasting], dict(jump))]
    return _told_apart(here, [_reached(here, constraint, found, *one) for one in found])


def _reached(here, constraint, found, only, after, jump):
    """after: the state after one impact, and that where they accumulate, in which no constraint has let go."""
    bounces = constraint.restitution is not None
    name = f"hits_{constraint.name}" if bounces else constraint.closed
    limit = after[1] if bounces or after[1] != after[0] else None
    named_by = after[::-1] if bounces else after[:1]
    return ModeEvent(_named(here, name, named_by, found), f"{constraint.text} is reached", constraint.g,
                     constraint.sign, _let_go(here, after[0], {}) + (jump if bounces else ()), here.other(after[0]),
                     limit, False, None, "", "", only)


def _told_apart(here, events):
    """Where several lead to one state, the words of that where they accumulate are said, too."""
    names = [event.name for event in events]
    return [dataclasses.replace(event, name=_with_words(event.name, _changed(here, event.limit)))
            if event.limit and names.count(event.name) > 1 else event for event in events]


def _with_words(name, words):
    return "_".join([name, *(word for word in words if f"_{word}_" not in f"_{name}_")])


def _hits(here, impact):
    if not independence.independent(here.held() + [here.rate(impact.g)], here.v):
        return _contradicts(here, impact, 1)
    found = []
    for only, acts, jump in _collisions(here, impact.g, 1, impact.restitution):
        found += [(only + more, after, jump)
                  for more, [after] in outcomes.of(here.model, here.state, [acts], dict(jump))]
    return [ModeEvent(_named(here, impact.name, [after], found), f"{impact.text} is reached", impact.g, 1,
                      _let_go(here, after, {}) + jump, here.other(after), None, False, None, "", "", only)
            for only, after, jump in found]


def _collisions(here, g, sign, restitution):
    """[(only, unilateral constraints that act after it, ((velocity, expression),))] of an impact on g.

    Those whose part of the impulse would have the wrong sign let go: a string does not push. What friction holds is not
    held by an impulse, as its normal force is finite: it slides afterwards where the impulse moves it.
    """
    names = [c.name for c in here.acting]
    shares = dict(zip(names, impulse.shares(here.equations, here.held(), here.rate(g)) if any(here.state.acts) else []))
    found = [((), here.state.acts)]
    for k, constraint in enumerate(states.unilateral(here.model)):
        if here.state.acts[k]:
            found = [(only + ask, acts[:k] + (does,) + acts[k + 1:]) for only, acts in found
                     for ask, does in _keeps(sign * constraint.sign * shares[constraint.name])]
    return [(only, acts, _bounce(here, acts, g, restitution)) for only, acts in found]


def _keeps(share):
    """[(what to ask, does it act on)] of a constraint with this share of an impulse."""
    if vanishing.vanishes(share) or share.is_nonnegative:
        return [((), True)]
    return [((), False)] if share.is_negative else [(((share, 1),), True), (((share, -1),), False)]


def _bounce(here, acts, g, restitution):
    loose = [c for c, was, does in zip(states.unilateral(here.model), here.state.acts, acts) if was and not does]
    return impulse.bounce(here.equations, here.held(loose), here.rate(g), restitution)


def _contradicts(here, wall, sign):
    """The run ends where g comes to zero though the constraints that act leave it no freedom."""
    if independence.at_rest(here.rate(wall.g), here.held(), here.v):
        return []
    return [ModeEvent(f"hits_{wall.name}", f"{wall.text} is reached, against constraints that act", wall.g, sign, (),
                      None, None, True, None, "", "")]


def _named(here, name, states_after, found):
    """The name of an event that leads to states; what changes beside it is said where there are several outcomes."""
    if len(found) == 1:
        return name
    words = [word for after in states_after for word in _changed(here, after) if word != name]
    return "_".join([name, *dict.fromkeys(words)])


# ---- friction


def _rubs(here, k, friction):
    rubs = here.state.rubs[k]
    if rubs == ABSENT:
        return []
    return _slips(here, k, friction) if rubs == STICKING else _stops(here, k, friction)


def _slips(here, k, friction):
    """Friction holds no more than rest times the normal force."""
    bound = friction.rest * states.normal(here.model, here.state.acts, friction)
    return [_slip(here, k, friction, BACKWARDS, friction.symbol - bound, 1),
            _slip(here, k, friction, FORWARDS, friction.symbol + bound, -1)]


def _slip(here, k, friction, rubs, value, direction):
    return ModeEvent(getattr(friction, rubs), f"{friction.name} is overcome, {rubs}", value, direction, (),
                     here.rubbing(k, rubs), None, False, None, "", "")


def _stops(here, k, friction):
    """Sliding has come to an end: it sticks, and how long is for the events of sticking to say."""
    forwards = here.state.rubs[k] == FORWARDS
    driven = states.kinds(here.model, here.state.acts)[k] == DRIVEN
    after = here.rubbing(k, STICKING if not driven else BACKWARDS if forwards else FORWARDS)
    name = getattr(friction, after.rubs[k])
    return [ModeEvent(name, f"sliding against {friction.name} ends", here.rate(friction.along), -1 if forwards else 1,
                      outcomes.sticks(here.model, here.state, after, {}), after, None, False, None, "", "")]


def _jams(here, motion):
    """The run ends where normal forces are not determined any more; also where a mode is entered beyond."""
    if motion.determinant is None:
        return []
    names = ", ".join(symbol.name for symbol in motion.forces)
    return [ModeEvent(f"jams_{'_'.join(symbol.name for symbol in motion.forces)}",
                      f"{names} and the normal force are not determined (Painleve)", motion.determinant, -1, (),
                      here.state, None, True, None, "", "")]


# ---- events of the text


def _users(here, event):
    """An event of the text, in a state where all is known that it mentions."""
    if event.during and not set(event.during) & set(states.words(here.model, here.state)):
        return []
    value, measure = _known(here, event.value), _known(here, event.measure)
    then = tuple((symbol, _known(here, after)) for symbol, after in event.then)
    if any(expr is not None and _unknown(here, expr) for expr in (value, measure, *dict(then).values())):
        return []
    return _with_outcomes(here, event, value, measure, then)


def _known(here, expr):
    """expr, with the forces of frictions that slide written out."""
    return None if expr is None else sympy.sympify(expr).xreplace(here.forces)


def _unknown(here, expr):
    """Does it mention a reaction that this state has not?"""
    return expr.free_symbols & (here.reactions - set(here.equations.multipliers))


def _with_outcomes(here, event, value, measure, then):
    after = _after(here, dict(then))
    if isinstance(after, str):
        return [ModeEvent(event.name, f"{event.title}: whether it leads away from what {after} holds is not decided",
                          value, event.direction, (), None, None, True, measure, event.measures, event.unit)]
    step = _let_go(here, after, dict(then)) + then + outcomes.sticks(here.model, here.state, after, {})
    return [ModeEvent(event.name, event.title, value, event.direction, step, here.other(after), None, event.stop,
                      measure, event.measures, event.unit, (), event.name)]


def _let_go(here, after, then):
    """What brings a state onto the constraints, some of which let go, but for what then changes."""
    if not any(was and not acts for was, acts in zip(here.state.acts, after.acts)):
        return ()
    return tuple((symbol, value) for symbol, value in impulse.onto(here.equations) if symbol not in then)


def _changed(here, after):
    """The words of a state that are not those of this one."""
    pairs = zip(states.words(here.model, here.state), states.words(here.model, after))
    return [now for was, now in pairs if now and now != was]


def _after(here, jump):
    """The state after a jump: a constraint that it opens, or whose rate leads away from it, is open, a friction that
    moves slides.

    Where the ranges of parameters do not decide this, the name of the constraint or friction that it hangs on.
    """
    if not jump:
        return here.state
    model, acts = here.model, list(here.state.acts)
    for k, constraint in enumerate(states.unilateral(model)):
        rate = constraint.sign * here.rate(constraint.g)
        after = rate.xreplace(jump)
        if acts[k] and _opened(constraint, jump):
            acts[k] = False
        elif acts[k] and not vanishing.vanishes(after - rate):
            sign = outcomes.sign_after(rate, after, 0)
            if sign is None:
                return constraint.name
            acts[k] = sign > 0
    found = outcomes.of(model, here.state, [tuple(acts)], jump)
    if len(found) == 1:
        return found[0][1][0]
    asked = {ask for only, _ in found for ask, _ in only}
    return next(f.name for f in model.frictions if here.rate(f.along).xreplace(jump) in asked)


def _opened(constraint, jump):
    """Does a jump leave a gap for all values, as that of a link to a longer one does?"""
    change = sympy.expand(constraint.sign * (constraint.g.xreplace(jump) - constraint.g))
    return bool(change.is_negative)
