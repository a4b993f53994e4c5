"""Company: random playouts of `hedges` against a battle on hexes, and how long a player waits for areas and odds.

The figures of areas, previews and odds are of the processor's time and the best of several: other work on the machine
counts less. The odds of an assault may be sampled, and the row says whether they are.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from benchmarks.bench_playouts import SCENARIO, battle_playouts
from grognard.core.files import Document
from grognard.core.odds import Odds
from grognard.core.registry import games
from grognard.core.session import Session

TABLE = "hedges"
SECONDS = 4.0
#: So often odds are worked out, each time in a session that knows nothing yet.
REPEATS = 3


def units(kind: str, id: str, *places: tuple[float, float], more: str = "") -> str:
    """A platoon of a position: its stands where they are told, all of one kind but the Leader where that is wanted."""
    teams = ", ".join(f"{{ at = [{x}, {y}] }}" for x, y in places)
    return f'[[unit]]\nid = "{id}"\nkind = "{kind}"\n{more}teams = [{teams}]\n'


def rows(count: int, x: float, y: float, wide: int = 7) -> list[tuple[float, float]]:
    """Places in rows of so many, two and a half inches apart."""
    return [(x + 2.5 * (number % wide), y + 2.5 * (number // wide)) for number in range(count)]


BARE = """game = "company"
[table]
name = "Fields"
size = [72, 48]
"""
GROUND = (
    BARE
    + """[[terrain]]
kind = "woods"
area = [[8, 24], [16, 24], [16, 30], [8, 30]]
[[terrain]]
kind = "stone_wall"
line = [[20, 24], [34, 24]]
[[terrain]]
kind = "hedge"
line = [[4, 33], [18, 33]]
"""
)
#: A platoon of nine stands on foot and five half-tracks.
LARGE = units("us_armored_rifles", "a1", *rows(14, 22, 36), more="acted = 0\n")
FOES = "".join(
    units(kind, f"g{number}", *rows(5, x, y), more="heading = 180\n")
    for number, (kind, x, y) in enumerate(
        [("ger_grenadiers", 20, 16), ("ger_pioneers", 38, 18), ("ger_grenadiers", 54, 14)], 1
    )
)
VOLLEY = units("us_rifles", "a1", *rows(10, 22, 30, 5)) + units(
    "ger_grenadiers", "g1", *rows(8, 22, 18, 4), more="heading = 180\nmoved = true\n"
)
ASSAULT = units("us_rifles", "a1", *rows(8, 22, 30, 4)) + units(
    "ger_grenadiers", "g1", *rows(6, 22, 21, 6), more="heading = 180\nacted = 1\nmoved = true\n"
)
#: A way to the right past three platoons, one of them on Overwatch.
PAST = (
    units("us_rifles", "a1", *rows(6, 14, 20, 3), more="heading = 90\n")
    + units("ger_grenadiers", "g1", *rows(8, 24, 29, 8))
    + units("ger_pioneers", "g2", *rows(5, 24, 13, 5), more="heading = 180\n")
    + units("ger_hmg_platoon", "g3", *[(46, 17 + 3 * n) for n in range(4)], more="heading = 270\nwatch = true\n")
)


def opened(text: str, *keys: str) -> Session:
    """A session in a position after some answers; the check of the activation succeeds."""
    game = next(game for game in games() if TABLE in game.scenario_files())
    scenario, state = game.load_situation(
        Document.from_toml(text if text.startswith("game") else GROUND + text, "bench.toml")
    )
    session = Session(game, scenario, state=state, script=(6,))
    for key in keys:
        session.answer(key)
    return session


def best(timed: Callable[[], object], most: int = 5) -> float:
    """Milliseconds of the processor, the best of several."""
    spent = []
    for _ in range(most):
        start = time.process_time()
        timed()
        spent.append(time.process_time() - start)
    return min(spent) * 1e3


def areas() -> list[tuple[str, str]]:
    """The area of fourteen stands that move, as they stand and in a line, and what a pose in it would come to."""
    fresh = [opened(LARGE + FOES, "activate a1", "all move") for _ in range(REPEATS)]

    def area() -> None:
        session = fresh.pop()
        assert session.ask is not None and session.ask.area is not None
        here = session.ask.area
        assert here.polygons(here.start.form, here.start.heading)

    spent = best(area, REPEATS)
    session = opened(LARGE + FOES, "activate a1", "all move")
    assert session.ask is not None
    pose = next(option.key for option in session.ask.options if option.key.startswith("pose"))
    return [
        ("area of a platoon of 14 stands (under 50 ms on an idle machine)", f"{spent:.1f} ms"),
        ("preview of a pose of it (under 20 ms)", f"{best(lambda: session.preview(pose)):.1f} ms"),
    ]


def told(what: str, goal: str, odds: Odds, spent: float) -> tuple[str, str]:
    """A row for odds: how long they took, and whether they are exact."""
    how = f"exact, {odds.paths} paths" if odds.exact else f"sampled, {odds.paths} paths"
    return f"odds of {what} ({goal} on an idle machine)", f"{spent:.1f} ms ({how})"


def chances() -> list[tuple[str, str]]:
    """The odds of a volley and of a whole assault."""
    found = []
    for what, goal, text, keys, answers in (
        ("a volley of ten stands", "under 100 ms", VOLLEY, ("activate a1",), ("all aimed_fire", "at g1")),
        ("a whole assault", "under 1 s", ASSAULT, ("activate a1", "all assault", "assault g1"), ("done",)),
    ):
        sessions = [opened(text, *keys) for _ in range(REPEATS)]
        odds: list[Odds] = []
        spent = best(lambda s=sessions, a=answers, found=odds: found.append(s.pop().odds(*a)), REPEATS)
        found.append(told(what, goal, odds[-1], spent))
    return found


def questions() -> int:
    """How many times a platoon that goes past three others has them asked whether they react."""
    session = opened(BARE + PAST, "activate a1", "all run")
    assert session.ask is not None and session.ask.area is not None
    area = session.ask.area
    poses = (f"pose {x / 2} 20 90 as_they_stand" for x in range(100, 40, -1))
    session.answer(next(pose for pose in poses if not isinstance(area.option(pose), str)))
    asked = 0
    while session.ask is not None and session.ask.reaction:
        asked += 1
        session.answer("pass")
    return asked


def run() -> list[tuple[str, str]]:
    """Measure the playouts in turn, and then what a player waits for."""
    battle_playouts(SECONDS, 77)  # warm the caches, as a long run does
    battle_playouts(SECONDS, 77, TABLE)
    hexes = tables = length = 0.0
    for round_ in range(2):
        hexes = max(hexes, battle_playouts(SECONDS, round_)[0])
        rate, length = battle_playouts(SECONDS, round_, TABLE)
        tables = max(tables, rate)
    return [
        (f"{SCENARIO}, on hexes, random playouts", f"{hexes:,.0f} answers/s"),
        (f"{TABLE}, stands on a table ({length:.0f} answers a game)", f"{tables:,.0f} answers/s"),
        ("ratio to the battle on hexes (at least 10 %)", f"{tables / hexes:.1%}"),
        *areas(),
        *chances(),
        ("questions while a platoon runs past three others (at most 6)", f"{questions()}"),
    ]
