"""The records of a problem file: one for each mode, with the list of its events, and what they are made of.

x = (q, v, lambda) of an event is x[PHI], x[DPHI], x[S]: a reaction has an enumerator where it stands in the
same place in all modes that have it, else it is x[REACTIONS + i].
"""

from derive.writing import drawing, in_words, names as naming, partials, record
from derive.writing.layout import statement
from derive.writing.record import field, text

DIRECTIONS = {1: "DAE_RISING", -1: "DAE_FALLING", 0: "DAE_ANY"}
SIX = ("inertia", "force", "constraint", "rate", "acceleration", "reaction")


class Layout:
    """The places of (q, v, lambda) in x."""

    def __init__(self, model, modes, names):
        self.names, self.fixed = names, [*model.q(), *model.v()]
        first = len(self.fixed)
        seen = {}
        for mode in modes:
            for i, symbol in enumerate(mode.equations.multipliers):
                seen.setdefault(symbol, set()).add(first + i)
        self.reactions = {s: next(iter(at)) for s, at in seen.items() if len(at) == 1}
        self.moving = len(self.reactions) < len(seen)

    def enumerators(self):
        """Of all places in order; what does not follow the one before it has its place behind it."""
        first = len(self.fixed)
        listed, last, at_place = [self.names.states[s] for s in self.fixed], first - 1, {}
        named = [(self.names.reactions, first)] if self.moving else []
        named += sorted(((self.names.states[s], at) for s, at in self.reactions.items()), key=lambda pair: pair[1])
        for name, place in named:
            behind = "" if place == last + 1 else f" = {at_place.get(place, place)}"
            listed.append(name + behind)
            at_place.setdefault(place, name)
            last = place
        return listed

    def _moving(self, i):
        """The place of multiplier i by its number."""
        return self.names.reactions + (f" + {i}" if i else "")

    def of(self, equations):
        """symbol -> text, in the functions of a mode."""
        found = {s: f"x[{self.names.states[s]}]" for s in self.fixed}
        for i, symbol in enumerate(equations.multipliers):
            known = symbol in self.reactions
            found[symbol] = f"x[{self.names.states[symbol] if known else self._moving(i)}]"
        return found


class Records:
    """What stands in the first half: partials, lists of events, the drawing, and the records."""

    def __init__(self, model, modes, names, functions):
        self.model, self.modes, self.names, self.functions = model, modes, names, functions
        self.layout = Layout(model, modes, names)
        self.several = len(modes) > 1
        self.switching = self.several or bool(modes[0].events)

    def text(self):
        """That of the mode in which it begins comes last."""
        analytic = self._partials()
        contents = [self._contents(mode, name) for mode, name in zip(self.modes, analytic.values())]
        events = [self._events(mode) for mode in self.modes]
        place = self.layout.of(self.modes[0].equations) if self.switching else None
        picture = drawing.write(self.model, self.names, self.modes[0].equations, place)
        listed = ""
        if self.several:
            others = "".join(f"&{self._c(mode)}_mode, " for mode in self.modes[1:])
            listed = statement(f"static const dae_problem *const modes[] = {{{others}NULL}};", 0, 8) + "\n"
        parts = [*dict.fromkeys(analytic.texts), *events, picture,
                 *(self._other(m, c) for m, c in zip(self.modes[1:], contents[1:])), listed,
                 self._first(contents[0], bool(picture))]
        return "\n".join(part for part in parts if part)

    @staticmethod
    def _c(mode):
        return naming.identifier(mode.name)

    def _suffix(self, mode):
        return "_" + self._c(mode) if self.several else ""

    def _partials(self):
        """The functions of analytic derivatives, and the name of that of each mode."""
        found = Analytic()
        for mode in self.modes:
            name = "partials" + (self._suffix(mode) if found.texts else "")
            found.add(name, partials.write(self.model, self.names, mode.equations, name))
        return found

    # Events

    def _events(self, mode):
        if not mode.events:
            return ""
        place = self.layout.of(mode.equations)
        entries = [self._event(mode, event, place) for event in mode.events]
        name = f"{self._c(mode)}_events" if self.several else "events"
        return f"static const dae_event {name}[] = {{\n" + "\n".join(entries) + "\n    {0},\n};\n"

    def _event(self, mode, event, place):
        make, suffix = self.functions, self._suffix(mode)
        stem = naming.identifier(event.name)
        value = make.number(stem, event.value, place, event.only, event.direction < 0, suffix)
        parts = [field("name", text(event.name)), field("title", text(event.title)),
                 field("value", f"DAE_MODEL({value})"), field("direction", DIRECTIONS[event.direction])]
        if event.then:
            action = make.action(self._stem(event, stem), event.then, place, suffix)
            parts.append(field("action", f"DAE_MODEL({action})"))
        said = (("mode", event.mode), ("passage", event.passage), ("limit", event.limit))
        parts += [field(name, text(to)) for name, to in said if to]
        if event.stop:
            parts.append(field("terminal", "1"))
        if event.measure is not None:
            measure = make.number(stem + "_measure", event.measure, place, suffix=suffix)
            parts += [field("measure", f"DAE_MODEL({measure})"), field("measures", text(event.measures)),
                      field("unit", text(event.unit))]
        lines = record.filled(parts, 5)
        return "    {" + "\n".join(lines)[5:-1] + "},"

    def _stem(self, event, stem):
        """An action is called after what it sets, where that is one or two, as several events may share it."""
        symbols = [symbol for symbol, _ in event.then]
        return "_".join(["set", *(self.names.small[s] for s in symbols)]) if len(symbols) < 3 else "set_by_" + stem

    # Records

    def _contents(self, mode, analytic):
        """Equations, unknowns, functions: what every record has."""
        e, suffix = mode.equations, self._suffix(mode)
        variables, units = record.states(self.model, self.names, e)
        words = in_words.lines(self.model, self.names, mode.constraints)
        lines = [record.lines_of_text("equations", words)] if words else []
        lines += [record.lines_of_words("variables", variables), record.lines_of_words("units", units)]
        fields = self._mechanical(e, suffix, mode.minimal, analytic)
        after = ["    .mechanical = {", *record.filled(fields, 8), "    },"]
        start = self.model.start if mode.start is None else mode.start
        start = self.functions.start(start, [*e.q, *e.v, *e.multipliers], suffix)
        after.append(f"    .start = DAE_MODEL({start}),")
        if mode.events:
            after.append(f"    .events = {self._c(mode)}_events," if self.several else "    .events = events,")
        return lines, after

    def _mechanical(self, e, suffix, minimal, analytic):
        maps = self.functions.maps(e, suffix)
        parts = [field(name, n) for name, n in (("nq", len(e.q)), ("nl", len(e.multipliers)),
                                                ("nonholonomic", e.nonholonomic)) if n]
        if partials.mass_varies(e):
            parts.append(field("mass", "DAE_MASS_VARIES"))
        if all(maps.get(name) == name for name in SIX):
            parts.append("DAE_MECHANICAL_MODEL")
        else:
            parts += [field(name, f"DAE_MODEL({maps[name]})") for name in SIX if name in maps]
        if "energy" in maps:
            parts += [field("energy", f"DAE_MODEL({maps['energy']})")] + [field("conservative", 1)] * e.conservative
        if analytic:
            parts.append(field("partials", analytic))
        if minimal is not None:
            parts.append(self._minimal(minimal, e, suffix))
        return parts

    def _minimal(self, minimal, e, suffix):
        maps = self.functions.minimal(minimal, e, suffix)
        kept = minimal.kept
        parts = [field("n", len(kept))] + [field(name, f"DAE_MODEL({maps[name]})") for name in maps]
        parts.append(field("names", text(" ".join([c.name for c in kept] + [c.name + "'" for c in kept]))))
        units = [c.unit for c in kept] + [record.of_velocity(c.unit) for c in kept]
        parts.append(field("units", text(" ".join(units))))
        lines = record.filled(parts, 20)
        return ".minimal = {" + "\n".join(lines)[20:-1] + "}"

    def _other(self, mode, contents):
        before, after = contents
        head = [f"static const dae_problem {self._c(mode)}_mode = {{", f"    .name = {text(mode.name)},"]
        title = [f"    .title = {text(mode.title)},"] if mode.title else []
        return "\n".join([*head, *title, *before, *after, "};"]) + "\n"

    def _first(self, contents, is_drawn):
        model, (before, after) = self.model, contents
        lines = [f"const dae_problem {naming.record(model.name)} = {{", f"    .name = {text(model.name)},"]
        lines += [f"    .{name} = {text(words)}," for name, words in
                  (("title", model.title), ("citation", model.citation)) if words]
        lines += before
        if model.parameters:
            lines += ["    .parameters = {", *(record.parameter(p) for p in model.parameters), "    },"]
        lines += after
        if self.several:
            lines += [f"    .mode = {text(self.modes[0].name)},", "    .modes = modes,"]
        lines += self._invariants() + ["    .draw = draw,"] * is_drawn
        tolerance = f" .rtol = {record.number(model.rtol)}," if model.rtol else ""
        lines.append(f"    .t0 = {record.number(model.t0)}, .t_end = {record.number(model.t_end)},{tolerance}")
        return "\n".join([*lines, "};"])

    def _invariants(self):
        found = self.model.invariants
        if not found:
            return []
        e = self.modes[0].equations
        place = {s: f"x[{i}]" for i, s in enumerate([*e.q, *e.v])}
        name = self.functions.vector("invariants", [i.value for i in found], place)
        words, units = " ".join(i.name for i in found), " ".join(i.unit for i in found)
        return [f"    .invariants = {{.n = {len(found)}, .value = DAE_MODEL({name}), "
                f".names = {text(words)}, .units = {text(units)}}},"]


class Analytic:
    """Functions of analytic derivatives; modes whose functions are the same share one."""

    def __init__(self):
        self.texts, self.by_text, self.of_mode = [], {}, []

    def add(self, name, written):
        body = written.partition("\n{\n")[2]
        if written and body not in self.by_text:
            self.by_text[body] = name
            self.texts.append(written)
        self.of_mode.append(self.by_text.get(body, ""))

    def values(self):
        return self.of_mode
