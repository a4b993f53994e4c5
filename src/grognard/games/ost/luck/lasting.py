"""Luck cards that hold for the rest of the Impulse: *boons*, used up by the roll or the Move they help (62.4)."""

from __future__ import annotations

from grognard.core.ask import Procedure
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.luck.immediate import Effect, free
from grognard.games.ost.roster import LuckCard, luck_cards
from grognard.games.ost.state import BROKEN, GOOD, OFF_MAP, ON_MAP, Unit

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


# ---- the cards ---------------------------------------------------------------------------------------------


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


# ---- whom they can help ------------------------------------------------------------------------------------


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
        and free(battle, unit)
    )


def _may_fire(battle: OstBattle, unit: Unit) -> bool:
    """Whether a unit can still fire this turn, normally or intensively, so far as is told at a glance."""
    return unit.morale != BROKEN and not unit.aboard and not unit.intensive and free(battle, unit)


def _seen(battle: OstBattle, side: str, *, vehicle: bool, armored: bool = False) -> bool:
    """Whether the side knows of an enemy that such an attack could be made on: vehicles, or targets of the ICT."""
    for unit in battle.units(battle.other(side)):
        kind = battle.type(unit)
        if unit.hidden or not free(battle, unit):
            continue
        if vehicle and kind.vehicle and (kind.armored or not armored):
            return True
        if not vehicle and (kind.foot or (kind.open_top and kind.armored)):
            return True
    return False
