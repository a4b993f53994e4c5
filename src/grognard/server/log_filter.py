"""A log that does not grow without end: what is said again and again is said a few times a minute, and then counted."""

from __future__ import annotations

import logging
import time
from collections import OrderedDict
from collections.abc import Callable

#: How often the same thing is said in a stretch of so many seconds.
MOST, STRETCH = 5, 60.0
#: Of how many different things it is remembered how often they were said.
KINDS = 500
#: Who asked for it wants every line of it.
COMPLETE = "grognard.access"


class RepeatFilter(logging.Filter):
    """Lets a few records of a kind through in a minute; the next one tells how many were left out meanwhile."""

    def __init__(self, most: int = MOST, stretch: float = STRETCH, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self.most, self.stretch, self.clock = most, stretch, clock
        #: When the stretch began, how many were let through in it, and how many were left out.
        self._said: OrderedDict[tuple[str, str, str], tuple[float, int, int]] = OrderedDict()

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a record is written."""
        if record.name == COMPLETE:
            return True
        failure = record.exc_info[0].__name__ if record.exc_info and record.exc_info[0] else ""
        kind = (record.name, str(record.msg)[:80], failure)
        now = self.clock()
        began, said, left_out = self._said.pop(kind, (now, 0, 0))
        if now - began >= self.stretch:
            if left_out:
                record.msg = f"{record.msg} ({left_out} more like this in the last {now - began:.0f} s)"
            began, said, left_out = now, 0, 0
        goes = said < self.most
        self._said[kind] = (began, said + goes, left_out + (not goes))
        while len(self._said) > KINDS:
            self._said.popitem(last=False)
        return goes
