"""Short words for tests of shooting and fighting, on top of `play`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from grognard.core.tally import Tally
from grognard.games.bolt_action import reactions
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.shooting import procedure
from tests.games.bolt_action.play import field, rolled, run, unit

__all__ = ["damage_needs", "enemy", "faces", "fire", "needs", "shoot", "tallies", "us"]


def us(kind: str, at: tuple[float, float] | None = (36, 40), id: str = "a1", **more: Any) -> dict[str, Any]:
    """A unit of the Americans that looks up the table, with a Fire die."""
    return unit(kind, id, at=at, **{"heading": 0, "side": "american", "die": "fire", **more})


def enemy(kind: str, at: tuple[float, float] | None, id: str = "g1", **more: Any) -> dict[str, Any]:
    """A unit of the Germans that looks down the table and has had its order, so that it does not react."""
    return unit(kind, id, at=at, **{"heading": 180, "side": "german", "die": "fire", **more})


def fire(
    battle: BoltBattle, *answers: str, by: str = "a1", moved: bool = False, at: str = "", reaction: str = ""
) -> BoltBattle:
    """Let a unit shoot with these answers."""
    reacts = None if reaction else reactions.target_reacts
    run(procedure.shoot(battle, battle.unit(by), moved=moved, at=at, reaction=reaction, reacts=reacts), *answers)
    return battle


def shoot(
    *units: Mapping[str, Any],
    key: str | Sequence[str] = "at g1",
    dice: Sequence[int] = (),
    moved: bool = False,
    terrain: Sequence[Mapping[str, Any]] = (),
    **head: Any,
) -> BoltBattle:
    """A position in which a1 shoots."""
    head.setdefault("sides", ["american", "german"])
    battle = field(*units, terrain=terrain, dice=dice, **head)
    return fire(battle, *([key] if isinstance(key, str) else key), moved=moved)


def tallies(battle: BoltBattle, what: str = "to hit") -> list[Tally]:
    """The tallies of all rolls for a purpose."""
    return [tally for event in rolled(battle, what) for tally in event.tallies]


def needs(battle: BoltBattle) -> list[int]:
    """The numbers needed to hit, one for each sort of shot."""
    return [tally.total for tally in tallies(battle)]


def damage_needs(battle: BoltBattle) -> list[int]:
    """The numbers needed to damage."""
    return [tally.total for tally in tallies(battle, "damage")]


def faces(battle: BoltBattle, what: str) -> list[tuple[int, ...]]:
    """What was thrown for a purpose."""
    return [event.faces for event in rolled(battle, what)]
