"""A call of the library in a thread of its own: what a signal raises in Python meanwhile ends it, and comes out when
the call has ended."""
from __future__ import annotations

import _thread
import contextvars
import ctypes
import threading
from functools import partial
from typing import Any, Callable, Dict, Optional

import numpy as np


class Worker:
    """Functions of Python that are called back find the context and the errstate of the thread that made this.

    Thread.join is not used: where an exception breaks it, it takes the thread for ended (CPython 3.11), and the memory
    that the thread works with would be freed. Where nothing of Python is called back, nobody asks which thread it is in,
    and a bare one is begun in a quarter of the time."""

    def __init__(self, calls_back: bool, function: Callable[..., Any], *arguments: Any) -> None:
        self._answer: Any = None
        self._error: Optional[BaseException] = None
        self._ended = threading.Lock()
        self._ended.acquire()           # pylint: disable=consider-using-with  # until the thread has ended
        self._is_over = False
        self._owner: Dict[str, str] = {}
        self._asked = False
        context, errors = contextvars.copy_context(), np.geterr()

        def work() -> None:
            if not self._begins("thread"):
                return
            try:
                np.seterr(**errors)
                self._answer = context.run(function, *arguments)
            except BaseException as error:      # raised where it is waited for
                self._error = error
            finally:
                self._is_over = True            # before the lock: who has it knows
                self._ended.release()

        self._start = (threading.Thread(target=work, name="daelab").start if calls_back
                       else partial(_thread.start_new_thread, work, ()))

    def _begins(self, who: str) -> bool:
        """Who is first decides whether the work is begun: the thread, or a caller that was interrupted before."""
        return self._owner.setdefault("first", who) == who

    def _is_done(self) -> bool:
        return self._is_over or self._owner.get("first") == "caller"

    def end(self, stop: ctypes.c_int) -> None:
        """Begin the work if it was not begun, and wait until it has ended. What is raised here meanwhile sets stop,
        and comes out then."""
        raised: Optional[BaseException] = None
        while not self._is_done():
            try:
                if not self._asked:
                    self._asked = True
                    self._start()
                self._ended.acquire()           # pylint: disable=consider-using-with
            except BaseException as error:      # pylint: disable=broad-except  # of any handler of signals
                stop.value = 1
                raised = raised or error
                self._begins("caller")
        if raised is not None:
            raise raised

    def result(self) -> Any:
        """What the function answered, or raised."""
        if self._error is not None:
            raise self._error
        return self._answer
