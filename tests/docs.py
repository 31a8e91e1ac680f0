"""docs.py - what README.md and the pages of docs say, tried as it stands

    docs.py links SOURCE              every relative link of every .md leads to a file, and to a heading in it
    docs.py commands SOURCE PROGRAM COMPILER PAGE.md

Fenced blocks of a page, in their order, in one empty folder that has examples/ and the files of the marked blocks of
all pages (FILES):

    ```sh          each command has to end with status 0
    ```console     a command stands behind "$ " (after one that ends otherwise, "$ echo $?" may stand), and what it says
                   on standard output and error below it. "..." stands for any text, alone on a line for any lines;
                   numbers may differ by one part in a hundred, or, below 1e-9, by ten times, as rounding does
    <!-- not run: REASON -->   before a block of sh: its lines that begin with daelab are only checked, not run
    <!-- MARK -->  before a block: a script of tests/ takes it by its mark; "tried by FILE": that test does;
                   "file NAME": it is that file, which commands of the page take

Lines that need what is not here are left out, and told. Indented commands are refused: nothing would try them.
"""
import functools
import os
import re
import shutil
import subprocess
import sys
import tempfile

FILES = {"problem": "bead.c", "switching": "drop.c", "method": "ralston.c", "tableau": "bs32.c", "words": "dome.yaml",
         "study": "projection.yaml"}
DRAWN = ("--plot", "animate")
TINY = 1e-9


def pages(source):
    """README, CONTRIBUTING and all pages: their paths from the source."""
    folders = [(".", os.listdir(source)), ("docs", os.listdir(os.path.join(source, "docs"))),
               ("examples", os.listdir(os.path.join(source, "examples")))]
    return sorted(os.path.normpath(os.path.join(f, n)) for f, names in folders for n in names if n.endswith(".md"))


def read(source, page):
    with open(os.path.join(source, page), encoding="utf-8") as f:
        return f.read()


class Block:
    """A fenced block: its language, the mark on the line before it, its first line's number and its lines."""

    def __init__(self, language, mark, at):
        self.language, self.mark, self.at, self.lines = language, mark, at, []


def blocks(text):
    found, inside, mark = [], None, None
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("```"):
            if inside:
                found.append(inside)
                inside, mark = None, None
            else:
                inside = Block(line[3:].strip(), mark, number + 1)
        elif inside:
            inside.lines.append(line)
        elif line.strip():
            comment = re.fullmatch(r"<!-- (.*) -->", line)
            mark = comment.group(1) if comment else None
    return found


# ---- links

def anchor(heading):
    """As GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", re.sub(r"[`*]", "", heading).strip().lower()).replace(" ", "-")


def outside_blocks(text):
    return re.sub(r"^```.*?^```", "", text, flags=re.S | re.M)


def anchors(text):
    return {anchor(h) for h in re.findall(r"^#+ (.*)$", outside_blocks(text), re.M)}


def broken_link(source, page, link):
    """Why a link leads nowhere, or None."""
    if re.match(r"[a-z]+:", link):
        return None
    path, _, at = link.partition("#")
    target = os.path.normpath(os.path.join(source, os.path.dirname(page), path)) if path else os.path.join(source, page)
    if not os.path.exists(target):
        return "there is no such file"
    if at and at not in anchors(read("", target)):
        return "there is no such heading"
    return None


def check_links(source):
    faults = []
    for page in pages(source):
        text = read(source, page)
        for link in re.findall(r"\]\(([^)\s]+)\)", outside_blocks(text)):
            why = broken_link(source, page, link)
            if why:
                faults.append(f"{page}: ({link}): {why}")
        for path in re.findall(r"(?<![\w.~$}])/(?:usr|home|root|work|tmp|opt)/\S*", text):
            faults.append(f"{page}: {path} is a path of one machine")
    return faults


# ---- commands

def number(token):
    try:
        return float(token.rstrip(",;:)").lstrip("("))
    except ValueError:
        return None


def same_token(said, written):
    if re.fullmatch(r"-{2,}", said) and re.fullmatch(r"-{2,}", written):
        return True
    if "..." in written:
        return re.fullmatch(".*".join(map(re.escape, written.split("..."))), said) is not None
    a, b = number(said), number(written)
    if a is None or b is None:
        return said == written
    return abs(a - b) <= 0.01 * max(abs(a), abs(b)) or max(abs(a), abs(b)) < TINY and abs(a) < 10 * abs(b)


def same_line(said, written):
    """A token "..." stands for any tokens, or none."""
    if not written:
        return not said
    if written[0] == "...":
        return any(same_line(said[i:], written[1:]) for i in range(len(said) + 1))
    return bool(said) and same_token(said[0], written[0]) and same_line(said[1:], written[1:])


def same_text(said, written):
    """Of lines; a line "..." stands for any lines, or none. The first line that was not found, or None."""
    at, free = 0, False
    for line in written:
        if line.strip() == "...":
            free = True
            continue
        while at < len(said) and not same_line(said[at].split(), line.split()):
            if not free:
                return line
            at += 1
        if at == len(said):
            return line
        at, free = at + 1, False
    return None if free or at == len(said) else "(the end)"


def commands_of(block):
    """(line number, command, what it says or None) of a block."""
    found, joined = [], ""
    for i, line in enumerate(block.lines):
        if block.language == "console" and not joined and not line.startswith("$ "):
            found[-1][2].append(line)
            continue
        joined += (line[2:] if block.language == "console" and not joined else line.strip())
        if joined.endswith("\\"):
            joined = joined[:-1] + " "
        elif joined.strip() and not joined.strip().startswith("#"):
            found.append((block.at + i, joined, [] if block.language == "console" else None))
            joined = ""
        else:
            joined = ""
    return found


@functools.lru_cache(maxsize=None)
def has(modules):
    """Has the Python by which daelab runs what it has in Python?"""
    python = os.environ.get("DAELAB_PYTHON") or "python3"
    return subprocess.run([python, "-c", "import " + modules], capture_output=True, check=False).returncode == 0


def lacks(command):
    if "mpirun" in command and not shutil.which("mpirun"):
        return "mpirun"
    if any(word in command for word in DRAWN) and not has("matplotlib, pandas"):
        return "matplotlib"
    if ".yaml" in command and "study" not in command and not has("sympy, yaml"):
        return "SymPy"
    return None


def run(command, folder, environment):
    """Status, and standard output and error together; bash, as $? of the last command may be asked for."""
    done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, timeout=240, check=False)
    return done.returncode, done.stdout


def try_command(command, written, last, folder, environment):
    """A complaint or None, and the status."""
    command = re.sub(r"\$\?", str(last), command)
    status, said = run(command, folder, environment)
    if written is None:
        return (f"ends with {status}\n{said}" if status else None), status
    missed = same_text(said.rstrip("\n").split("\n") if said.strip() else [], written)
    return (f"says something else from this line on: {missed}\n{said}" if missed else None), status


def check_line(command, folder, environment):
    """A line that is not run has options that its command has."""
    words = command.split("#")[0].split()
    if len(words) < 2 or words[0] != "daelab":
        return None
    status, said = run(f"daelab {words[1]} --help all", folder, environment)
    unknown = [w for w in words[2:] if w.startswith("--") and not re.search(re.escape(w) + r"\b", said)]
    return f"has unknown options: {unknown}" if status or unknown else None


def nobody_tries(source, text, mark):
    """A complaint where a marked block of a page is in no test."""
    if mark.startswith("file "):
        commands = "\n".join("\n".join(b.lines) for b in blocks(text) if b.language in ("sh", "console") and not b.mark)
        return None if "./" + mark[5:] in commands else f"no command takes ./{mark[5:]}"
    if mark.startswith("tried by "):
        return None if os.path.exists(os.path.join(source, mark[len("tried by "):])) else f"there is no {mark[9:]}"
    tests = [os.path.join(d, n) for d, _, names in os.walk(os.path.join(source, "tests")) for n in names
             if n.endswith((".sh", ".c", ".py")) and n != "docs.py"]
    return None if any(mark in read("", t) for t in tests) else f"no test takes the block {mark}"


def page_faults(source, text, folder, environment):
    faults, last, tried = [], 0, 0
    for line in re.findall(r"^(?:    +|\t)(?:build/)?daelab .*$", outside_blocks(text), re.M):
        faults.append(f"nothing tries the indented{line}")
    for block in blocks(text):
        if block.mark and not block.mark.startswith("not run: "):
            if nobody_tries(source, text, block.mark):
                faults.append(f"line {block.at}: {nobody_tries(source, text, block.mark)}")
            continue
        if block.language not in ("sh", "console"):
            continue
        for at, command, written in commands_of(block):
            missing = lacks(command)
            if missing:
                print(f"line {at}: skipped, as there is no {missing}: {command}")
                continue
            if block.mark:
                fault = check_line(command, folder, environment)
            else:
                fault, last = try_command(command, written, last, folder, environment)
                tried += 1
            if fault:
                faults.append(f"line {at}: {command}\n{fault}")
    print(f"{tried} commands were run")
    return faults


def furnish(source, folder):
    """The files that pages speak of."""
    shutil.copytree(os.path.join(source, "examples"), os.path.join(folder, "examples"))
    for part in ("problems", "include"):
        os.symlink(os.path.join(source, part), os.path.join(folder, part))
    for page in pages(source):
        for block in blocks(read(source, page)):
            name = FILES.get(block.mark) or (block.mark or "").removeprefix("file ")
            if block.mark in FILES or name != (block.mark or ""):
                with open(os.path.join(folder, name), "w", encoding="utf-8") as f:
                    f.write("\n".join(block.lines) + "\n")


def check_commands(source, program, compiler, page):
    with tempfile.TemporaryDirectory() as work:
        folder = os.path.join(work, "here")
        os.mkdir(folder)
        furnish(source, folder)
        os.symlink(program, os.path.join(work, "daelab"))
        environment = dict(os.environ, PATH=work + os.pathsep + os.environ["PATH"], CC=compiler,
                           DAELAB_CACHE=os.environ.get("DAELAB_CACHE") or os.path.join(work, "cache"))
        environment.pop("COLUMNS", None)
        return page_faults(source, read(source, page), folder, environment)


def main():
    what, source = sys.argv[1], os.path.abspath(sys.argv[2])
    faults = check_links(source) if what == "links" else check_commands(source, *sys.argv[3:6])
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
