"""What a table game shows: models with their bases, and what lies on the table besides units."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from grognard.board.table.bodies import DISC, RECT, Footprint
from grognard.core.poses import place
from grognard.core.view import MarkerView, ModelView
from grognard.kits.table.battle import TableBattle
from grognard.kits.table.scenario import Objective
from grognard.kits.table.state import Model

AnyBattle = TableBattle[Any, Any, Any, Any]


def model_view(model: Model, foot: Footprint, **more: Any) -> ModelView:
    """A model in the table's measure, with whatever else the game shows of it."""
    return ModelView(
        id=model.id,
        x=model.x / 100,
        y=model.y / 100,
        heading=model.heading,
        radius=foot.radius / 100 if foot.shape == DISC else 0.0,
        length=foot.length / 100 if foot.shape == RECT else 0.0,
        width=foot.width / 100 if foot.shape == RECT else 0.0,
        **more,
    )


def objectives(battle: AnyBattle, holder: Callable[[Objective], str], near: int) -> Iterator[MarkerView]:
    """The objectives with who holds them, and how near one has to be."""
    for objective in battle.scenario.objectives:
        text = f"{objective.name} ({objective.points})"
        owner = holder(objective)
        yield MarkerView("objective", place(objective.x, objective.y), owner, text=text, radius=near / 100)


def held(battle: AnyBattle, holder: Callable[[Objective], str]) -> dict[str, str]:
    """Who holds each objective, in words, with what it is worth."""
    title_of = battle.scenario.title_of
    owners = [(objective, holder(objective)) for objective in battle.scenario.objectives]
    return {each.name: f"{title_of(side) if side else 'nobody'} ({each.points})" for each, side in owners}


def wrecks(battle: AnyBattle) -> Iterator[MarkerView]:
    """The wrecks."""
    for wreck in battle.state.wrecks:
        foot, title = battle.wreck_foot(wreck), battle.wreck_title(wreck)
        yield MarkerView(
            "wreck",
            place(wreck.x, wreck.y),
            facing=wreck.heading,
            text=title[:1].upper() + title[1:],
            length=foot.length / 100,
            width=foot.width / 100,
        )


def changed(battle: AnyBattle) -> Iterator[MarkerView]:
    """The pieces of terrain that have become something else."""
    table = battle.scenario.table
    for id, became in sorted(battle.state.changed.items()):
        piece = table.by_id.get(id)
        if piece is not None:
            outline = [(x / 100, y / 100) for x, y in piece.points]
            words = f"{table.title(piece)}: {became or 'gone'}"
            centre = table.area(piece).representative_point()
            yield MarkerView("rubble", place(round(centre.x), round(centre.y)), text=words, outline=outline)
