"""Marches: positions in which one side moves and the other, far off and without points, looks on."""

from __future__ import annotations

from typing import Any

from grognard.core.ask import Bar
from grognard.core.session import Session
from grognard.games.ost import combat, terrain
from tests.games.ost.helpers import battle, options, position, unit

FAR = "z9 us_truck J8 f=1"


def march(*units: str, **more: Any) -> Session:
    """The German moves at leisure: an American truck far off keeps the battle going."""
    more.setdefault("points", {"german": 9, "american": 0})
    return position(*units, FAR, **more)


def cost(session: Session, key: str) -> str:
    """What an option costs, as it is shown."""
    found = {option.key: option.cost for option in options(session)}
    assert key in found, f"{key} is not among {sorted(found)}"
    return found[key]


def left(session: Session) -> str:
    """The Movement Points that the movers have left, as they are told."""
    assert session.ask is not None and session.ask.prompt.endswith(" MP left"), session.ask
    return session.ask.prompt.removesuffix(" MP left").split()[-1]


def offered(session: Session, key: str) -> bool:
    """Whether a key is among the options that stand."""
    return any(option.key == key for option in options(session))


def bar_of(session: Session, id: str, hex: str, **how: Any) -> str:
    """The rule that keeps a unit out of an adjacent hex for good, "" if none does."""
    found = terrain.entry_cost(battle(session), unit(session, id), unit(session, id).hex, hex, **how)
    return found.rule if isinstance(found, Bar) else ""


def shelter(session: Session, id: str, kind: str = "fire") -> int:
    """What terrain and counters add to a unit's Defense."""
    ours = battle(session)
    tally = combat.defense_tally(ours, unit(session, id), kind)
    return tally.total - tally.base
