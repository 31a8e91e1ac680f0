"""Files that others see whole or not at all."""
from __future__ import annotations

import os
import stat
import tempfile
from typing import Callable


def replace(path: str, write: Callable[[str], None]) -> None:
    """write(name) makes a file beside path, which then has its name; what is no regular file, a pipe, is written
    directly. OSError, with the path."""
    path = os.path.realpath(path)
    if os.path.exists(path) and not stat.S_ISREG(os.stat(path).st_mode):
        write(path)
        return
    handle, name = tempfile.mkstemp(dir=os.path.dirname(path), prefix=".", suffix=os.path.splitext(path)[1])
    os.close(handle)
    try:
        write(name)
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(name, 0o666 & ~mask)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise
