"""Crowded positions drawn at random and fought fiercely: every rule meets every other, and nothing breaks.

Invariants hold after every answer; forks stand before the same question; what a side is offered follows from
what it knows; nobody scores more points on a unit than it is worth (5, G-10).
"""

from __future__ import annotations

import os
from collections import Counter
from random import Random
from typing import Any

import pytest

from grognard.board.hex.grid import HexGrid, hex_grid
from grognard.core.ask import Ask
from grognard.core.session import Session
from grognard.games.ost import combat_events, move_events, turn_events
from grognard.games.ost.game import GAME
from grognard.games.ost.roster import UnitType, luck_cards, roster
from grognard.players.random import RandomPlayer
from tests.games.ost.helpers import position

SEEDS = 8 * int(os.environ.get("GROGNARD_LONG", "1"))
FIELDS = ("woods", "brush", "marsh", "stream", "orchard", "wheatfield", "rubble", "shell_holes")
WORKS = ("trench", "foxholes", "wire", "roadblock", "bunker", "pillbox", "cover")
PEACEFUL = ("burn", "pass", "cover", "done")
FIERCE = ("assault", "group_assault", "fire", "fire_group")


class FiercePlayer(RandomPlayer):
    """A random player who would rather fight."""

    def choose(self, view: Any, ask: Any) -> str:
        """Mostly an attack where there is one, seldom nothing at all."""
        options = ask.options
        if self.random.random() < 0.8:
            options = [option for option in options if option.verb not in PEACEFUL] or options
            attacks = [option for option in options if option.verb in FIERCE]
            if attacks and self.random.random() < 0.5:
                options = attacks
        return super().choose(view, Ask(ask.side, ask.prompt, options))


class Crowd:
    """Draws a small map full of units of two sides."""

    def __init__(self, seed: int) -> None:
        self.random = random = Random(seed)
        self.seed = seed
        self.sides = random.sample(["german", "soviet", "american", "british"], 2)
        self.columns, self.rows = random.choice([(8, 6), (10, 8), (6, 5)])
        self.grid: HexGrid = hex_grid(self.columns, self.rows)
        self.free = random.sample(self.grid.hexes, len(self.grid.hexes))
        self.units: list[str] = []
        self.firm: set[str] = set()  # hexes with vehicles or large guns, which not all ground bears

    def kinds(self, side: str, *kinds: str) -> list[UnitType]:
        return [kind for kind in roster().values() if kind.nation == side and kind.kind in kinds]

    def add(self, side: str, kind: UnitType, place: str, *words: str) -> str:
        id = f"{side[0]}{len(self.units) + 1}"
        self.units.append(" ".join([id, kind.id, place, *words]))
        return id

    def states(self, side: str, kind: UnitType) -> list[str]:
        random = self.random
        words = [f"f={random.randrange(1, 7)}"] if kind.vehicle or kind.covered_arc else []
        for word, chance, fits in (
            ("shaken", 0.15, True),
            ("broken", 0.05, True),
            ("reduced", 0.2, kind.reduced is not None),
            ("bogged", 0.1, kind.vehicle),
            ("mgs_out", 0.1, kind.vehicle and kind.secondary.fp),
        ):
            if fits and random.random() < chance:
                words.append(word)
        if kind.squad and random.random() < 0.5:
            weapons = [weapon.id for weapon in self.kinds(side, "support")]
            words.append("with=" + ",".join(random.sample(weapons, random.choice([1, 1, 2]))))
        return words

    def stack(self, side: str) -> None:
        """Fill a hex with one or two units, Leaders and passengers."""
        random, hex = self.random, self.free.pop()
        for number in range(random.choice([1, 1, 2])):
            wanted = ["squad", "crewed", "vehicle", "crew"] + ([] if number else ["sniper", "leader"])
            kind = random.choice(self.kinds(side, *wanted))
            hides = not number and side == self.sides[0] and random.random() < 0.12
            id = self.add(side, kind, hex, *self.states(side, kind), *(["hidden"] if hides else []))
            if kind.vehicle or kind.no_structures:
                self.firm.add(hex)
            if (kind.squad or kind.crewed) and random.random() < 0.35:
                self.add(side, random.choice(self.kinds(side, "leader")), hex, f"attached={id}")
            if kind.vehicle and not kind.no_riders and random.random() < 0.4:
                self.add(side, random.choice(self.kinds(side, "squad", "crewed")), "-", f"aboard={id}")
            if kind.armored and random.random() < 0.3:
                self.add(side, random.choice(self.kinds(side, "armor_leader")), "-", f"attached={id}")
            if kind.single or hides:
                return

    def session(self) -> Session:
        """The position, ready to be fought."""
        random, grid, sides = self.random, self.grid, self.sides
        for side in sides:
            for _ in range(random.randrange(4, 9)):
                self.stack(side)
            for _ in range(random.randrange(3)):
                entry = grid.label(0, random.randrange(self.rows))
                kind = random.choice(self.kinds(side, "squad", "vehicle"))
                self.add(side, kind, "-", f"due={random.choice([3, 4])}", f"entry={entry}")
        hexsides: dict[str, list[str]] = {}
        for hex in random.sample(grid.hexes, 10):
            side = grid.hexside(hex, random.choice(grid.adjacent[hex]))
            if not any(side in found for found in hexsides.values()):
                hexsides.setdefault(random.choice(["hedge", "stone_wall", "bocage"]), []).append(side)
        ends = [f"A{random.randint(1, self.rows)}", f"{grid.hexes[-1][0]}{random.randint(1, self.rows)}"]
        cards = random.sample(list(luck_cards()), 4)
        terrain = {field: self.some(2) or ["A1"] for field in FIELDS}
        terrain["woods"] = [hex for hex in terrain["woods"] if hex not in self.firm]
        buildings = [hex for hex in self.some(4) if hex not in self.firm]
        closed = {*self.firm, *buildings, *terrain["stream"], *terrain["marsh"]}
        return position(
            *self.units,
            map=f"open {self.columns}x{self.rows}",
            terrain={field: ", ".join(hexes) for field, hexes in terrain.items() if hexes},
            levels={"2": ", ".join(self.some(5) or ["A1"])},
            hexsides={kind: ", ".join(found) for kind, found in hexsides.items()},
            roads=[":".join(ends)] if random.random() < 0.6 else [],
            buildings=[f"{random.choice(['light', 'heavy'])}_structure {hex}" for hex in buildings],
            works=[
                f"{random.choice(WORKS)} {hex} {random.choice(sides)} facing={random.randint(1, 6)}"
                for hex in self.some(5)
                if hex not in closed
            ],
            mines=[f"{hex} {random.choice(sides)}" for hex in self.some(3)],
            control={hex: random.choice(["", *sides]) for hex in self.some(3)},
            sides=sides,
            active=sides[0],
            turn=2,
            points={side: random.randrange(3, 14) for side in sides},
            impulse=dict.fromkeys(sides, "2d6+4"),
            cards={sides[0]: cards[:2], sides[1]: cards[2:]},
            assets={side: {"mortars": 1, "rockets": 1, "air": 1} for side in sides},
            exit={sides[0]: f"A1-A{self.rows}"},
            options={"urban": random.random() < 0.3},
            gut_check=random.choice([6, 7, 9]),
            seed=str(self.seed).encode(),
        )

    def some(self, most: int) -> list[str]:
        return self.random.sample(self.grid.hexes, self.random.randint(0, most))


@pytest.mark.parametrize("seed", range(SEEDS))
def test_a_crowded_fight(seed: int) -> None:
    session = Crowd(seed).session()
    player = FiercePlayer(seed)
    count = 0
    while session.ask is not None:
        options = session.ask.options
        assert options and len({option.key for option in options}) == len(options), session.ask.prompt
        if count % 15 == 4:
            fork, concealed = session.fork(), session.fork()
            assert fork.ask is not None and concealed.ask is not None
            assert (fork.ask.prompt, fork.ask.options) == (session.ask.prompt, options)
            assert GAME.encode(fork.state) == GAME.encode(session.state)
            GAME.conceal(concealed.battle, session.ask.side)
            assert concealed.ask.options == options, session.ask.prompt
        key = player.choose(None, session.ask)
        session.answer(key, trusted=True)
        assert not GAME.invariants(session.battle), key
        count += 1
        assert count < 3000, "it goes on for ever"
    names = GAME.names(session.battle)
    assert all(event.say(names) for event in session.log)
    check_points(session)


def check_points(session: Session) -> None:
    """What each side scored is on its track, and no unit gave more than two points (5, G-10)."""
    scored: Counter[str] = Counter()
    by_unit: Counter[str] = Counter()
    for event in session.log:
        if isinstance(event, turn_events.Scored):
            scored[event.side] += event.points
            by_unit[event.unit] += event.points
    assert {side: scored[side] for side in session.scenario.sides} == session.state.casualties
    again = {event.unit for event in session.log if isinstance(event, combat_events.Restored)}
    again |= {event.gun for event in session.log if isinstance(event, move_events.Manned)}
    assert all(points <= 2 for unit, points in by_unit.items() if unit not in again), by_unit
