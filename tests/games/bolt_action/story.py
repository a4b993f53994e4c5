"""What happens in a position, told in full: every question with its options, every roll, event and unit at the end.

A story is played with scripted dice and compared with a file of ``stories``. It says what no single test asks for: who
throws, which rule is cited, what is offered at which distance, where men end up. After a change of the rules or of
words ``WRITE_STORIES=1 make test`` writes the files anew: read the difference, each line of it is a rule.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from grognard.core.ask import Ask, Bar, Option
from grognard.core.events import Event, Rolled
from grognard.core.poses import place
from grognard.core.session import Session
from grognard.core.tally import Tally
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.state import Unit

FILES = Path(__file__).parent / "stories"
#: The options that are written of a question; the number of the others is told.
LISTED = 14


def check(name: str, told: Iterable[str]) -> None:
    """Compare what was told with the file of a name."""
    file, text = FILES / f"{name}.txt", "\n".join(told) + "\n"
    if os.environ.get("WRITE_STORIES"):
        file.write_text(text, encoding="utf-8")
    assert text.splitlines() == file.read_text(encoding="utf-8").splitlines(), f"{file.name}: see {__name__}"


def tell(battle: BoltBattle, rule: Any, *answers: str) -> Iterator[str]:
    """Run a rule with these answers, and tell what happens; a question too many ends the story.

    An answer of "#2" is the third option, "#pose" the first of that verb; the first option where there is none such.
    """
    start, given = len(battle.log), list(answers)
    reply: str | None = None
    while True:
        try:
            ask = rule.send(reply)
        except StopIteration:
            ask = None
        yield from map(event, battle.log[start:])
        start = len(battle.log)
        if ask is None:
            return
        yield from question(ask)
        if not given:
            yield "> …"
            return
        reply = _key(ask, given.pop(0))
        ask.option(reply)
        yield f"> {reply}"


def play_on(session: Session, *answers: str) -> Iterator[str]:
    """Answer a session's questions, and tell what happens."""
    start = 0
    for number in range(len(answers) + 1):
        yield from map(event, session.log[start:])
        start = len(session.log)
        if session.ask is None:
            yield f"over: {session.result}"
            return
        yield from question(session.ask)
        if number < len(answers):
            reply = _key(session.ask, answers[number])
            session.answer(reply)
            yield f"> {reply}"


def _key(ask: Ask, word: str) -> str:
    keys = [option.key for option in ask.options]
    if word[1:].isdigit() and word[0] == "#":
        return keys[min(int(word[1:]), len(keys) - 1)]
    if word.startswith("#"):
        return next((key for key in keys if key.split()[0] == word[1:]), keys[0])
    return word if word in keys or word.split()[0] == "pose" else keys[0]


# ---- in words ----------------------------------------------------------------------------------------


def question(ask: Ask) -> Iterator[str]:
    """A question with its options."""
    yield f"? {ask.side} [{ask.rule}]{f' {ask.reaction}' if ask.reaction else ''}: {ask.prompt}"
    for each in ask.options[:LISTED]:
        yield f"  - {option(each)}" + (" *" if ask.meanwhile == each.key else "")
    if len(ask.options) > LISTED:
        yield f"  and {len(ask.options) - LISTED} more"


def option(one: Option) -> str:
    """An option with all that it says."""
    more = {key: value for key, value in msgspec.to_builtins(one).items() if key not in ("key", "label", "verb")}
    about = ", ".join(f"{key} {value}" for key, value in more.items())
    return f"{one.key}: {one.label}" + (f" ({about})" if about else "")


def event(one: Event) -> str:
    """An event with all of its fields."""
    rules = " ".join(one.rules)
    if isinstance(one, Rolled):
        tallies = "".join(f"; {tally(each)}" for each in one.tallies)
        unit = f" {one.unit}" if one.unit else ""
        return f"{one.side} [{rules}] {one.what}{unit}: {one.dice} {one.faces} {one.meaning}{tallies}"
    fields = {key: value for key, value in msgspec.to_builtins(one).items() if key not in ("event", "side", "rules")}
    return f"{one.side} [{rules}] {type(one).__name__}" + "".join(f" {key}={value}" for key, value in fields.items())


def tally(one: Tally) -> str:
    """A tally with its lines."""
    lines = "".join(f" {line.amount:+d} {line.id} [{line.rule}] {line.source}".rstrip() for line in one.lines)
    return f"{one.what} {one.base} [{one.rule}] {one.source}".rstrip() + f"{lines} = {one.total}"


def unit(battle: BoltBattle, one: Unit) -> str:
    """A unit, what it is about, and where its men are."""
    words = [one.status, one.die or "-", f"{one.pins} pins"]
    words += [
        word for word in ("moving", "dug_in", "immobilised", "on_target", "green", "called") if getattr(one, word)
    ]
    words += [f"{word} {getattr(one, word)}" for word in ("aboard", "building", "ammunition") if getattr(one, word)]
    words += [f"{word} {getattr(one, word)}" for word in ("ranged", "shots", "empty", "moved") if getattr(one, word)]
    men = " ".join(f"{m.id}:{m.role}:{place(m.x, m.y)}/{m.heading}" for m in one.models)
    return f"{one.id} {', '.join(words)}: {men}"


def units(battle: BoltBattle) -> Iterator[str]:
    """All units, and what lies about."""
    yield from (unit(battle, one) for one in battle.state.units.values())
    if battle.state.wrecks:
        yield f"wrecks {msgspec.to_builtins(battle.state.wrecks)}"
    yield f"cup {battle.state.cup} aside {battle.state.aside} lost {battle.state.lost}"


def bars(battle: BoltBattle, bar: Callable[..., Bar | None], *ids: str, others: Sequence[str] = (), **more: Any) -> Any:
    """Why each of some units may not do a thing to each of the others, in a table."""
    for id in ids:
        for other in others or ids:
            if id != other:
                found = bar(battle, battle.unit(id), battle.unit(other), **more)
                yield f"{id} {other}: {'yes' if found is None else found.say()}"
