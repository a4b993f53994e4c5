"""Off Board Artillery: calling a strike, accuracy, drift, the attacks, and the zone it leaves (107-109)."""

from __future__ import annotations

from collections.abc import Iterator

from grognard.core.ask import Ask, Bar, Option, Procedure
from grognard.core.dice import at_least, total
from grognard.core.tally import Line, Tally
from grognard.games.ost import attacks, collapse, combat, combat_events, fortifications, move_events, sight
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.results import Effect
from grognard.games.ost.state import GOOD, ON_MAP, Strike, Unit

NO_ASSET = Bar("106.0", "you have no strikes of this kind left")
NOT_YET = Bar("106.0", "this strike is not available yet")
NO_POINT = Bar("107.4", "a strike costs an Impulse Point")
NO_SPOTTER = Bar("107.5", "no good order unit can spot for it")


# ---- spotting (107.5, 107.6, 108.3) ------------------------------------------------------------------


def spotters(battle: OstBattle, side: str) -> list[Unit]:
    """The side's units that may spot: in good order, not riding, not locked in a Melee (68.4, 68.7, L-16).

    Hidden ones may, and stay hidden.
    """
    melees = battle.state.melees
    return [
        unit
        for unit in battle.units(side)
        if unit.morale == GOOD and not unit.aboard and unit.hex not in melees and not battle.type(unit).armor_leader
    ]


def spottable(battle: OstBattle, side: str) -> list[str]:
    """Every hex that some unit of the side can spot; a Melee may not be aimed at (107.5, O-2)."""
    able = [spots for unit in spotters(battle, side) if (spots := sight.spotter(battle, unit)) is not None]
    melees = battle.state.melees
    found = []
    for hex in battle.grid.hexes:
        for place, spots in enumerate(able):
            if spots(hex):
                if hex not in melees:
                    found.append(hex)
                able.insert(0, able.pop(place))  # whoever sees a hex mostly sees the next: ask him first
                break
    return found


def spotting_leader(battle: OstBattle, spotter: Unit) -> Unit | None:
    """The good order Leader who has the spotter in command range (13.3, 108.3).

    He is of the spotter's branch; vehicles need an Armor Leader (D-6, 16.2). Nobody helps himself.
    """
    vehicle = battle.type(spotter).vehicle
    for other in battle.units(spotter.side):
        kind = battle.type(other)
        if (
            (kind.armor_leader if vehicle else kind.leader)
            and other is not spotter
            and other.morale == GOOD
            and other.hex not in battle.state.melees
            and combat.of_branch(battle, kind, spotter)
            and battle.grid.distance(other.hex, spotter.hex) <= kind.command_range
        ):
            return other
    return None


def best_leader(battle: OstBattle, side: str, hex: str) -> Unit | None:
    """The Leader who helps to spot a hex: the spotter is whoever has one, if anyone has (B-35)."""
    for unit in spotters(battle, side):
        if sight.can_spot(battle, unit, hex) and (leader := spotting_leader(battle, unit)) is not None:
            return leader
    return None


# ---- calling a strike (107.4, 107.17, 107.18) -----------------------------------------------------------


def bar_asset(battle: OstBattle, side: str, kind: str) -> Bar | None:
    """Why a side has no off board asset of a kind to use now (106.0, O-1)."""
    if battle.state.assets.get(side, {}).get(kind, 0) < 1:
        return NO_ASSET
    first = battle.scenario.asset_turns.get(side, {}).get(kind)
    return NOT_YET if first is not None and battle.state.turn > first else None


def bar_oba(battle: OstBattle, side: str, kind: str, *, free: bool = False) -> Bar | None:
    """Why a side may not call a strike; ``free`` for one by Luck card, which needs neither asset nor point."""
    if not free:
        if bar := bar_asset(battle, side, kind):
            return bar
        if battle.state.points.get(side, 0) < battle.charts["impulse"]["cost_oba"]:
            return NO_POINT
    return None if spotters(battle, side) else NO_SPOTTER  # who can spot sees at least his own hex


def options_oba(battle: OstBattle, side: str) -> Iterator[Option]:
    """A call for each kind of strike at hand."""
    for kind in battle.charts.oba:
        if bar_oba(battle, side, kind) is None:
            left = battle.state.assets[side][kind]
            yield Option(f"oba {kind}", f"Call {kind} ({left} left)", "oba", cost="1 IP", rule="107.4")


def act_oba(battle: OstBattle, side: str, kind: str, *, free: bool = False, drm: int = 0) -> Procedure[bool]:
    """Call a strike: target hex, shells or smoke, then accuracy, drift and effect. It cannot be called off (109.5).

    ``free`` and ``drm`` are for Luck cards: no point, no asset, and what the card adds to the accuracy roll.
    Returns False: the next Impulse is the enemy's.
    """
    answer = yield Ask(
        side,
        f"Where should the {kind} strike?",
        lambda: [
            Option(f"hex {hex}", f"Strike {hex}", "oba", place=hex, rule="107.5") for hex in spottable(battle, side)
        ],
        rule="107.5",
        about=(kind,),
    )
    hex = answer.split()[1]
    answer = yield Ask(
        side,
        f"What should the {kind} fire into {hex}?",
        [
            Option("shells", "High explosive", "oba", place=hex, rule="107.18"),
            Option("smoke", "Smoke", "oba", place=hex, rule="107.17"),
        ],
        rule="107.18",
        about=(kind,),
    )
    smoke = answer == "smoke"
    if not free:
        battle.spend(side, battle.charts["impulse"]["cost_oba"], "107.4")
        battle.state.assets[side][kind] -= 1
    battle.emit(combat_events.StrikeCalled(side=side, kind=kind, place=hex, smoke=smoke, rules=("107.4", "107.18")))
    if not _accurate(battle, side, kind, hex, drm):
        drifted = _drift(battle, side, hex)
        if drifted is None:
            return False
        hex = drifted
    if smoke:
        _lay_smoke(battle, side, hex)
    else:
        strike = Strike(side, kind, hex)
        battle.state.strikes.append(strike)
        for struck in (hex, *battle.grid.adjacent[hex]):
            yield from _strike_hex(battle, strike, struck)
    return False


def _accurate(battle: OstBattle, side: str, kind: str, hex: str, drm: int) -> bool:
    """The accuracy roll (108)."""
    oba = battle.charts["oba"]
    needed = battle.charts.oba[kind]["accurate_at_least"]
    roll = Tally("accuracy roll", 0, "108.1")
    if (leader := best_leader(battle, side, hex)) is not None:
        # A hidden Leader helps, but the log does not name him.
        roll.add("spotting_leader", oba["accuracy_drm_leader"], "108.3", "" if leader.hidden else battle.name(leader))
    if drm:
        roll.add("luck_card", drm, "62.4")
    number = Tally("accuracy number", needed, "107.2", kind)
    accurate: bool = battle.roll(
        side,
        "accuracy",
        oba["accuracy_dice"],
        at_least(needed, roll.total),
        ("108.1", "108.2"),
        (number, roll),
    )
    return accurate


def _drift(battle: OstBattle, side: str, hex: str) -> str | None:
    """Where an inaccurate strike lands: direction, then distance (109.1-109.4); None off the map (109.7)."""
    drift = battle.charts["drift"]
    direction: int = battle.roll(side, "drift direction", drift["direction_dice"], total(), ("109.2",))
    distance: int = battle.roll(side, "drift distance", drift["distance_dice"], total(), ("109.3",))
    place = battle.grid.line_off(hex, direction, distance)
    if place is None:
        battle.emit(combat_events.StrikeLost(side=side, place=hex, rules=("109.7",)))
    else:
        battle.emit(combat_events.Drifted(side=side, start=hex, place=place, rules=("109.4",)))
    return place


def _lay_smoke(battle: OstBattle, side: str, hex: str) -> None:
    """Smoke in the strike hex, Smoke 2 around it; no attacks and no zone (33.3, 107.17, O-3)."""
    fortifications.place_smoke(battle, hex, 1, side=side)
    for around in battle.grid.adjacent[hex]:
        fortifications.place_smoke(battle, around, 2, side=side)


# ---- the attacks (107.7-107.13) -----------------------------------------------------------------------------


def _firepower(battle: OstBattle, strike: Strike, hex: str) -> Tally:
    """The Firepower of a strike in a hex of its zone: full in its own, half around it (107.2, 107.7)."""
    figures = battle.charts.oba[strike.kind]
    if hex == strike.hex:
        return Tally("Firepower", figures["fp"], "107.2", strike.kind)
    return Tally("Firepower", figures["fp_ring"], "107.7", f"{strike.kind}, beside {strike.hex}")


def _attack(battle: OstBattle, strike: Strike, unit: Unit, *rules: str) -> Procedure[Effect]:
    """One target under a strike: vehicles are hit on the flank without a roll (107.10, 107.11)."""
    firepower = _firepower(battle, strike, unit.hex)
    defense = combat.defense_tally(battle, unit, "oba", flank=True)
    roll = Tally("attack roll", 0, "107.8")
    attack = attacks.vehicle_attack if battle.type(unit).vehicle else attacks.infantry_attack
    rule = "107.10" if battle.type(unit).vehicle else "107.9"
    return (yield from attack(battle, strike.side, unit, firepower, defense, roll, rule, *rules))


def _strike_hex(battle: OstBattle, strike: Strike, hex: str) -> Procedure[None]:
    """Everything in one hex of a strike, friend and foe, each by itself; then the works and walls (107.8, O-4)."""
    # 107.9: attached Leaders roll for their unit's result; 16.9: Armor Leaders are for Snipers only
    targets = [u for u in battle.at.get(hex, ()) if not u.attached]
    for unit in targets:
        battle.reveal(unit, "73.7")
    battle.reveal_work(hex)
    for unit in targets:
        if unit.status == ON_MAP:  # collateral damage may have killed a passenger by now
            yield from _attack(battle, strike, unit, "107.8")
    _clear_obstacle(battle, strike, hex)
    added = battle.charts["oba"]["collapse_drm"][strike.kind]
    lines = [Line(strike.kind, added, "110.7")] if added else []
    yield from collapse.collapse_check(battle, hex, strike.side, lines, strike.kind)


def _clear_obstacle(battle: OstBattle, strike: Strike, hex: str) -> None:
    """Wire and roadblocks under a strike go on 5-6 (30.8, 31.6)."""
    work = battle.state.works.get(hex)
    if work is None or work.kind not in ("wire", "roadblock"):
        return
    rule = "30.8" if work.kind == "wire" else "31.6"
    least = battle.charts["counter"][work.kind]["oba_removes_at_least"]
    if battle.roll(strike.side, f"{work.kind} removed", "1d6", at_least(least), (rule,)):
        fortifications.remove_work(battle, hex, rule)


# ---- the zone (107.14, 107.15) ----------------------------------------------------------------------------------


def enter_zone(battle: OstBattle, unit: Unit, hex: str) -> Procedure[bool]:
    """A unit has come into a hex: each strike that covers it attacks once, whoever called it (107.14, O-3).

    Whoever it carries is attacked as well (F-2), but that stops nobody. True if the unit must stop, or is lost.
    """
    halted = False
    for strike in list(battle.state.strikes):
        if battle.grid.distance(strike.hex, hex) > 1 or unit.status != ON_MAP:
            continue
        rider = battle.passenger(unit) if battle.type(unit).vehicle else None
        effect = yield from _attack(battle, strike, unit, "107.14")
        halted = halted or effect.halted
        if rider is not None and rider.status == ON_MAP:
            yield from _attack(battle, strike, rider, "107.14")
    return halted


def clear_strikes(battle: OstBattle) -> None:
    """Take the Strike markers off at the end of the turn (107.14, 111)."""
    for strike in battle.state.strikes:
        battle.emit(move_events.Removed(side=strike.side, kind="Strike", place=strike.hex, rules=("107.14",)))
    battle.state.strikes.clear()
