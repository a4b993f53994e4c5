"""``try``, ``odds`` and ``los``: the referee beside a real table."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from grognard.cli import show
from grognard.cli.records import ask_record, event_records, odds_record, plain, print_json, view_record
from grognard.cli.show import say
from grognard.cli.words import choose_key, choose_keys, read_dice, steps
from grognard.cli.writing import write_save
from grognard.core import opening
from grognard.core.ask import FacesAsk
from grognard.core.dice import ScriptedDice
from grognard.core.errors import GrognardError, IllegalError
from grognard.core.events import Event
from grognard.core.session import Session
from grognard.core.words import unit_called, unknown


def check_side(session: Session, side: str) -> str:
    """A side of the battle, or "" for the referee."""
    if side and side not in session.scenario.sides:
        raise unknown("side", side, session.scenario.sides)
    return side


def try_position(word: str, do: Sequence[str], dice: str, side: str, save: Path | None, game: str, json: bool) -> None:
    """Answer in a position with given dice, and tell what came of it."""
    faces = read_dice(dice)
    session = opening.open_position(word, game, faces)
    check_side(session, side)
    taken: list[tuple[str, list[Event]]] = []
    told = 0
    if session.log:
        taken.append(("", list(session.log)))
    for typed in steps(do):
        if session.ask is None:
            raise IllegalError(typed, None, f"the battle is over before {typed!r}")
        if not json:
            told = _tell(session, taken, told, side)
        key = choose_key(session.ask, typed)
        taken.append((key, session.answer(key)))
    if save is not None:
        write_save(save, session)
    if json:
        print_json(_try_record(session, taken, side))
        return
    _tell(session, taken, told, side)
    if taken:
        say()
        show.show_state(show.view_of(session, side))
        say()
    _stands(session, side)
    if left := spare_dice(session):
        say(f"Not used of --dice: {','.join(map(str, left))}")
    if save is not None:
        say(f"Kept in {save}.")


def _tell(session: Session, taken: list[tuple[str, list[Event]]], told: int, side: str) -> int:
    names = session.game.names(session.battle)
    for key, events in taken[told:]:
        if key:
            say(f"> {key}")
        for line in show.event_lines(events, session.game.phrases, names, side=side):
            say(f"  {line}")
    return len(taken)


def _stands(session: Session, side: str) -> None:
    """The question that stands now, or how the battle ended."""
    ask, result = session.ask, session.result
    if ask is None:
        say(f"The battle is over: {result.winner or 'a draw'}, {result.reason}" if result else "The battle is over.")
        return
    if isinstance(ask, FacesAsk):
        for line in show.faces_wanted(ask, session.game.phrases):
            say(line)
        say(how_to_tell(session, ask))
        return
    say(show.ask_head(ask))
    if side in ("", ask.side):
        for line in show.option_lines(ask, session.game.names(session.battle)):
            say(line)


def how_to_tell(session: Session, ask: FacesAsk) -> str:
    """How to say what the dice showed."""
    assert isinstance(session.dice, ScriptedDice)
    given = [str(face) for face in session.dice.script]
    wanted = ["?"] * ask.number
    example = " ".join(["3"] * ask.number)
    return f"Give them with --dice {','.join([*given, *wanted])} or with a further --do 'dice {example}'"


def spare_dice(session: Session) -> list[int]:
    """The faces given that nothing has asked for yet."""
    dice = session.dice
    return dice.script[dice.position :] if isinstance(dice, ScriptedDice) else []


def _try_record(session: Session, taken: list[tuple[str, list[Event]]], side: str) -> dict[str, Any]:
    ask = session.ask
    record: dict[str, Any] = {
        "game": session.game.name,
        "taken": [{"key": key, "events": event_records(events, session, side)} for key, events in taken],
        "state": view_record(show.view_of(session, side)),
        "ask": ask_record(ask, session.game.phrases, side),
        "result": plain(session.result),
        "spare_dice": spare_dice(session),
    }
    if isinstance(ask, FacesAsk):
        record["wanted"] = how_to_tell(session, ask)
    return record


def show_odds(word: str, keys: Sequence[str], game: str, json: bool) -> None:
    """The distribution of what answers lead to."""
    session = opening.open_position(word, game)
    typed = steps(keys)
    if not typed:
        raise GrognardError("odds of what? say the key of an option")
    answers = choose_keys(session, typed)
    odds = session.odds(*answers)
    if json:
        print_json(odds_record(answers, odds, session.game.phrases))
    else:
        show.show_odds(odds, session.game.phrases)


def known_names(session: Session, side: str) -> dict[str, str]:
    """The names of the units that a side knows of, by id."""
    names = session.game.names(session.battle)
    return {unit.id: names.get(unit.id, unit.name) for unit in session.game.view(session.battle, side).units}


def show_sight(word: str, start: str, end: str, side: str, game: str, json: bool) -> None:
    """Line of sight between two units or places."""
    session = opening.open_position(word, game)
    check_side(session, side)
    start, end = (unit_called(word, known_names(session, side)) for word in (start, end))
    report = session.game.sight(session.battle, side, start, end)
    if json:
        print_json({**plain(report), "text": report.say()})
    else:
        say(report.say())
