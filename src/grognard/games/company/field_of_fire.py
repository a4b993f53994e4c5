"""Fields of fire: the arcs and ranges of a Unit's weapons, and how far its Leader or the commander reaches."""

from __future__ import annotations

from collections.abc import Iterator

from grognard.board.table.places import measured
from grognard.core.aid_views import Fan, FieldView, Ring
from grognard.core.errors import GrognardError
from grognard.games.company import volley
from grognard.games.company.battle import CompanyBattle
from grognard.games.company.charts import charts
from grognard.games.company.cover import looks_of
from grognard.games.company.state import Platoon, Team
from grognard.games.company.volley import Shot
from grognard.kits.table import field_of_fire as kit
from grognard.kits.table.state import ON_TABLE


def field_of_fire(battle: CompanyBattle, unit_id: str) -> FieldView:
    """The field of fire of a Unit on the table."""
    unit = battle.state.units.get(unit_id)
    if unit is None or unit.status != ON_TABLE or not unit.models:
        raise GrognardError(f"{unit_id!r} is not a unit on the table; give the id of one, such as g3")
    far = max(volley.reach(battle.team_type(team)) for team in unit.models)
    rings = sorted(_rings(battle, unit), key=lambda ring: ring.range)
    return kit.field_of_fire(looks_of(battle), unit, [*_fans(battle, unit), *_helps(battle, unit)], rings, far)


def _fans(battle: CompanyBattle, unit: Platoon) -> Iterator[Fan]:
    """An arc for each weapon: of equal ones on foot only that of the middle Team (6.3, 6.11)."""
    bearers: dict[tuple[Shot, int], list[Team]] = {}
    for team in unit.models:
        heading = 0 if battle.team_type(team).infantry else volley.facing(team)
        for shot in volley.shots(team.kind):
            if not shot.shell:
                bearers.setdefault((shot, heading), []).append(team)
    arcs = charts()["arcs"]
    for (shot, heading), teams in bearers.items():
        team = teams[len(teams) // 2]
        width = int(arcs[battle.team_type(team).type])
        far = shot.weapon.range
        words = f"{shot.weapon.title} ({measured(2 * far, battle.measure)} at long range)"
        yield Fan(team.x / 100, team.y / 100, heading, width, far / 100, words)


def _helps(battle: CompanyBattle, unit: Platoon) -> Iterator[Fan]:
    """How far a Leader on foot and a commander help Teams, about the stand that he is (14.3, 14.7)."""
    lead = unit.models[0] if battle.is_commander(unit) else battle.leader(unit)
    if lead is not None and not lead.aboard and battle.team_type(lead).infantry:
        reach = charts().distance("leaders", "reach")
        far = (reach + battle.foot(unit, lead).narrowest) / 100
        words = f"{battle.team_name(unit, lead)} helps, from his middle"
        yield Fan(lead.x / 100, lead.y / 100, 0, 360, far, words)


def _rings(battle: CompanyBattle, unit: Platoon) -> Iterator[Ring]:
    """How near the enemy can be moved at without answer (7.1), and how far Leader and commander reach (5.1, 14.12)."""
    now = charts()
    if any(battle.team_type(team).weapons for team in unit.models):
        yield Ring(now.distance("reaction", "distance") // 100, "Reaction Fire")
    if battle.is_commander(unit):
        yield Ring(now.distance("leaders", "join_within") // 100, "joins a Unit under attack")
