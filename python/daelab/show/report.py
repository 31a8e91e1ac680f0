"""A page to read of results: report --format html|md|tex [--program NAME] RESULT.., on standard output.

A RESULT is the file or folder of a study; "-" is one on standard input, as it is before it is written.
"""
from __future__ import annotations

import argparse
import json
import sys
from typing import List

from daelab.show.pages.sections import page_of
from daelab.show.pages.study import Study
from daelab.show.pages.write import WRITERS
from daelab.show.results import FILE, NoResult, Result, read

MISTAKE, FAULT = 2, 3


def _read(name: str) -> Result:
    return Result(json.load(sys.stdin), FILE) if name == "-" else read(name)


def main(arguments: List[str]) -> int:
    parser = argparse.ArgumentParser(prog="report")
    parser.add_argument("--format", choices=WRITERS, default="html")
    parser.add_argument("--program", default="daelab")
    parser.add_argument("results", nargs="+", metavar="RESULT")
    options = parser.parse_args(arguments)
    try:
        results = [_read(name) for name in options.results]
    except (NoResult, UnicodeDecodeError) as error:
        sys.stderr.write(f"{error}\n")
        return MISTAKE
    except OSError as error:
        sys.stderr.write(f"{error.filename}: {error.strerror}\n")
        return FAULT
    studies = [Study(result, result.name, i + 1 if len(results) > 1 else 0) for i, result in enumerate(results)]
    page = page_of(studies, f"Written by {options.program}.")
    sys.stdout.reconfigure(encoding="utf-8")
    sys.stdout.write(WRITERS[options.format](page))
    return 0
