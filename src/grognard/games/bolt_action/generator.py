"""Random battles: a fair table, two reinforced platoons of about the same price and something to fight for.

The battle is written as the TOML of a scenario and read back, so that it is a scenario like any other: it can be saved,
printed, changed by hand and checked. The same seed gives the same battle.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random

from grognard.board.table.random_table import random_table
from grognard.board.table.terrain_file import to_toml
from grognard.core.files import Document
from grognard.games.bolt_action.figures import INCH, figures
from grognard.games.bolt_action.roster import NATIONS, UnitType, roster
from grognard.games.bolt_action.scenario import Scenario
from grognard.games.bolt_action.scenario_file import load_scenario

POINTS = ("500", "750", "1000")
#: How full the table is.
TERRAINS = {"open": 0.6, "mixed": 1.0, "close": 1.5}
DEFAULTS = {"points": "750", "nations": "american/german", "terrain": "mixed", "year": "1944"}
LEAST, MOST = 300, 2000
#: The depth of the strip in which a side deploys, in inches.
DEPTH = 10
#: How often a force is drawn; the dearest one within the limit is taken.
DRAWS = 40
#: What a force without much of a plan would like to have, and how much.
LIKING = {
    "squad": 4,
    "tank": 4,
    "machine_gun": 3,
    "mortar": 2,
    "anti_tank": 3,
    "gun": 3,
    "sniper": 2,
    "armoured_car": 2,
}
#: Units that need a scenario of their own to be of use.
SPECIAL = frozenset({"air_observer", "shirkers", "flak"})


def random_battle(
    points: str = "750",
    nations: Sequence[str] = ("american", "german"),
    year: str = "1944",
    terrain: str = "mixed",
    seed: int | str = 0,
) -> Scenario:
    """A scenario drawn at random. ValueError says what is wrong with a choice."""
    _check(points, nations, year, terrain)
    name = f"random_{points}_{year}_{'_'.join(nations)}_{terrain}_{_plain(seed)}"
    text = _write(name, int(points), (nations[0], nations[1]), int(year), terrain)
    return load_scenario(Document.from_toml(text, f"{name}.toml"))


def _plain(seed: int | str) -> str:
    return "".join(letter if letter.isalnum() and letter.isascii() else "_" for letter in str(seed).lower()) or "0"


def _check(points: str, nations: Sequence[str], year: str, terrain: str) -> None:
    if not (points.isdecimal() and LEAST <= int(points) <= MOST):
        raise ValueError(f"{points!r} points; a force may have {LEAST} to {MOST}")
    if terrain not in TERRAINS:
        raise ValueError(f"no terrain {terrain!r}; there are {', '.join(TERRAINS)}")
    if not year.isdecimal():
        raise ValueError(f"{year!r} is no year; write year=1944")
    if len(nations) != 2 or nations[0] == nations[1]:
        raise ValueError(f"{'/'.join(nations)!r} are not two nations; write nations=american/german")
    for nation in nations:
        if nation not in NATIONS:
            raise ValueError(f"no nation {nation!r}; there are {', '.join(NATIONS)}")
        if len([kind for kind in _available(nation, int(year)) if kind.squad]) < 1:
            raise ValueError(f"no {NATIONS[nation]} squads in {year}")


# ---- forces -----------------------------------------------------------------------------------------------


def _available(nation: str, year: int) -> list[UnitType]:
    return [
        kind
        for kind in roster().values()
        if kind.nation == nation and kind.years[0] <= year <= kind.years[1] and not kind.special & SPECIAL
    ]


def random_force(nation: str, year: int, points: int, random: Random) -> list[UnitType]:
    """A reinforced platoon that costs at most so many points, and not much less (28.1)."""
    best: list[UnitType] = []
    for _ in range(DRAWS):
        force = _draw(_available(nation, year), points, random)
        if _price(force) > _price(best):
            best = force
    return best


def _draw(kinds: list[UnitType], points: int, random: Random) -> list[UnitType]:
    """The core of the platoon first, then whatever is liked and can be paid for, one after the other."""
    allowed = figures().platoon
    force: list[UnitType] = []
    counts: Counter[str] = Counter()

    def take(kind: UnitType) -> None:
        force.append(kind)
        counts[kind.role] += 1

    for role in ("lieutenant", "squad", "squad"):
        cheap = sorted((kind for kind in kinds if kind.role == role), key=lambda kind: kind.points)
        take(random.choice(cheap if points >= 700 else cheap[:2]))
    while True:
        left = points - _price(force)
        wanted = [
            kind
            for kind in kinds
            if kind.points <= left and kind.role != "transport" and counts[kind.role] < allowed[kind.role].most
        ]
        if not wanted:
            return force
        # The dearest things first, while they can be paid for: small change buys the small teams.
        take(random.choices(wanted, [LIKING.get(kind.role, 1) for kind in wanted])[0])


def _price(force: list[UnitType]) -> int:
    return sum(kind.points for kind in force)


# ---- writing ----------------------------------------------------------------------------------------------


def _write(name: str, points: int, nations: tuple[str, str], year: int, terrain: str) -> str:
    random = Random(name)
    wide, deep = (60, 48) if points <= 600 else (72, 48)
    table = random_table(name, wide * INCH, deep * INCH, figures().kinds, TERRAINS[terrain])
    lines = [*_head(name, points, nations, year, terrain)]
    lines += to_toml(table).splitlines()
    lines += _objectives(wide, deep)
    for number, nation in enumerate(nations):
        top, bottom = (deep - DEPTH, deep) if number == 0 else (0, DEPTH)
        lines += [f"[side.{nation}]", f"nation = {_text(nation)}", f"[[side.{nation}.zone]]"]
        lines += [f"name = {_text('south' if number == 0 else 'north')}"]
        lines += [f"points = [[0, {top}], [{wide}, {top}], [{wide}, {bottom}], [0, {bottom}]]"]
        for id, count in Counter(kind.id for kind in random_force(nation, year, points, random)).items():
            lines += [f"[[side.{nation}.unit]]", f"kind = {_text(id)}"] + ([f"count = {count}"] if count > 1 else [])
    return "\n".join(lines) + "\n"


def _head(name: str, points: int, nations: tuple[str, str], year: int, terrain: str) -> Iterator[str]:
    first, second = (NATIONS[nation] for nation in nations)
    yield from ('game = "bolt_action"', f"name = {_text(name)}", f'title = "{first} against {second}"')
    yield f'date = "{year}"'
    words = {"open": "open country", "mixed": "mixed country", "close": "close country"}[terrain]
    yield (
        f'briefing = "Two platoons of about {points} points meet in {words}. The middle of the table is worth two '
        'points at the end, the flanks one each, and a unit destroyed one. A lead of two wins."'
    )


def _objectives(wide: int, deep: int) -> Iterator[str]:
    places = (("middle", wide / 2, 2), ("west", wide / 5, 1), ("east", wide * 4 / 5, 1))
    for id, across, points in places:
        yield from ("[[objective]]", f'id = "{id}"', f'name = "The {id}"', f"at = [{across:g}, {deep / 2:g}]")
        yield f"points = {points}"


def _text(text: str) -> str:
    return json.dumps(text)
