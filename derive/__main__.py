"""python3 -B PATH/derive FILE.yaml: the package as a program, found beside this file wherever it lies.

Python keeps what it compiled of this file beside it, before its first line is run: that is what -B is for.
"""

import os
import signal
import sys

if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)        # an interrupt ends the program, without a traceback
signal.signal(signal.SIGPIPE, signal.SIG_DFL)           # and so does an end of those who read


def begin():
    if hasattr(sys.stderr, "reconfigure"):
        sys.stderr.reconfigure(errors="surrogateescape")        # a name of a file is said as it is
    here = os.path.dirname(os.path.abspath(__file__))
    sys.dont_write_bytecode = True
    sys.path[0] = os.path.dirname(here)         # derive.words.units, and no module of another's called units
    from derive import interpreter
    if not interpreter.suits() and not interpreter.begin_again(here, sys.argv[1:]):
        sys.stderr.write(interpreter.why_not() + "\n")
        return 3
    from derive import command
    return command.main(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(begin())
