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

import json
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from grognard.core.ask import Option
from grognard.core.dice import FairDice, ScriptedDice
from grognard.core.events import Event, Rolled
from grognard.core.files import Document
from grognard.core.session import Session
from grognard.core.tally import Tally
from grognard.games.bolt_action import GAME
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.situation import load_situation
from grognard.games.bolt_action.state import State, Unit

E = TypeVar("E", bound=Event)


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


def situation(
    *units: Mapping[str, Any],
    terrain: Sequence[Mapping[str, Any]] = (),
    table: tuple[float, float] = (72, 48),
    **head: Any,
) -> str:
    """The situation as TOML."""
    data: dict[str, Any] = dict(head)
    data["table"] = {"name": "test", "width": table[0], "height": table[1]}
    data["terrain"] = list(terrain)
    data["unit"] = list(units)
    return to_toml({key: value for key, value in data.items() if value not in ([], {}, None)})


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
    text = situation(*units, terrain=terrain, table=table, **head)
    scenario, state = load_situation(Document.from_toml(text, "position.toml"))
    if seed is not None:
        return Session(GAME, scenario, state=state, seed=seed)
    return Session(GAME, scenario, state=state, script=dice)


def field(
    *units: Mapping[str, Any],
    terrain: Sequence[Mapping[str, Any]] = (),
    table: tuple[float, float] = (72, 48),
    dice: Sequence[int] = (),
    seed: bytes | None = None,
    **head: Any,
) -> BoltBattle:
    """The same position as a battle without a session, to try single rules: ``run(movement.move(field(…), …))``."""
    text = situation(*units, terrain=terrain, table=table, **head)
    scenario, state = load_situation(Document.from_toml(text, "position.toml"))
    return BoltBattle(scenario, state, FairDice(seed) if seed is not None else ScriptedDice(dice))


def to_toml(table: Mapping[str, Any]) -> str:
    """A table as TOML, every value inline."""
    return "".join(f"{json.dumps(key)} = {_inline(value)}\n" for key, value in table.items())


def _inline(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{json.dumps(str(key))} = {_inline(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_inline(each) for each in value) + "]"
    return json.dumps(value, ensure_ascii=False)


# ---- playing ------------------------------------------------------------------------------------------


def answer(session: Session, *keys: str) -> list[Event]:
    """Answer question after question; what happened in all of them."""
    start = len(session.log)
    for key in keys:
        session.answer(key)
    return session.log[start:]


def options(session: Session, verb: str = "") -> list[Option]:
    """The options that stand, or those of one verb."""
    assert session.ask is not None, "the battle is over"
    return [option for option in session.ask.options if not verb or verb in (option.verb, option.key.split()[0])]


def keys(session: Session, verb: str = "") -> list[str]:
    """The keys of the options that stand, or those of one verb."""
    return [option.key for option in options(session, verb)]


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


def happened(session: Session | BoltBattle, kind: type[E], start: int = 0) -> list[E]:
    """The events of a kind, in order."""
    return [event for event in session.log[start:] if isinstance(event, kind)]


def rolled(session: Session | BoltBattle, what: str = "") -> list[Rolled]:
    """The rolls, or those for one purpose."""
    return [event for event in happened(session, Rolled) if not what or event.what == what]


def tally(session: Session | BoltBattle, what: str, roll: str = "") -> Tally:
    """The last tally of a name, of the rolls for a purpose."""
    found = [tally for event in rolled(session, roll) for tally in event.tallies if tally.what == what]
    assert found, f"no tally of {what!r}; there are {sorted({t.what for e in rolled(session) for t in e.tallies})}"
    return found[-1]


def lines(tally: Tally) -> dict[str, int]:
    """The lines of a tally by id."""
    return {line.id: line.amount for line in tally.lines}


def run(generator: Any, *answers: str) -> Any:
    """Run a rule on its own: feed it answers, return what it returns. Questions too many fail the test."""
    given = list(answers)
    try:
        ask = next(generator)
        while True:
            if not given:
                raise AssertionError(f"asked {ask.prompt!r} of {ask.side}: {[o.key for o in ask.options][:12]}")
            ask.option(given[0])
            ask = generator.send(given.pop(0))
    except StopIteration as stop:
        assert not given, f"never asked for {given}"
        return stop.value
