"""A line of sight in words: the verdict, and everything on the line in order with what it does."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from grognard.core.aid_views import Crossed, PlaceWord, SightView, UnitWord
from grognard.core.ask import Bar
from grognard.core.errors import GrognardError
from grognard.kits.hex.battle import HexBattle
from grognard.kits.hex.state import ON_MAP

AnyBattle = HexBattle[Any, Any, Any, Any]

#: A sight's state in the words of a view.
CLEAR, DEGRADED, BLOCKED = "clear", "degraded", "blocked"
_PLACES = re.compile(r"/|, ")


class Verdict(Protocol):
    """What a game's sight tells: whether there is any, what degrades it, and what blocks it by which rule."""

    @property
    def clear(self) -> bool: ...
    @property
    def degraded(self) -> tuple[str, ...]: ...
    @property
    def blocked_by(self) -> str: ...
    @property
    def rule(self) -> str: ...


V = TypeVar("V", bound=Verdict)


class ReportLine(NamedTuple):
    """Something on the line: where, what is there, what it does (none, degrade or block), and by which rule."""

    place: str
    what: str
    effect: str
    rule: str


class SightReport(NamedTuple, Generic[V]):
    """A sight with everything it crosses, in order. How high the ends are is told where they differ."""

    viewer: str
    target: str
    viewer_height: str
    target_height: str
    range: int
    sight: V
    lines: tuple[ReportLine, ...]
    fire: tuple[Bar, ...] = ()

    def say(self) -> str:
        """The report as text: the verdict, then a line for each thing crossed."""
        rows = [
            f"  {row.place}: {row.what}: {row.effect}" + (f" [{row.rule}]" if row.rule else "") for row in self.lines
        ]
        return "\n".join([self.verdict(), *rows, *(f"  {bar.say()}" for bar in self.fire)])

    def view(self) -> SightView:
        """The report for a client. Places are hexes, and hexsides such as ``C4|D4``."""
        crossed = [Crossed(_PLACES.split(row.place), row.what, row.effect, row.rule) for row in self.lines]
        crossed += [Crossed([], bar.reason, "none", bar.rule) for bar in self.fire]
        text = f"{self.viewer} to {self.target}, range {self.range}: {self._plainly()}."
        return SightView(self.viewer, self.target, self.range, state_of(self.sight), text, crossed)

    def _plainly(self) -> str:
        """The verdict for somebody who has not read the rules."""
        seen = self.sight
        effect = "degrade" if seen.clear else "block"
        by = [f"{row.what} in {row.place}" for row in self.lines if row.effect == effect]
        if seen.clear and seen.degraded:
            return f"in sight, but degraded by {' and '.join(by)}" if by else "in sight, but degraded"
        if seen.clear:
            return "in clear sight"
        return f"blocked by {by[0]}" if by else "blocked: too much on the way degrades it"

    def verdict(self) -> str:
        """Whether there is sight, in a sentence."""
        seen = self.sight
        if not seen.clear:
            verdict = f"blocked by {seen.blocked_by} [{seen.rule}]"
        elif seen.degraded:
            verdict = f"clear, degraded {len(seen.degraded)} ({', '.join(seen.degraded)})"
        else:
            verdict = "clear"
        ends = [self.viewer, self.target]
        if self.viewer_height != self.target_height:
            ends = [f"{self.viewer} ({self.viewer_height})", f"{self.target} ({self.target_height})"]
        return f"{' to '.join(ends)}, range {self.range}: {verdict}"


def state_of(seen: Verdict) -> str:
    """The state of a sight in the words of a view."""
    return BLOCKED if not seen.clear else DEGRADED if seen.degraded else CLEAR


def read_end(known: AnyBattle, word: str, knows: Callable[[Any], bool]) -> Any:
    """What somebody means by one end of a line: a unit on the map that he knows of, or a hex."""
    unit = None if isinstance(word, PlaceWord) else known.state.units.get(word)
    if unit is not None and unit.status == ON_MAP and knows(unit):
        return unit
    if word in known.grid and not isinstance(word, UnitWord):
        return word
    hexes = f"hexes go from {' to '.join(known.grid.ends)}"
    if isinstance(word, UnitWord):
        raise GrognardError(f"{word!r} is not a unit you know of on the map")
    if isinstance(word, PlaceWord):
        raise GrognardError(f"{word!r} is not a hex; {hexes}")
    units = ", ".join(unit.id for unit in known.state.units.values() if knows(unit))
    raise GrognardError(f"{word!r} is neither a hex nor a unit you know of; {hexes}, units are {units}")
