"""A battle on a table: the state with what makes looking things up quick."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from grognard.board.table import formations
from grognard.board.table.bodies import DISC, Body, Footprint, gap, gap_to_point, gaps
from grognard.board.table.scene import Scene
from grognard.board.table.templates import Template
from grognard.board.table.terrain import Table
from grognard.core.battle import Battle
from grognard.core.dice import Dice
from grognard.kits.table.scenario import TableScenario
from grognard.kits.table.state import ABOARD, ON_TABLE, Model, TableState, Unit, Wreck

#: A game's scenario, its state, its units and what it knows of a kind of unit.
Sc = TypeVar("Sc", bound=TableScenario[Any])
S = TypeVar("S", bound=TableState[Any])
U = TypeVar("U", bound=Unit[Any])
K = TypeVar("K")


class TableBattle(Battle[S], Generic[Sc, S, U, K]):
    """State, scenario, table, dice and log, and what can be worked out from them.

    ``cache`` is a cache of whatever rule modules work out from where everything stands. `invalidate` empties it: it
    must be called after every change of positions, of who is on the table, of wrecks, smoke or terrain.
    """

    scenario: Sc

    def __init__(self, scenario: Sc, state: S, dice: Dice, kinds: Mapping[str, K]) -> None:
        super().__init__(scenario, state, dice)
        self.kinds = kinds
        self.sides: tuple[str, str] = scenario.side_names
        #: What lengths are told in.
        self.measure: str = scenario.table.measure
        self.cache: dict[Any, Any] = {}
        self._bodies: dict[str, list[Body]] = {}
        self._gaps: dict[tuple[str, str], float] = {}
        self._discs: dict[str, tuple[list[Body], NDArray[np.float64] | None, int]] = {}
        self._listed: dict[tuple[str, bool], list[U]] = {}
        self._scene: Scene | None = None

    # -- what the game says ------------------------------------------------------------------------------

    @abstractmethod
    def foot(self, unit: U, model: Any) -> Footprint:
        """The base of a model."""

    @abstractmethod
    def blocks(self, unit: U) -> bool:
        """Whether a unit blocks the sight of others, as vehicles do."""

    @abstractmethod
    def name(self, unit: U) -> str:
        """How people call a unit."""

    @abstractmethod
    def wreck_foot(self, wreck: Wreck) -> Footprint:
        """The base of a wreck."""

    @abstractmethod
    def wreck_title(self, wreck: Wreck) -> str:
        """What people call a wreck."""

    def stance(self, unit: U) -> tuple[str, str, str, tuple[tuple[Any, ...], ...]]:
        """Where the models of a unit stand, as a key: id, kind, what it is inside of, and each model with its place."""
        return unit.id, unit.kind, "", tuple((m.id, m.x, m.y, m.heading) for m in unit.models)

    def clouds(self) -> Sequence[Template]:
        """The smoke on the table."""
        return ()

    # -- sides and units ---------------------------------------------------------------------------------

    def invalidate(self, unit: U | None = None) -> None:
        """Forget what follows from where things stand. With a unit, only it has moved: others' bodies are kept."""
        self.cache.clear()
        self._listed.clear()
        self._scene = None
        if unit is None or unit.id not in self._bodies:
            self._bodies.clear()
            self._gaps.clear()
        else:
            del self._bodies[unit.id]
            for pair in [pair for pair in self._gaps if unit.id in pair]:
                del self._gaps[pair]

    def other(self, side: str) -> str:
        """The enemy of a side."""
        first, second = self.sides
        return second if side == first else first

    def unit(self, id: str) -> U:
        """The unit of an id."""
        found: U = self.state.units[id]
        return found

    def units(self, side: str = "", *, on_table: bool = True) -> list[U]:
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

    def enemies(self, side: str) -> list[U]:
        """The units on the table that are not the side's."""
        return self.units(self.other(side))

    def type(self, unit: U) -> K:
        """What a unit is by rule."""
        return self.kinds[unit.kind]

    def alive(self, unit: U) -> bool:
        """Whether it is in the battle, on the table or in a vehicle, and has anybody left."""
        return unit.status in (ON_TABLE, ABOARD) and bool(unit.models)

    def passengers(self, vehicle: U) -> list[U]:
        """Who rides in a vehicle or hangs behind it."""
        return [
            unit for unit in self.units(vehicle.side, on_table=False) if unit.aboard == vehicle.id and self.alive(unit)
        ]

    # -- where things stand ------------------------------------------------------------------------------

    def body(self, unit: U, model: Model) -> Body:
        """The base of a model where it stands."""
        return Body(model.x, model.y, model.heading, self.foot(unit, model))

    def bodies(self, unit: U) -> list[Body]:
        """The bases of a unit's models, in their order."""
        found = self._bodies.get(unit.id)
        if found is None or len(found) != len(unit.models):
            found = [Body(m.x, m.y, m.heading, self.foot(unit, m)) for m in unit.models]
            self._bodies[unit.id] = found
        return found

    def anchor(self, unit: U) -> tuple[int, int]:
        """The point that a unit's pose tells."""
        return self.middle(unit, self.bodies(unit))

    def middle(self, unit: U, stand: Sequence[Body]) -> tuple[int, int]:
        """The point that its pose tells where its models stand so."""
        return formations.anchor(stand)

    def hull(self, unit: U) -> Body:
        """The base that others measure a vehicle by: its first model's."""
        return self.bodies(unit)[0]

    def gap(self, unit: U, other: U) -> float:
        """The smallest gap between two units' models."""
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

    def _gap_to_hull(self, hull: Body, unit: U) -> float:
        """The smallest gap between a hull and a unit's models: a few sums, and no arrays."""
        return min(
            max(0.0, gap_to_point(hull, body.x, body.y) - body.foot.radius)
            if body.foot.shape == DISC
            else gap(hull, body)
            for body in self.bodies(unit)
        )

    def _discs_of(self, unit: U) -> tuple[NDArray[np.float64] | None, int]:
        """The middles of a unit's bases and their radius, where they are all round and alike; else None."""
        bodies = self.bodies(unit)
        found = self._discs.get(unit.id)
        if found is None or found[0] is not bodies:
            foot = bodies[0].foot if bodies else None
            alike = foot is not None and foot.shape == DISC and all(body.foot == foot for body in bodies)
            middles = np.array([(body.x, body.y) for body in bodies], dtype=np.float64) if alike else None
            found = self._discs[unit.id] = bodies, middles, foot.radius if foot is not None else 0
        return found[1], found[2]

    def everybody(self, but: Iterable[U] = ()) -> list[Body]:
        """The bases of all models on the table, except those of some units."""
        left_out = {unit.id for unit in but}
        return [body for unit in self.units() if unit.id not in left_out for body in self.bodies(unit)]

    # -- the ground --------------------------------------------------------------------------------------

    @property
    def table(self) -> Table:
        """The table as it is now: what collapsed or was driven down is changed."""
        return self.scenario.table.with_changes(self.state.changed)

    def wreck_bodies(self) -> list[Body]:
        """The wrecks on the table."""
        return [Body(w.x, w.y, w.heading, self.wreck_foot(w)) for w in self.state.wrecks]

    @property
    def scene(self) -> Scene:
        """The table with the vehicles and wrecks that block sight on it, and smoke.

        The vehicles come first, in the order of battle (see `blockers`), then the wrecks.
        """
        if self._scene is None:
            hulls = self.blockers()
            titles = [*map(self.name, hulls), *map(self.wreck_title, self.state.wrecks)]
            bodies = [*map(self.hull, hulls), *self.wreck_bodies()]
            self._scene = Scene(self.table, bodies, self.clouds(), titles=titles)
        return self._scene

    def blockers(self) -> list[U]:
        """The units on the table that block sight, in the order that the scene lists them in."""
        return [unit for unit in self.units() if self.blocks(unit)]


def _number(unit: Unit[Any]) -> int:
    return unit.n
