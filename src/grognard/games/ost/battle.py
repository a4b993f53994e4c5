"""A battle of Old School Tactical: the state with the indexes that make looking things up quick."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from grognard.core.callings import made_in_play
from grognard.core.dice import Dice
from grognard.games.ost import move_events, turn_events
from grognard.games.ost.charts import OstCharts, Terrain, charts
from grognard.games.ost.roster import UnitType, call
from grognard.games.ost.scenario import Scenario
from grognard.games.ost.state import GOOD, ON_MAP, State, Unit, Weapon
from grognard.kits.hex.battle import HexBattle

if TYPE_CHECKING:
    from grognard.games.ost.shot_memory import ShotMemory
    from grognard.games.ost.unit_memory import UnitMemory


class OstBattle(HexBattle[Scenario, State, Unit, UnitType]):
    """A battle on hexes with the charts, the scenario's optional rules, and what follows from both.

    ``at`` lists passengers, Leaders and hidden units, too.
    """

    def __init__(self, scenario: Scenario, state: State, dice: Dice) -> None:
        super().__init__(scenario, state, dice, scenario.kinds)
        self.charts: OstCharts = charts()
        self.options = scenario.options
        self.ground_known: dict[Any, Any] | None = None  # what terrain.ground knows of this map
        self.sight_cache: Any = None  # what sight knows of this map as it is now
        self.shot_memory: ShotMemory | None = None
        self.unit_memory: UnitMemory | None = None

    # -- sides -----------------------------------------------------------------------------------

    def spend(self, side: str, points: int, rule: str = "67.5") -> None:
        """Take Impulse Points off a side's total (7.0, 67.5)."""
        self.state.points[side] -= points
        self.emit(turn_events.Spent(side=side, points=points, left=self.state.points[side], rules=(rule,)))

    def score(self, side: str, points: int, unit: Unit, *rules: str) -> None:
        """Score Casualty Points on the enemy at the moment of the loss (5.0)."""
        if points:
            self.state.casualties[side] = self.state.casualties.get(side, 0) + points
            self.emit(turn_events.Scored(side=side, points=points, unit=unit.id, rules=rules))

    # -- units -----------------------------------------------------------------------------------

    def name(self, counter: Unit | Weapon) -> str:
        """How people call a unit or weapon: "Rifle Squad g3", or "Rifle Squad 3" where nobody types ids."""
        called = self.scenario.callings
        if not called:
            return call(self.kinds[counter.kind].name, counter.id)
        return called.get(counter.id) or made_in_play(self.kinds[counter.kind].name, counter.id)

    def seen_enemies(self, hex: str, side: str) -> list[Unit]:
        """The enemies of ``side`` in a hex that it can see there: hidden ones are not."""
        return [u for u in self.at.get(hex, ()) if u.side != side and not u.hidden]

    def followers(self, unit: Unit) -> list[Unit]:
        """The Leader attached to a unit, and whatever it carries."""
        return [
            u
            for u in self.at.get(unit.hex, ())
            if (u.attached == unit.id or u.aboard == unit.id) and u.status == ON_MAP and u is not unit
        ]

    def create(self, kind: str, side: str, hex: str) -> Unit:
        """A counter made in play: a Crew, or the squad that leaves a gun."""
        state = self.state
        state.born += 1
        prefix = self.kinds[kind].kind
        unit = Unit(f"{prefix}{state.born}.{side[:1]}", len(state.units) + 1000, kind, side)
        state.units[unit.id] = unit
        unit.n = len(state.units)
        self.place(unit, hex)
        return unit

    def leader(self, unit: Unit) -> Unit | None:
        """The Leader or Armor Leader attached to a unit, if any (15.6, 16.6)."""
        for other in self.at.get(unit.hex, ()):
            if other.attached == unit.id:
                return other
        return None

    def passenger(self, vehicle: Unit) -> Unit | None:
        """The unit a vehicle carries; its Leader rides with it (79.3)."""
        for other in self.at.get(vehicle.hex, ()):
            if other.aboard == vehicle.id and not other.attached:
                return other
        return None

    def weapons(self, unit: Unit) -> list[Weapon]:
        """The support weapons a unit possesses (20.2), in the order of battle."""
        return [w for w in self.state.weapons.values() if w.unit == unit.id]

    def weapons_lying(self, hex: str) -> list[Weapon]:
        """The support weapons that lie in a hex with nobody."""
        return [w for w in self.state.weapons.values() if w.hex == hex and not w.unit]

    # -- what is printed, and what is left of it ------------------------------------------------------

    def defense(self, unit: Unit) -> int:
        """The Defense printed on the side of the counter that shows (vehicles: front)."""
        kind = self.kinds[unit.kind]
        if kind.vehicle:
            return kind.front
        if unit.reduced and kind.reduced:
            return kind.reduced.defense
        return kind.defense

    def firepower(self, unit: Unit) -> int:
        """The small-arms Firepower of the side that shows; 0 for guns and Leaders."""
        kind = self.kinds[unit.kind]
        if unit.reduced and kind.reduced:
            return kind.reduced.fp
        return kind.fp

    def he(self, unit: Unit, gun: int = 0) -> int:
        """The HE Firepower of a gun; a reduced crewed gun has its reverse side's."""
        kind = self.kinds[unit.kind]
        if unit.reduced and kind.reduced:
            return kind.reduced.he
        return kind.guns[gun].he

    def allowance(self, unit: Unit) -> int:
        """Movement Points, doubled: halved and rounded down when Shaken (68.3); 0 for a "T"."""
        kind = self.kinds[unit.kind]
        move = kind.reduced.move if unit.reduced and kind.reduced else kind.move
        if move == "T":
            return 0
        points = int(move)
        return (int(points * self.charts["movement"]["shaken_move_mult"]) if unit.morale else points) * 2

    def good_order(self, unit: Unit) -> bool:
        """Whether nothing affects its morale (68.2)."""
        return unit.morale == GOOD

    def in_melee(self, unit: Unit) -> bool:
        """Whether it is in a Melee (101.3)."""
        return unit.hex in self.state.melees and unit.status == ON_MAP

    def actions(self, unit: Unit) -> int:
        """How many limited actions it has taken this turn (74.1)."""
        return unit.moved + unit.fired + unit.assaulted

    def used(self, unit: Unit) -> bool:
        """Whether it is marked Used (74.6)."""
        return unit.moved + unit.fired + unit.assaulted >= 2 or unit.intensive

    def working_guns(self, unit: Unit) -> list[int]:
        """The numbers of the main armaments that still work."""
        return [i for i in range(len(self.kinds[unit.kind].guns)) if i not in unit.guns_out]

    def working_mgs(self, unit: Unit) -> bool:
        """Whether a vehicle's machine guns work."""
        return self.kinds[unit.kind].secondary.fp > 0 and not unit.mgs_out

    # -- the ground ----------------------------------------------------------------------------------

    def terrain(self, hex: str) -> Terrain:
        """The terrain of a hex as it is now: a collapsed structure is rubble (32.1)."""
        if hex in self.state.rubble:
            return self.charts.terrain["rubble"]
        return self.charts.terrain[self.field.terrain.get(hex, "open")]

    def in_structure(self, unit: Unit) -> bool:
        """Whether the unit is in the building of its hex: foot units are, unless On Road (53.2, 57)."""
        kind = self.kinds[unit.kind]
        return bool(kind.foot and not unit.on_road and not unit.aboard and self.terrain(unit.hex).structure)

    def in_walls(self, unit: Unit) -> bool:
        """Whether the unit is in a building, Bunker or Pillbox (20at.2, 110.3)."""
        return unit.inside or self.in_structure(unit)

    def ground_level(self, hex: str) -> int:
        """The level of the ground: -1, 1, 2 or 3 (60.1)."""
        return self.field.level.get(hex, 1)

    def level(self, unit: Unit) -> int:
        """The level a unit sees from and is seen at: the top of its building (55.4), the ground for * (55.5)."""
        ground = self.field.level.get(unit.hex, 1)
        storeys = self.field.building_level.get(unit.hex, 1)
        if storeys == 1 or self.kinds[unit.kind].asterisk or not self.in_structure(unit):
            return ground
        return max(ground, storeys)

    def reveal(self, unit: Unit, *rules: str) -> None:
        """Put a hidden unit on the board, with the Leader, whoever rides on it and the work hidden with it (73)."""
        if not unit.hidden:
            return
        company = [other for other in self.at.get(unit.hex, ()) if unit.id in (other.attached, other.aboard)]
        for other in (unit, *company):
            if other.hidden:
                other.hidden = False
                self.emit(
                    move_events.Revealed(side=other.side, unit=other.id, place=other.hex, rules=rules, shows=True)
                )
        self.reveal_work(unit.hex)

    def secret(self, unit: Unit) -> str:
        """Who alone hears of what happens to a unit: its own side while it is hidden, else "" for both (73.2)."""
        return unit.side if unit.hidden else ""

    def reveal_work(self, hex: str) -> None:
        """Show a work that was hidden with its unit (73.3)."""
        work = self.state.works.get(hex)
        if work is not None and work.hidden:
            self.state.works[hex] = replace(work, hidden=False)
            self.emit(move_events.Placed(side=work.side, kind=work.kind, place=hex, rules=("73.2", "73.3"), shows=True))

    def reveal_mines(self, hex: str, *rules: str) -> None:
        """Show a mined hex (27.2)."""
        mines = self.state.mines[hex]
        self.state.mines[hex] = replace(mines, revealed=True)
        self.emit(move_events.MinesRevealed(side=mines.side, place=hex, rules=rules, shows=True))
