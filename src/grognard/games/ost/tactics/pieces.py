"""A unit where it stands: what it can do to others from there, how well it is covered, and what it is worth."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grognard.games.ost.battle import OstBattle
from grognard.games.ost.state import BROKEN, GOOD, Unit
from grognard.games.ost.tactics.profiles import AGAIN, ATTACKS, BURST, LOSSES, TURN_OF_BURSTS

if TYPE_CHECKING:
    from grognard.games.ost.tactics.knowledge import Knowledge, Rows

#: A unit that has used up its actions may still fire, shaken afterwards (90).
INTENSIVE = 0.35


class Piece:
    """A unit on the map with what it can do to others, and what it is worth."""

    __slots__ = (
        "armor",
        "at_once",
        "attacks",
        "can_fire",
        "fresh",
        "guard",
        "gut",
        "hex",
        "kind",
        "lead",
        "losses",
        "men",
        "points",
        "power",
        "profile",
        "reach",
        "row",
        "steps",
        "two",
        "unit",
        "used",
        "worth",
    )

    def __init__(
        self, know: Knowledge, battle: OstBattle, rows: Rows, unit: Unit, weapons: dict[str, tuple[str, ...]]
    ) -> None:
        hex = unit.hex
        leader = loaded = None
        here = battle.at.get(hex, ())
        if len(here) > 1:
            id = unit.id
            for other in here:
                if other.attached == id:
                    leader = other
                elif other.aboard == id:
                    loaded = other
        profile = know.profiles.of(battle, unit, weapons.get(unit.id, ()), loaded is not None)
        self.unit, self.profile, self.hex = unit, profile, hex
        kind = self.kind = profile.kind
        self.two, self.steps, self.gut = profile.two, profile.steps, profile.gut
        self.armor, self.men, self.reach = profile.armor, profile.men, profile.reach
        #: What its fighting power is worth as it stands, and its Casualty Points.
        self.power, self.points = profile.power, profile.points
        self.lead = 0
        if leader is not None:
            self.lead = 1 if leader.morale == GOOD else 0
            self.power += 0.5 * know.victory_values.fighting(battle.kinds[leader.kind], unit.side)
        self.worth = self.power + self.points
        used = self.used = unit.moved + unit.fired + unit.assaulted >= 2 or unit.intensive
        can_fire = self.can_fire = (
            self.reach > 0 and unit.morale != BROKEN and not unit.aboard and hex not in battle.state.melees
        )
        # How far it may still fire this turn.
        self.fresh = 0.0
        if can_fire and not unit.assaulted and not unit.intensive and not (kind.asterisk and unit.new_hex):
            self.fresh = INTENSIVE if used else 1.0
        #: How many attacks it may make in a turn, and what they and those of one action cost an ordinary squad by
        #: column: a machine gun does not fire once (18.6, 18.11).
        self.attacks, self.losses, self.at_once = 1.0, LOSSES, LOSSES
        if kind.sustained_fire:
            self.attacks, self.losses = ATTACKS * (1 + AGAIN), TURN_OF_BURSTS
            self.at_once = LOSSES if used else BURST
        self.row = know.row(battle, rows, unit)
        self.guard = profile.guard + know.land.shelter(battle, unit.side, hex, not kind.vehicle and not unit.aboard)

    def power_at(self, distance: int) -> int:
        """The best Firepower against men at a distance; 0 out of range."""
        return self.men[distance] if distance <= self.reach else 0
