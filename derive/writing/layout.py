"""Lines of C that are not too long."""

WIDTH = 110


def statement(text, indent, align):
    """A statement in lines of at most WIDTH, broken at operators that few parentheses enclose.

    What goes over begins at the column align, or behind the parenthesis that is open there.
    """
    return "\n".join(" " * column + line for column, line in _lines(text, indent, align, WIDTH))


def formula(text, width):
    """Lines of a formula in words, broken in the same places."""
    return [line for _, line in _lines(text, 0, 0, width)]


def _lines(text, column, align, width):
    lines, line, opened = [], text, [align]
    while column + len(line) > width:
        at = _break(line, width - column)
        if at is None:
            break
        lines.append((column, line[:at].rstrip()))
        opened = _open_behind(line[:at], column, opened)
        line, column = line[at:].lstrip(), opened[-1]
    return lines + [(column, line)]


def _open_behind(line, column, opened):
    """Columns behind the parentheses that are open at the end of the line."""
    opened = list(opened)
    for i, c in enumerate(line):
        if c in "([{":
            opened.append(column + i + 1)
        elif c in ")]}" and len(opened) > 1:
            opened.pop()
    return opened


def _break(line, room):
    """Where to break: behind a comma, or before an operator, as far out and as far right as may be."""
    best, depth = None, 0
    for i, c in enumerate(line[:room + 1]):
        if c in "([{":
            depth += 1
        elif c in ")]}":
            depth -= 1
        elif i < room // 3 or c != " ":
            continue
        weight = _weight(line, i)
        if weight is not None and (best is None or depth * 4 + weight <= best[0]):
            best = depth * 4 + weight, i
    return best and best[1]


def _weight(line, i):
    if line[i - 1] == ",":
        return 0
    if line[i + 1:i + 3] in ("+ ", "- "):
        return 1
    return 2 if line[i + 1:i + 3] in ("* ", "/ ") or line[i - 1] == "=" else None


def paragraph(text, width):
    """Words in lines."""
    lines, line = [], ""
    for word in text.split(" "):
        if line and len(line) + 1 + len(word) > width:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    return lines + [line]


def declarations(kinds_and_texts, indent=4):
    """const param a = .., b = ..; of (kind, "a = .."), neighbours of a kind on a line where they fit."""
    lines, head, line = [], None, ""
    for kind, text in kinds_and_texts:
        if line and kind == head and indent + len(line) + len(text) + 3 <= WIDTH:
            line += ", " + text
            continue
        if line:
            lines.append(_declaration(head, line, indent))
        head, line = kind, f"const {kind} {text}"
    return lines + ([_declaration(head, line, indent)] if line else [])


def _declaration(kind, line, indent):
    """What goes over stands behind the = of a single one."""
    names = indent + len("const ") + len(kind) + 1
    single = line.count(" = ") == 1
    return statement(line + ";", indent, indent + line.index(" = ") + 3 if single else names)
