"""Which units have something to fire at: looked at again only where something changed.

Every unit is asked at every Impulse whether it can fire, and an Impulse changes one or two units of the many.
A battle remembers, for each pair of firer and target, what both were like when the pair was last looked at
and whether there was a shot. Nothing here is a rule: `arms.shots_at` decides, and a test compares the two.
"""

from __future__ import annotations

from typing import Any

from grognard.games.ost.arms import arms, shots_at
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.state import State, Unit

Key = tuple[Any, ...]


class ShotMemory:
    """What a battle remembers of its shots."""

    __slots__ = ("ground", "pairs", "took")

    def __init__(self) -> None:
        self.ground: Key = ()
        self.pairs: dict[tuple[str, str], tuple[Key, Key, bool]] = {}
        self.took: dict[str, str] = {}  # the target that each unit could last fire at: looked at first

    def look_at_ground(self, state: State) -> None:
        """Forget everything when something changed on the map that sight or arcs depend on.

        Melees are not among it: who is in one is neither asked nor fired at.
        """
        works = [(hex, work) for hex, work in state.works.items() if work.kind in ("pillbox", "roadblock")]
        ground = (tuple(state.smoke), tuple(state.wrecks), works, len(state.rubble))
        if ground != self.ground:
            self.ground = ground
            self.pairs.clear()


def _firer(battle: OstBattle, unit: Unit) -> Key:
    """All of a unit that its shots depend on."""
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


def looked_at(battle: OstBattle, targets: list[Unit]) -> list[tuple[Unit, Key]]:
    """The targets of one listing, each with all of it that shots at it depend on."""
    if battle.shot_memory is None:
        battle.shot_memory = ShotMemory()
    battle.shot_memory.look_at_ground(battle.state)
    return [(t, (t.hex, t.inside, t.on_road, t.aboard, t.attached, _company(battle, t))) for t in targets]


def _company(battle: OstBattle, target: Unit) -> int:
    """How many stand in the hex of a single person for all to see: a Leader in a stack is no target (88.5)."""
    return sum(not unit.hidden for unit in battle.at[target.hex]) if battle.kinds[target.kind].single else 0


def has_shot(battle: OstBattle, unit: Unit, targets: list[tuple[Unit, Key]]) -> bool:
    """Whether a unit that may fire has anything to fire at; ``targets`` as `looked_at` gives them."""
    memory = battle.shot_memory
    assert memory is not None
    pairs, id = memory.pairs, unit.id
    own = _firer(battle, unit)
    took = memory.took.get(id)
    if took is not None:
        known = pairs.get((id, took))
        if known is not None and known[2] and known[0] == own:
            for target, key in targets:
                if target.id == took:
                    if known[1] == key:
                        return True
                    break
    weapons = None
    furthest = 0
    here = battle.grid.dist[unit.hex]
    for target, key in targets:
        pair = (id, target.id)
        known = pairs.get(pair)
        if known is not None and known[0] == own and known[1] == key:
            found = known[2]
        else:
            if weapons is None:
                weapons = arms(battle, unit)
                if not weapons:
                    return False
                furthest = max([arm.range for arm in weapons]) + 1
            found = here[target.hex] <= furthest and next(shots_at(battle, unit, target, weapons), None) is not None
            pairs[pair] = (own, key, found)
        if found:
            memory.took[id] = target.id
            return True
    return False
