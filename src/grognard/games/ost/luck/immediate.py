"""Luck cards that act at once: strikes, morale, Impulse Points, and what they do for units and vehicles (62.4).

`cards` says when a card can be played, `lasting` has those that hold for the Impulse.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable

from grognard.core.ask import Ask, Bar, Option, Procedure
from grognard.games.ost import (
    air_strikes,
    artillery,
    combat_events,
    control,
    fortifications,
    morale,
    move_events,
    turn_events,
)
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.roster import LuckCard
from grognard.games.ost.scenario import Placing, WorkSetup
from grognard.games.ost.state import BROKEN, GOOD, Unit, Weapon

NOBODY = Bar("62.7", "none of your units can use it now")
NO_POINTS = Bar("62.7", "you have no Impulse Points left")
ENEMY_POINTS = Bar("62.7", "the enemy has fewer than two Impulse Points")
NOTHING_HIDDEN = Bar("62.7", "the enemy's order of battle has neither hidden units nor mines")


class Effect(ABC):
    """What a kind of card does: `bar` says why not now, `act` carries it out."""

    def bar(self, battle: OstBattle, side: str, card: LuckCard) -> Bar | None:
        """Why it cannot be used now: by default, that nobody can."""
        return None if self.units(battle, side, card) else NOBODY

    def units(self, battle: OstBattle, side: str, card: LuckCard) -> list[Unit]:
        """The side's units that it can be used for."""
        return []

    @abstractmethod
    def act(self, battle: OstBattle, side: str, card: LuckCard) -> Procedure[None]:
        """Carry it out."""


def free(battle: OstBattle, unit: Unit) -> bool:
    """Whether a unit is outside Melees."""
    return unit.hex not in battle.state.melees


def pick(side: str, prompt: str, units: list[Unit], battle: OstBattle) -> Procedure[Unit]:
    """Ask for one of several units; a single one is taken without asking."""
    if len(units) == 1:
        return units[0]
    options = [Option(f"unit {u.id}", battle.name(u), "card", u.id, u.hex, rule="62.4") for u in units]
    answer = yield Ask(side, prompt, options, rule="62.4")
    return battle.unit(answer.split()[1])


def _pick_hex(side: str, prompt: str, hexes: Callable[[], Iterable[str]]) -> Procedure[str]:
    """Ask for a hex."""
    answer = yield Ask(
        side, prompt, lambda: [Option(f"hex {h}", h, "card", place=h, rule="62.4") for h in hexes()], rule="62.4"
    )
    return answer.split()[1]


# ---- strikes -----------------------------------------------------------------------------------------------


class Strafing(Effect):
    """Strafing Run: an Air Strike at once (106.1, O-8)."""

    def bar(self, battle: OstBattle, side: str, card: LuckCard) -> Bar | None:
        return air_strikes.bar_air(battle, side, free=True)

    def act(self, battle: OstBattle, side: str, card: LuckCard) -> Procedure[None]:
        yield from air_strikes.act_air(battle, side, free=True)


class Artillery(Effect):
    """Company Mortars, Battery on Call, Rocket Salvo: an OBA strike at once (107.4, O-8)."""

    def bar(self, battle: OstBattle, side: str, card: LuckCard) -> Bar | None:
        return artillery.bar_oba(battle, side, card.oba, free=True)

    def act(self, battle: OstBattle, side: str, card: LuckCard) -> Procedure[None]:
        yield from artillery.act_oba(battle, side, card.oba, free=True, drm=card.accuracy_drm)


class Smoke(Effect):
    """Smoke Pots: Smoke in two adjacent hexes, both near one and the same foot unit."""

    def units(self, battle: OstBattle, side: str, card: LuckCard) -> list[Unit]:
        return [
            u
            for u in battle.units(side)
            if battle.type(u).foot and u.morale == GOOD and not u.aboard and free(battle, u)
        ]

    def act(self, battle: OstBattle, side: str, card: LuckCard) -> Procedure[None]:
        near = [frozenset(battle.grid.within(u.hex, card.within)) for u in self.units(battle, side, card)]
        anywhere = frozenset().union(*near)
        first = yield from _pick_hex(
            side, "Where is the first Smoke placed?", lambda: [h for h in battle.grid.hexes if h in anywhere]
        )
        fortifications.place_smoke(battle, first, 1, side=side)
        around = [h for h in battle.grid.adjacent[first] if any(first in hexes and h in hexes for hexes in near)]
        second = around[0]
        if len(around) > 1:
            second = yield from _pick_hex(side, f"And which hex next to {first}?", lambda: around)
        fortifications.place_smoke(battle, second, 1, side=side)


# ---- morale ------------------------------------------------------------------------------------------------


class RallyingCry(Effect):
    """Rallying Cry: a free attempt for every foot unit in one Leader's command range."""

    def units(self, battle: OstBattle, side: str, card: LuckCard) -> list[Unit]:
        return [u for u in battle.units(side) if self.called(battle, u)]

    def called(self, battle: OstBattle, leader: Unit) -> list[Unit]:
        """Who hears a good order Leader."""
        kind = battle.type(leader)
        if not kind.leader or leader.morale != GOOD or not free(battle, leader):
            return []
        return [
            u
            for u in battle.units(leader.side)
            if battle.type(u).foot
            and morale.bar_rally(battle, u) is None
            and battle.grid.distance(leader.hex, u.hex) <= kind.command_range
        ]

    def act(self, battle: OstBattle, side: str, card: LuckCard) -> Procedure[None]:
        leader = yield from pick(side, "Which Leader calls?", self.units(battle, side, card), battle)
        for unit in self.called(battle, leader):
            morale.rally_attempt(battle, unit, "62.4")


class OldSoldier(Effect):
    """Old Soldier: one unit is in good order again, without a roll."""

    def units(self, battle: OstBattle, side: str, card: LuckCard) -> list[Unit]:
        return [u for u in battle.units(side) if u.morale != GOOD and free(battle, u)]

    def act(self, battle: OstBattle, side: str, card: LuckCard) -> Procedure[None]:
        unit = yield from pick(side, "Which unit rallies?", self.units(battle, side, card), battle)
        unit.morale = GOOD
        battle.emit(combat_events.Rallied(side=side, unit=unit.id, rules=("62.4",), seen_by=battle.secret(unit)))
        control.capture(battle, unit)  # Y-3


# ---- Impulse Points ----------------------------------------------------------------------------------------


class ClearOrders(Effect):
    """Clear Orders: two points more."""

    def bar(self, battle: OstBattle, side: str, card: LuckCard) -> Bar | None:
        return None if battle.state.points.get(side, 0) > 0 else NO_POINTS

    def act(self, battle: OstBattle, side: str, card: LuckCard) -> Procedure[None]:
        points = battle.state.points
        points[side] += card.points
        battle.emit(turn_events.Gained(side=side, points=card.points, left=points[side], rules=("62.4",)))
        yield from ()


class CrossedWires(Effect):
    """Crossed Wires: the enemy loses two points, but not his last."""

    def bar(self, battle: OstBattle, side: str, card: LuckCard) -> Bar | None:
        return None if battle.state.points.get(battle.other(side), 0) >= 2 else ENEMY_POINTS

    def act(self, battle: OstBattle, side: str, card: LuckCard) -> Procedure[None]:
        points, enemy = battle.state.points, battle.other(side)
        lost = min(card.points, points[enemy] - 1)
        points[enemy] -= lost
        battle.emit(turn_events.LostPoints(side=enemy, points=lost, left=points[enemy], rules=("62.4",)))
        yield from ()


# ---- units -------------------------------------------------------------------------------------------------


class SecondWind(Effect):
    """Second Wind: a foot unit may act as if it had not yet acted this turn."""

    def units(self, battle: OstBattle, side: str, card: LuckCard) -> list[Unit]:
        return [
            u
            for u in battle.units(side)
            if battle.type(u).foot
            and u.morale == GOOD
            and battle.actions(u) > 0
            and not u.intensive
            and not u.attached
            and free(battle, u)
        ]

    def act(self, battle: OstBattle, side: str, card: LuckCard) -> Procedure[None]:
        unit = yield from pick(side, "Which unit gets a second wind?", self.units(battle, side, card), battle)
        for who in (unit, battle.leader(unit)):
            if who is not None:
                who.moved = who.assaulted = who.new_hex = who.loaded = False
                who.fired = who.main_fires = 0
        battle.emit(turn_events.Marked(side=side, unit=unit.id, marker="as if it had not acted", rules=("62.4",)))


class QuickSpades(Effect):
    """Quick Spades: Cover without a roll, where an attempt would be allowed (25)."""

    def units(self, battle: OstBattle, side: str, card: LuckCard) -> list[Unit]:
        return [u for u in battle.units(side) if fortifications.bar_cover(battle, u) is None]

    def act(self, battle: OstBattle, side: str, card: LuckCard) -> Procedure[None]:
        unit = yield from pick(side, "Which unit's hex gets Cover?", self.units(battle, side, card), battle)
        fortifications.place_cover(battle, side, unit.hex)


class Stragglers(Effect):
    """Stragglers Come In: a Reduced squad is at full strength again; points stay scored."""

    def units(self, battle: OstBattle, side: str, card: LuckCard) -> list[Unit]:
        return [
            u
            for u in battle.units(side)
            if u.reduced
            and battle.type(u).squad
            and u.morale == GOOD
            and free(battle, u)
            and not any(battle.seen_enemies(hex, side) for hex in battle.grid.adjacent[u.hex])
        ]

    def act(self, battle: OstBattle, side: str, card: LuckCard) -> Procedure[None]:
        unit = yield from pick(side, "Which squad do the stragglers join?", self.units(battle, side, card), battle)
        unit.reduced = False
        what, secret = "at full strength", battle.secret(unit)
        battle.emit(combat_events.Restored(side=side, unit=unit.id, what=what, rules=("62.4",), seen_by=secret))


class TrackCrew(Effect):
    """Track Crew: one Bogged, Immobilized or Mgs Damage marker comes off one vehicle."""

    def units(self, battle: OstBattle, side: str, card: LuckCard) -> list[Unit]:
        return [
            u
            for u in battle.units(side)
            if battle.type(u).vehicle and u.morale != BROKEN and free(battle, u) and self.markers(u)
        ]

    def markers(self, unit: Unit) -> list[str]:
        """The markers on a vehicle that the card can take off."""
        found = {"bogged": unit.bogged, "immobilized": unit.immobilized, "mgs": unit.mgs_out}
        return [marker for marker, there in found.items() if there]

    def act(self, battle: OstBattle, side: str, card: LuckCard) -> Procedure[None]:
        choices = [(u, marker) for u in self.units(battle, side, card) for marker in self.markers(u)]
        unit, marker = choices[0]
        if len(choices) > 1:
            options = [
                Option(f"repair {u.id} {m}", f"{battle.name(u)}: {m}", "card", u.id, u.hex, rule="62.4")
                for u, m in choices
            ]
            answer = yield Ask(side, "Which marker comes off?", options, rule="62.4")
            _, id, marker = answer.split()
            unit = battle.unit(id)
        if marker == "bogged":
            unit.bogged = False
            battle.emit(move_events.Freed(side=side, unit=unit.id, rules=("62.4",)))
            work = battle.state.works.get(unit.hex)
            if work is not None and work.kind == "wire":
                fortifications.remove_work(battle, unit.hex, "30.5")
            return
        if marker == "immobilized":
            unit.immobilized = False
        else:
            unit.mgs_out = False
        what = "able to move" if marker == "immobilized" else "able to fire its machine guns"
        battle.emit(combat_events.Restored(side=side, unit=unit.id, what=what, rules=("62.4",)))


class PrisonerTalks(Effect):
    """Prisoner Talks: hidden enemies and mines near one unit are shown; the units lose their ambush.

    Whether it can be played follows from the enemy's order of battle, never from what is hidden now.
    """

    def bar(self, battle: OstBattle, side: str, card: LuckCard) -> Bar | None:
        scenario, enemy = battle.scenario, battle.other(side)
        if not self.units(battle, side, card):
            return NOBODY
        may_hide = scenario.hideable.get(enemy, -1) != 0
        if not scenario.units:  # a situation has no order of battle that could rule it out
            return None
        placings: tuple[Placing | WorkSetup, ...] = (*scenario.units, *scenario.works)
        listed = any(
            placing.side == enemy and (placing.hidden == "yes" or (placing.hidden and may_hide)) for placing in placings
        )
        return None if listed or any(mines.side == enemy for mines in scenario.mines) else NOTHING_HIDDEN

    def units(self, battle: OstBattle, side: str, card: LuckCard) -> list[Unit]:
        return [u for u in battle.units(side) if not u.attached]

    def act(self, battle: OstBattle, side: str, card: LuckCard) -> Procedure[None]:
        unit = yield from pick(side, "Which unit reveals the enemy around it?", self.units(battle, side, card), battle)
        near = frozenset(battle.grid.within(unit.hex, card.within))
        for other in list(battle.units(battle.other(side))):
            if other.hex in near:
                battle.reveal(other, "62.4")
        for hex, mines in list(battle.state.mines.items()):
            if hex in near and mines.side != side and not mines.revealed:
                battle.reveal_mines(hex, "62.4")


class FoundWeapon(Effect):
    """Found Weapon: a squad without a support weapon gets one of its own nation's."""

    def units(self, battle: OstBattle, side: str, card: LuckCard) -> list[Unit]:
        return [
            u
            for u in battle.units(side)
            if battle.type(u).squad
            and u.morale == GOOD
            and free(battle, u)
            and not battle.weapons(u)
            and self.kinds(battle, u)
        ]

    def kinds(self, battle: OstBattle, unit: Unit) -> list[str]:
        """An LMG, a single-use anti-tank weapon or a grenade bundle, so far as the nation's roster has them."""
        nation = battle.type(unit).nation
        return [
            kind.id
            for kind in battle.kinds.values()
            if kind.kind == "support"
            and kind.nation == nation
            and (kind.class_ in ("lmg", "grenade_bundle") or (kind.at_weapon and kind.single_use))
        ]

    def act(self, battle: OstBattle, side: str, card: LuckCard) -> Procedure[None]:
        unit = yield from pick(side, "Which squad finds a weapon?", self.units(battle, side, card), battle)
        kinds = self.kinds(battle, unit)
        kind = kinds[0]
        if len(kinds) > 1:
            options = [Option(f"weapon {k}", battle.kinds[k].name, "card", unit.id, rule="62.4") for k in kinds]
            kind = (yield Ask(side, "Which weapon?", options, rule="62.4")).split()[1]
        state = battle.state
        state.born += 1
        weapon = Weapon(f"found{state.born}.{side[:1]}", kind, unit.id)
        state.weapons[weapon.id] = weapon
        secret = battle.secret(unit)
        battle.emit(move_events.WeaponTaken(side=side, unit=unit.id, weapon=weapon.id, rules=("62.4",), seen_by=secret))
