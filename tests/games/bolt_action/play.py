"""Positions in a few words, and short words for playing them: used by the tests of every chapter.

    session = play(
        unit("us_squad", "a1", at=(20, 30)),                    # twelve men in a line, looking up
        unit("ger_grenadiers", "g1", at=(20, 18), heading=180, pins=2, men=5),
        terrain=[piece("hedge", (10, 20), (30, 20)), box("building", 40, 10, 46, 16, id="farm")],
        dice=(3, 4),
        drawn="american",
    )
    answer(session, "unit a1", "fire", ...)

Lengths are inches, x to the right, y down; headings degrees clockwise from up.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from grognard.core.dice import FairDice, ScriptedDice
from grognard.core.files import Document
from grognard.core.session import Session
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.game import GAME
from grognard.games.bolt_action.situation import load_situation
from grognard.games.bolt_action.state import State, Unit
from tests.playing import answer as answer
from tests.playing import happened as happened
from tests.playing import in_situation, to_toml
from tests.playing import keys as keys
from tests.playing import lines as lines
from tests.playing import options as options
from tests.playing import rolled as rolled
from tests.playing import run as run
from tests.playing import tally as tally


def unit(
    kind: str, id: str = "", at: tuple[float, float] | None = None, heading: int = 0, **more: Any
) -> dict[str, Any]:
    """A unit of the roster: in a line about ``at`` (the middle of its front rank, its gun or hull).

    more: side, quality, men (so many of them), ranks, models=[(x, y), …] or [{"id": "m3", "at": (x, y), "role": …}],
    pins, die, status, aboard, building, dug_in, immobilised, moved, moving, ammunition, ranged, shots, on_target,
    ranged_turn, empty, green, called, scores, size
    """
    found: dict[str, Any] = {"kind": kind, "heading": heading, **more}
    if id:
        found["id"] = id
    if at is not None:
        found["at"] = list(at)
    return found


def piece(kind: str, *points: tuple[float, float], **more: Any) -> dict[str, Any]:
    """A piece of terrain: the corners of an area or the points of a line; more: id, name, openings, soft, height."""
    return {"kind": kind, "points": [list(point) for point in points], **more}


def box(kind: str, left: float, top: float, right: float, bottom: float, **more: Any) -> dict[str, Any]:
    """A rectangular piece of terrain; its edges are 0 top, 1 right, 2 bottom, 3 left."""
    return piece(kind, (left, top), (right, top), (right, bottom), (left, bottom), **more)


def _houses(piece: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """A box of a building larger than one may be, as several that touch (25.1): walls of houses stand in many tests."""
    xs, ys = (sorted({point[axis] for point in piece["points"]}) for axis in (0, 1))
    if piece["kind"] != "building" or len(xs) != 2 or len(ys) != 2 or "id" in piece:
        return [piece]
    across, down = math.ceil((xs[1] - xs[0]) / 8), math.ceil((ys[1] - ys[0]) / 8)
    if across == down == 1:
        return [piece]
    more = {key: value for key, value in piece.items() if key not in ("kind", "points", "openings")}
    return [
        box(
            "building",
            *(round(xs[0] + (xs[1] - xs[0]) * i / across, 2), round(ys[0] + (ys[1] - ys[0]) * j / down, 2)),
            *(round(xs[0] + (xs[1] - xs[0]) * (i + 1) / across, 2), round(ys[0] + (ys[1] - ys[0]) * (j + 1) / down, 2)),
            **more,
        )
        for i in range(across)
        for j in range(down)
    ]


def situation(
    *units: Mapping[str, Any],
    terrain: Sequence[Mapping[str, Any]] = (),
    table: tuple[float, float] = (72, 48),
    **head: Any,
) -> str:
    """The situation as TOML."""
    data: dict[str, Any] = dict(head)
    data["table"] = {"name": "test", "width": table[0], "height": table[1]}
    data["terrain"] = [house for piece in terrain for house in _houses(piece)]
    data["unit"] = list(units)
    return to_toml(data)


def play(
    *units: Mapping[str, Any],
    terrain: Sequence[Mapping[str, Any]] = (),
    table: tuple[float, float] = (72, 48),
    dice: Sequence[int] = (),
    seed: bytes | None = None,
    **head: Any,
) -> Session:
    """A session in a position, with scripted dice (past the script it asks for faces), or fair ones with a seed.

    head: every other key of a situation: drawn="american" (its die has been drawn), turn=2, phase="turn_end",
    sides=[…], cup={"american": 3}, objective=[{"at": [10, 10], "points": 2}], smoke, strike,
    wreck=[{"kind": "ger_stug3", "at": [3, 4]}], victory, german_machine_guns, lost, changed
    """
    return in_situation(GAME, situation(*units, terrain=terrain, table=table, **head), dice, seed)


def field(
    *units: Mapping[str, Any],
    terrain: Sequence[Mapping[str, Any]] = (),
    table: tuple[float, float] = (72, 48),
    dice: Sequence[int] = (),
    seed: bytes | None = None,
    **head: Any,
) -> BoltBattle:
    """The same position as a battle without a session, to try single rules: ``run(advance_and_run.move(…))``."""
    text = situation(*units, terrain=terrain, table=table, **head)
    scenario, state = load_situation(Document.from_toml(text, "position.toml"))
    return BoltBattle(scenario, state, FairDice(seed) if seed is not None else ScriptedDice(dice))


# ---- playing ------------------------------------------------------------------------------------------


def the_state(session: Session) -> State:
    """The state of the battle."""
    found: State = session.state
    return found


def the_battle(session: Session) -> BoltBattle:
    """The battle."""
    assert isinstance(session.battle, BoltBattle)
    return session.battle


def look(session: Session, id: str) -> Unit:
    """A unit of the battle."""
    return the_state(session).units[id]
