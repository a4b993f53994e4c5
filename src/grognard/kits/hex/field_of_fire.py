"""What a unit sees and can fire at from where it stands: the ranges of its arms, and the sight to every hex."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from grognard.board.hex.arcs import covered_arc
from grognard.core.aid_views import FieldView, Ring, Seen
from grognard.core.errors import GrognardError
from grognard.kits.hex.battle import HexBattle
from grognard.kits.hex.sight_report import Verdict, state_of
from grognard.kits.hex.state import ON_MAP, Unit

AnyBattle = HexBattle[Any, Any, Any, Any]


class Reach(NamedTuple):
    """How far something of a unit's goes, what it is, and which way it must face (0: any).

    ``bonus`` is whether it profits from what the ground adds to ranges.
    """

    range: int
    text: str
    facing: int = 0
    bonus: bool = True


def unit_of(known: AnyBattle, id: str, knows: Callable[[Any], bool]) -> Any:
    """The unit on the map that somebody asks about, if he knows of it."""
    unit = known.state.units.get(id)
    if unit is None or unit.status != ON_MAP or not knows(unit):
        raise GrognardError(f"{id!r} is not a unit you know of on the map; give the id of one, such as g3")
    return unit


def field_view(
    battle: AnyBattle,
    unit: Unit,
    reaches: Iterable[Reach],
    sight: Callable[[str], Verdict],
    further: Callable[[str], int],
) -> FieldView:
    """The field of fire of a unit; ``further`` is how much more than its range something reaches into a hex."""
    known = sorted(set(reaches))
    rings = list(dict.fromkeys(reach.range for reach in known))
    texts = {each: ", ".join(reach.text for reach in known if reach.range == each) for each in rings}

    def seen(hex: str) -> Seen:
        distance, more = battle.grid.dist[unit.hex][hex], further(hex)
        within = (
            rings.index(reach.range)
            for reach in known
            if distance <= reach.range + (more if reach.bonus else 0)
            and (not reach.facing or covered_arc(battle.grid, unit.hex, reach.facing, hex))
        )
        return Seen(hex, state_of(sight(hex)), next(within, -1))

    return FieldView(
        unit=unit.id,
        rings=[Ring(each, texts[each]) for each in rings],
        places=[seen(hex) for hex in battle.grid.hexes if hex != unit.hex],
    )
