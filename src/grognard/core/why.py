"""Why something is not offered: the game's own reasons, held against what the questions really offer.

A game tells its reasons from the code that leaves things out. Whether a thing is offered is not told a second time: it
is looked for among the options, and behind those that it begins with. So nobody reads that nothing stands against what
is not offered, nor a reason against what is.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from grognard.core.ask import Ask, Bar, FacesAsk, Option
from grognard.core.poses import Pose, point, read_pose
from grognard.core.prospects import Search, Trial, preview

if TYPE_CHECKING:
    from grognard.core.battle import Battle
    from grognard.core.session import Session

#: How many questions one behind the other are looked through, how many options of each, and how many in all. Counts and
#: not seconds: what somebody is told must not depend on how busy the machine is.
DEEP, WIDE, MOST = 5, 8, 60
#: How many positions of a move are looked at, and the seconds after which nobody waits any longer.
NODES, PATIENCE = 600, 20.0
#: How many answers an explanation names.
NAMED = 6
#: Words that people put in between.
FILLERS = frozenset({"a", "and", "at", "in", "into", "of", "on", "onto", "the", "to", "unit", "with"})


class OtherAnswers(Bar, frozen=True):
    """What a question offers instead, where the game has no reason of its own."""


class _Point(NamedTuple):
    """Where the search for what somebody wants stands: the question, the answers that lead to it, what is left."""

    ask: Ask
    keys: tuple[str, ...]
    rest: frozenset[str]


def why_not(session: Session, side: str, words: str, battle: Battle[object] | None = None) -> list[Bar]:
    """Why something is not offered to a side, each reason with its rule; nothing where it is offered.

    ``battle`` is what the side knows of it, where a caller has that at hand.
    """
    ask = session.ask
    if ask is not None and ask.side == side and ask.draft is not None and ask.draft.takes(words) and "{" in words:
        return ask.draft.read(words)[1]
    words = _without_fillers(session, words)
    if ask is not None and ask.side == side and (bars := _why_no_pose(ask, words)) is not None:
        return bars
    said = _in_context(session, side, words)
    reacts = ask is not None and ask.side == side and bool(ask.reaction)
    bars = session.game.why_not(battle or session.battle, side, said, reacts=reacts)
    if ask is None:
        return bars or [Bar("", "the battle is over")]
    if ask.side != side:
        return bars or [Bar("", "you have nothing to decide now")]
    if isinstance(ask, FacesAsk):
        return bars or [Bar(next(iter(ask.throw.rules), ""), f"the roll comes first: {ask.what}")]
    wanted = frozenset(words.split())
    if len(wanted) < 2 and bars:
        return bars  # a unit alone: what stands against each thing that it cannot do
    stuck = _seek(session, ask, wanted)
    if stuck is None:
        return []
    return bars or [_not_among(session, stuck, words)]


def _without_fillers(session: Session, words: str) -> str:
    """The words that matter: a filler does only where it is a verb of the game, or something bears its name."""
    named = {*session.game.names(session.battle), *(help.verb for help in session.game.verbs())}
    return " ".join(word for word in words.split() if word not in FILLERS or word in named)


def _why_no_pose(ask: Ask, words: str) -> list[Bar] | None:
    """What stands against a pose that is said in full; None where the words are no pose that the question takes."""
    read = read_pose(words) if ask.area is not None else None
    if ask.area is None or read is None or read[0] != ask.area.verb:
        return None
    bar = preview(ask, words).bar
    return [] if bar is None else [Bar(bar.rule, bar.reason, bar.source)]


def _in_context(session: Session, side: str, words: str) -> str:
    """What is wanted, after what the side has answered since the last quiet question: "fire g1" goes before "at a1".

    Who reacts has answered nothing yet; if only one unit is asked, it is the one that is meant.
    """
    ask = session.ask
    if ask is None or ask.quiet or ask.side != side or isinstance(ask, FacesAsk):
        return words
    typed = words.split()
    own = {unit.id for unit in session.game.view(session.battle, side).units if unit.side == side}
    answers = {option.key.split(" ", 1)[0] for option in ask.options}
    # With a word of this very question it is the target that is named, perhaps one of one's own.
    if own & set(typed) and (ask.reaction or typed[0] not in answers):
        return words  # it says itself who is to act
    if ask.reaction:
        asked = {option.unit for option in ask.options if option.unit}
        return " ".join([*(asked if len(asked) == 1 else ()), words])
    said = [answer.key for answer in session.answers[session.quiet_since :] if answer.side == side]
    before = [word for key in said if read_pose(key) is None for word in key.split() if word not in typed]
    return " ".join([*dict.fromkeys(before), words])


def _words(option: Option) -> frozenset[str]:
    """The words that an option goes by."""
    named = {option.verb, option.unit, option.target, option.place} - {""}
    return frozenset({*option.key.replace(":", " ").replace("+", " ").split(), *option.key.split(), *named})


def _seek(session: Session, ask: Ask, wanted: frozenset[str]) -> _Point | None:
    """Where the way to what is wanted ends; None if it does not, so that it is offered."""
    if not wanted:
        return _Point(ask, (), wanted)
    best = _Point(ask, (), wanted)
    queue: list[_Point] = [best]
    for here in queue:
        if len(here.rest) < len(best.rest):
            best = here
        for option, covered in _beginnings(here):
            rest = here.rest - covered
            if not rest:
                return None
            keys = (*here.keys, option.key)
            if len(keys) < DEEP and len(queue) < MOST and (following := _after(session, keys)) is not None:
                queue.append(_Point(following, keys, rest))
    return None if _is_reached(session, ask, wanted) else best


def _beginnings(here: _Point) -> Iterator[tuple[Option, frozenset[str]]]:
    """The options that what is wanted may begin with, those with most of its words first; a place may be a pose."""
    found = [(option, _words(option) & here.rest) for option in here.ask.options]
    found = sorted((each for each in found if each[1]), key=lambda each: -len(each[1]))
    most = len(found[0][1]) if found else 0
    yield from [each for each in found if len(each[1]) == most][:WIDE]
    area = here.ask.area
    for word in here.rest if area is not None else ():
        try:
            x, y = point(word)
        except ValueError:
            continue
        assert area is not None
        taken = area.option(Pose(x, y, area.start.heading, area.start.form).key(area.verb))
        if isinstance(taken, Option):
            yield taken, frozenset({word})


def _after(session: Session, keys: tuple[str, ...]) -> Ask | None:
    """The question of the same side that follows answers; None where a die is thrown or the other side comes first."""
    trial = Trial(session)
    for key in keys:
        if not trial.send(key) or trial.ask is None or trial.ask.side != trial.side or trial.ask.quiet:
            return None
    return trial.ask


def _is_reached(session: Session, ask: Ask, wanted: frozenset[str]) -> bool:
    """Whether what is wanted is a move of a unit to a place that it can get to."""
    game = session.game
    places = game.places(session.scenario)
    to = [word for word in wanted if word in places]
    units = [word for word in wanted if word in game.names(session.battle)]
    if len(to) != 1 or len(units) != 1:
        return False
    for option in ask.options:
        if option.unit != units[0] or not wanted - {*to, *units} <= _words(option):
            continue
        search = Search(session, units[0], (option.key,), option.cost, goal=to[0])
        following = _after(session, (option.key,))
        if following is not None and search.is_move(following):
            found = search.journeys(NODES, time.monotonic() + PATIENCE)
            if any(journey.place == to[0] for journey in found):
                return True
    return False


def _not_among(session: Session, stuck: _Point, words: str) -> OtherAnswers:
    """The reason where the game has none of its own: what the question offers instead."""
    ask = stuck.ask
    titles = list(dict.fromkeys(option.key for option in ask.options))
    named = ", ".join(titles[:NAMED]) + (f" and {len(titles) - NAMED} more" if len(titles) > NAMED else "")
    after = f" after {' / '.join(stuck.keys)}" if stuck.keys else ""
    rest = " ".join(word for word in words.split() if word in stuck.rest) or "that"
    rule = next((help.rule for help in session.game.verbs() if help.verb in stuck.rest and help.rule), ask.rule)
    return OtherAnswers(rule, f"“{rest}” is not an answer to “{ask.prompt}”{after}; the answers are {named or 'poses'}")
