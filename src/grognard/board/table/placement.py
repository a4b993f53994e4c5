"""Areas for the moves that most table games have: a unit that goes in a form, one that turns, one that drives.

They are whole `Area`s: polygons, bars and previews follow from the same ways and drives, so that they cannot disagree.
A game gives them bodies, ways and its own rules (what holds a unit together, whose rule says so), or derives from them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Mapping, Sequence
from functools import cached_property

import shapely
from shapely.geometry.base import BaseGeometry

from grognard.board.table import bodies, clearance, formations
from grognard.board.table.bodies import Body, Place
from grognard.board.table.drive import Drive, End
from grognard.board.table.footing import OFF_TABLE, Thing
from grognard.board.table.places import exactly
from grognard.board.table.reach import common_area, rings
from grognard.board.table.routes import long
from grognard.board.table.ways import Ways
from grognard.core.ask import Bar, Option
from grognard.core.poses import Area, Form, ModelPose, Polygon, Pose, Preview, length, read_pose

#: What a layout has to keep: why models, given as bodies with their numbers, may not stand so; None if they may.
Holds = Callable[[Sequence[Body], Sequence[int]], Bar | None]
#: What is worth knowing of a unit that would stand so.
Remarks = Callable[[list[Body]], list[str]]

TITLES = {
    formations.AS_THEY_STAND: "as they stand",
    formations.LINE: "in a line",
    formations.COLUMN: "in a column",
    formations.CLUSTER: "close together",
    formations.WEDGE: "in a wedge",
}


def bar_hands(pose: Pose, models: Container[str], rule: str, *, turn: bool = False) -> Bar | None:
    """Why models may not be set by hand like this: they are strangers, or look another way where all look one way."""
    for hand in pose.by_hand:
        if hand.id not in models:
            return Bar(rule, f"the unit doesn't have a model {hand.id!r}")
        if hand.turned and not turn:
            return Bar(rule, "all models of the unit face the same way")
    return None


class FormationArea(Area):
    """Where a unit of several models may go: every model by its own way, in one of the forms.

    ``models`` are the ids of ``stand``, the bases where they are now; ``names`` the forms to choose from, the usual
    one first. ``holds`` is the game's rule of keeping together: it is asked about a form once for each heading, since
    a form is the same wherever it is, and about every layout set by hand, but not about forms that are ``sure``.
    ``party`` are the models that keep formation, by number, where some do not.
    """

    #: Whether a model that is set by hand may have a heading of its own.
    turn_by_hand = False

    def __init__(
        self,
        unit: str,
        models: Sequence[str],
        stand: Sequence[Body],
        ways: Sequence[Ways],
        *,
        names: Sequence[str],
        spacing: int,
        holds: Holds | None = None,
        sure: Container[str] = (),
        party: Sequence[int] | None = None,
        titles: Mapping[str, str] = TITLES,
        remarks: Remarks | None = None,
        label: str = "",
        verb: str = "pose",
        rule: str = "",
    ) -> None:
        super().__init__(unit, label or "Go there", verb=verb, rule=rule)
        self.models, self.ways, self.names = list(models), list(ways), list(names)
        self.known = list(stand)
        self.party = list(range(len(models))) if party is None else list(party)
        self.spacing, self.holds, self.sure, self.titles, self.remarks = spacing, holds, sure, titles, remarks
        self._numbers = {id: number for number, id in enumerate(self.models)}
        self._offsets: dict[tuple[str, int], list[Place]] = {}
        self._bars: dict[tuple[str, int], Bar | None] = {}

    # ---- what it looks like ----

    def forms(self) -> list[Form]:
        """The forms to choose from, the usual one first."""
        mine = [self.known[number] for number in self.party]
        found = []
        for name in self.names:
            models = [(self.models[n], x, y) for n, (x, y) in zip(self.party, self.offsets(name, 0))]
            found.append(Form(name, self.titles.get(name, name), models, formations.turns(name, mine)))
        return found

    def headings(self) -> tuple[int, ...]:
        """Any heading will do."""
        return ()

    def option(self, key: str) -> Option | str:
        """The option that a pose makes, or why there is none."""
        read = read_pose(key)
        # Who plays on asks this at every move: a form that is known need not be laid out to be known.
        if read is None or read[0] != self.verb or (read[1].form and read[1].form not in self.names):
            return super().option(key)
        if bar := self.bar(read[1]):
            return bar.say()
        return Option(key, self.label, self.verb, self.unit, read[1].place, rule=self.rule)

    @property
    def start(self) -> Pose:
        """Where the unit stands."""
        x, y = formations.anchor([self.known[number] for number in self.party])
        return Pose(x, y, self.known[self.party[0]].heading, self.names[0])

    def polygons(self, form: str, heading: int) -> list[Polygon]:
        """The legal points for a form and a heading."""
        if self._bar_form(form or self.names[0], heading) is not None:
            return []
        found = self.regions(form, heading)
        return rings(found[0] if len(found) == 1 else shapely.union_all(found))

    def regions(self, form: str, heading: int) -> list[BaseGeometry]:
        """For each of the ways, where the pose may be so that every model gets to its place."""
        offsets = self.offsets(form, heading)
        return [common_area([ways.reach(number) for number in self.party], offsets) for ways in self.ways]

    # ---- where the models would stand ----

    def offsets(self, form: str, heading: int) -> list[Place]:
        """Each model's place about the pose, for those that keep formation."""
        form = form or self.names[0]
        found = self._offsets.get((form, heading))
        if found is None:
            mine = [self.known[number] for number in self.party]
            found = formations.lay_out(form, mine, 0, 0, heading, self.spacing, pairs=self.pairs)
            self._offsets[form, heading] = found
        return found

    @cached_property
    def pairs(self) -> list[tuple[int, int]]:
        """Who stands beside whom in every form, by places in the party; a game may say so."""
        return []

    def ends(self, pose: Pose) -> dict[int, Place]:
        """Where each model that the pose moves would stand, by number."""
        found = {
            number: (pose.x + x, pose.y + y)
            for number, (x, y) in zip(self.party, self.offsets(pose.form, pose.heading))
        }
        for hand in pose.by_hand:
            if hand.id in self._numbers:
                found[self._numbers[hand.id]] = (hand.x, hand.y)
        return found

    def stand(self, pose: Pose, ends: Mapping[int, Place]) -> list[Body]:
        """The bases as the pose puts them, those that stay included."""
        return [
            body.at(*ends[number], pose.heading) if number in ends else body for number, body in enumerate(self.known)
        ]

    def way(self, ends: Mapping[int, Place]) -> Ways | None:
        """The first way by which every model gets to its end."""
        numbers, places = list(ends), list(ends.values())
        return next((ways for ways in self.ways if ways.can_all(numbers, places)), None)

    def paths(self, pose: Pose) -> dict[str, list[Place]]:
        """The way that each model goes to a pose, by its id."""
        ends = self.ends(pose)
        ways = self.way(ends) or self.ways[0]
        return {self.models[number]: ways.path(number, end) for number, end in ends.items()}

    # ---- whether they may ----

    def bar(self, pose: Pose) -> Bar | None:
        """Why a pose is refused; None if it is legal."""
        if bar := bar_hands(pose, self._numbers, self.rule, turn=self.turn_by_hand):
            return bar
        ends = self.ends(pose)
        if bar := self.bar_stand(pose, ends):
            return bar
        if self.way(ends) is not None:
            return None
        numbers, places = list(ends), list(ends.values())
        ways = self.ways[0]
        if len(self.ways) > 1:
            ways = min(self.ways, key=lambda w: len(list(w.missed(numbers, places))))
        first = next(ways.missed(numbers, places))
        bar = ways.why_not(numbers[first], places[first])
        if len(numbers) == 1:
            return bar
        return Bar(bar.rule, f"model {self.models[numbers[first]]} can't get there: {bar.reason}", bar.source)

    def allows(self, pose: Pose) -> bool:
        """Whether a pose is legal: quicker than `bar`, which says why it is not."""
        if bar_hands(pose, self._numbers, self.rule, turn=self.turn_by_hand):
            return False
        ends = self.ends(pose)
        return self.bar_stand(pose, ends) is None and self.way(ends) is not None

    def bar_stand(self, pose: Pose, ends: Mapping[int, Place]) -> Bar | None:
        """Why the models may not stand so about each other."""
        if not pose.by_hand and len(self.party) == len(self.known):
            return self._bar_form(pose.form or self.names[0], pose.heading)
        return self.holds(self.stand(pose, ends), range(len(self.known))) if self.holds is not None else None

    def _bar_form(self, form: str, heading: int) -> Bar | None:
        """Why a form does not hold together."""
        if self.holds is None or form in self.sure:
            return None
        key = (form, heading)
        if key not in self._bars:
            pose = Pose(0, 0, heading, form)
            stand = self.stand(pose, self.ends(pose))
            self._bars[key] = self.holds([stand[number] for number in self.party], self.party)
        return self._bars[key]

    def preview(self, pose: Pose) -> Preview:
        """What a pose would come to, legal or not."""
        ends, bar = self.ends(pose), self.bar(pose)
        ways = self.way(ends) or self.ways[0]
        models, stand = [], self.stand(pose, ends)
        # What it costs is told of the model that has least of its move left.
        far, limit, left = 0.0, ways.far, math.inf
        for number, (x, y) in ends.items():
            path = ways.path(number, (x, y)) if bar is None else []
            if bar is None and (rest := ways.limit(number, (x, y)) - long(path)) < left:
                far, limit, left = long(path), rest + long(path), rest
            models.append(ModelPose(self.models[number], x, y, stand[number].heading, path))
        cost = f"{length(round(far))} of {ways.say(limit)}" if bar is None else ""
        lines = self.remarks(stand) if self.remarks is not None and bar is None else []
        return Preview(pose.key(self.verb), bar, models, cost, lines)


class TurnArea(Area):
    """A unit that turns on the spot to any heading: the pose's point is where it stands, give or take some room."""

    def __init__(
        self,
        unit: str,
        models: Sequence[str],
        stand: Sequence[Body],
        may: Callable[[int], Bar | None],
        *,
        at: Place | None = None,
        room: int = 50,
        label: str = "",
        verb: str = "pose",
        rule: str = "",
    ) -> None:
        super().__init__(unit, label or "Turn", verb=verb, rule=rule)
        self.models, self.known, self.may, self.room = list(models), list(stand), may, room
        self.at = formations.anchor(stand) if at is None else at

    def forms(self) -> list[Form]:
        """It stays as it is."""
        name = formations.AS_THEY_STAND
        places = formations.lay_out(name, self.known, 0, 0, 0, 0)
        models = [(id, x, y) for id, (x, y) in zip(self.models, places)]
        return [Form(name, TITLES[name], models, formations.turns(name, self.known))]

    def headings(self) -> tuple[int, ...]:
        """Any heading will do."""
        return ()

    @property
    def start(self) -> Pose:
        """Where and how it stands."""
        return Pose(*self.at, self.known[0].heading, formations.AS_THEY_STAND)

    def polygons(self, form: str, heading: int) -> list[Polygon]:
        """The spot, if it can turn so."""
        if self.may(heading) is not None:
            return []
        (x, y), room = self.at, self.room
        return [[[(x - room, y - room), (x + room, y - room), (x + room, y + room), (x - room, y + room)]]]

    def bar(self, pose: Pose) -> Bar | None:
        """Why a pose is refused: it does not move, and its base needs room to turn."""
        if max(abs(pose.x - self.at[0]), abs(pose.y - self.at[1])) > self.room or pose.by_hand:
            return Bar(self.rule, "it may turn on the spot, but not move")
        return self.may(pose.heading)

    def preview(self, pose: Pose) -> Preview:
        """How it would look."""
        models = [ModelPose(id, body.x, body.y, pose.heading) for id, body in zip(self.models, self.known)]
        return Preview(pose.key(self.verb), self.bar(pose), models, "turns on the spot")


class DriveArea(Area):
    """Where one leg of a vehicle's move can go: a pivot toward the point, then straight there.

    A pose where it stands is a pivot alone. ``hulls`` and ``centres`` are what the drive keeps clear of, each with why;
    it may pass but not stop within a ``gap`` of those who are ``near``. A game sets the rules of its bars in a class
    of its own.
    """

    #: Drive there and look along the way, or turn there as well if a pivot is left.
    DRIVE, FACE = "drive", "face"

    far_rule = ""
    off_table = OFF_TABLE
    one_model = Bar("", "a vehicle is one model")
    too_far_round = Bar("", "it doesn't have a pivot left to turn that way")
    no_room = Bar("", "its hull doesn't have room to turn there")
    straight_back = Bar("", "in reverse it goes straight back, without pivots")

    def __init__(
        self,
        unit: str,
        model: str,
        drive: Drive,
        hulls: Sequence[Thing] = (),
        centres: Sequence[Thing] = (),
        *,
        measure: str,
        near: Sequence[clearance.Near] = (),
        gap: float = 0.0,
        remarks: Remarks | None = None,
        label: str = "",
        verb: str = "pose",
        rule: str = "",
    ) -> None:
        super().__init__(unit, label or "Drive there", verb=verb, rule=rule)
        self.model, self.drive, self.body = model, drive, drive.body
        self.hulls, self.centres, self.near, self.gap = list(hulls), list(centres), list(near), gap
        self.remarks, self.measure = remarks, measure

    # ---- what it looks like ----

    def forms(self) -> list[Form]:
        """To drive there, and to turn there as well."""
        model = [(self.model, 0, 0)]
        drive, face = Form(self.DRIVE, "facing the way it goes", model), Form(self.FACE, "and turn there", model)
        return [drive, face] if self.drive.pivots else [drive]

    def headings(self) -> tuple[int, ...]:
        """Any heading will do."""
        return ()

    @property
    def start(self) -> Pose:
        """Where it stands."""
        return Pose(self.body.x, self.body.y, self.body.heading, self.DRIVE)

    def polygons(self, form: str, heading: int) -> list[Polygon]:
        """Where it can drive to."""
        found = self.drive.polygons()
        closed = clearance.shadows(self.drive, self.near, self.gap)
        if not closed or not found:
            return found
        shapes = [shapely.Polygon(part[0], part[1:]).buffer(0) for part in found]
        return rings(shapely.union_all(shapes).difference(shapely.union_all(closed)))

    # ---- whether it may ----

    def pivots_for(self, start: int, heading: int) -> int:
        """How many pivots a turn takes."""
        return math.ceil(bodies.off(start, heading) / self.drive.pivot_degrees - 1e-9)

    def turn(self, heading: int) -> Bar | None:
        """Why it cannot turn to a heading where it stands."""
        if self.pivots_for(self.body.heading, heading) > self.drive.pivots:
            return self.too_far_round
        return None if self.drive.may_pivot(heading) else self.no_room

    def bar(self, pose: Pose) -> Bar | None:
        """Why it cannot drive, or turn, like this."""
        if pose.by_hand:
            return self.one_model
        if (pose.x, pose.y) == (self.body.x, self.body.y):
            return self.turn(pose.heading)
        if not self.drive.contains(pose.x, pose.y):
            return self.why_not(pose.x, pose.y)
        return clearance.bar_stop(self.drive, pose.x, pose.y, self.near, self.gap)

    def why_not(self, x: int, y: int) -> Bar:
        """Why it cannot drive to a point."""
        drive = self.drive
        if not (0 <= x <= drive.width and 0 <= y <= drive.height):
            return self.off_table
        found = drive.course_to(x, y)
        aside = found is not None and len(drive.courses) == 1 and (found[2] > self.body.foot.width / 2 or found[1] < 0)
        if found is None or aside or found[0] not in drive.courses:
            if drive.reverse and not drive.pivots:
                return self.straight_back
            course = round(bodies.bearing(self.body.x, self.body.y, x, y))
            heading = (course + (180 if drive.reverse else 0)) % 360
            return self.no_room if self.pivots_for(self.body.heading, heading) <= drive.pivots else self.too_far_round
        course, along, _ = found
        limit = float(drive.limits[course])
        blocked = self.in_the_way(course, limit)
        if limit < drive.far - 2 and blocked is not None:
            return blocked
        return Bar(self.far_rule or self.rule, f"it is {self.say(along)} away, but its move is {self.say(limit)}")

    def in_the_way(self, course: int, limit: float) -> Bar | None:
        """What stops it on a course."""
        ux, uy = bodies.direction(course)
        heading = (course + (180 if self.drive.reverse else 0)) % 360
        on = self.body.at(round(self.body.x + ux * (limit + 6)), round(self.body.y + uy * (limit + 6)), heading)
        hull = bodies.shape(on)
        for thing in self.hulls:
            if shapely.intersects(thing.shape, hull):
                return thing.bar
        way = shapely.LineString([(self.body.x, self.body.y), (on.x, on.y)])
        for thing in self.centres:
            if shapely.intersects(thing.shape, way):
                return thing.bar
        corners = bodies.corners(on)
        over = (corners < 0).any() or (corners > (self.drive.width, self.drive.height)).any()
        return self.off_table if over else None

    # ---- what it comes to ----

    def end(self, pose: Pose) -> tuple[End, int]:
        """Where a legal pose leads, and the pivots it takes in all; it turns to its heading if that is possible."""
        if (pose.x, pose.y) == (self.body.x, self.body.y):
            pivots = self.pivots_for(self.body.heading, pose.heading)
            return End(pose.x, pose.y, pose.heading, 0.0, pivots), pivots
        found = self.drive.end(pose.x, pose.y)
        assert found is not None
        if pose.form == self.FACE and pose.heading != found.heading:
            pivots = found.pivots + self.pivots_for(found.heading, pose.heading)
            there = self.body.at(found.x, found.y, found.heading)
            if pivots <= self.drive.pivots and self.drive.moved(there).may_pivot(pose.heading):
                return found, pivots
        return found, found.pivots

    def last_heading(self, pose: Pose, found: End, pivots: int) -> int:
        """The way it looks in the end."""
        return pose.heading if pivots > found.pivots else found.heading

    def cost(self, found: End, pivots: int) -> str:
        """What a leg takes of the move, in words."""
        left = self.drive.pivots - pivots
        return f"{self.say(found.distance)}, {left} pivot{'' if left == 1 else 's'} left"

    def preview(self, pose: Pose) -> Preview:
        """What a leg would come to, legal or not."""
        if (bar := self.bar(pose)) is not None:
            return Preview(pose.key(self.verb), bar, [ModelPose(self.model, pose.x, pose.y, pose.heading)])
        found, pivots = self.end(pose)
        heading = self.last_heading(pose, found, pivots)
        path = [(self.body.x, self.body.y), (found.x, found.y)]
        models = [ModelPose(self.model, found.x, found.y, heading, path)]
        lines = self.remarks([self.body.at(found.x, found.y, heading)]) if self.remarks is not None else []
        return Preview(pose.key(self.verb), None, models, self.cost(found, pivots), lines)

    def say(self, far: float) -> str:
        """A distance as people say it."""
        return exactly(far, self.measure)
