"""What must hold of every state that the rules can reach: checked by the tests after every answer."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from grognard.games.ost.battle import OstBattle
from grognard.games.ost.state import ON_MAP, PLANE, UNMANNED, Unit
from grognard.kits.hex import invariants as kit
from grognard.kits.hex.invariants import Wrong


def structure(battle: OstBattle) -> Iterator[Wrong]:
    """What is wrong with who stands where: places, stacks, attachments, passengers, works, Melees."""
    state = battle.state
    yield from kit.units(battle, (ON_MAP, UNMANNED))
    for unit in state.units.values():
        yield from kit.company(battle, unit, ("attached", "aboard"), (ON_MAP, PLANE))
        yield from _partners(battle, unit)
    for hex, here in battle.at.items():
        yield from _hex(battle, hex, here)
    for weapon in state.weapons.values():
        if weapon.unit and weapon.hex:
            yield Wrong(f"{weapon.id} is with {weapon.unit} and lies in {weapon.hex}", "one of the two", weapon.unit)
        if weapon.unit and battle.kinds[state.units[weapon.unit].kind].kind not in ("squad", "vehicle", "aircraft"):
            wrong = f"{weapon.id} is with {weapon.unit}, which can't carry it [20.1, 79.3]"
            yield Wrong(wrong, "a squad, or a vehicle as cargo", weapon.unit, "weapons")
    marked = (state.works, state.mines, state.smoke, state.wrecks, state.rubble, state.melees, state.control)
    yield from kit.markers(battle, chain.from_iterable(marked))


def _partners(battle: OstBattle, unit: Unit) -> Iterator[Wrong]:
    if unit.partner and unit.status == ON_MAP:
        other = battle.state.units.get(unit.partner)
        if other is None or other.partner != unit.id or other.hex != unit.hex:
            wrong = f"{unit.id} and {unit.partner} are not a Rolling Cover pair [81.3]"
            yield Wrong(wrong, "both in one hex, each the partner of the other", unit.id, "partner")


def _hex(battle: OstBattle, hex: str, here: list[Unit]) -> Iterator[Wrong]:
    sides = {unit.side for unit in here}
    last = here[-1].id
    if len(sides) > 1 and hex not in battle.state.melees and not any(unit.hidden for unit in here):
        wrong = f"enemies share {hex} without a Melee [75.10]"
        yield Wrong(wrong, f"a [[melee]] in {hex}, or another hex", last, "hex")
    limits = battle.charts["stacking"]
    for side in sorted(sides):
        stack = [unit for unit in here if unit.side == side and not unit.aboard]
        last = next(unit.id for unit in reversed(here) if unit.side == side)
        kinds = [battle.type(unit) for unit in stack]
        leaders = sum(kind.leader for kind in kinds)
        units = sum(not kind.leader and not kind.armor_leader for kind in kinds)
        riders = sum(battle.type(u).leader for u in here if u.side == side and u.aboard)
        if units > limits["units"]:
            yield Wrong(f"{units} units of {side} in {hex} [72.1]", f"{limits['units']} at most", last, "hex")
        if leaders + riders > limits["leaders"]:
            wrong = f"{leaders + riders} Leaders of {side} in {hex} [72.1]"
            yield Wrong(wrong, f"{limits['leaders']} at most", last, "hex")
        if units + leaders > 1 and any(kind.sniper for kind in kinds):
            yield Wrong(f"a Sniper of {side} is not alone in {hex} [12.2]", "a different hex", last, "hex")
        led = [unit.attached for unit in here if unit.side == side and unit.attached]
        if len(set(led)) < len(led):
            wrong = f"two Leaders are attached to one unit in {hex} [15.13]"
            yield Wrong(wrong, "one of them", next(u.id for u in reversed(here) if u.attached), "attached")
        carried = [unit.aboard for unit in here if unit.side == side and unit.aboard and not unit.attached]
        if len(set(carried)) < len(carried):
            wrong = f"a vehicle in {hex} carries more than one unit [79.3]"
            yield Wrong(wrong, "one of them", next(u.id for u in reversed(here) if u.aboard), "aboard")


def conduct(battle: OstBattle) -> Iterator[Wrong]:
    """What is wrong with what units did this turn, and with the totals."""
    state = battle.state
    for side in battle.sides:
        if state.points.get(side, 0) < 0:
            yield Wrong(f"{side} has {state.points[side]} Impulse Points [67.5]", "0 or more", "", "points")
    for unit in state.units.values():
        if not 0 <= unit.fired <= 2:
            yield Wrong(f"{unit.id} fired {unit.fired} times [74.1]", "0, 1 or 2", unit.id, "fired")
        if unit.moved + unit.fired + unit.assaulted > 2:
            wrong = f"{unit.id} took more than two limited actions [74.1]"
            yield Wrong(wrong, "at most two of moved, fired (once or twice) and assaulted", unit.id, "fired")
        if unit.morale not in (0, 1, 2):
            yield Wrong(f"{unit.id} has morale {unit.morale} [68.1]", "", unit.id, "morale")
        kind = battle.type(unit)
        if unit.reduced and kind.reduced is None:
            yield Wrong(f"{unit.id} is reduced, but doesn't have a reduced side", "", unit.id, "reduced")


def invariants(battle: OstBattle) -> list[str]:
    """Everything that is wrong with a state."""
    return [wrong.what for wrong in (*kit.index(battle), *structure(battle), *conduct(battle))]
