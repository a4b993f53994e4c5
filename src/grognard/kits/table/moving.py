"""Moving: asking where to go, going there, and leaving the table over an edge."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np

from grognard.board.table.bodies import Place
from grognard.board.table.placement import FormationArea
from grognard.board.table.terrain import Table
from grognard.board.table.ways import SLACK, Path, Ways
from grognard.core.ask import Ask, Option, Procedure
from grognard.core.poses import Area, Pose, read_pose
from grognard.kits.table.battle import TableBattle
from grognard.kits.table.state import Unit
from grognard.kits.table.travel import Journey, Watch, travel

U = TypeVar("U", bound=Unit[Any])


# ---- going there ---------------------------------------------------------------------------------------------


def ask_pose(
    side: str,
    prompt: str,
    options: Callable[[], Iterable[Option]] | list[Option],
    area: Callable[[], Area] | None,
    **more: Any,
) -> Procedure[Pose | str]:
    """Ask where to go: the pose that was chosen, or the key of another answer.

    Of a unit that cannot go anywhere the area is None. ``more`` is whatever else a question has (`Ask`).
    """
    answer = yield Ask(side, prompt, options, area=area, **more)
    read = read_pose(answer)
    return answer if read is None else read[1]


class Course(NamedTuple):
    """How models get to a pose: the path of each by its id, and which way it looks there."""

    paths: dict[str, Path]
    headings: dict[str, int]


def course_to(area: FormationArea, pose: Pose) -> Course:
    """The way that each model of a unit goes to a pose of its area."""
    ends = area.ends(pose)
    stand = area.stand(pose, ends)
    return Course(area.paths(pose), {area.models[number]: stand[number].heading for number in ends})


def go(
    battle: TableBattle[Any, Any, U, Any],
    unit: U,
    area: FormationArea,
    pose: Pose,
    *,
    watch: Watch[U] | None,
    moved: Callable[[U], None],
) -> Procedure[Journey]:
    """Take a pose of an area: every model by its own way; see `travel`."""
    paths, headings = course_to(area, pose)
    return (yield from travel(battle, unit, paths, headings, watch=watch, moved=moved))


# ---- off the table -------------------------------------------------------------------------------------------


def at_edge(table: Table, edge: str, x: float, y: float) -> Place:
    """The point of an edge straight ahead of a point."""
    return {
        "top": (round(x), 0),
        "bottom": (round(x), table.height),
        "left": (0, round(y)),
        "right": (table.width, round(y)),
    }[edge]


def reaches_edge(table: Table, ways: Ways, edge: str) -> bool:
    """Whether every model can go to an edge, to the point straight ahead of it."""
    for number, (x, y) in enumerate(ways.starts):
        end = at_edge(table, edge, x, y)
        if math.hypot(end[0] - x, end[1] - y) > ways.fars[number] + SLACK:
            return False
        if ways.way_to(number, np.array([end], dtype=np.float64)) is None:
            return False
    return True


def ways_over(table: Table, ways: Sequence[Ways], edge: str) -> Ways | None:
    """The first of some ways by which every model can leave the table over an edge; None if there is none."""
    return next((one for one in ways if reaches_edge(table, one, edge)), None)


def paths_over(table: Table, ways: Ways, models: Sequence[str], edge: str) -> dict[str, Path]:
    """The path of each model off the table over an edge, by its id."""
    return {id: [(round(x), round(y)), at_edge(table, edge, x, y)] for id, (x, y) in zip(models, ways.starts)}
