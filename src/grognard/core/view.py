"""What one side may see, in one schema for all games. A client draws it and knows no rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from grognard.core.ask import Ask, Option
from grognard.core.events import Asked, Event, Rolled

#: The version of what is said to a client: views, questions and log lines. Raised when their shape changes.
PROTOCOL_VERSION = 1


class UnitView(msgspec.Struct, omit_defaults=True):
    """A counter as a side sees it."""

    id: str
    side: str
    name: str
    symbol: str
    place: str
    facing: int = 0
    stack: int = 0
    with_unit: str = ""
    states: tuple[str, ...] = ()
    stats: dict[str, Any] = {}


class MarkerView(msgspec.Struct, omit_defaults=True):
    """A marker on the map."""

    kind: str
    place: str
    side: str = ""
    facing: int = 0
    text: str = ""


class LogLine(msgspec.Struct, omit_defaults=True):
    """A line of the log: text, rules and, for a roll, its faces and tallies."""

    text: str
    side: str = ""
    rules: tuple[str, ...] = ()
    faces: tuple[int, ...] = ()
    tallies: tuple[str, ...] = ()
    kind: str = ""


class AskView(msgspec.Struct, omit_defaults=True):
    """The question that a side has to answer."""

    seq: int
    side: str
    prompt: str
    options: list[Option]
    reaction: str = ""
    rule: str = ""


class Result(msgspec.Struct, frozen=True):
    """How a battle ended: the winner ("" for a draw) and why."""

    winner: str
    reason: str
    rule: str = ""


class View(msgspec.Struct):
    """Everything that one side may know."""

    game: str
    scenario: str
    side: str
    map: str
    turn: int
    phase: str
    active: str
    tracks: dict[str, dict[str, Any]]
    units: list[UnitView]
    markers: list[MarkerView]
    ask: AskView | None = None
    log: list[LogLine] = []
    result: Result | None = None
    protocol: int = PROTOCOL_VERSION


def ask_view(ask: Ask | None, side: str) -> AskView | None:
    """The question, if it is this side's to answer; the other side's options are nobody else's business."""
    if ask is None or ask.side != side:
        return None
    return AskView(ask.seq, ask.side, ask.prompt, ask.options, ask.reaction, ask.rule)


def log_lines(events: list[Event], side: str, phrases: Mapping[str, str], names: Mapping[str, str]) -> list[LogLine]:
    """The log as a side may read it."""
    lines = []
    for event in events:
        if event.seen_by not in ("", side):
            continue
        if isinstance(event, Asked) and event.side != side:
            continue  # an answer may be a secret; what it led to is told by other events
        faces: tuple[int, ...] = ()
        tallies: tuple[str, ...] = ()
        if isinstance(event, Rolled):
            faces, tallies = event.faces, tuple(tally.say(phrases) for tally in event.tallies)
        lines.append(LogLine(event.say(names), event.side, event.rules, faces, tallies, type(event).__name__))
    return lines
