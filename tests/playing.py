"""Short words for playing a game in a test: set up a situation, answer, look. Every game's tests use them.

Each game's own helpers (`tests/games/*/`) say how its positions are written.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeVar

from grognard.core.ask import Option
from grognard.core.events import Event, Rolled
from grognard.core.files import Document
from grognard.core.game import Game
from grognard.core.session import Session
from grognard.core.tally import Tally

E = TypeVar("E", bound=Event)


class Logged(Protocol):
    """A session or a battle: both have a log."""

    @property
    def log(self) -> Sequence[Event]: ...


# ---- setting up ----------------------------------------------------------------------------------------


def in_situation(game: Game, text: str, dice: Sequence[int] = (), seed: bytes | None = None, **kept: Any) -> Session:
    """A session in a situation written as TOML, with scripted dice, or fair ones with a seed."""
    scenario, state = game.load_situation(Document.from_toml(text, "position.toml"))
    if seed is not None:
        return Session(game, scenario, state=state, seed=seed, **kept)
    return Session(game, scenario, state=state, script=dice, **kept)


def to_toml(table: Mapping[str, Any]) -> str:
    """A table as TOML, every value inline; empty lists and tables are left out."""
    kept = {key: value for key, value in table.items() if value not in ([], {}, None)}
    return "".join(f"{json.dumps(key)} = {_inline(value)}\n" for key, value in kept.items())


def _inline(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{json.dumps(str(key))} = {_inline(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_inline(each) for each in value) + "]"
    return json.dumps(value, ensure_ascii=False)


# ---- playing -------------------------------------------------------------------------------------------


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


def run(generator: Any, *answers: str) -> Any:
    """Run a rule on its own: feed it answers, return what it returns. A question too many or too few fails the test."""
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


# ---- charts --------------------------------------------------------------------------------------------

#: What is no figure in an entry of a chart.
WORDS = ("rule", "label", "title", "text")


def figures(table: Mapping[str, Any]) -> dict[str, Any]:
    """A table of the charts without what it says about itself, and its entries without their words."""
    return {
        key: {k: v for k, v in entry.items() if k not in WORDS} if isinstance(entry, dict) else entry
        for key, entry in table.items()
        if key not in ("provenance", "rule", "note")
    }


# ---- looking -------------------------------------------------------------------------------------------


def happened(where: Logged, kind: type[E], start: int = 0) -> list[E]:
    """The events of a kind, in order."""
    return [event for event in where.log[start:] if isinstance(event, kind)]


def rolled(where: Logged, what: str = "") -> list[Rolled]:
    """The rolls, or those for one purpose."""
    return [event for event in happened(where, Rolled) if not what or event.what == what]


def tally(where: Logged, what: str, roll: str = "") -> Tally:
    """The last tally of a name, of the rolls for a purpose."""
    rolls = rolled(where, roll)
    found = [tally for event in rolls for tally in event.tallies if tally.what == what]
    assert found, f"no tally of {what!r}; there are {sorted({t.what for event in rolls for t in event.tallies})}"
    return found[-1]


def lines(tally: Tally) -> dict[str, int]:
    """The lines of a tally by id."""
    return {line.id: line.amount for line in tally.lines}
