"""Which units have something to fire at: looked at again only where something changed.

Every unit is asked at every Impulse whether it can fire, and an Impulse changes one or two units of the many.
A battle remembers since when each target has been as it is, and of each unit what it was like when it last
looked and whom it could fire at: only who has changed since then is looked at again. Nothing here is a rule:
`arms.shots` decides, and a test compares the two.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from grognard.games.ost.arms import Arm, arms, shots_at
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.state import State, Unit
from grognard.games.ost.unit_memory import Each, each_unit

Key = tuple[Any, ...]


class ShotMemory:
    """What a battle remembers of its shots, by a clock that goes on with every listing."""

    __slots__ = ("clock", "firers", "ground", "targets")

    def __init__(self) -> None:
        self.ground: Key = ()
        self.clock = 0
        #: By side, the enemies it saw in its last listing.
        self.targets: dict[str, dict[str, Target]] = {}
        #: What each unit was like when it last looked, when that was, and whom it could fire at ("" for nobody).
        self.firers: dict[str, tuple[Key, int, str]] = {}

    def look_at_ground(self, state: State) -> None:
        """Forget everything when something changed on the map that sight or arcs depend on.

        Melees are not among it: who is in one is neither asked nor fired at.
        """
        works = [(hex, work) for hex, work in state.works.items() if work.kind in ("pillbox", "roadblock")]
        ground = (tuple(state.smoke), tuple(state.wrecks), works, len(state.rubble))
        if ground != self.ground:
            self.ground = ground
            self.firers.clear()


class Firer(NamedTuple):
    """A unit that may fire: all of it that its shots depend on, and what it could fire with how far."""

    unit: Unit
    key: Key
    arms: list[Arm]
    furthest: int


class Target(NamedTuple):
    """An enemy that a side can see, all of it that shots at it depend on, and since which listing it is so."""

    unit: Unit
    key: Key
    since: int = 0


def firer(battle: OstBattle, unit: Unit) -> Firer:
    """A unit that may fire. All of this lies in the unit and its hex."""
    weapons = arms(battle, unit)
    return Firer(unit, _firer_key(battle, unit), weapons, max([arm.range for arm in weapons], default=-1) + 1)


def _firer_key(battle: OstBattle, unit: Unit) -> Key:
    kind = battle.kinds[unit.kind]
    hex = unit.hex
    if kind.vehicle:
        loaded = battle.passenger(unit) is not None
        return hex, unit.facing, unit.mgs_out, len(unit.guns_out), unit.main_fires, unit.on_road, loaded
    if kind.squad:
        armed = [w.id + w.used_by for w in battle.state.weapons.values() if w.unit == unit.id]
        if armed:
            return hex, unit.reduced, unit.inside, unit.on_road, *armed
    return hex, unit.facing, unit.reduced, unit.inside, unit.on_road


def target_of(battle: OstBattle, unit: Unit) -> Sequence[Target]:
    """An enemy, if it can be seen and is in no Melee. All of this lies in the unit and its hex."""
    if unit.hidden or unit.hex in battle.state.melees:
        return ()
    return [Target(unit, (unit.hex, unit.inside, unit.on_road, unit.aboard, unit.attached, _company(battle, unit)))]


def _company(battle: OstBattle, target: Unit) -> int:
    """How many stand in the hex of a single person for all to see: a Leader in a stack is no target (88.5)."""
    return sum(not unit.hidden for unit in battle.at[target.hex]) if battle.kinds[target.kind].single else 0


def looked_at(battle: OstBattle, side: str, each: Each = each_unit) -> dict[str, Target]:
    """The targets of one listing of a side by their ids, each with the listing since which shots at it are the same.

    Who was not to be seen in the last listing is looked at afresh, whatever he was like before.
    """
    if battle.shot_memory is None:
        battle.shot_memory = ShotMemory()
    memory = battle.shot_memory
    memory.look_at_ground(battle.state)
    memory.clock = now = memory.clock + 1
    before = memory.targets.get(side, {})
    found: dict[str, Target] = {}
    for target in each(battle, battle.other(side), target_of, reach=0):
        id = target.unit.id
        known = before.get(id)
        found[id] = known if known is not None and known.key == target.key else Target(target.unit, target.key, now)
    memory.targets[side] = found
    return found


def has_shot(battle: OstBattle, firer: Firer, targets: dict[str, Target]) -> bool:
    """Whether a unit that may fire has anything to fire at; ``targets`` as `looked_at` gives them."""
    memory = battle.shot_memory
    assert memory is not None
    id = firer.unit.id
    known, since, took = memory.firers.get(id), 0, ""
    if known is not None and known[0] == firer.key:
        _, since, took = known
    last = targets.get(took)
    if last is not None and last.since <= since:
        return True
    if took:
        since = 0  # whom it could fire at has changed or is gone: now anybody may do
    found = last is not None and _can_hit(battle, firer, last.unit)  # mostly it is still the same
    if not found:
        took = ""
        here, furthest = battle.grid.dist[firer.unit.hex], firer.furthest
        for target in targets.values():
            unit = target.unit
            if target.since > since and here[unit.hex] <= furthest and _can_hit(battle, firer, unit):
                found, took = True, unit.id
                break
    memory.firers[id] = (firer.key, memory.clock, took)
    return found


def _can_hit(battle: OstBattle, firer: Firer, target: Unit) -> bool:
    """Whether a unit has any shot at a target."""
    return next(shots_at(battle, firer.unit, target, firer.arms), None) is not None
