"""Which units have something to fire at: looked at again only where something changed.

Every unit is asked at every Impulse whether it can fire, and an Impulse changes one or two units of the many.
A battle remembers since when each target has been as it is, and of each unit what it was like when it last
looked and whom it could fire at: only who has changed since then is looked at again. Nothing here is a rule:
`arms.shots` decides, and a test compares the two.
"""

from __future__ import annotations

from typing import Any

from grognard.games.ost.arms import shots
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.state import State, Unit

Key = tuple[Any, ...]


class ShotMemory:
    """What a battle remembers of its shots, by a clock that goes on with every listing."""

    __slots__ = ("clock", "firers", "ground", "targets")

    def __init__(self) -> None:
        self.ground: Key = ()
        self.clock = 0
        #: By side, what each of the enemies it saw in its last listing was like, and since when.
        self.targets: dict[str, dict[str, tuple[Key, int]]] = {}
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


def looked_at(battle: OstBattle, side: str, targets: list[Unit]) -> dict[str, tuple[Unit, int]]:
    """The targets of one listing of a side by their ids, each with the listing since which shots at it are the same.

    Who was not to be seen in the last listing is looked at afresh, whatever he was like before.
    """
    if battle.shot_memory is None:
        battle.shot_memory = ShotMemory()
    memory = battle.shot_memory
    memory.look_at_ground(battle.state)
    memory.clock = now = memory.clock + 1
    before, seen = memory.targets.get(side, {}), dict[str, tuple[Key, int]]()
    found: dict[str, tuple[Unit, int]] = {}
    for t in targets:
        key = (t.hex, t.inside, t.on_road, t.aboard, t.attached, _company(battle, t))
        known = before.get(t.id)
        if known is None or known[0] != key:
            known = (key, now)
        seen[t.id] = known
        found[t.id] = (t, known[1])
    memory.targets[side] = seen
    return found


def _company(battle: OstBattle, target: Unit) -> int:
    """How many stand in the hex of a single person for all to see: a Leader in a stack is no target (88.5)."""
    return sum(not unit.hidden for unit in battle.at[target.hex]) if battle.kinds[target.kind].single else 0


def has_shot(battle: OstBattle, unit: Unit, targets: dict[str, tuple[Unit, int]]) -> bool:
    """Whether a unit that may fire has anything to fire at; ``targets`` as `looked_at` gives them."""
    memory = battle.shot_memory
    assert memory is not None
    own = _firer(battle, unit)
    known, since, took = memory.firers.get(unit.id), 0, ""
    if known is not None and known[0] == own:
        _, since, took = known
    last = targets.get(took)
    if last is not None and last[1] <= since:
        return True
    if took:
        since = 0  # whom it could fire at has changed or is gone: now anybody may do
    found = _first_target(battle, unit, [last[0]]) if last is not None else ""  # mostly it is still the same
    found = found or _first_target(battle, unit, [target for target, changed in targets.values() if changed > since])
    memory.firers[unit.id] = (own, memory.clock, found)
    return bool(found)


def _first_target(battle: OstBattle, unit: Unit, targets: list[Unit]) -> str:
    """The first of some targets that a unit has a shot at; "" if there is none."""
    shot = next(shots(battle, unit, targets), None) if targets else None
    return shot.target.id if shot is not None else ""
