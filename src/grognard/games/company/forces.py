"""Forces: Units bought with points, held against the organisation table, in files and in words.

A force file is TOML::

    game = "company"
    title = "Grenadier company, Normandy"
    nation = "german"
    year = 1944
    points = 500             # what the force may cost
    [[unit]]
    kind = "ger_grenadiers"  # of units.toml
    count = 2
    training = "elite"       # another than the roster's
    teams = { ger_rifle_mg = 5 }  # other numbers of its Teams
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from grognard.core.files import Document
from grognard.core.folder_files import counted
from grognard.core.read_tables import Count, FilePath
from grognard.games.company.battle import CompanyBattle
from grognard.games.company.charts import FOLDER, charts
from grognard.games.company.reading import read_kind, read_teams, read_training
from grognard.games.company.roster import NATIONS, TeamCount, UnitType, cost, roster, team_types
from grognard.games.company.scenario import Scenario
from grognard.kits.table import forces as kit
from grognard.kits.table.forces import Force, Role
from grognard.kits.table.state import EXITED, LOST

#: How many of a line of a force file there may be.
MOST = 20
_EXAMPLES = {"core": "ger_grenadiers"}


class Order(kit.Line, kw_only=True):
    """A line of a force: so many Units of a kind, with another training or other numbers of Teams."""

    training: str = ""
    teams: dict[str, Count] = {}


def buy(doc: Document, path: FilePath, order: Order, base: UnitType) -> UnitType:
    """A Unit of the roster as it was ordered; what cannot be is a fault."""
    if not 1 <= order.count <= MOST:
        doc.fault((*path, "count"), f"{order.count} of them", f"1 to {MOST}")
    training = read_training(doc, (*path, "training"), order.training, base)
    kinds = read_teams(doc, (*path, "teams"), base, order.teams)
    if training == base.training and list(kinds) == base.kinds:
        return base
    counts = {kind: kinds.count(kind) for kind in dict.fromkeys(kinds)}
    mark = "".join(f".{kind}{count}" for kind, count in counts.items()) if list(kinds) != base.kinds else ""
    teams = tuple(TeamCount(kind, count) for kind, count in counts.items())
    return replace(base, id=f"{base.id}.{training}{mark}", training=training, teams=teams)


def read_force(doc: Document) -> Force[UnitType]:
    """A force from its file; all of its faults are raised together, those of its organisation among them."""
    force = kit.read_force(
        doc,
        FOLDER.name,
        NATIONS,
        Order,
        lambda path, kind: read_kind(doc, path, kind),
        lambda path, order, base: buy(doc, path, order, base),
    )
    kit.check_roles(doc, force, charts().organisation, "2.1", example=_example)
    kit.check_price(doc, force)
    doc.check()
    return force


def _example(role: Role) -> str:
    return _EXAMPLES.get(role.id, role.id)


def check_force(doc: Document) -> list[str]:
    """A force file in words, line by line: every Unit with its price, and the sum."""
    force = read_force(doc)
    limit = f" of {force.limit}" if force.limit else ""
    commanders = sum(bought.number for bought in force.units if bought.type.commander)
    units = force.size - commanders
    total = f"{force.points:5}  points{limit}, {units} Unit{'' if units == 1 else 's'}"
    if not commanders:
        total += ", no commander: with half of its Units lost the company retreats"
    return [*kit.force_lines(force, NATIONS, describe), total]


def describe(kind: UnitType) -> str:
    """A Unit in a line: its name, its training and its Teams."""
    known = team_types()
    teams = [f"{each.count} {known[each.team].name}" for each in kind.teams]
    return f"{kind.name} ({', '.join([charts().trainings[kind.training].title, *teams])})"


# ---- forces and losses in words ------------------------------------------------------------------------------


def in_words(scenario: Scenario) -> dict[str, list[str]]:
    """The force of each side in words, with its points."""
    kinds, found = roster(), {}
    for side in scenario.side_names:
        own = [placing for placing in scenario.units if placing.side == side]
        lines = counted(placing.name or kinds[placing.kind].name for placing in own)
        lines.append(f"{sum(cost(list(placing.teams), placing.training) for placing in own)} points")
        found[side] = lines
    return found


def losses(battle: CompanyBattle) -> dict[str, list[str]]:
    """What each side has lost: Units that are gone, Teams of those that are not, and who left the table."""
    found = {}
    for side in battle.sides:
        units = battle.units(side, on_table=False)
        gone = _names(battle, (unit.kind for unit in units if unit.status == LOST))
        left = [f"{name} (left the table)" for name in _names(battle, (u.kind for u in units if u.status == EXITED))]
        here = [unit for unit in units if unit.status not in (LOST, EXITED)]
        teams = sum(unit.size - len(unit.models) - len(unit.riders) for unit in here)
        found[side] = [*gone, *left]
        if teams > 0:
            found[side].append(f"{teams} Team{'s' if teams > 1 else ''} of other Units")
    return found


def _names(battle: CompanyBattle, kinds: Iterable[str]) -> list[str]:
    return counted(battle.kinds[kind].name for kind in kinds)
