"""Copying a state of 40 units and 200 markers, against copy.deepcopy in the same run."""

from __future__ import annotations

import copy
import timeit

from grognard.games.ost.game import GAME
from grognard.games.ost.state import Mines, State, Unit, Weapon, Work


def big_state() -> State:
    """40 units with weapons, and 200 markers of all kinds."""
    units = {
        f"u{i}": Unit(f"u{i}", i, "ger_rifle", "german" if i % 2 else "american", "map", f"A{i}") for i in range(40)
    }
    weapons = {f"w{i}": Weapon(f"w{i}", "ger_lmg", f"u{i}") for i in range(20)}
    return State(
        units,
        weapons,
        5,
        works={f"B{i}": Work("foxholes", "german") for i in range(50)},
        mines={f"C{i}": Mines("german") for i in range(50)},
        smoke={f"D{i}": 1 for i in range(50)},
        wrecks={f"E{i}": 1 for i in range(50)},
    )


def run() -> list[tuple[str, str]]:
    """Best of several rounds of each."""
    state = big_state()
    deep = min(timeit.repeat(lambda: copy.deepcopy(state), number=10, repeat=7)) / 10
    ours = min(timeit.repeat(lambda: GAME.copy(state), number=200, repeat=7)) / 200
    encoded = min(timeit.repeat(lambda: GAME.decode(GAME.encode(state)), number=200, repeat=7)) / 200
    return [
        ("copy.deepcopy", f"{deep * 1e6:,.0f} µs"),
        ("encode and decode", f"{encoded * 1e6:,.0f} µs"),
        ("Game.copy: what sessions keep at each quiet question", f"{ours * 1e6:,.0f} µs"),
        ("ratio (at least 25)", f"{deep / ours:.1f} times"),
    ]
