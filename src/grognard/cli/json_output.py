"""What programs read: the same things as `show` tells people, as plain data for JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import msgspec
import typer

from grognard.core.ask import FacesAsk
from grognard.core.errors import Fault
from grognard.core.events import Asked, Change, Event, Rolled
from grognard.core.luck import Luck
from grognard.core.odds import Odds
from grognard.core.session import Session
from grognard.core.tally import Tally
from grognard.core.view import View, area_view


def print_json(data: Any) -> None:
    """Print data as JSON."""
    typer.echo(msgspec.json.format(msgspec.json.encode(plain(data)), indent=2).decode())


def plain(data: Any) -> Any:
    """Anything as dicts, lists, texts and numbers; named tuples keep their names."""
    if isinstance(data, str):
        return str(data)  # also of a word that says what it names
    if data is None or isinstance(data, bool | int | float):
        return data
    if isinstance(data, Tally):
        return tally_record(data)
    if isinstance(data, msgspec.Struct):
        return {field: plain(getattr(data, field)) for field in data.__struct_fields__}
    if isinstance(data, Mapping):
        return {str(key): plain(value) for key, value in data.items()}
    if isinstance(data, tuple) and hasattr(data, "_fields"):
        return {field: plain(getattr(data, field)) for field in data._fields}
    if isinstance(data, Fraction):
        return float(data)
    if isinstance(data, frozenset | set):
        return sorted(map(str, data))
    if isinstance(data, Iterable):
        return [plain(each) for each in data]
    return str(data)


def tally_record(tally: Tally, phrases: Mapping[str, str] | None = None) -> dict[str, Any]:
    """A tally with its total and each of its lines."""
    phrases = phrases or {}
    lines = [{**plain(line), "text": phrases.get(line.id, "")} for line in tally.lines]
    head = {"what": tally.what, "base": tally.base, "rule": tally.rule, "source": tally.source}
    return {**head, "lines": lines, "total": tally.total, "text": tally.say(phrases)}


def event_record(event: Event, session: Session, names: Mapping[str, str]) -> dict[str, Any]:
    """An event with its kind, its fields and its sentence."""
    record = {"event": type(event).__name__, **plain(event), "text": event.say(names)}
    if isinstance(event, Rolled):
        record["tallies"] = [tally_record(tally, session.game.phrases) for tally in event.tallies]
    return {key: value for key, value in record.items() if value not in ("", [])}


def event_records(events: Iterable[Event], session: Session, side: str = "") -> list[dict[str, Any]]:
    """The events that a side may see; all of them for the referee."""
    names = session.game.names(session.seen)
    seen = [event for event in events if not side or _seen(event, side)]
    return [event_record(event, session, names) for event in seen]


def _seen(event: Event, side: str) -> bool:
    """Whether a side may see an event; what the other side answered may name what is hidden."""
    return event.seen_by in ("", side) and not (isinstance(event, Asked) and event.side != side)


def ask_record(session: Session, side: str = "") -> dict[str, Any] | None:
    """The question that stands, with its options if it is the side's own, or which dice are wanted and what for."""
    ask, phrases = session.ask, session.game.phrases
    if ask is None:
        return None
    record: dict[str, Any] = {"side": ask.side, "prompt": ask.prompt, "rule": ask.rule, "reaction": ask.reaction}
    if isinstance(ask, FacesAsk):
        throw = ask.throw
        record["dice"] = {"number": ask.number, "sides": ask.sides, "what": ask.what, "owner": throw.side}
        record["dice"] |= {"unit": throw.unit, "rules": list(throw.rules), "things": ask.things}
        record["dice"]["meanings"] = session.readings() if not (side and throw.seen_by) else []
        record["dice"]["tallies"] = [tally_record(tally, phrases) for tally in ask.tallies]
    elif side in ("", ask.side):
        record["options"] = [msgspec.to_builtins(option) for option in ask.options]
        if ask.area is not None:
            record["area"] = msgspec.to_builtins(area_view(ask.area))
        if ask.draft is not None:
            record["draft"] = msgspec.to_builtins(ask.draft.view())
    return record


def view_record(view: View) -> dict[str, Any]:
    """The state as a side, or the referee, sees it."""
    record: dict[str, Any] = msgspec.to_builtins(view, enc_hook=str)
    for key in ("ask", "log", "result"):
        record.pop(key, None)
    return record


def chance(probability: Fraction) -> dict[str, Any]:
    """A probability as a number and as the exact fraction."""
    return {"probability": float(probability), "fraction": str(probability)}


def odds_record(keys: Sequence[str], odds: Odds, phrases: Mapping[str, str]) -> dict[str, Any]:
    """A distribution, exact probabilities as fractions too."""

    def change(each: Change) -> dict[str, Any]:
        return {**each._asdict(), "text": each.say(odds.names)}

    outcomes = [
        {**chance(outcome.probability), "changes": list(map(change, outcome.changes)), "text": outcome.text}
        for outcome in odds.outcomes
    ]
    parts = [{**chance(part.probability), "mean": float(part.mean), "text": part.text} for part in odds.parts]
    return {
        "keys": list(keys),
        "side": odds.side,
        "exact": odds.exact,
        "paths": odds.paths,
        "to_them": chance(odds.to_them),
        "to_us": chance(odds.to_us),
        "besides": chance(odds.besides),
        "anyway": list(map(change, odds.anyway)),
        "outcomes": outcomes,
        "parts": parts,
        "assumed": [{**each._asdict(), "text": each.text} for each in odds.assumed],
        "reached": chance(odds.reached),
        "ends": list(odds.ends),
        "tallies": [{"roll": roll, "side": side, **tally_record(tally, phrases)} for roll, tally, side in odds.tallies],
    }


def luck_record(report: Mapping[str, Mapping[str, Luck]]) -> dict[str, Any]:
    """Luck by side and kind of roll."""
    return {
        side: {
            what: {
                "rolls": luck.rolls,
                "value": luck.value,
                "expected": round(luck.expected, 6),
                "deviations": round(luck.deviations, 6),
            }
            for what, luck in kinds.items()
        }
        for side, kinds in report.items()
    }


def fault_record(fault: Fault) -> dict[str, Any]:
    """A fault of a file."""
    return dict(fault._asdict())
