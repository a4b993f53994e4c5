"""Fortification and wreckage counters (24-34): Cover, mines, Bunkers, obstacles, Smoke, and engineers' work (10).

What the counters do to movement is in `terrain`, what they do to Defense in `combat`.
"""

from __future__ import annotations

from collections.abc import Iterator

from grognard.core.ask import Ask, Bar, Option, Procedure
from grognard.core.dice import at_least
from grognard.core.tally import Tally
from grognard.games.ost import attacks, collapse, combat, move_events, results, turn_events
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.limited_actions import IN_MELEE, INTENSIVE, IS_BROKEN, IS_USED, bar_over
from grognard.games.ost.state import BROKEN, GOOD, ON_MAP, Unit, Work
from grognard.games.ost.unit_memory import Each, each_unit

NOT_ON_MAP = Bar("67.2", "it isn't on the map")
NO_POINTS = Bar("67.5", "its side has no Impulse Points left")
WITH_UNIT = Bar("15.7", "an attached Leader acts with his unit")
RIDING = Bar("79.2", "it is riding on a vehicle")
FIRED_TWICE = Bar("88.7", "it has fired twice this turn")
IS_HIDDEN = Bar("73.3", "hidden units can't improve their position")
ONE_WORK = Bar("24.0b", "the hex has a fortification counter")
IN_STREAM = Bar("25.5", "you can't take Cover in a stream")
NO_BUNKER = Bar("28.8", "it isn't in a Bunker")
NO_ENGINEER = Bar("10.1", "it isn't an Engineer")
NOT_GOOD_ORDER = Bar("10.4", "clearing needs good order")
NOTHING_TO_CLEAR = Bar("10.4", "its hex doesn't have that obstacle")
CLEARING = Bar("10.4", "it is already clearing that")


# ---- works on the map -------------------------------------------------------------------------------------


def bar_work(battle: OstBattle, hex: str, kind: str) -> Bar | None:
    """Why a counter may not be placed in a hex: one work a hex, and none where its own rule forbids it (24.0b)."""
    return ONE_WORK if hex in battle.state.works else bar_site(battle, hex, kind)


def bar_site(battle: OstBattle, hex: str, kind: str) -> Bar | None:
    """Why the terrain of a hex does not take a counter (25.5, 28.3, 29.3)."""
    terrain = battle.terrain(hex)
    banned = battle.charts.counter[kind].not_in
    if terrain.name in banned or (terrain.structure and "structure" in banned):
        rule = {"bunker": "28.3", "pillbox": "29.3", "cover": "25.5"}.get(kind, "24.0b")
        return Bar(rule, f"no {kind} in a {terrain.name.replace('_', ' ')} hex")
    return None


def remove_work(battle: OstBattle, hex: str, *rules: str) -> None:
    """Take the work of a hex away; whoever was inside it stands in the hex."""
    work = battle.state.works.pop(hex)
    for unit in battle.at.get(hex, ()):
        unit.inside = False
    battle.emit(move_events.Removed(side=work.side, kind=work.kind, place=hex, rules=rules))


# ---- Cover (25) ----------------------------------------------------------------------------------------------


def bar_cover(battle: OstBattle, unit: Unit) -> Bar | None:
    """Why a unit may not try for Cover (25.1, 25.5, 73.3). Used, Shaken and Broken units may (74.7, A-5)."""
    if unit.status != ON_MAP:
        return NOT_ON_MAP
    if unit.attached:
        return WITH_UNIT
    if unit.aboard:
        return RIDING
    if unit.hidden:
        return IS_HIDDEN
    if unit.hex in battle.state.melees:
        return IN_MELEE
    if unit.intensive and battle.options.intensive_bars_rally:
        return INTENSIVE
    work = battle.state.works.get(unit.hex)
    if work is not None:
        return ONE_WORK if work.kind == "cover" else Bar("25.5", "it can't take Cover here", work.kind)
    return IN_STREAM if battle.terrain(unit.hex).no_cover else None


def options_cover(battle: OstBattle, side: str, each: Each = each_unit) -> list[Option]:
    """Every unit that may try for Cover; one of a hex is as good as another, but each may be chosen (25.1)."""
    return each(battle, side, _cover_of, reach=0)


def _cover_of(battle: OstBattle, unit: Unit) -> Iterator[Option]:
    if bar_cover(battle, unit) is None:
        yield Option(f"cover {unit.id}", "Try for Cover", "cover", unit.id, unit.hex, cost="1 IP", rule="25.2")


def act_cover(battle: OstBattle, side: str, unit_id: str) -> bool:
    """Spend a point and roll: 5 or 6 gives Cover. Not a limited action, and as often as one likes (25.2, 74.7)."""
    unit = battle.unit(unit_id)
    battle.spend(side, battle.charts["impulse"]["cost_cover"], "25.2")
    needed = battle.charts["counter"]["cover"]["success_at_least"]
    number = Tally("Cover number", needed, "25.2")
    if battle.roll(side, "Cover", "1d6", at_least(needed), ("25.2",), (number,), unit=unit.id):
        place_cover(battle, side, unit.hex)
    return False


def place_cover(battle: OstBattle, side: str, hex: str) -> None:
    """A Cover counter for the side's units in a hex (25.3, Z-5)."""
    battle.state.works[hex] = Work("cover", side)
    battle.emit(move_events.Placed(side=side, kind="cover", place=hex, rules=("25.2",)))


def drop_cover(battle: OstBattle, hex: str) -> None:
    """Cover goes when its owner has no unit left in the hex (25.4)."""
    work = battle.state.works.get(hex)
    if work is not None and work.kind == "cover" and not battle.stack(hex, work.side):
        remove_work(battle, hex, "25.4")


# ---- mines (27) ----------------------------------------------------------------------------------------------


def mines_attack(battle: OstBattle, unit: Unit) -> Procedure[results.Effect]:
    """Enemy mines in the hex a unit came into: revealed, and they attack it, but not engineers (27.2-27.8).

    Foot units are attacked on the ICT; a vehicle is hit on its flank, and its passenger takes collateral
    damage only (F-2). An attached Leader shares his unit's fate.
    """
    mines = battle.state.mines.get(unit.hex)
    if mines is None or mines.side == unit.side:
        return results.NOTHING
    kind = battle.type(unit)
    if not mines.revealed:
        battle.reveal_mines(unit.hex, *(("27.3", "10.3") if kind.engineer else ("27.2",)))
    if kind.engineer:
        return results.NOTHING
    table = battle.charts["counter"]["mines"]
    roll = Tally("attack roll", 0, "27.2")
    if kind.vehicle:
        firepower = Tally("Firepower", table["fp_vehicle"], "27.8", "mines")
        defense = combat.defense_tally(battle, unit, "mines", flank=True)
        return (yield from attacks.vehicle_attack(battle, mines.side, unit, firepower, defense, roll, "27.8"))
    firepower = Tally("Firepower", table["fp_foot"], "27.7", "mines")
    defense = combat.defense_tally(battle, unit, "mines")
    return (yield from attacks.infantry_attack(battle, mines.side, unit, firepower, defense, roll, "27.7"))


# ---- what counts as Fire (10.2, 10.4, 28.8) ------------------------------------------------------------------


def bar_task(battle: OstBattle, unit: Unit) -> Bar | None:
    """Why a unit may take no task that counts as Fire now (74.1, 88.7)."""
    if unit.status != ON_MAP:
        return NOT_ON_MAP
    if unit.attached:
        return WITH_UNIT
    if unit.aboard:
        return RIDING
    if unit.morale == BROKEN:
        return IS_BROKEN
    if bar := bar_over(battle, unit):
        return bar
    if unit.fired >= battle.charts["actions"]["normal_fires_per_turn"]:
        return FIRED_TWICE
    return IS_USED if battle.used(unit) else None


def _mark_fired(battle: OstBattle, unit: Unit, rule: str) -> None:
    """Reveal the unit and mark the task as its Fire (73.6, 88.8, 88.9)."""
    battle.reveal(unit, "73.6")
    unit.fired += 1
    marker = "Used" if battle.used(unit) else "Fired"
    battle.emit(
        turn_events.Marked(
            side=unit.side, unit=unit.id, marker=marker, rules=(rule, "74.6" if marker == "Used" else "88.8")
        )
    )


def bar_demolish(battle: OstBattle, unit: Unit) -> Bar | None:
    """Why a unit may not destroy the Bunker it occupies (28.8); Pillboxes never can be (29.11)."""
    if bar := bar_task(battle, unit):
        return bar
    work = battle.state.works.get(unit.hex)
    if work is not None and work.kind == "pillbox" and unit.inside:
        return Bar("29.11", "a Pillbox can't be destroyed")
    return None if work is not None and work.kind == "bunker" and unit.inside else NO_BUNKER


def options_demolish(battle: OstBattle, side: str, each: Each = each_unit) -> list[Option]:
    """Every unit that may blow up the Bunker it is in."""
    return each(battle, side, _demolish_of, reach=0)


def _demolish_of(battle: OstBattle, unit: Unit) -> Iterator[Option]:
    if unit.inside and bar_demolish(battle, unit) is None:
        key, label = f"demolish {unit.id}", "Destroy the Bunker"
        yield Option(key, label, "demolish", unit.id, unit.hex, cost="1 IP", rule="28.8")


def act_demolish(battle: OstBattle, side: str, unit_id: str) -> bool:
    """Destroy the Bunker one occupies: 1 point, a Fire action (28.8).

    Nobody is hurt, but a Bunker that is lost costs the crewed weapons in it (28.10, Z-4).
    """
    unit = battle.unit(unit_id)
    battle.spend(side, battle.charts["impulse"]["cost_action"], "28.8")
    _mark_fired(battle, unit, "28.8")
    work = battle.state.works.pop(unit.hex)
    battle.emit(move_events.Removed(side=work.side, kind=work.kind, place=unit.hex, rules=("28.8",)))
    collapse.empty_bunker(battle, unit.hex)
    return False


# ---- engineers (10) ------------------------------------------------------------------------------------------


def bar_engineer(battle: OstBattle, unit: Unit) -> Bar | None:
    """Why a unit may do no engineers' work now (10.1, A-3)."""
    return bar_task(battle, unit) if battle.type(unit).engineer else NO_ENGINEER


def smoke_hexes(battle: OstBattle, unit: Unit) -> list[str]:
    """Where an Engineer may place Smoke: its own hex or an adjacent one, no Melee (10.2, 101.2)."""
    return [hex for hex in (unit.hex, *battle.grid.adjacent[unit.hex]) if hex not in battle.state.melees]


def options_engineer_smoke(battle: OstBattle, side: str, each: Each = each_unit) -> list[Option]:
    """Every Engineer that may place Smoke (10.2, 33.1)."""
    return each(battle, side, _engineer_smoke_of, reach=0)


def _engineer_smoke_of(battle: OstBattle, unit: Unit) -> Iterator[Option]:
    if bar_engineer(battle, unit) is None:
        key = f"engineer_smoke {unit.id}"
        yield Option(key, "Place Smoke", "engineer_smoke", unit.id, unit.hex, cost="1 IP", rule="10.2")


def act_engineer_smoke(battle: OstBattle, side: str, unit_id: str) -> Procedure[bool]:
    """Place Smoke in the Engineer's own or an adjacent hex: 1 point, a Fire action, one hex only (10.2, 33.6)."""
    unit = battle.unit(unit_id)
    hexes = smoke_hexes(battle, unit)
    options = [Option(f"smoke {hex}", f"Smoke in {hex}", "smoke", unit.id, hex, rule="33.6") for hex in hexes]
    answer = yield Ask(side, f"Where does {battle.name(unit)} place Smoke?", options, rule="10.2")
    battle.spend(side, battle.charts["impulse"]["cost_action"], "10.2")
    _mark_fired(battle, unit, "33.6")
    place_smoke(battle, answer.split()[1], 1, "10.2", "33.6", side=side)
    return False


def obstacles(battle: OstBattle, unit: Unit) -> list[str]:
    """What an Engineer could clear in its hex, as far as its side knows: mines, wire, a roadblock (10.4)."""
    state, found = battle.state, []
    mines, work = state.mines.get(unit.hex), state.works.get(unit.hex)
    if mines is not None and (mines.revealed or mines.side == unit.side):
        found.append("mines")
    if work is not None and work.kind in ("wire", "roadblock"):
        found.append(work.kind)
    return found


def bar_clear(battle: OstBattle, unit: Unit, obstacle: str) -> Bar | None:
    """Why an Engineer may not begin to clear an obstacle (10.4)."""
    if bar := bar_engineer(battle, unit):
        return bar
    if unit.morale != GOOD:
        return NOT_GOOD_ORDER
    if obstacle in unit.clearing.split():
        return CLEARING
    return None if obstacle in obstacles(battle, unit) else NOTHING_TO_CLEAR


def options_clear(battle: OstBattle, side: str, each: Each = each_unit) -> list[Option]:
    """Every obstacle that an Engineer may begin to clear (10.4, 27.4, 30.6, 31.4)."""
    return each(battle, side, _clear_of, reach=0)


def _clear_of(battle: OstBattle, unit: Unit) -> Iterator[Option]:
    if battle.type(unit).engineer:
        for obstacle in obstacles(battle, unit):
            if bar_clear(battle, unit, obstacle) is None:
                key, label = f"clear {unit.id} {obstacle}", f"Clear {obstacle}"
                yield Option(key, label, "clear", unit.id, unit.hex, cost="1 IP", rule="10.4")


def act_clear(battle: OstBattle, side: str, unit_id: str, obstacle: str) -> bool:
    """Begin to clear: 1 point, a Fire action; it is done at the turn's end if all goes well (10.4, A-7).

    With its second action it may begin on another obstacle of the hex.
    """
    unit = battle.unit(unit_id)
    battle.spend(side, battle.charts["impulse"]["cost_action"], "10.4")
    _mark_fired(battle, unit, "10.4")
    unit.clearing = f"{unit.clearing} {obstacle}".strip()
    battle.emit(
        turn_events.Declared(side=side, unit=unit.id, what=f"clears the {obstacle} in", place=unit.hex, rules=("10.4",))
    )
    return False


def clear_obstacles(battle: OstBattle) -> None:
    """At the turn's end, after Melee: what engineers in good order have cleared is removed (10.4, A-7)."""
    state = battle.state
    for unit in list(state.units.values()):
        if not unit.clearing:
            continue
        begun, unit.clearing = unit.clearing.split(), ""
        if unit.status != ON_MAP or unit.morale != GOOD:
            continue
        for obstacle in [each for each in begun if each in obstacles(battle, unit)]:
            if obstacle == "mines":
                mines = state.mines.pop(unit.hex)
                battle.emit(move_events.Removed(side=mines.side, kind="mines", place=unit.hex, rules=("10.4", "27.4")))
            else:
                remove_work(battle, unit.hex, "10.4", "30.6" if obstacle == "wire" else "31.4")


# ---- Smoke (33) ------------------------------------------------------------------------------------------------


def place_smoke(battle: OstBattle, hex: str, level: int, *rules: str, side: str = "") -> None:
    """Put a Smoke (1) or Smoke 2 counter in a hex; the fresher of two stays (33.2, 33.3)."""
    old = battle.state.smoke.get(hex)
    battle.state.smoke[hex] = level if old is None else min(level, old)
    kind = "smoke" if level == 1 else "smoke 2"
    battle.emit(move_events.Placed(side=side, kind=kind, place=hex, rules=rules or ("33.1",)))


def age_smoke(battle: OstBattle) -> None:
    """The Smoke Counters phase: Smoke 2 is removed, Smoke is flipped to Smoke 2 (33.2)."""
    smoke = battle.state.smoke
    for hex in list(smoke):
        if smoke[hex] == 1:
            smoke[hex] = 2
            battle.emit(move_events.Placed(kind="smoke 2", place=hex, rules=("33.2",)))
        else:
            del smoke[hex]
            battle.emit(move_events.Removed(kind="smoke 2", place=hex, rules=("33.2",)))
