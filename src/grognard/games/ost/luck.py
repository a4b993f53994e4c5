"""Luck cards: the draw, when a card can be played, and what each of them does (62).

A card is played in its owner's own Impulse, before or after its action, and costs no point. Some act at
once; others hold for the rest of the Impulse as *boons* and are used up by the roll or the Move they help.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from functools import cache

import msgspec

from grognard.core.ask import Ask, Bar, Option, Procedure
from grognard.core.dice import Faces, Reader
from grognard.core.events import Rolled
from grognard.games.ost import air_strikes, artillery, control, events, fortifications, morale
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.roster import LuckCard, luck_cards
from grognard.games.ost.state import BROKEN, GOOD, OFF_MAP, ON_MAP, Unit, Weapon

NOT_YOURS = Bar("62.3", "you do not hold this card")
TOO_LATE = Bar("62.7", "it is for an action that is still to come")
NOBODY = Bar("62.7", "no unit of yours can use it now")
NO_POINTS = Bar("62.7", "you have no Impulse Point left")
ENEMY_POINTS = Bar("62.7", "the enemy has fewer than two Impulse Points")
NOTHING_HIDDEN = Bar("62.7", "the enemy's order of battle has neither hidden units nor mines")


# ---- the draw (62.1-62.3, 62.8) ------------------------------------------------------------------------


@cache
def card_of(deck: tuple[str, ...]) -> Reader:
    """The card at the place in the deck that one die with as many sides shows."""

    def read(faces: Faces) -> str:
        return deck[sum(faces) - 1]

    return read


def draw_cards(battle: OstBattle) -> None:
    """Each side draws its cards from the one deck, secretly (62.1-62.3).

    The deck is without vehicle cards where the scenario wants it so (62.8). The log keeps a draw to its side,
    and keeps no face: the place of a card in what is left of the deck would tell of the cards drawn before.
    """
    deck = [card.id for card in luck_cards().values() if battle.options.vehicle_luck_cards or not card.vehicle]
    for side in battle.sides:
        hand = battle.state.cards.setdefault(side, [])
        for _ in range(min(battle.scenario.cards.get(side, 0), len(deck))):
            card: str = battle.roll(side, "Luck card", f"1d{len(deck)}", card_of(tuple(deck)), ("62.1",), seen_by=side)
            rolled = battle.log[-1]
            assert isinstance(rolled, Rolled)
            battle.log[-1] = msgspec.structs.replace(rolled, faces=())
            deck.remove(card)
            hand.append(card)
            title = luck_cards()[card].title
            battle.emit(events.CardDrawn(side=side, card=title, rules=("62.1", "62.3"), seen_by=side))


# ---- boons: cards that hold for the Impulse ----------------------------------------------------------------

BOONS = frozenset({"no_opportunity_fire", "extra_mp", "to_hit_drm", "ap_fp", "ict_fp"})


def boon(battle: OstBattle, side: str, effect_kind: str) -> LuckCard | None:
    """The card of an effect that the side has played for this Impulse and not used up yet."""
    for word in battle.state.boons:
        owner, _, id = word.rpartition(":")
        card = luck_cards()[id]
        if owner == side and card.effect_kind == effect_kind:
            return card
    return None


def use_boon(battle: OstBattle, side: str, effect_kind: str) -> LuckCard | None:
    """Use up the card of an effect, if it was played; the caller applies its figure."""
    card = boon(battle, side, effect_kind)
    if card is not None:
        battle.state.boons.remove(f"{side}:{card.id}")
    return card


def clear_boons(battle: OstBattle) -> None:
    """The Impulse is over: what a card gave for it is gone, used or not."""
    battle.state.boons.clear()


# ---- when a card can be played (62.4, 62.7) -------------------------------------------------------------------


def bar_card(battle: OstBattle, side: str, card_id: str, after_action: bool = False) -> Bar | None:
    """Why a side cannot play a card now."""
    card = luck_cards().get(card_id)
    if card is None or card_id not in battle.state.cards.get(side, ()):
        return NOT_YOURS
    if card.effect_kind in BOONS and after_action:
        return TOO_LATE
    return CARDS[card.effect_kind].bar(battle, side, card)


def options_card(battle: OstBattle, side: str, after_action: bool | None = None) -> Iterator[Option]:
    """The side's cards that can be played right now; whether the action is done is told by the step, if not said."""
    if after_action is None:
        after_action = battle.state.step.startswith("after")
    for id in battle.state.cards.get(side, ()):
        if bar_card(battle, side, id, after_action) is None:
            card = luck_cards()[id]
            yield Option(f"card {id}", f"{card.title}: {card.effect}", "card", cost="0 IP", rule="62.4")


def act_card(battle: OstBattle, side: str, card_id: str) -> Procedure[None]:
    """Play a card: it is shown, leaves the game, and takes effect; the Impulse goes on (62.4-62.6)."""
    card = luck_cards()[card_id]
    battle.state.cards[side].remove(card_id)
    battle.state.played.append(card_id)
    battle.emit(events.CardPlayed(side=side, card=card.title, rules=("62.4", "62.6"), shows=True))
    yield from CARDS[card.effect_kind].act(battle, side, card)


# ---- helpers -----------------------------------------------------------------------------------------------------


def _free(battle: OstBattle, unit: Unit) -> bool:
    """Whether a unit is outside Melees."""
    return unit.hex not in battle.state.melees


def _pick(side: str, prompt: str, units: list[Unit], battle: OstBattle) -> Procedure[Unit]:
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


# ---- strikes -----------------------------------------------------------------------------------------------------


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
            if battle.type(u).foot and u.morale == GOOD and not u.aboard and _free(battle, u)
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


# ---- morale ------------------------------------------------------------------------------------------------------


class RallyingCry(Effect):
    """Rallying Cry: a free attempt for every foot unit in one Leader's command range."""

    def units(self, battle: OstBattle, side: str, card: LuckCard) -> list[Unit]:
        return [u for u in battle.units(side) if self.called(battle, u)]

    def called(self, battle: OstBattle, leader: Unit) -> list[Unit]:
        """Who hears a good order Leader."""
        kind = battle.type(leader)
        if not kind.leader or leader.morale != GOOD or not _free(battle, leader):
            return []
        return [
            u
            for u in battle.units(leader.side)
            if battle.type(u).foot
            and morale.bar_rally(battle, u) is None
            and battle.grid.distance(leader.hex, u.hex) <= kind.command_range
        ]

    def act(self, battle: OstBattle, side: str, card: LuckCard) -> Procedure[None]:
        leader = yield from _pick(side, "Which Leader calls?", self.units(battle, side, card), battle)
        for unit in self.called(battle, leader):
            morale.rally_attempt(battle, unit, "62.4")


class OldSoldier(Effect):
    """Old Soldier: one unit is in good order again, without a roll."""

    def units(self, battle: OstBattle, side: str, card: LuckCard) -> list[Unit]:
        return [u for u in battle.units(side) if u.morale != GOOD and _free(battle, u)]

    def act(self, battle: OstBattle, side: str, card: LuckCard) -> Procedure[None]:
        unit = yield from _pick(side, "Who is rallied?", self.units(battle, side, card), battle)
        unit.morale = GOOD
        battle.emit(events.Rallied(side=side, unit=unit.id, rules=("62.4",), seen_by=battle.secret(unit)))
        control.capture(battle, unit)  # Y-3


# ---- Impulse Points ------------------------------------------------------------------------------------------------


class ClearOrders(Effect):
    """Clear Orders: two points more."""

    def bar(self, battle: OstBattle, side: str, card: LuckCard) -> Bar | None:
        return None if battle.state.points.get(side, 0) > 0 else NO_POINTS

    def act(self, battle: OstBattle, side: str, card: LuckCard) -> Procedure[None]:
        points = battle.state.points
        points[side] += card.points
        battle.emit(events.Gained(side=side, points=card.points, left=points[side], rules=("62.4",)))
        yield from ()


class CrossedWires(Effect):
    """Crossed Wires: the enemy loses two points, but not his last."""

    def bar(self, battle: OstBattle, side: str, card: LuckCard) -> Bar | None:
        return None if battle.state.points.get(battle.other(side), 0) >= 2 else ENEMY_POINTS

    def act(self, battle: OstBattle, side: str, card: LuckCard) -> Procedure[None]:
        points, enemy = battle.state.points, battle.other(side)
        lost = min(card.points, points[enemy] - 1)
        points[enemy] -= lost
        battle.emit(events.LostPoints(side=enemy, points=lost, left=points[enemy], rules=("62.4",)))
        yield from ()


# ---- the coming action -----------------------------------------------------------------------------------------------


def _may_move(battle: OstBattle, unit: Unit) -> bool:
    """Whether a foot unit can still make a Move this turn, on the map or onto it, so far as is told at a glance."""
    if unit.status == OFF_MAP:
        return unit.due >= battle.state.turn
    return (
        unit.status == ON_MAP
        and not unit.moved
        and not battle.used(unit)
        and unit.morale != BROKEN
        and not unit.attached
        and _free(battle, unit)
    )


def _may_fire(battle: OstBattle, unit: Unit) -> bool:
    """Whether a unit can still fire this turn, normally or intensively, so far as is told at a glance."""
    return unit.morale != BROKEN and not unit.aboard and not unit.intensive and _free(battle, unit)


class Boon(Effect):
    """A card that holds for the Impulse: the Move or the attack it helps asks for it with `boon`."""

    def act(self, battle: OstBattle, side: str, card: LuckCard) -> Procedure[None]:
        battle.state.boons.append(f"{side}:{card.id}")
        yield from ()


class DeadGround(Boon):
    """Dead Ground: no Opportunity Fire at the foot unit or Group that moves in this Impulse."""

    def units(self, battle: OstBattle, side: str, card: LuckCard) -> list[Unit]:
        return [
            u for u in battle.state.units.values() if u.side == side and battle.type(u).foot and _may_move(battle, u)
        ]


class DoubleTime(Boon):
    """Double Time: the good order squad that moves in this Impulse has extra Movement Points."""

    def units(self, battle: OstBattle, side: str, card: LuckCard) -> list[Unit]:
        return [
            u
            for u in battle.state.units.values()
            if u.side == side and battle.type(u).squad and u.morale == GOOD and _may_move(battle, u)
        ]


class KeenEye(Boon):
    """Keen Eye: a better To Hit roll, for guns and anti-tank weapons, while there is a vehicle to hit."""

    def units(self, battle: OstBattle, side: str, card: LuckCard) -> list[Unit]:
        if not _seen(battle, side, vehicle=True):
            return []
        return [
            u
            for u in battle.units(side)
            if _may_fire(battle, u)
            and (
                battle.working_guns(u)
                or (battle.type(u).squad and any(battle.kinds[w.kind].at_weapon for w in battle.weapons(u)))
            )
        ]


class SpecialShot(Boon):
    """Special Shot: more AP Firepower for one gun of a vehicle or crew, while there is armor to shoot at."""

    def units(self, battle: OstBattle, side: str, card: LuckCard) -> list[Unit]:
        if not _seen(battle, side, vehicle=True, armored=True):
            return []
        return [u for u in battle.units(side) if _may_fire(battle, u) and battle.working_guns(u)]


class FreshBelt(Boon):
    """Fresh Belt: more Firepower for one ICT attack by a squad or a crewed machine gun."""

    def units(self, battle: OstBattle, side: str, card: LuckCard) -> list[Unit]:
        if not _seen(battle, side, vehicle=False):
            return []
        return [
            u
            for u in battle.units(side)
            if _may_fire(battle, u) and (battle.type(u).squad or battle.type(u).machine_gun)
        ]


def _seen(battle: OstBattle, side: str, *, vehicle: bool, armored: bool = False) -> bool:
    """Whether the side knows of an enemy that such an attack could be made on: vehicles, or targets of the ICT."""
    for unit in battle.units(battle.other(side)):
        kind = battle.type(unit)
        if unit.hidden or not _free(battle, unit):
            continue
        if vehicle and kind.vehicle and (kind.armored or not armored):
            return True
        if not vehicle and (kind.foot or (kind.open_top and kind.armored)):
            return True
    return False


# ---- units -----------------------------------------------------------------------------------------------------------


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
            and _free(battle, u)
        ]

    def act(self, battle: OstBattle, side: str, card: LuckCard) -> Procedure[None]:
        unit = yield from _pick(side, "Who gets a second wind?", self.units(battle, side, card), battle)
        for who in (unit, battle.leader(unit)):
            if who is not None:
                who.moved = who.assaulted = who.new_hex = who.loaded = False
                who.fired = who.main_fires = 0
        battle.emit(events.Marked(side=side, unit=unit.id, marker="as not having acted", rules=("62.4",)))


class QuickSpades(Effect):
    """Quick Spades: Cover without a roll, where an attempt would be allowed (25)."""

    def units(self, battle: OstBattle, side: str, card: LuckCard) -> list[Unit]:
        return [u for u in battle.units(side) if fortifications.bar_cover(battle, u) is None]

    def act(self, battle: OstBattle, side: str, card: LuckCard) -> Procedure[None]:
        unit = yield from _pick(side, "Whose hex gets Cover?", self.units(battle, side, card), battle)
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
            and _free(battle, u)
            and not any(battle.seen_enemies(hex, side) for hex in battle.grid.adjacent[u.hex])
        ]

    def act(self, battle: OstBattle, side: str, card: LuckCard) -> Procedure[None]:
        unit = yield from _pick(side, "Which squad do the stragglers join?", self.units(battle, side, card), battle)
        unit.reduced = False
        what, secret = "at full strength", battle.secret(unit)
        battle.emit(events.Restored(side=side, unit=unit.id, what=what, rules=("62.4",), seen_by=secret))


class TrackCrew(Effect):
    """Track Crew: one Bogged, Immobilized or Mgs Damage marker comes off one vehicle."""

    def units(self, battle: OstBattle, side: str, card: LuckCard) -> list[Unit]:
        return [
            u
            for u in battle.units(side)
            if battle.type(u).vehicle and u.morale != BROKEN and _free(battle, u) and self.markers(u)
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
            battle.emit(events.Freed(side=side, unit=unit.id, rules=("62.4",)))
            work = battle.state.works.get(unit.hex)
            if work is not None and work.kind == "wire":
                fortifications.remove_work(battle, unit.hex, "30.5")
            return
        if marker == "immobilized":
            unit.immobilized = False
        else:
            unit.mgs_out = False
        what = "able to move" if marker == "immobilized" else "able to fire its machine guns"
        battle.emit(events.Restored(side=side, unit=unit.id, what=what, rules=("62.4",)))


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
        listed = any(
            placing.side == enemy and (placing.hidden == "yes" or (placing.hidden and may_hide))
            for placing in (*scenario.units, *scenario.works)
        )
        return None if listed or any(mines.side == enemy for mines in scenario.mines) else NOTHING_HIDDEN

    def units(self, battle: OstBattle, side: str, card: LuckCard) -> list[Unit]:
        return [u for u in battle.units(side) if not u.attached]

    def act(self, battle: OstBattle, side: str, card: LuckCard) -> Procedure[None]:
        unit = yield from _pick(side, "Around which unit is the enemy shown?", self.units(battle, side, card), battle)
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
            and _free(battle, u)
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
        unit = yield from _pick(side, "Which squad finds a weapon?", self.units(battle, side, card), battle)
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
        battle.emit(events.WeaponTaken(side=side, unit=unit.id, weapon=weapon.id, rules=("62.4",), seen_by=secret))


CARDS: dict[str, Effect] = {
    "air_strike": Strafing(),
    "oba": Artillery(),
    "smoke": Smoke(),
    "rally_attempts": RallyingCry(),
    "rally_auto": OldSoldier(),
    "impulse_gain": ClearOrders(),
    "impulse_loss": CrossedWires(),
    "refresh": SecondWind(),
    "no_opportunity_fire": DeadGround(),
    "extra_mp": DoubleTime(),
    "to_hit_drm": KeenEye(),
    "ap_fp": SpecialShot(),
    "ict_fp": FreshBelt(),
    "cover": QuickSpades(),
    "restore": Stragglers(),
    "repair": TrackCrew(),
    "reveal": PrisonerTalks(),
    "gain_weapon": FoundWeapon(),
}
