"""Positions in a few words, and short words for playing them: used by the tests of every chapter.

    session = play(
        platoon("us_rifles", "a1", (20, 30), (22.5, 30), (25, 30)),          # its PL and two rifle teams, looking up
        platoon("ger_pz4_platoon", "g1", team(24, 18, heading=180, turret=90), heading=180, training="elite"),
        terrain=[line("hedge", (10, 20), (30, 20)), box("woods", 40, 10, 46, 16, id="wood")],
        dice=(3, 4),
    )
    answer(session, "activate a1", "all aimed_fire", ...)

Lengths are inches, x to the right, y down; headings degrees clockwise from up. The first side has the Initiative.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from grognard.core.dice import FairDice, ScriptedDice
from grognard.core.files import Document
from grognard.core.session import Session
from grognard.games.company.battle import CompanyBattle
from grognard.games.company.game import GAME
from grognard.games.company.situation import load_situation
from grognard.games.company.state import Platoon, Team
from tests.playing import answer as answer
from tests.playing import happened as happened
from tests.playing import in_situation, to_toml
from tests.playing import keys as keys
from tests.playing import lines as lines
from tests.playing import options as options
from tests.playing import rolled as rolled
from tests.playing import run as run
from tests.playing import tally as tally

Spot = tuple[float, float] | dict[str, Any]


def platoon(kind: str, id: str, *teams: Spot, **more: Any) -> dict[str, Any]:
    """A Unit of the roster: each Team at its place, in the roster's order, or made by `team`; or a form with ``at``.

    more: at, form, heading, side, training, leader ("" when dead), size, riders=[team(…, aboard="t5")], acted, down,
    down_turn, lost_now, helped, status; and for all its Teams marks, moved, fired, ran, watch, shot
    """
    return {"kind": kind, "id": id, "teams": [each if isinstance(each, dict) else list(each) for each in teams], **more}


def team(x: float = 0, y: float = 0, **more: Any) -> dict[str, Any]:
    """A Team at a place; more: id, kind, heading, turret, marks, moved, fired, ran, watch, shot, aboard."""
    return {"at": [x, y], **more}


def line(kind: str, *points: tuple[float, float], **more: Any) -> dict[str, Any]:
    """A piece of terrain: the points of a line, or the corners of an area; more: id, name, height, width."""
    return {"kind": kind, "points": [list(point) for point in points], **more}


def box(kind: str, left: float, top: float, right: float, bottom: float, **more: Any) -> dict[str, Any]:
    """A rectangular piece of terrain."""
    return line(kind, (left, top), (right, top), (right, bottom), (left, bottom), **more)


def position(
    *platoons: dict[str, Any], terrain: Sequence[dict[str, Any]] = (), size: tuple[int, int] = (72, 48), **more: Any
) -> str:
    """A position as TOML.

    more: sides, turn, turns, phase, side, initiative, first, company={"american": {…}}, lost, objective, victory, smoke
    """
    table = {"name": "test", "size": list(size)}
    return to_toml({"table": table, "terrain": list(terrain), "unit": list(platoons), **more})


def play(*platoons: dict[str, Any], dice: Sequence[int] = (), seed: bytes | None = None, **more: Any) -> Session:
    """A session in a position, with scripted dice, or fair ones with a seed."""
    return in_situation(GAME, position(*platoons, **more), dice, seed)


def battle_of(*platoons: dict[str, Any], dice: Sequence[int] = (), **more: Any) -> CompanyBattle:
    """A battle in a position, for running a rule on its own: `run(rule(battle, …), answer, …)`."""
    scenario, state = load_situation(Document.from_toml(position(*platoons, **more), "position.toml"))
    return CompanyBattle(scenario, state, ScriptedDice(dice) if dice else FairDice(b"company"))


def unit_of(where: Session | CompanyBattle, id: str) -> Platoon:
    """A Unit of a battle or of a session."""
    state = where.state if isinstance(where, CompanyBattle) else where.battle.state
    found: Platoon = state.units[id]
    return found


def team_of(where: Session | CompanyBattle, unit: str, id: str) -> Team:
    """A Team, aboard or not."""
    found = unit_of(where, unit)
    return next(each for each in [*found.models, *found.riders] if each.id == id)


def teams_of(where: Session | CompanyBattle, unit: str) -> list[str]:
    """The ids of a Unit's Teams on the table."""
    return [each.id for each in unit_of(where, unit).models]


def marks_of(where: Session | CompanyBattle, unit: str) -> dict[str, int]:
    """The suppressed Teams of a Unit, with their markers."""
    return {each.id: each.marks for each in unit_of(where, unit).models if each.marks}
