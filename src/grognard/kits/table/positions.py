"""What is kept for where everything stands: looks and listings that hold until somebody moves.

Odds and programs play from one position again and again, so what was worked out for it is kept with the table, over
battles, and forgotten when others are asked for more.
"""

from __future__ import annotations

from typing import Any

from grognard.kits.table.battle import TableBattle

AnyBattle = TableBattle[Any, Any, Any, Any]

#: So many positions of the whole table are remembered.
KEPT = 48
#: How far beyond the box about two units a hull may stand that hides one from the other; more where they are indoors.
BESIDE, INDOORS = 700, 1600


def stances(battle: AnyBattle) -> dict[str, Any]:
    """The stances of all units on the table, by id."""
    found: dict[str, Any] | None = battle.cache.get("stances")
    if found is None:
        found = battle.cache["stances"] = {unit.id: battle.stance(unit) for unit in battle.units()}
    return found


def in_between(battle: AnyBattle) -> Any:
    """What may come between two units: whoever blocks sight, wrecks and smoke, as a key."""
    found = battle.cache.get("in_between")
    if found is None:
        known = stances(battle)
        found = battle.cache["in_between"] = (
            tuple(known[unit.id] for unit in battle.blockers()),
            tuple((wreck.x, wreck.y, wreck.heading, wreck.kind) for wreck in battle.state.wrecks),
            tuple(battle.clouds()),
        )
    return found


def hiding(battle: AnyBattle, own: Any, other: Any) -> Any:
    """What may come between two stances, as a key: of the vehicles only where those are that are anywhere near."""
    hulls, *rest = in_between(battle)
    spots = own[3] + other[3]
    far = INDOORS if own[2] or other[2] else BESIDE
    left, right = min(spot[1] for spot in spots) - far, max(spot[1] for spot in spots) + far
    top, bottom = min(spot[2] for spot in spots) - far, max(spot[2] for spot in spots) + far
    near = []
    for hull in hulls:
        hull = other if hull[0] == other[0] else hull
        if hull[3] and left <= hull[3][0][1] <= right and top <= hull[3][0][2] <= bottom:
            near.append(hull)
    # Whatever hides is known by its number: all the vehicles count for that.
    return tuple(hull[0] for hull in hulls), tuple(near), *rest


def position_cache(battle: AnyBattle) -> dict[Any, Any]:
    """What is kept for where everything stands now."""
    found: dict[Any, Any] | None = battle.cache.get("position")
    if found is None:
        shelf: dict[Any, dict[Any, Any]] = battle.table.cache.setdefault("positions", {})
        key = (tuple(stances(battle).values()), in_between(battle))
        found = shelf.get(key)
        if found is None:
            if len(shelf) >= KEPT:
                del shelf[next(iter(shelf))]
            found = shelf[key] = {}
        battle.cache["position"] = found
    return found
