"""Entries for many like parts: 'x<i>' in a key, or in an item of a list, stands for x1, x2, ..., one after the other.

<i> is the number of the part, <i-1> and <i+2> are those of its neighbours.
"""

import re
from dataclasses import replace

from derive.base.fault import Fault
from derive.words.text import Mapping, Scalar, Sequence, as_mapping, as_scalar, as_sequence

MOST = 200                      # parts
_INDEX = re.compile(r"[A-Za-z]\w*\Z", re.ASCII)
_WHOLE = re.compile(r"\d{1,6}\Z", re.ASCII)
_LEFT = re.compile(r"<\s*[A-Za-z]\w*\s*(?:[-+]\s*\d+\s*)?>", re.ASCII)


def expanded(tree):
    """The tree with every part written out, and without the key 'repeat'; Fault."""
    node = tree.values.get("repeat")
    if node is None:
        return tree
    for key, value in as_mapping(node, "repeat").values.items():
        if not _INDEX.match(key):
            raise Fault(node.line, f"repeat: '{key}' is no name of a number; letters, digits and _, as in {{i: 8}}")
        tree = _Index(key, *_range(key, value)).section(tree)
    rest = {key: value for key, value in tree.values.items() if key != "repeat"}
    _look_for_left_ones(Mapping(tree.keys, rest, tree.line))
    return Mapping({key: scalar for key, scalar in tree.keys.items() if key != "repeat"}, rest, tree.line)


def _range(key, node):
    if isinstance(node, Scalar):
        first, last = 1, _whole(key, node)
    else:
        items = as_sequence(node, f"repeat: {key}").items
        if len(items) != 2:
            raise Fault(node.line, f"repeat: {key} is how many, 8, or from where to where, [2, 8]")
        first, last = [_whole(key, item) for item in items]
    if last < first or last - first >= MOST:
        raise Fault(node.line, f"repeat: {key} from {first} to {last}: at least one, and at most {MOST}")
    return first, last


def _whole(key, node):
    text = as_scalar(node, f"repeat: {key}").value.strip()
    if not _WHOLE.match(text):
        raise Fault(node.line, f"repeat: {key} is a whole number, and not '{text}'")
    return int(text)


class _Index:
    """One number, from first to last."""

    def __init__(self, name, first, last):
        self.place = re.compile(rf"<\s*{name}\s*(?:([-+])\s*(\d{{1,6}})\s*)?>", re.ASCII)
        self.values = range(first, last + 1)

    def section(self, node):
        """Keys and items that hold the number, once for each value."""
        if isinstance(node, Sequence):
            return replace(node, items=[one for item in node.items for one in self._items(item)])
        if not isinstance(node, Mapping):
            return node
        keys, values = {}, {}
        for key, scalar in node.keys.items():
            parts = self.values if self.place.search(key) else [None]
            for i in parts:
                new = key if i is None else self._of(key, i)
                if new in keys:
                    raise Fault(scalar.line, f"'{new}' stands here twice, by repeat")
                keys[new] = replace(scalar, value=new, source=new)
                values[new] = self.section(node.values[key]) if i is None else self._put(node.values[key], i)
        return Mapping(keys, values, node.line)

    def _items(self, item):
        """Of a list of points or shapes; the components of one point are expressions, and belong together."""
        if isinstance(item, Scalar) or not self._has(item):
            return [self.section(item)]
        return [self._put(item, i) for i in self.values]

    def _has(self, node):
        if isinstance(node, Scalar):
            return self.place.search(node.value) is not None
        parts = node.items if isinstance(node, Sequence) else [*node.keys.values(), *node.values.values()]
        return any(self._has(part) for part in parts)

    def _put(self, node, i):
        """The node with i in the place of the number."""
        if isinstance(node, Scalar):
            return replace(node, value=self._of(node.value, i), source=self._of(node.source, i))
        if isinstance(node, Sequence):
            return replace(node, items=[self._put(item, i) for item in node.items])
        return Mapping({self._of(key, i): self._put(scalar, i) for key, scalar in node.keys.items()},
                       {self._of(key, i): self._put(value, i) for key, value in node.values.items()}, node.line)

    def _of(self, text, i):
        def number(found):
            return str(i + (int(found.group(2)) if found.group(1) == "+" else -int(found.group(2) or 0)))
        return self.place.sub(number, text)


def _look_for_left_ones(node):
    """Fault at a number that stands where nothing is repeated."""
    if isinstance(node, Scalar):
        found = _LEFT.search(node.value)
        if found:
            raise Fault(node.line, f"'{found.group()}' stands where nothing is repeated: the key has it, "
                                   f"x{found.group()}, and its number is one of repeat")
        return
    for part in node.items if isinstance(node, Sequence) else [*node.keys.values(), *node.values.values()]:
        _look_for_left_ones(part)
