"""Lines of C that are not too long."""

WIDTH = 110


def statement(text, indent, align):
    """A statement in lines of at most WIDTH, broken at operators that few parentheses enclose.

    align: the column at which what goes over begins.
    """
    lines, line, column = [], text, indent
    while column + len(line) > WIDTH:
        at = _break(line, WIDTH - column)
        if at is None:
            break
        lines.append(" " * column + line[:at].rstrip())
        line, column = line[at:].lstrip(), align
    return "\n".join(lines + [" " * column + line])


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
        if weight is not None and (best is None or (depth * 4 + weight) <= best[0]):
            best = depth * 4 + weight, i
    return best and best[1]


def _weight(line, i):
    if line[i - 1] == ",":
        return 0
    if line[i + 1:i + 3] in ("+ ", "- "):
        return 1
    return 2 if line[i + 1:i + 3] in ("* ", "/ ") else None


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
    return statement(line + ";", indent, indent + len("const ") + len(kind) + 1)
