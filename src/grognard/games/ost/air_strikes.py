"""Air Strikes: two adjacent hexes, one target in each (106)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from grognard.core.ask import Ask, Bar, Option, Procedure
from grognard.core.dice import Faces, Reader
from grognard.core.tally import Tally
from grognard.games.ost import artillery, attacks, collapse, combat, combat_events
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.state import Unit

ASSET = "air"
PILOTS = ("Green", "Green", "Veteran", "Veteran", "Veteran", "Ace")  # by the face of the die (106.6-106.8)
PILOT_RULES = {"Green": "106.6", "Veteran": "106.7", "Ace": "106.8"}

NO_POINT = Bar("106.1", "an Air Strike costs an Impulse Point")
NOTHING_SEEN = Bar("106.3", "no good order unit sees a hex for it")


@cache
def pilot_quality(firepower: tuple[tuple[str, int], ...]) -> Reader:
    """Who flies, worth the Firepower he brings."""

    def read(faces: Faces) -> str:
        return PILOTS[sum(faces) - 1]

    read.worth = dict(firepower).__getitem__  # type: ignore[attr-defined]
    return read


# ---- which hexes (106.2-106.4) -----------------------------------------------------------------------


def bar_air(battle: OstBattle, side: str, *, free: bool = False) -> Bar | None:
    """Why a side may not call an Air Strike; ``free`` for one by Luck card."""
    if not free:
        if bar := artillery.bar_asset(battle, side, ASSET):
            return bar
        if battle.state.points.get(side, 0) < battle.charts["impulse"]["cost_air_strike"]:
            return NO_POINT
    able = artillery.spotters(battle, side)
    if any(seconds(battle, unit.hex) for unit in able):  # each sees its own hex
        return None
    return None if any(seconds(battle, hex) for hex in artillery.spottable(battle, side)) else NOTHING_SEEN


def seconds(battle: OstBattle, hex: str) -> list[str]:
    """The hexes that may be attacked together with one: adjacent, and not in a Melee (106.2, 101.2)."""
    return [other for other in battle.grid.adjacent[hex] if other not in battle.state.melees]


def options_air(battle: OstBattle, side: str) -> Iterator[Option]:
    """The Air Strike, if one is at hand."""
    if bar_air(battle, side) is None:
        left = battle.state.assets[side][ASSET]
        yield Option("air", f"Air Strike ({left} left)", "air", cost="1 IP", rule="106.1")


def act_air(battle: OstBattle, side: str, *, free: bool = False) -> Procedure[bool]:
    """Carry out an Air Strike: both hexes declared first, then the pilot, then a target in each hex.

    ``free`` for one by Luck card. Returns False: the next Impulse is the enemy's.
    """
    answer = yield Ask(
        side,
        "Which hex, in sight of a good order unit, does the aircraft attack?",
        lambda: [
            Option(f"hex {hex}", f"Attack {hex}", "air", place=hex, rule="106.3")
            for hex in artillery.spottable(battle, side)
            if seconds(battle, hex)
        ],
        rule="106.4",
    )
    first = answer.split()[1]
    around = seconds(battle, first)
    second = around[0]
    if len(around) > 1:
        answer = yield Ask(
            side,
            f"And which hex next to {first}?",
            [Option(f"hex {hex}", f"Attack {hex}", "air", place=hex, rule="106.2") for hex in around],
            rule="106.4",
            about=(first,),
        )
        second = answer.split()[1]
    figures = battle.charts["air_strike"]
    if not free:
        battle.spend(side, battle.charts["impulse"]["cost_air_strike"], "106.1")
        battle.state.assets[side][ASSET] -= 1
    battle.emit(combat_events.AirStrike(side=side, places=(first, second), rules=("106.2", "106.4")))
    table: dict[str, int] = figures["fp"]
    reader = pilot_quality(tuple(table.items()))
    pilot: str = battle.roll(side, "pilot quality", figures["quality_dice"], reader, ("106.5",))
    power = table[pilot]
    for hex in (first, second):
        yield from _attack_hex(battle, side, hex, pilot, power)
    return False


# ---- the attack (106.9-106.16) ---------------------------------------------------------------------------


def targets(battle: OstBattle, side: str, hex: str) -> list[Unit]:
    """Whom the attacker may choose in a hex: any one unit that he sees there, his own too (106.11, O-7).

    A vehicle with riders is the target in any case (106.12). A Leader is one only on his own (88.5, 106.16).
    """
    seen = [u for u in battle.at.get(hex, ()) if (u.side == side or not u.hidden) and not u.attached]
    loaded = [u for u in seen if battle.type(u).vehicle and battle.passenger(u) is not None]
    if loaded:
        return loaded
    others = [u for u in seen if not battle.type(u).leader]
    return others or seen


def _attack_hex(battle: OstBattle, side: str, hex: str, pilot: str, power: int) -> Procedure[None]:
    """One hex: its target is attacked, then whatever stands there is checked for collapse (106.10, 106.15)."""
    found = targets(battle, side, hex)
    target = found[0] if found else None
    if len(found) > 1:
        answer = yield Ask(
            side,
            f"Which unit in {hex} does the aircraft attack?",
            [
                Option(f"target {u.id}", f"Attack {battle.name(u)}", "air", place=hex, target=u.id, rule="106.11")
                for u in found
            ],
            rule="106.11",
        )
        target = battle.unit(answer.split()[1])
    if target is not None:
        battle.reveal(target, "106.11")  # only a side's own unit can be both hidden and chosen
        vehicle = battle.type(target).vehicle
        firepower = Tally("Firepower", power, PILOT_RULES[pilot], f"{pilot} pilot")
        defense = combat.defense_tally(battle, target, "air", flank=True)
        roll = Tally("attack roll", 0, "106.10")
        attack = attacks.vehicle_attack if vehicle else attacks.infantry_attack
        rule = "106.14" if vehicle else "106.13"
        yield from attack(battle, side, target, firepower, defense, roll, rule, "106.10")
    yield from collapse.collapse_check(battle, hex, side, source="Air Strike")
