"""Thinking without pauses: the garbage collector waits until an answer is found, and then has nothing to do.

A full collection walks everything that is known of a scenario, which takes a quarter of a second in the largest ones,
and even a collection of what is new since the beginning of a long thought takes a tenth: at the end of a thought it
would come past its time. Thoughts leave next to nothing that needs a collector (a battle on a table that remembers its
areas), and what they throw away meanwhile is a few megabytes a second. So what there is when a long thought ends is
set aside, which takes no time at all; every other minute, before a battle or a thought, all of it is gone through.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

#: All is gone through not more often than this before battles, in seconds: it costs a part of a thought. Before a
#: thought it is after so long, and where it takes long after so many times as long: in a process that has played many
#: scenarios that is left to the next battle, or to the next hour.
SELDOM, OFTEN, TIMES = 60.0, 120.0, 600.0
#: A thought that has brought about so many new things is set aside; of fewer a collection takes a millisecond or two.
MANY = 20_000
_latest, _took = [monotonic()], [0.0]


def _ago() -> float:
    return monotonic() - _latest[0]


def settle() -> None:
    """Before a battle of programs: tidy up, and set aside all that is known by now, which no collection walks again
    until the next battle.

    A process that has played many scenarios knows so much of them that a full collection takes longer than a thought.
    """
    if gc.isenabled() and _ago() > SELDOM:
        _latest[0] = monotonic()
        gc.unfreeze()
        gc.collect()
        gc.freeze()
        _took[0] = monotonic() - _latest[0]


@contextmanager
def gc_paused() -> Iterator[None]:
    """Hold the collector off for the length of a thought, unless somebody holds it off already.

    Of several threads that think at once only the first holds it off, so that it has its turn when that one is done.
    Where nothing was gone through for long that comes first, where it takes its time from the thought.
    """
    if not gc.isenabled():
        yield
        return
    if _ago() > max(OFTEN, TIMES * _took[0]):
        settle()
    gc.disable()
    try:
        yield
    finally:
        if gc.get_count()[0] > MANY:
            gc.freeze()
        gc.enable()
