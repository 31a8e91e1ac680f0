"""A text in YAML as a tree of values with their lines. Scalars are strings: 1e-6, on and y are what they look like.

Built of the events of the parser: what people do not need here and computers could be led astray by, anchors, tags,
several documents, is refused with its line.
"""

import difflib
from dataclasses import dataclass

import yaml

from derive.base.fault import Fault

LONGEST = 1000000               # characters of a text
DEEPEST = 20                    # lists and mappings within one another
COMMA = "a value with a comma in it is put in quotes"
COLON = "a line without ': '; a key and its value are joined by a colon and a space"
TAB = "a tab indents here; YAML indents by spaces"


@dataclass(frozen=True)
class Scalar:
    value: str                  # as YAML says
    source: str                 # as it was typed, where lines are those of the text
    line: int                   # of the beginning of source
    flow: bool = False          # within { } or [ ]

    def line_at(self, offset):
        return self.line + self.source.count("\n", 0, offset)


@dataclass(frozen=True)
class Sequence:
    items: list
    line: int


@dataclass(frozen=True)
class Mapping:
    keys: dict                  # key -> Scalar
    values: dict                # key -> value, in the order of the text
    line: int


def parsed(source):
    """The tree of a text, a Mapping; Fault."""
    if len(source) > LONGEST:
        raise Fault(1, f"a model has at most {LONGEST} characters")
    try:
        return _tree(source)
    except yaml.MarkedYAMLError as error:
        raise _syntax(error, source) from None
    except yaml.reader.ReaderError as error:
        line = source.count("\n", 0, error.position) + 1
        raise Fault(line, f"the character {ord(source[error.position]):#x} is not allowed in YAML") from None
    except RecursionError:
        raise Fault(1, f"lists and mappings are more than {DEEPEST} deep") from None


def decoded(data):
    """The characters of a file's bytes, UTF-8; Fault."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise Fault(line, f"the byte {data[error.start]:#x} is not UTF-8") from None


def nearest(word, known):
    """The name among known, names with what they are ({"L": "length"}), that was perhaps meant, or None."""
    lower = {name.lower(): name for name in reversed(list(known))}
    if word.lower() in lower:
        return lower[word.lower()]
    close = difflib.get_close_matches(word.lower(), lower, 1, 0.6)
    if close:
        return lower[close[0]]
    meant = {part.lower(): name for name in reversed(list(known)) for part in known[name].split()}
    close = difflib.get_close_matches(word.lower(), meant, 1, 0.75)
    return meant[close[0]] if close else None


def did_you_mean(word, known):
    name = nearest(word, known)
    return f"; did you mean {name}?" if name else ""


def as_mapping(node, what):
    if not isinstance(node, Mapping):
        raise Fault(node.line, f"{what} is a mapping, 'key: value' on lines of their own or within {{ }}, and here is "
                               f"{_kind(node)}")
    return node


def as_sequence(node, what):
    if not isinstance(node, Sequence):
        raise Fault(node.line, f"{what} is a list, within [ ], and here is {_kind(node)}")
    return node


def as_scalar(node, what):
    if not isinstance(node, Scalar):
        raise Fault(node.line, f"{what} is one value, and here is {_kind(node)}")
    if not node.value.strip():
        raise Fault(node.line, f"{what} has no value" + f"; within {{ }} and [ ] {COMMA}" * node.flow)
    return node


def as_line(node, what):
    """A text for people: one line of characters that can be printed."""
    line = " ".join(as_scalar(node, what).value.split())
    for character in line:
        if not character.isprintable():
            raise Fault(node.line, f"{what} has the character {ord(character):#x}, which cannot be printed")
    return line


def as_choice(node, what, choices):
    word = as_scalar(node, what).value.strip()
    if word not in choices:
        raise Fault(node.line, f"{what} is {', '.join(choices[:-1])} or {choices[-1]}, and not '{word}'")
    return word


def known_keys(mapping, keys, what):
    """Fault at the first key that is none of keys."""
    for key, scalar in mapping.keys.items():
        if key not in keys and scalar.flow and getattr(mapping.values[key], "value", None) == "":
            raise Fault(scalar.line, f"{what} has '{key}' without a value; within {{ }} {COMMA}")
        if key not in keys:
            raise Fault(scalar.line, f"{what} has no key '{key}'{did_you_mean(key, dict.fromkeys(keys, ''))}")


def _kind(node):
    if isinstance(node, Mapping):
        return "a mapping"
    if isinstance(node, Sequence):
        return "a list"
    return f"'{node.value}'" if node.value.strip() else "nothing"


def _tree(source):
    """Builds the tree bottom up: open holds what has begun."""
    opened, root = [], None
    for event in yaml.parse(source, Loader=yaml.SafeLoader):
        _refuse(event, root)
        if isinstance(event, (yaml.MappingStartEvent, yaml.SequenceStartEvent)):
            opened.append((isinstance(event, yaml.MappingStartEvent), [], event.start_mark.line + 1,
                           bool(event.flow_style)))
            if len(opened) > DEEPEST:
                raise Fault(event.start_mark.line + 1, f"lists and mappings are more than {DEEPEST} deep")
            continue
        if isinstance(event, yaml.ScalarEvent):
            node = _scalar(event, source, any(flow for _, _, _, flow in opened))
        elif isinstance(event, (yaml.MappingEndEvent, yaml.SequenceEndEvent)):
            is_mapping, nodes, line, _ = opened.pop()
            node = _mapping(nodes, line) if is_mapping else Sequence(nodes, line)
        else:
            continue
        if opened:
            opened[-1][1].append(node)
        else:
            root = node
    if root is None or isinstance(root, Scalar) and not root.value:
        raise Fault(1, "the text is empty; a model begins with 'model: NAME'")
    if not isinstance(root, Mapping):
        raise Fault(root.line, "a model is a mapping, lines of 'key: value', and begins with 'model: NAME'")
    return root


def _refuse(event, root):
    line = event.start_mark.line + 1
    if isinstance(event, yaml.AliasEvent):
        raise Fault(line, f"'*{event.anchor}' is an alias in YAML; where a product is meant it has a left side, and a "
                          "text that begins with * is put in quotes")
    if getattr(event, "anchor", None):
        raise Fault(line, f"'&{event.anchor}' is an anchor of YAML, which models do not have")
    if getattr(event, "tag", None):
        raise Fault(line, f"'{event.tag}' is a tag of YAML, which models do not have")
    if isinstance(event, yaml.DocumentStartEvent) and root is not None:
        raise Fault(line, "a second document begins here; a file is one model")


def _scalar(event, source, flow):
    first, last = event.start_mark, event.end_mark
    raw, line = source[first.index:last.index], first.line + 1
    if event.style in ("'", '"'):
        raw = raw[1:-1]
    elif event.style in ("|", ">"):
        raw, line = raw.partition("\n")[2], line + 1
    if raw.split() != event.value.split():
        raw, line = event.value, first.line + 1
    return Scalar(event.value, raw, line, flow)


def _mapping(nodes, line):
    keys, values = {}, {}
    for key, value in zip(nodes[::2], nodes[1::2]):
        if not isinstance(key, Scalar):
            raise Fault(key.line, "a key is a word, and here a list or a mapping is one")
        if key.value == "<<":
            raise Fault(key.line, "'<<' merges mappings in YAML, which models do not have")
        if key.value in keys:
            raise Fault(key.line, f"'{key.value}' stands a second time; the first is in line {keys[key.value].line}")
        keys[key.value], values[key.value] = key, value
    return Mapping(keys, values, line)


_SENTENCES = (                  # parts of what the parser says, and what is said instead
    ("found character '\\t'", TAB),
    ("found character '%'", "a value that begins with % is put in quotes"),
    ("found character '@'", "a value that begins with @ is put in quotes"),
    ("found character '`'", "a value that begins with ` is put in quotes"),
    ("mapping values are not allowed here", "': ' stands within a value, or this line is indented wrongly; a value "
                                            "with ': ' in it is put in quotes"),
    ("sequence entries are not allowed", "'- ' begins a list here; write the minus sign without a space behind it"),
    ("could not find expected ':'", COLON),
    ("but found '<scalar>'", "something stands behind a closing quotation mark; in ' ' a ' is written '', in \" \" it "
                             "is itself"),
    ("expected <block end>", "this line is not indented as those above it"),
    ("expected ',' or '}'", "'{' is not closed by '}', or ', ' is missing between two keys"),
    ("expected ',' or ']'", "'[' is not closed by ']', or ', ' is missing between two values"),
    ("while scanning a quoted scalar", "a quotation mark is not closed"),
)


def _syntax(error, source):
    said = f"{error.context or ''}: {error.problem or ''}"
    mark = error.problem_mark or error.context_mark
    line = min(mark.line + 1, source.count("\n") + 1) if mark else 1
    if "quoted scalar" in said and error.context_mark:
        line = error.context_mark.line + 1
    rows = source.splitlines()
    if line <= len(rows) and rows[line - 1].lstrip(" ").startswith("\t"):
        return Fault(line, TAB)
    if "mapping values" in said or "expected ':'" in said:
        line, without = _without_colon(rows, line)
        if without:
            return Fault(line, COLON)
    for part, sentence in _SENTENCES:
        if part in said:
            return Fault(line, sentence)
    return Fault(line, f"this is not YAML: {error.problem or error.context}")


def _without_colon(rows, line):
    """(line, whether there is none) of the row that is meant: the one before it, where that has no colon."""
    before = [i for i in range(min(line, len(rows)) - 1) if rows[i].strip() and not rows[i].lstrip().startswith("#")]
    for i in before[-1:]:
        if ": " not in rows[i] and not rows[i].rstrip().endswith(":"):
            return i + 1, True
    return line, False
