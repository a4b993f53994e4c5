"""Copies by type: equal to what they copy, and nothing in them that can change is shared."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from grognard.core import registry
from grognard.core.copies import copier
from grognard.core.game import Game
from tests.conformance.conftest import load


class Badge(msgspec.Struct, frozen=True):
    kind: str


class Roll(msgspec.Struct, frozen=True):
    names: list[str]


class Man(msgspec.Struct):
    id: str
    badge: Badge
    arms: tuple[int, ...] = ()
    wounds: list[int] = []


class Army(msgspec.Struct):
    men: dict[str, Man]
    pairs: tuple[Man, ...] = ()
    best: Man | None = None
    rolls: list[Roll] = []
    seen: set[str] = set()
    notes: dict[str, Any] = {}


def army() -> Army:
    man = Man("a", Badge("star"), (1,), [2])
    return Army({"a": man}, (man,), man, [Roll(["x"])], {"y"}, {"z": [1]})


def test_a_copy_is_equal_and_shares_only_what_cannot_change() -> None:
    one = army()
    other = copier(Army)(one)
    assert other == one == army()
    assert other.men["a"].badge is one.men["a"].badge
    other.men["a"].wounds.append(9)
    other.men["b"] = Man("b", Badge("bar"))
    other.pairs[0].wounds.append(9)
    assert other.best is not None
    other.best.wounds.append(9)
    other.rolls[0].names.append("w")
    other.seen.add("w")
    other.notes["z"].append(9)
    assert one == army()


def changeable(value: Any) -> list[int]:
    """The identities of everything in plain data that can change."""
    if isinstance(value, msgspec.Struct):
        own = [] if value.__struct_config__.frozen else [id(value)]
        return own + [each for name in value.__struct_fields__ for each in changeable(getattr(value, name))]
    if isinstance(value, dict):
        return [id(value)] + [each for item in value.values() for each in changeable(item)]
    if isinstance(value, list | set | tuple):
        own = [] if isinstance(value, tuple) else [id(value)]
        return own + [each for item in value for each in changeable(item)]
    return []


@pytest.mark.parametrize("game", registry.games(), ids=lambda game: game.name)
def test_no_game_shares_anything_between_two_copies_of_a_state(game: Game) -> None:
    for name in game.scenario_files():
        state = game.begin(load(game.name, name)[1])
        copy = game.copy(state)
        assert game.encode(copy) == game.encode(state)
        assert not set(changeable(copy)) & set(changeable(state))
