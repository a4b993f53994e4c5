"""A battle of Bolt Action: the state with what makes looking things up quick."""

from __future__ import annotations

from collections.abc import Iterable
from copy import deepcopy
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from grognard.board.table.bodies import DISC, Body, gap, gap_to_point, gaps
from grognard.board.table.terrain import Table
from grognard.core.battle import Battle
from grognard.core.dice import Dice
from grognard.games.bolt_action.figures import Figures, Quality, Weapon, figures
from grognard.games.bolt_action.roster import Mount, UnitType, call, roster
from grognard.games.bolt_action.state import ABOARD, GUN, HULL, ON_TABLE, Model, State, Unit

if TYPE_CHECKING:
    from grognard.board.table.scene import Scene
    from grognard.games.bolt_action.scenario import Scenario


class BoltBattle(Battle[State]):
    """State, scenario, table, dice and log, and what can be worked out from them.

    ``memo`` is a drawer for whatever rule modules work out from where everything stands. `touched` empties it: it
    must be called after every change of positions, of who is on the table, of wrecks, smoke or terrain.
    """

    scenario: Scenario

    def __init__(self, scenario: Scenario, state: State, dice: Dice) -> None:
        super().__init__(scenario, state, dice)
        self.figures: Figures = figures()
        self.kinds: dict[str, UnitType] = {**roster(), **scenario.types} if scenario.types else roster()
        self.sides: tuple[str, str] = scenario.side_names
        self.memo: dict[Any, Any] = {}
        self._bodies: dict[str, list[Body]] = {}
        self._gaps: dict[tuple[str, str], float] = {}
        self._discs: dict[str, tuple[list[Body], NDArray[np.float64] | None, int]] = {}
        self._listed: dict[tuple[str, bool], list[Unit]] = {}
        self._called: dict[tuple[str, str], str] = {}
        self._scene: Scene | None = None

    def _repr_svg_(self) -> str:
        """The battle as a picture, for notebooks: everything, as a referee sees it."""
        from grognard.games.bolt_action.pictures import draw  # the pictures look at battles

        return draw(self, "")

    def touched(self, unit: Unit | None = None) -> None:
        """Forget what follows from where things stand. With a unit, only it has moved: others' bodies are kept."""
        self.memo.clear()
        self._listed.clear()
        self._scene = None
        if unit is None or unit.id not in self._bodies:
            self._bodies.clear()
            self._gaps.clear()
        else:
            del self._bodies[unit.id]
            for pair in [pair for pair in self._gaps if unit.id in pair]:
                del self._gaps[pair]

    # -- sides and units ---------------------------------------------------------------------------------

    def other(self, side: str) -> str:
        """The enemy of a side."""
        first, second = self.sides
        return second if side == first else first

    def unit(self, id: str) -> Unit:
        """The unit of an id."""
        return self.state.units[id]

    def units(self, side: str = "", *, on_table: bool = True) -> list[Unit]:
        """The units in the order of battle: of a side or of both, only those on the table or every one."""
        found = self._listed.get((side, on_table))
        if found is None:
            found = [
                unit
                for unit in self.state.units.values()
                if side in ("", unit.side) and (not on_table or unit.status == ON_TABLE)
            ]
            found.sort(key=_number)
            self._listed[side, on_table] = found
        return found

    def enemies(self, side: str) -> list[Unit]:
        """The units on the table that are not the side's."""
        return self.units(self.other(side))

    def type(self, unit: Unit) -> UnitType:
        """What a unit is by rule."""
        return self.kinds[unit.kind]

    def mount(self, unit: Unit, index: int) -> Mount:
        """A weapon of a unit as it is mounted or carried."""
        return self.kinds[unit.kind].weapons[index]

    def weapon(self, unit: Unit, index: int) -> Weapon:
        """A weapon of a unit as the chart has it."""
        return self.figures.weapons[self.kinds[unit.kind].weapons[index].weapon]

    def quality(self, unit: Unit) -> Quality:
        """What the unit's quality is worth (5.1, 14.1)."""
        return self.figures.quality[unit.quality]

    def has(self, unit: Unit, special: str) -> bool:
        """Whether a unit has a special rule (27)."""
        return special in self.kinds[unit.kind].special

    def alive(self, unit: Unit) -> bool:
        """Whether it is in the battle, on the table or in a vehicle, and has anybody left."""
        return unit.status in (ON_TABLE, ABOARD) and bool(unit.models)

    def passengers(self, vehicle: Unit) -> list[Unit]:
        """Who rides in a vehicle or hangs behind it (24.1)."""
        return [
            unit for unit in self.units(vehicle.side, on_table=False) if unit.aboard == vehicle.id and self.alive(unit)
        ]

    def men(self, unit: Unit) -> list[Model]:
        """Its models without the gun (7.4, 7.5)."""
        return [model for model in unit.models if model.role != GUN]

    def say(self, unit: Unit) -> str:
        """How people call a unit: "Grenadier squad g3"."""
        found = self._called.get((unit.id, unit.kind))
        if found is None:
            placing = self.scenario.placing(unit.id)
            found = call((placing.name if placing else "") or self.kinds[unit.kind].name, unit.id)
            self._called[unit.id, unit.kind] = found
        return found

    # -- where things stand ------------------------------------------------------------------------------

    def body(self, unit: Unit, model: Model) -> Body:
        """The base of a model."""
        return Body(model.x, model.y, model.heading, self.kinds[unit.kind].foot(model.role))

    def bodies(self, unit: Unit) -> list[Body]:
        """The bases of a unit's models, in their order."""
        found = self._bodies.get(unit.id)
        if found is None or len(found) != len(unit.models):
            kind = self.kinds[unit.kind]
            found = [Body(m.x, m.y, m.heading, kind.foot(m.role)) for m in unit.models]
            self._bodies[unit.id] = found
        return found

    def hull(self, unit: Unit) -> Body:
        """The base of a vehicle, or of a gun."""
        for model, body in zip(unit.models, self.bodies(unit)):
            if model.role in (HULL, GUN):
                return body
        return self.bodies(unit)[0]

    def gap(self, unit: Unit, other: Unit) -> float:
        """The smallest gap between two units' models (B3)."""
        pair = (unit.id, other.id) if unit.id < other.id else (other.id, unit.id)
        found = self._gaps.get(pair)
        if found is None:
            (ours, one), (theirs, two) = self._discs_of(unit), self._discs_of(other)
            if ours is None and len(unit.models) == 1:
                found = self._gap_to_hull(self.bodies(unit)[0], other)
            elif theirs is None and len(other.models) == 1:
                found = self._gap_to_hull(self.bodies(other)[0], unit)
            elif ours is None or theirs is None:
                found = float(gaps(self.bodies(unit), self.bodies(other)).min())
            else:
                # Two units of men, as most are: the nearest pair is found without its root.
                across, down = ours[:, 0, None] - theirs[:, 0], ours[:, 1, None] - theirs[:, 1]
                nearest = int((across * across + down * down).argmin())
                found = max(0.0, float(np.hypot(across.flat[nearest], down.flat[nearest])) - one - two)
            self._gaps[pair] = found
        return found

    def _gap_to_hull(self, hull: Body, unit: Unit) -> float:
        """The smallest gap between a hull and a unit's models: a few sums, and no arrays."""
        return min(
            max(0.0, gap_to_point(hull, body.x, body.y) - body.foot.radius)
            if body.foot.shape == DISC
            else gap(hull, body)
            for body in self.bodies(unit)
        )

    def _discs_of(self, unit: Unit) -> tuple[NDArray[np.float64] | None, int]:
        """The middles of a unit's bases and their radius, where they are all round and alike; else None."""
        bodies = self.bodies(unit)
        found = self._discs.get(unit.id)
        if found is None or found[0] is not bodies:
            foot = bodies[0].foot if bodies else None
            alike = foot is not None and foot.shape == DISC and all(body.foot == foot for body in bodies)
            middles = np.array([(body.x, body.y) for body in bodies], dtype=np.float64) if alike else None
            found = self._discs[unit.id] = bodies, middles, foot.radius if foot is not None else 0
        return found[1], found[2]

    def everybody(self, but: Iterable[Unit] = ()) -> list[Body]:
        """The bases of all models on the table, except those of some units."""
        left_out = {unit.id for unit in but}
        return [body for unit in self.units() if unit.id not in left_out for body in self.bodies(unit)]

    # -- the ground --------------------------------------------------------------------------------------

    @property
    def table(self) -> Table:
        """The table as it is now: what collapsed or was driven down is changed (25.6, 25.8)."""
        return self.scenario.table.with_changes(self.state.changed)

    def wreck_bodies(self) -> list[Body]:
        """The wrecks on the table (20.8)."""
        prints = self.figures.footprints
        return [Body(w.x, w.y, w.heading, prints[self.kinds[w.kind].footprint]) for w in self.state.wrecks]

    @property
    def scene(self) -> Scene:
        """The table with the vehicles and wrecks that block sight on it, and smoke (B12).

        The vehicles come first, in the order of battle (see `blockers`), then the wrecks.
        """
        if self._scene is None:
            from grognard.board.table.scene import Scene  # shapely and numpy at work: fetched when somebody looks

            hulls = self.blockers()
            titles = [*map(self.say, hulls), *(f"wreck of {self.kinds[w.kind].name}" for w in self.state.wrecks)]
            bodies = [*map(self.hull, hulls), *self.wreck_bodies()]
            self._scene = Scene(self.table, bodies, self.state.smoke, titles=titles)
        return self._scene

    def blockers(self) -> list[Unit]:
        """The vehicles on the table, in the order that the scene lists them in."""
        return [unit for unit in self.units() if self.kinds[unit.kind].vehicle]


def _number(unit: Unit) -> int:
    return unit.n


_copied: Any = msgspec.Struct.__copy__  # type: ignore[attr-defined]  # the C copy, without the detour of copy.copy


def copy_state(state: State) -> State:
    """A copy that shares nothing that can change."""
    copy: State = _copied(state)
    copy.units = {id: _copy_unit(unit) for id, unit in state.units.items()}
    for name in _DICTS:
        setattr(copy, name, dict(getattr(state, name)))
    copy.wrecks = [_copied(wreck) for wreck in state.wrecks]
    copy.strikes = [_copied(strike) for strike in state.strikes]
    copy.smoke = list(state.smoke)
    copy.lost = {side: list(units) for side, units in state.lost.items()}
    copy.memory = deepcopy(state.memory) if state.memory else {}
    return copy


_DICTS = ("cup", "aside", "changed")


def _copy_unit(unit: Unit) -> Unit:
    copy: Unit = _copied(unit)
    models = []
    for model in unit.models:
        twin = _copied(model)
        twin.arms = list(model.arms)
        models.append(twin)
    copy.models = models
    copy.empty = list(unit.empty)
    return copy
