"""Where a unit of stands may go: passage by a disc, standing by a rectangle.

A stand turns as it goes, so that it passes wherever a disc of half its narrower side does; it ends as the rectangle
that it is. Ways are given for such discs (`Footprint.narrowest`), and a `Room` says where a base of any size and
heading may stand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np
import shapely
from msgspec.structs import replace
from numpy.typing import NDArray
from shapely import affinity
from shapely.geometry.base import BaseGeometry

from grognard.board.table import bodies, formations
from grognard.board.table.bodies import Body, Footprint, Place
from grognard.board.table.placement import FormationArea
from grognard.board.table.regions import areas_only
from grognard.board.table.ways import Ways
from grognard.core.ask import Bar
from grognard.core.poses import Form, Pose

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
#: More that limits a pose, by form and heading, such as keeping with those who stay; None where nothing does.
Within = Callable[[str, int], BaseGeometry | None]

#: What arithmetic with shapes may lose: bases are kept this much farther apart.
SAFE = 0.5


class Room(Protocol):
    """Where bases may stand: on ground they can be on, and clear of everybody else."""

    def room(self, foot: Footprint, heading: int) -> BaseGeometry:
        """Where the centre of a base may be."""

    def has_room(self, foot: Footprint, heading: int, x: Floats, y: Floats) -> Bools:
        """For which centres a base has room: the same as `room`."""

    def why_not(self, body: Body) -> Bar:
        """Why a base has no room where it would stand."""


class StandArea(FormationArea):
    """Where stands may go: every one by its own way, ending where it has room, in one of the forms.

    ``holds`` is asked about the models that keep formation by themselves, and about all where some are set by hand.
    What ties a form to those who stay is for ``within`` to say, as a shape. Stands that keep their form turn with it,
    each from the heading that it has. ``room`` is one for all, or one for each model where ground is closed to some of
    those that share a base.
    """

    turn_by_hand = True
    #: Whether stands that go as they stand wheel with the heading, or keep their places and only turn.
    wheels = True

    def __init__(
        self,
        unit: str,
        models: Sequence[str],
        stand: Sequence[Body],
        ways: Sequence[Ways],
        *,
        room: Room | Sequence[Room],
        within: Within | None = None,
        outside: Bar | None = None,
        **told: Any,
    ) -> None:
        super().__init__(unit, models, stand, ways, **told)
        self.rooms = list(room) if isinstance(room, Sequence) else [room] * len(self.known)
        self.within = within
        self.outside = outside or Bar(self.rule, "it would be too far from the rest of its unit")
        self.in_the_way = Bar(self.rule, "its bases would overlap")
        self._overlap: dict[tuple[str, int], bool] = {}
        self._rooms: dict[tuple[int, Footprint, int], BaseGeometry] = {}
        self._limits: dict[tuple[str, int], BaseGeometry | None] = {}

    @property
    def start(self) -> Pose:
        """Where the unit stands, and the way it looks."""
        mine = [self.known[number] for number in self.party]
        return Pose(*formations.anchor(mine), formations.facing(mine), self.names[0])

    # ---- where they would stand ----

    def forms(self) -> list[Form]:
        """The forms to choose from, the usual one first."""
        found = super().forms()
        if self.wheels:
            return found
        return [replace(form, turns=False) if form.name == formations.AS_THEY_STAND else form for form in found]

    def offsets(self, form: str, heading: int) -> list[Place]:
        """Each model's place about the pose, for those that keep formation."""
        if not self.wheels and (form or self.names[0]) == formations.AS_THEY_STAND:
            heading = formations.facing([self.known[number] for number in self.party])
        return super().offsets(form, heading)

    def heading(self, form: str, heading: int, number: int) -> int:
        """The way that a model looks in a form: as the pose says, or turned with the form that it keeps."""
        if (form or self.names[0]) != formations.AS_THEY_STAND:
            return heading
        turn = heading - formations.facing([self.known[n] for n in self.party])
        return (self.known[number].heading + turn) % 360

    def stand(self, pose: Pose, ends: Mapping[int, Place]) -> list[Body]:
        """The bases as the pose puts them, those that stay included."""
        own = {hand.id: hand.heading for hand in pose.by_hand if hand.turned}
        found = list(self.known)
        for number, end in ends.items():
            heading = own.get(self.models[number], self.heading(pose.form, pose.heading, number))
            found[number] = self.known[number].at(*end, heading)
        return found

    # ---- whether they may ----

    def regions(self, form: str, heading: int) -> list[BaseGeometry]:
        """For each of the ways, where every model gets to its place, has room there, and the pose is within limits."""
        form = form or self.names[0]
        found = super().regions(form, heading)
        limits = [self._limit(form, heading)]
        for number, (x, y) in zip(self.party, self.offsets(form, heading)):
            room = self._room(number, self.heading(form, heading, number))
            limits.append(affinity.translate(room, -x, -y))
        for limit in limits:
            found = [each if limit is None or each.is_empty else each.intersection(limit) for each in found]
        return [areas_only(each) for each in found]

    def _limit(self, form: str, heading: int) -> BaseGeometry | None:
        """What else limits the pose, worked out once for each form and heading."""
        key = (form, heading)
        if key not in self._limits:
            self._limits[key] = limit = self.within(form, heading) if self.within is not None else None
            if limit is not None:
                shapely.prepare(limit)
        return self._limits[key]

    def _room(self, number: int, heading: int) -> BaseGeometry:
        """Where the centre of a model's base may end, clear of those of the unit who stay."""
        room, foot = self.rooms[number], self.known[number].foot
        key = (id(room), foot, heading)
        found = self._rooms.get(key)
        if found is None:
            found = room.room(foot, heading)
            if stay := self._who_stay(self.party):
                base = Body(0, 0, heading, foot)
                found = found.difference(shapely.union_all([bodies.sum_of(body, base, SAFE) for body in stay]))
            self._rooms[key] = found
        return found

    def bar(self, pose: Pose) -> Bar | None:
        """Why a pose is refused; None if it is legal."""
        if bar := super().bar(pose):
            return bar
        cramped = self._cramped(pose)
        if not cramped:
            return None
        number, ends = cramped[0], self.ends(pose)
        bar = self.rooms[number].why_not(self.stand(pose, ends)[number])
        told = f"model {self.models[number]}: {bar.reason}" if len(ends) > 1 else bar.reason
        return Bar(bar.rule, told, bar.source)

    def allows(self, pose: Pose) -> bool:
        """Whether a pose is legal."""
        return super().allows(pose) and not self._cramped(pose)

    def _cramped(self, pose: Pose) -> list[int]:
        """The models, by number, that have no room where a pose puts them."""
        ends = self.ends(pose)
        stand = self.stand(pose, ends)
        alike: dict[tuple[int, Footprint, int], list[int]] = {}
        for number in ends:
            alike.setdefault((id(self.rooms[number]), stand[number].foot, stand[number].heading), []).append(number)
        found: list[int] = []
        for (_, foot, heading), numbers in alike.items():
            x, y = np.array([stand[number][:2] for number in numbers], dtype=np.float64).T
            room = self.rooms[numbers[0]]
            found += [numbers[i] for i in np.flatnonzero(~room.has_room(foot, heading, x, y))]
        return sorted(found)

    def bar_stand(self, pose: Pose, ends: Mapping[int, Place]) -> Bar | None:
        """Why the models may not stand so about each other."""
        stand = self.stand(pose, ends)
        if pose.by_hand:
            if not formations.clear(stand):
                return self.in_the_way
            return self.holds(stand, range(len(stand))) if self.holds is not None else None
        if bar := self._bar_form(pose.form or self.names[0], pose.heading):
            return bar
        stay = self._who_stay(list(ends))
        if stay and (bodies.separations([stand[number] for number in ends], stay) < 0).any():
            return self.in_the_way
        limit = self._limit(pose.form or self.names[0], pose.heading)
        return self.outside if limit is not None and not shapely.intersects_xy(limit, pose.x, pose.y) else None

    def _who_stay(self, go: Sequence[int]) -> list[Body]:
        return [body for number, body in enumerate(self.known) if number not in go]

    def _bar_form(self, form: str, heading: int) -> Bar | None:
        """Why a form is none: a base would lie in another, or it does not hold together."""
        key = (form, heading)
        if key not in self._overlap:
            pose = Pose(0, 0, heading, form)
            stand = self.stand(pose, self.ends(pose))
            self._overlap[key] = not formations.clear([stand[number] for number in self.party])
        return self.in_the_way if self._overlap[key] else super()._bar_form(form, heading)
