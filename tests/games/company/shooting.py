"""Short words for fire: who stands where, and one shooting played to its end."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from grognard.games.company import firing
from grognard.games.company.battle import CompanyBattle
from grognard.games.company.dealing import HITS
from grognard.games.company.firing import MODES, Shooting
from tests.games.company.playing import Spot, platoon, unit_of


def row(count: int, x: float, y: float, apart: float = 2.5) -> list[tuple[float, float]]:
    """So many places in a row."""
    return [(x + apart * number, y) for number in range(count)]


def fires(kind: str, id: str, *teams: Spot, **more: Any) -> dict[str, Any]:
    """A Unit that fires down the table; its Leader has helped already."""
    return platoon(kind, id, *teams, **{"heading": 180, "helped": 1, **more})


def moved(kind: str, id: str, *teams: Spot, **more: Any) -> dict[str, Any]:
    """A Unit that has acted this turn, and moved: nothing conceals it but cover."""
    return platoon(kind, id, *teams, **{"acted": 1, "moved": True, **more})


def shoot(
    battle: CompanyBattle,
    unit: str,
    target: str,
    *answers: str,
    mode: str = "fire",
    teams: Collection[str] = (),
    word: str = "",
    only: Collection[str] | None = None,
) -> Shooting:
    """A Unit fires, all of it or some Teams; hits and markers are dealt as usual where no answer says otherwise."""
    ids = teams or [team.id for team in unit_of(battle, unit).models]
    modes = dict.fromkeys(ids, MODES[mode])
    asked = firing.shoot(battle, unit_of(battle, unit), modes, unit_of(battle, target), word=word, only=only)
    given = list(answers)
    try:
        ask = next(asked)
        while True:
            usual = ask.reaction == HITS and (not given or given[0] not in [each.key for each in ask.options])
            assert usual or given, f"asked {ask.prompt!r} of {ask.side}: {[each.key for each in ask.options]}"
            key = "deal" if usual else given.pop(0)
            ask.option(key)
            ask = asked.send(key)
    except StopIteration as stop:
        assert not given, f"never asked for {given}"
        result: Shooting = stop.value
        return result
