"""What is shown of results: pages, pictures, films, comparisons.

A result is a study.json, read by results.py into tables of pandas. The command daelab runs this package as a program,
python3 -B .../show NAME ARGUMENTS: NAME is one of its modules, whose main(arguments) answers the exit status.
"""
