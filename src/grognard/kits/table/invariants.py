"""What no rule of any game on a table leads to: bases off the table or in each other, riders in nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, TypeVar

from grognard.board.table.bodies import DISC, SLACK, Body, corners, separations
from grognard.board.table.terrain import Table
from grognard.kits.table.battle import TableBattle
from grognard.kits.table.state import ABOARD, EXITED, LOST, Unit

U = TypeVar("U", bound=Unit[Any])

#: Whole hundredths cannot say everything: a gap may be short by this much.
HAIR = 1.5


class Wrong(NamedTuple):
    """What is wrong, with the unit, the word of its table in a file and the model that it is about; "" for none.

    ``right`` is what would be right, where that can be said, and ``instead`` what else would be in a position, where
    units need not be set up first. ``wreck`` is a wreck's id.
    """

    says: str
    unit: str = ""
    key: str = ""
    model: str = ""
    right: str = ""
    wreck: str = ""
    instead: str = ""


def aboard(
    battle: TableBattle[Any, Any, U, Any],
    capacity: Callable[[U, Sequence[U]], Iterator[Wrong]],
    getting_out: Sequence[str] = (),
) -> Iterator[Wrong]:
    """Who rides is aboard something that is there; what it can carry is the game's to say.

    Of vehicles whose riders are ``getting_out`` nothing is said.
    """
    load: dict[str, list[U]] = {}
    for unit in battle.state.units.values():
        if (unit.status == ABOARD) != bool(unit.aboard):
            key = "aboard" if unit.aboard else "status"
            yield Wrong(f"{battle.name(unit)} is {unit.status}, but aboard {unit.aboard!r}", unit.id, key)
        elif unit.aboard:
            load.setdefault(unit.aboard, []).append(unit)
    for id, riders in load.items():
        vehicle = battle.state.units.get(id)
        if id in getting_out:
            continue
        if vehicle is None or vehicle.status in (LOST, EXITED):
            says = f"{', '.join(map(battle.name, riders))}: aboard {id}, which is not there"
            yield Wrong(says, riders[0].id, "aboard")
            continue
        yield from capacity(vehicle, riders)


def standing(
    battle: TableBattle[Any, Any, U, Any], units: Sequence[U], passing: Callable[[U, U], bool]
) -> Iterator[Wrong]:
    """Every base of some units lies on the table, and none in another or in a wreck.

    ``passing`` says of two units whether one is just passing through the other.
    """
    listed = [(unit, model) for unit in units for model in unit.models]
    bodies = [battle.body(unit, model) for unit, model in listed]
    table = battle.table
    for (unit, model), body in zip(listed, bodies):
        if not on_table(table, body):
            right = f"0 to {table.width / 100:g} across and 0 to {table.height / 100:g} down, with all of its base"
            yield Wrong(f"{battle.name(unit)}: {model.id} is off the table", unit.id, "at", model.id, right)
    names = [f"{battle.name(unit)} ({model.id})" for unit, model in listed]
    names += [f"the wreck {wreck.id}" for wreck in battle.state.wrecks]
    everything = bodies + battle.wreck_bodies()
    if len(everything) < 2:
        return
    deep_in = separations(everything, everything) < -SLACK - HAIR
    owners = [unit for unit, _ in listed]
    told: set[tuple[str, ...]] = set()
    for one, other in zip(*(numbers.tolist() for numbers in deep_in.nonzero())):
        if one >= other or (other < len(owners) and passing(owners[one], owners[other])):
            continue
        # Of two units in one place one pair of models is enough.
        pair = tuple(owners[n].id if n < len(owners) else names[n] for n in (one, other))
        if pair in told:
            continue
        told.add(pair)
        says = f"{names[one]} and {names[other]} overlap"
        if other < len(listed):
            unit, model = listed[other]
            yield Wrong(says, unit.id, "at", model.id, "a different place")
        else:
            wreck = battle.state.wrecks[other - len(listed)].id
            yield Wrong(says, key="at", right="a different place", wreck=wreck)


def on_table(table: Table, body: Body) -> bool:
    """Whether a base lies on the table: of a round one its middle, of another all of it."""
    if body.foot.shape == DISC:
        return 0 <= body.x <= table.width and 0 <= body.y <= table.height
    points = corners(body)
    wide, deep = points[:, 0], points[:, 1]
    inside = wide.min() >= -HAIR and deep.min() >= -HAIR
    return bool(inside and wide.max() <= table.width + HAIR and deep.max() <= table.height + HAIR)
