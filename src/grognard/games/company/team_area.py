"""Where Teams of a Unit may go (4, 5): poses, with hull and turret set apart, and what they have to keep."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

import shapely
from shapely.geometry.base import BaseGeometry

from grognard.board.table import formations
from grognard.board.table.bodies import Body, Place
from grognard.board.table.stand_area import StandArea
from grognard.board.table.ways import Path, Ways
from grognard.core.ask import Bar
from grognard.core.poses import Pose, Preview
from grognard.games.company.battle import CompanyBattle
from grognard.games.company.charts import charts
from grognard.games.company.cohesion import Ties
from grognard.games.company.ground import Standing
from grognard.games.company.state import Platoon, Team

FORMS = (formations.AS_THEY_STAND, formations.LINE, formations.COLUMN, formations.CLUSTER, formations.WEDGE)

#: What would be rolled on the ways of Teams, by their ids.
Told = Callable[[Mapping[str, Path]], Iterable[str]]


class TeamArea(StandArea):
    """Where the ``party`` of a Unit may go, by number, while the others stay.

    ``teams`` are all that stand on the table, or are about to be set down. Who is not ``tied`` need not keep cohesion,
    as on the way back into it. ``more`` limits the poses further, by form and heading. Turning is free (4.7): those who
    go as they stand keep their places, and of them only guns and vehicles turn, which have a front.
    """

    wheels = False

    def __init__(
        self,
        battle: CompanyBattle,
        unit: Platoon,
        teams: Sequence[Team],
        stand: Sequence[Body],
        party: Sequence[int],
        ways: Ways,
        rooms: Sequence[Standing],
        *,
        gone: Collection[str] = (),
        tied: bool = True,
        rule: str,
        label: str = "",
        names: Sequence[str] = FORMS,
        more: Callable[[Mapping[int, Body]], BaseGeometry] | None = None,
        outside: Bar | None = None,
        told: Told | None = None,
        remarks: Callable[[list[Body]], list[str]] | None = None,
    ) -> None:
        self.battle, self.unit_of, self.teams = battle, unit, list(teams)
        self.ties = Ties(battle, unit, teams, stand, party, gone)
        if not tied:
            self.ties.leader = -1
        self.more, self.told = more, told
        super().__init__(
            unit.id,
            [team.id for team in teams],
            stand,
            [ways],
            room=rooms,
            within=self._within,
            outside=outside or (self.ties.too_few if self.ties.leader >= 0 else None),
            names=names if len(party) > 1 else names[:1],
            spacing=charts().distance("distances", "spacing"),
            holds=self.ties.bar,
            party=party,
            remarks=remarks,
            label=label or f"{battle.name(unit)} goes there",
            rule=rule,
        )

    def heading(self, form: str, heading: int, number: int) -> int:
        """The way that a Team looks in a form."""
        stays = (form or self.names[0]) == formations.AS_THEY_STAND
        if stays and self.battle.team_type(self.teams[number]).infantry:
            return self.known[number].heading
        return super().heading(form, heading, number)

    def _within(self, form: str, heading: int) -> BaseGeometry | None:
        """What ties the pose to those who stay, to enemies in sight where nobody leads, and whatever else does."""
        offsets = dict(zip(self.party, self.offsets(form, heading)))
        found = self.ties.within(offsets, lambda number: self.heading(form, heading, number))
        if self.more is None:
            return found
        limit = self.more({n: self.known[n].at(*at, self.heading(form, heading, n)) for n, at in offsets.items()})
        return limit if found is None else found.intersection(limit)

    def bar_stand(self, pose: Pose, ends: Mapping[int, Place]) -> Bar | None:
        """Why the Teams may not stand so about each other and those who stay."""
        for hand in pose.by_hand:
            number = self._numbers[hand.id]
            name = self.battle.team_name(self.unit_of, self.teams[number])
            if number not in self.party:
                return Bar(self.rule, "it doesn't move now", name)
            if hand.turret >= 0 and not self.battle.team_type(self.teams[number]).turret:
                return Bar("6.5", "it doesn't have a turret", name)
        if bar := super().bar_stand(pose, ends):
            return self._better(bar, pose, ends)
        if not pose.by_hand:
            return None
        stand = self.stand(pose, ends)
        return self.ties.closer(stand) or (self._beyond(pose, stand) if self.more is not None else None)

    def _better(self, bar: Bar, pose: Pose, ends: Mapping[int, Place]) -> Bar:
        """What exactly ties a form that is outside its limits."""
        if bar != self.outside:
            return bar
        stand = self.stand(pose, ends)
        return self.ties.closer(stand) or self.ties.bar(stand, range(len(stand))) or bar

    def _beyond(self, pose: Pose, stand: Sequence[Body]) -> Bar | None:
        """Why one who is set by hand is outside what limits poses further."""
        assert self.more is not None
        base = {n: stand[n].at(stand[n].x - pose.x, stand[n].y - pose.y) for n in self.party}
        return None if self.more(base).buffer(0.01).contains(shapely.Point(pose.x, pose.y)) else self.outside

    def turrets(self, pose: Pose) -> dict[str, int]:
        """Where the turrets of those who go point in the end: ahead, where nothing else is said."""
        stand = self.stand(pose, self.ends(pose))
        hands = {hand.id: hand.turret for hand in pose.by_hand}
        return {
            team.id: hands[team.id] if hands.get(team.id, -1) >= 0 else stand[number].heading % 360
            for number, team in enumerate(self.teams)
            if number in self.party and team.turret >= 0
        }

    def preview(self, pose: Pose) -> Preview:
        """What a pose would come to, with what would be rolled on the way."""
        found = super().preview(pose)
        if self.told is not None and found.bar is None:
            found.lines += self.told({model.id: model.path for model in found.models})
        return found
