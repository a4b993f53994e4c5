"""What people and clients see: companies, smoke, fields of fire, and what is wrong with a state."""

from __future__ import annotations

from collections.abc import Iterator

from grognard.board.table import bodies, formations
from grognard.core.aid_views import Fan, FieldView, Ring
from grognard.core.errors import GrognardError
from grognard.core.poses import place
from grognard.core.view import MarkerView, UnitView
from grognard.kits.table import invariants
from grognard.kits.table.field_of_fire import field_of_fire
from grognard.kits.table.view import model_view
from tests.kits.table.stands.battle import Field
from tests.kits.table.stands.charts import charts
from tests.kits.table.stands.shooting import looks_of
from tests.kits.table.stands.standing import shut


def companies(battle: Field) -> Iterator[UnitView]:
    """Every company with its stands; nothing is hidden."""
    for unit in battle.units():
        stand = battle.bodies(unit)
        models = [model_view(model, body.foot) for model, body in zip(unit.models, stand)]
        at, heading, short = place(*battle.anchor(unit)), formations.facing(stand), f"Co {unit.id}"
        yield UnitView(unit.id, unit.side, battle.name(unit), "", at, heading, short=short, models=models)


def clouds(battle: Field) -> Iterator[MarkerView]:
    """The smoke."""
    for cloud in battle.clouds():
        outline = [(x / 100, y / 100) for x, y in cloud.outline()]
        yield MarkerView("smoke", place(cloud.x, cloud.y), outline=outline)


def fire_of(battle: Field, id: str) -> FieldView:
    """What a company sees and can shoot at, and how far its leader's voice carries."""
    unit = battle.state.units.get(id)
    if unit is None or not unit.models:
        raise GrognardError(f"{id!r} is no company on the table")
    reach, voice = charts().distance("shooting", "range"), charts().distance("spacing", "from_leader")
    fans = [Fan(m.x / 100, m.y / 100, m.heading, 180, reach / 100, "rifles") for m in unit.models]
    return field_of_fire(looks_of(battle), unit, fans, [Ring(voice // 100, "the leader's voice")], reach)


def wrong_with(battle: Field) -> Iterator[str]:
    """2.3: what the rules promise of every state."""
    for wrong in invariants.standing(battle, battle.units(), lambda one, other: False):
        yield wrong.says
    closed = [battle.table.area(piece) for piece in battle.table.pieces if shut(battle.table, piece)]
    for unit in battle.units():
        if any(bodies.shape(body).intersects(area) for body in battle.bodies(unit) for area in closed):
            yield f"{battle.name(unit)} stands in what is shut"
