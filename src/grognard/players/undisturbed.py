"""Thinking without pauses: the garbage collector waits until an answer is found.

A full collection walks everything that is known of a scenario, which takes a quarter of a second in the largest ones:
at the end of a thought it would come past its time. Thoughts leave nothing that needs a collector, and what they throw
away meanwhile is a few megabytes a second.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

#: A full collection is not made more often than this, in seconds: it costs a part of a thought.
SELDOM = 60.0
_latest = [0.0]


def _long_ago() -> bool:
    return monotonic() - _latest[0] > SELDOM


def _collect_if_due() -> None:
    due = gc.get_threshold()[2]
    if due and gc.get_count()[2] >= due and _long_ago():
        _latest[0] = monotonic()
        gc.collect()


def settle() -> None:
    """Before a battle of programs: tidy up, and set aside all that is known by now, which no collection walks again
    until the next battle.

    A process that has played many scenarios knows so much of them that a full collection takes longer than a thought.
    """
    if gc.isenabled() and _long_ago():
        _latest[0] = monotonic()
        gc.unfreeze()
        gc.collect()
        gc.freeze()


@contextmanager
def undisturbed() -> Iterator[None]:
    """Hold the collector off for the length of a thought, unless somebody holds it off already.

    Of several threads that think at once only the first holds it off, so that it has its turn when that one is done. A
    full collection that is due comes first, where it takes its time from the thought; else it would come as soon as
    the collector is let in again, before the answer is told.
    """
    if not gc.isenabled():
        yield
        return
    _collect_if_due()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
