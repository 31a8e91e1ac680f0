"""From the text of a model, in YAML, to a Model. docs/models.md says what may stand in it."""

from derive.base.fault import Fault
from derive.base.model import Model
from derive.words import soundness
from derive.words.contacts import read_constraints, read_forces, read_frictions, read_impacts
from derive.words.course import read_events, read_interval, read_invariants, read_rtol, read_start
from derive.words.energies import read_energies
from derive.words.pictures import read_drawing
from derive.words.places import read_points
from derive.words.quantities import read_coordinates, read_parameters, read_words
from derive.words.reading import Reading, called
from derive.words.repeated import expanded
from derive.words.scope import beginning
from derive.words.text import LONGEST, as_choice, as_line, as_scalar, decoded, known_keys, parsed

KEYS = ("model", "title", "citation", "units", "repeat", "parameters", "coordinates", "let", "points", "masses",
        "gravity", "T", "V", "forces", "constraints", "impacts", "friction", "start", "interval", "rtol", "events",
        "invariants", "drawing")
MOST_BYTES = 4 * LONGEST                        # of UTF-8


def read(path):
    """The Model of a file. Fault: what is wrong in it; OSError: it cannot be read."""
    return read_text(decoded(_bytes(path)), str(path))


def _bytes(path):
    """What a file holds, which may be a pipe; Fault where that is more than a text has, and may not end at all."""
    with open(path, "rb") as file:
        data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise Fault(1, f"a model has at most {LONGEST} characters")
    return data


def read_text(source, path="-"):
    """The Model of a text; path is what messages call it."""
    tree = parsed(source)
    _begins_a_model(tree)
    known_keys(tree, KEYS, "a model")
    tree = expanded(tree)
    name = called(as_scalar(tree.values["model"], "'model'"), "a model")
    checked = "units" not in tree.values or not as_choice(tree.values["units"], "'units'", ("checked", "unchecked")) \
        == "unchecked"
    reading = Reading(tree, beginning(checked))
    model = _model(reading, name, path)
    soundness.examine(model)
    return model


def _begins_a_model(tree):
    first = next(iter(tree.keys), None)
    if first == "study":
        raise Fault(tree.line, "this is a study, and not a model: its first key is 'study'; daelab study runs it")
    if first != "model":
        raise Fault(tree.line, f"the first key of a model is 'model', its name, and here it is '{first}'")


def _model(reading, name, path):
    """In the order in which names are known."""
    read_parameters(reading)
    read_coordinates(reading)
    read_words(reading)
    read_points(reading)
    kinetic, potential = read_energies(reading)
    constraints = read_constraints(reading)
    impacts = read_impacts(reading)
    frictions = read_frictions(reading)
    t0, t_end = read_interval(reading)
    return Model(
        path=path, name=name, title=_line(reading, "title"), citation=_line(reading, "citation"),
        parameters=reading.parameters, coordinates=reading.coordinates, kinetic=kinetic, potential=potential,
        forces=read_forces(reading), constraints=constraints, impacts=impacts, frictions=frictions,
        start=read_start(reading), t0=t0, t_end=t_end, events=read_events(reading),
        invariants=read_invariants(reading), drawing=read_drawing(reading), rtol=read_rtol(reading),
        lines={key: scalar.line for key, scalar in reading.tree.keys.items()})


def _line(reading, key):
    node = reading.section(key)
    return "" if node is None else as_line(node, f"'{key}'")
