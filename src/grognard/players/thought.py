"""What a program thought before it answered: the options it weighed, what it took them to be worth, and why."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import msgspec

from grognard.core.ask import Ask, Option
from grognard.core.tactics import Proposal

if TYPE_CHECKING:
    from grognard.core.session import Session

#: How many options of a thought are kept: people look at the best few.
KEPT = 8
#: What reasons leave of a worth, in hundredths of a battle, is told from here on, in these words.
SOME, REST = 0.5, "everything else"
#: What every program of the house may look at, in words.
SEES = "only what its side may see: no hidden units, no secret orders, no dice to come"


class Why(msgspec.Struct, frozen=True, omit_defaults=True):
    """A reason in words, how many hundredths of a battle it counts, and whether it tells of something hidden."""

    text: str
    worth: float = 0.0
    secret: bool = False


class Weighed(msgspec.Struct, frozen=True, omit_defaults=True):
    """An option that was weighed.

    ``worth`` is in hundredths of a battle; ``estimate`` how the battle stood on average when it was played on in
    thought, from -1 to 1, and ``visits`` how often it was.
    """

    key: str
    label: str = ""
    verb: str = ""
    unit: str = ""
    place: str = ""
    target: str = ""
    worth: float = 0.0
    estimate: float | None = None
    visits: int = 0
    reasons: tuple[Why, ...] = ()


class Thought(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What was thought about one question: the best options first, and the one that was chosen.

    ``standing`` is how the battle stands for the side, from -1 (lost) to 1 (won); ``looked`` how many times it was
    played on in thought; ``meant`` the next question and the answer to it that is part of the plan, if there is one.
    """

    side: str
    prompt: str
    player: str
    turn: int = 0
    phase: str = ""
    seconds: float = 0.0
    looked: int = 0
    standing: float | None = None
    options: tuple[Weighed, ...] = ()
    chosen: str = ""
    meant: tuple[str, str] = ("", "")
    sees: str = SEES


def _told(proposal: Proposal) -> tuple[Why, ...]:
    """The reasons in words. What they leave of the worth is told in one line, so that they add up to it."""
    reasons = tuple(Why(reason.text, round(reason.worth, 2), reason.secret) for reason in proposal.reasons)
    rest = proposal.worth - sum(reason.worth for reason in proposal.reasons)
    return (*reasons, Why(REST, round(rest, 2))) if reasons and abs(rest) >= SOME else reasons


def weighed(proposal: Proposal, option: Option, estimate: float | None = None, visits: int = 0) -> Weighed:
    """A proposal as it is kept."""
    return Weighed(
        key=proposal.key,
        label=option.label or proposal.key,
        verb=option.verb,
        unit=option.unit,
        place=option.place,
        target=option.target,
        worth=round(proposal.worth, 2),
        estimate=None if estimate is None else round(estimate, 3),
        visits=visits,
        reasons=_told(proposal),
    )


def option_of(ask: Ask, key: str) -> Option:
    """The option of a key that a game proposed itself: a pose that is not listed stands for itself."""
    return next((option for option in ask.options if option.key == key), Option(key))


def note(
    probe: Session,
    player: str,
    chosen: str,
    options: Sequence[Weighed],
    *,
    seconds: float,
    standing: float | None = None,
    looked: int = 0,
    meant: tuple[str, str] = ("", ""),
) -> Thought:
    """The thought about a probe's question; the option that was chosen is among those kept."""
    assert probe.ask is not None
    kept = list(options[:KEPT])
    if all(option.key != chosen for option in kept):
        kept[KEPT - 1 :] = [option for option in options if option.key == chosen]
    turn, phase = probe.game.turn_of(probe.battle)
    return Thought(
        side=probe.ask.side,
        prompt=probe.ask.prompt,
        player=player,
        turn=turn,
        phase=phase,
        seconds=round(seconds, 3),
        looked=looked,
        standing=None if standing is None else round(standing, 3),
        options=tuple(kept),
        chosen=chosen,
        meant=meant,
    )
