"""A file that others see whole or not at all."""

import os
import signal
import tempfile

ENDS = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}


def usual_mode():
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def put_in_place(text, path):
    """Write it beside path, and let it take that place; signals that would leave it there wait."""
    file, name = tempfile.mkstemp(prefix=os.path.basename(path) + ".", dir=os.path.dirname(path) or ".")
    try:
        with os.fdopen(file, "wb") as out:
            out.write(text)
            os.fchmod(out.fileno(), usual_mode())
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise


def write(text, path):
    """A path that is no regular file, as a pipe or /dev/stdout, is written directly; OSError where it cannot be."""
    target, content = os.path.realpath(path), text.encode()
    if os.path.exists(path) and not os.path.isfile(target):
        with open(path, "wb") as out:
            out.write(content)
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, ENDS)
    try:
        put_in_place(content, target)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
