"""What must hold of every state that the rules can reach: checked by the tests after every answer."""

from __future__ import annotations

from collections.abc import Iterator

from grognard.games.ost.battle import OstBattle
from grognard.games.ost.state import ON_MAP, PLANE, UNMANNED, Unit


def structure(battle: OstBattle) -> Iterator[str]:
    """What is wrong with who stands where: places, stacks, attachments, passengers, works, Melees."""
    state = battle.state
    for id, unit in state.units.items():
        if id != unit.id:
            yield f"{id} is filed under another id than its own, {unit.id}"
        if unit.status in (ON_MAP, UNMANNED) and unit.hex not in battle.grid:
            yield f"{id} is on the map at {unit.hex!r}, which is no hex"
        yield from _follows(battle, unit)
    if len({unit.n for unit in state.units.values()}) < len(state.units):
        yield "two units have the same number in the order of battle"
    for hex, here in battle.at.items():
        yield from _hex(battle, hex, here)
    for weapon in state.weapons.values():
        if weapon.unit and weapon.hex:
            yield f"{weapon.id} is with {weapon.unit} and lies in {weapon.hex}"
        if weapon.unit and battle.kinds[state.units[weapon.unit].kind].kind not in ("squad", "vehicle", "aircraft"):
            yield f"{weapon.id} is with {weapon.unit}, which cannot carry it [20.1, 79.3]"
    for hex in (*state.works, *state.mines, *state.smoke, *state.wrecks, *state.rubble, *state.melees, *state.control):
        if hex not in battle.grid:
            yield f"a marker lies in {hex!r}, which is no hex"


def _follows(battle: OstBattle, unit: Unit) -> Iterator[str]:
    units = battle.state.units
    for key in ("attached", "aboard"):
        name = getattr(unit, key)
        if not name or unit.status not in (ON_MAP, PLANE):
            continue
        other = units.get(name)
        if other is None or other.status != unit.status or (other.hex != unit.hex and unit.status == ON_MAP):
            yield f"{unit.id} is {key} to {name}, which is not with it"
        elif other.side != unit.side:
            yield f"{unit.id} is {key} to {name} of the enemy"
    if unit.partner and unit.status == ON_MAP:
        other = units.get(unit.partner)
        if other is None or other.partner != unit.id or other.hex != unit.hex:
            yield f"{unit.id} and {unit.partner} are no Rolling Cover pair [81.3]"


def _hex(battle: OstBattle, hex: str, here: list[Unit]) -> Iterator[str]:
    sides = {unit.side for unit in here}
    if len(sides) > 1 and hex not in battle.state.melees and not any(unit.hidden for unit in here):
        yield f"enemies share {hex} without a Melee [75.10]"
    limits = battle.figures["stacking"]
    for side in sorted(sides):
        stack = [unit for unit in here if unit.side == side and not unit.aboard]
        kinds = [battle.type(unit) for unit in stack]
        leaders = sum(kind.leader for kind in kinds)
        units = sum(not kind.leader and not kind.armor_leader for kind in kinds)
        riders = sum(battle.type(u).leader for u in here if u.side == side and u.aboard)
        if units > limits["units"]:
            yield f"{units} units of {side} in {hex} [72.1]"
        if leaders + riders > limits["leaders"]:
            yield f"{leaders + riders} Leaders of {side} in {hex} [72.1]"
        if units + leaders > 1 and any(kind.sniper for kind in kinds):
            yield f"a Sniper of {side} is not alone in {hex} [12.2]"
        led = [unit.attached for unit in here if unit.side == side and unit.attached]
        if len(set(led)) < len(led):
            yield f"two Leaders are attached to one unit in {hex} [15.13]"


def conduct(battle: OstBattle) -> Iterator[str]:
    """What is wrong with what units did this turn, and with the totals."""
    state = battle.state
    for side in battle.sides:
        if state.points.get(side, 0) < 0:
            yield f"{side} has {state.points[side]} Impulse Points [67.5]"
    for unit in state.units.values():
        if not 0 <= unit.fired <= 2:
            yield f"{unit.id} fired {unit.fired} times [74.1]"
        if unit.moved + unit.fired + unit.assaulted > 2:
            yield f"{unit.id} took more than two limited actions [74.1]"
        if unit.morale not in (0, 1, 2):
            yield f"{unit.id} has morale {unit.morale} [68.1]"
        kind = battle.type(unit)
        if unit.reduced and kind.reduced is None:
            yield f"{unit.id} is reduced, but has no such side"


def invariants(battle: OstBattle) -> list[str]:
    """Everything that is wrong with a state."""
    return [*structure(battle), *conduct(battle)]
