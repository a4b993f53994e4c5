"""Where a marker may be laid: any point of a shape, with the template that it brings, if it brings one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property

import shapely
from shapely.geometry.base import BaseGeometry

from grognard.board.table.bodies import Body, Place
from grognard.board.table.placement import bar_hands
from grognard.board.table.reach import rings
from grognard.board.table.templates import Template, touched
from grognard.core.ask import Bar
from grognard.core.poses import Area, Form, ModelPose, Polygon, Pose, Preview

#: Units as people call them, with their bases.
Standing = Iterable[tuple[str, Sequence[Body]]]


class PointArea(Area):
    """Any point of a shape: where shells fall, smoke is laid, somebody aims.

    The ``shape`` is worked out when somebody looks; ``at`` is where a client begins if there is none. With a
    ``template`` the preview shows its outline, and says whom of those ``standing`` about it would touch. Where it
    ``turns`` the pose has any heading, as for a square. ``outside`` is why a point outside is refused.
    """

    FORM = "marker"

    def __init__(
        self,
        unit: str,
        shape: Callable[[], BaseGeometry],
        at: Place,
        *,
        label: str,
        verb: str,
        rule: str = "",
        template: Callable[[Pose], Template] | None = None,
        standing: Callable[[], Standing] = lambda: (),
        turns: bool = False,
        outside: Bar | None = None,
    ) -> None:
        super().__init__(unit, label, verb=verb, rule=rule)
        self._shape, self.at, self.template, self.standing, self.turns = shape, at, template, standing, turns
        self.outside = outside or Bar(rule, "the marker can't go there")

    @cached_property
    def shape(self) -> BaseGeometry:
        """Where it may be laid."""
        found = self._shape()
        shapely.prepare(found)
        return found

    def forms(self) -> list[Form]:
        """A marker has no forms."""
        return [Form(self.FORM, "Marker", [(self.FORM, 0, 0)], turns=False)]

    def headings(self) -> tuple[int, ...]:
        """It looks nowhere, or anywhere if it turns."""
        return () if self.turns else (0,)

    @property
    def start(self) -> Pose:
        """Somewhere in the shape."""
        if self.shape.is_empty:
            return Pose(*self.at, 0, self.FORM)
        inside = self.shape.representative_point()
        return Pose(round(inside.x), round(inside.y), 0, self.FORM)

    def polygons(self, form: str, heading: int) -> list[Polygon]:
        """The shape itself."""
        return rings(self.shape)

    def bar(self, pose: Pose) -> Bar | None:
        """A point outside the shape is refused."""
        if bar := bar_hands(pose, (), self.rule):
            return bar
        return None if shapely.intersects_xy(self.shape, pose.x, pose.y) else self.outside

    def preview(self, pose: Pose) -> Preview:
        """The marker where it would lie, what its template would cover, and whom it would touch."""
        marker = ModelPose(self.FORM, pose.x, pose.y, pose.heading)
        found = Preview(pose.key(self.verb), self.bar(pose), [marker])
        if self.template is not None:
            template = self.template(pose)
            found.outline = [[(round(x), round(y)) for x, y in template.outline()]]
            found.lines = [
                f"{count} of {name} would be under it" if len(bodies) > 1 else f"{name} would be under it"
                for name, bodies in self.standing()
                if (count := sum(touched(bodies, template)))
            ]
        return found
