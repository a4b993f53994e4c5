"""Assaults and barrages in few words: platoons in lines, and dice that are told by what they are thrown for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import cycle, islice
from typing import Any

from grognard.core.ask import FacesAsk
from grognard.core.session import Session
from grognard.games.company.state import Platoon
from tests.games.company.playing import answer, keys, platoon, play, unit_of

#: Questions that are answered as odds do, where nothing else is said.
USUALLY = ("leader", "commander", "go to ground")
#: An activation that succeeds.
ACTS = 6


def rifles(y: float = 20, count: int = 3, **more: Any) -> dict[str, Any]:
    """A platoon a1 whose first stand is its Leader, in a line that looks up."""
    return platoon("us_rifles", "a1", *[(30 + 2.5 * n, y) for n in range(count)], **more)


def grenadiers(y: float = 12, count: int = 3, **more: Any) -> dict[str, Any]:
    """A platoon g1 in a line that looks down."""
    return platoon("ger_grenadiers", "g1", *[(30 + 2.5 * n, y) for n in range(count)], heading=180, **more)


def assaults(*units: dict[str, Any], who: Sequence[str] = (), to: str = "done", **more: Any) -> Session:
    """A session in which a1 has said that it assaults g1; some Teams may stay behind."""
    session = play(*units, dice=(ACTS,), **more)
    answer(session, "activate a1", "all assault", "assault g1", *(f"team {id}" for id in who), *([to] if to else []))
    return session


def go_on(session: Session, *answers: str, **faces: int | Sequence[int] | Iterator[int]) -> None:
    """Play on: dice by what they are for (their words joined by _), questions as they come, hits as usual.

    Faces are repeated as often as dice are thrown, those of an iterator used up throw by throw. Dice of which nothing
    is said, and questions past the answers that are not dealt as usual, end it. Every answer has to be used.
    """
    left = list(answers)
    while session.ask is not None:
        ask = session.ask
        if isinstance(ask, FacesAsk):
            wanted = faces.get(ask.what.lower().replace(" ", "_").replace("-", "_"))
            if wanted is None:
                break
            endless = wanted if isinstance(wanted, Iterator) else cycle([wanted] if isinstance(wanted, int) else wanted)
            shown = islice(endless, ask.number)
            session.answer(f"dice {' '.join(map(str, shown))}")
        elif left and (left[0] in keys(session) or (ask.area is not None and left[0].startswith(f"{ask.area.verb} "))):
            session.answer(left.pop(0))
        elif "deal" in keys(session) or ask.reaction in USUALLY:
            session.answer(ask.meanwhile)
        else:
            break
    assert not left, f"never asked for {left}, but {session.ask and (session.ask.prompt, keys(session))}"


def units(session: Session, *ids: str) -> list[Platoon]:
    """Some Units of a session."""
    return [unit_of(session, id) for id in ids]


def gap(session: Session, one: str, other: str) -> float:
    """The smallest gap between two Units, in inches."""
    found: float = session.battle.gap(*units(session, one, other)) / 100  # type: ignore[attr-defined]
    return found
