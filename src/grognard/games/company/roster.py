"""The Teams and the Units of units.toml: what each is by rule, and the Teams a Unit takes the field with."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial

import msgspec

from grognard.board.table.bodies import Footprint
from grognard.core.files import Document
from grognard.core.unit_files import read_unit_table, user_units
from grognard.games.company.charts import FOLDER, Weapon, charts
from grognard.games.company.state import CC, FO, PL, Team

NATIONS = {"german": "German", "american": "American", "soviet": "Soviet", "british": "British"}
#: The letter that ids of a nation's Units begin with.
LETTERS = {"german": "g", "american": "a", "soviet": "s", "british": "b"}

#: The types of Team (2.2), and the role of a company's commander.
INFANTRY, GUN, TANK = "infantry", "gun", "tank"
TYPES = (INFANTRY, GUN, TANK)
COMMANDER = "commander"


class TeamType(msgspec.Struct, frozen=True, kw_only=True):
    """What a Team is by rule."""

    id: str
    name: str
    nation: str
    type: str
    footprint: str
    points: int
    provenance: str = ""
    years: tuple[int, int] = (1939, 1945)
    weapons: tuple[str, ...] = ()
    armored: bool = False
    armor: int = 0
    turret: bool = False
    leader: str = ""
    tank_assault: int = 0
    transport: int = 0

    @property
    def infantry(self) -> bool:
        """Whether it is an Infantry Team (2.2)."""
        return self.type == INFANTRY

    @property
    def gun(self) -> bool:
        """Whether it is a Gun Team (2.2)."""
        return self.type == GUN

    @property
    def tank(self) -> bool:
        """Whether it is a Tank Team: any vehicle (2.4)."""
        return self.type == TANK

    @property
    def soft_skin(self) -> bool:
        """Whether it is a vehicle without armour (9.1)."""
        return self.tank and not self.armored

    @property
    def observer(self) -> bool:
        """Whether it is a Forward Observer (15.14)."""
        return self.leader == FO

    @property
    def arms(self) -> tuple[Weapon, ...]:
        """Its weapons as the chart has them."""
        known = charts().weapons
        return tuple(known[id] for id in self.weapons)

    @property
    def howitzer(self) -> bool:
        """Whether it can fire a barrage (15.1)."""
        return any(weapon.barrage_fp for weapon in self.arms)

    @property
    def foot(self) -> Footprint:
        """Its base."""
        return charts().footprints[self.footprint]


class TeamCount(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """So many Teams of a kind."""

    team: str
    count: int = 1


class UnitType(msgspec.Struct, frozen=True, kw_only=True):
    """What a Unit is by rule. ``role`` is its place in the organisation table."""

    id: str
    name: str
    nation: str
    role: str
    training: str
    teams: tuple[TeamCount, ...]
    provenance: str = ""

    @property
    def kinds(self) -> list[str]:
        """The kind of each of its Teams, in order."""
        return [each.team for each in self.teams for _ in range(each.count)]

    @property
    def types(self) -> list[TeamType]:
        """What each of its Teams is by rule, in order."""
        known = team_types()
        return [known[kind] for kind in self.kinds]

    @property
    def commander(self) -> bool:
        """Whether it is a company's commander, who is no Unit (14.14)."""
        return self.role == COMMANDER

    @property
    def all_tanks(self) -> bool:
        """Whether it is a Tank Unit (12.4)."""
        return all(type.tank for type in self.types)

    @property
    def artillery(self) -> bool:
        """Whether it has guns enough for a barrage (15.9)."""
        return sum(type.howitzer for type in self.types) >= charts().number("barrage", "least_guns")

    @property
    def vehicle(self) -> bool:
        """Whether it goes as vehicles do: where it is set up, cover is not looked for first."""
        return self.all_tanks

    @property
    def years(self) -> tuple[int, int]:
        """From when to when it can take the field: as long as all its Teams."""
        types = self.types
        return max(type.years[0] for type in types), min(type.years[1] for type in types)

    @property
    def points(self) -> int:
        """What it costs with its own training."""
        return cost(self.kinds, self.training)


def cost(kinds: list[str], training: str) -> int:
    """What Teams cost with a training: the sum of their points, less for Green and more for Elite."""
    known = team_types()
    part: float = charts()["points"][training]
    return int(sum(known[kind].points for kind in kinds) * part + 0.5)


# ---- the files -------------------------------------------------------------------------------------------

Roster = tuple[dict[str, TeamType], dict[str, UnitType]]
_TABLES = ("team", "unit")


def team_types() -> dict[str, TeamType]:
    """Every kind of Team by id: ours, with the user's own laid over them."""
    return _in_force()[0]


def roster() -> dict[str, UnitType]:
    """Every kind of Unit by id: ours, with the user's own laid over them."""
    return _in_force()[1]


@cache
def _in_force() -> Roster:
    theirs = user_units(FOLDER.name)
    return load_units(Document.read(theirs) if theirs.exists() else None)


def load_units(theirs: Document | None) -> Roster:
    """Our Teams and Units with those of a user's document laid over them, or all its faults."""
    teams = read_unit_table(FOLDER, TeamType, theirs, _team_faults, "team", _TABLES)
    units = read_unit_table(FOLDER, UnitType, theirs, partial(_unit_faults, teams), "unit", _TABLES)
    if theirs is not None:
        theirs.check()
    return teams, units


def _team_faults(team: TeamType) -> list[str]:
    """What does not fit together in a Team's data."""
    now, wrong = charts(), []
    for word, known, what in (
        (team.type, TYPES, "type"),
        (team.footprint, now.footprints, "footprint"),
        (team.nation, NATIONS, "nation"),
        (team.leader, ("", PL, CC, FO), "leader"),
    ):
        if word not in known:
            wrong.append(f'no {what} "{word}": one of {", ".join(filter(None, known))}')
    wrong += [f'no weapon "{id}"' for id in team.weapons if id not in now.weapons]
    if not team.tank and (team.turret or team.armored or team.transport):
        wrong.append("only a Tank Team has a turret, armour or room for others")
    if team.armored != bool(team.armor):
        wrong.append("an armored Team needs its armor, the number that it saves on, and no other Team has one")
    if team.years[0] > team.years[1]:
        wrong.append(f"the years {team.years[0]} to {team.years[1]}")
    return wrong


def _unit_faults(teams: Mapping[str, TeamType], unit: UnitType) -> list[str]:
    """What does not fit together in a Unit's data."""
    now = charts()
    wrong = [f'no Team "{each.team}"' for each in unit.teams if each.team not in teams]
    if unit.training not in now.trainings:
        wrong.append(f'no training "{unit.training}": one of {", ".join(now.trainings)}')
    if unit.nation not in NATIONS:
        wrong.append(f'no nation "{unit.nation}": one of {", ".join(NATIONS)}')
    if unit.role not in now.organisation:
        wrong.append(f'no role "{unit.role}": one of {", ".join(now.organisation)}')
    if wrong or not unit.teams:
        return wrong or ["a Unit without Teams"]
    types = [teams[each.team] for each in unit.teams for _ in range(each.count)]
    if any(each.count < 1 for each in unit.teams):
        return ["at least one Team of each kind"]
    leaders = [type.leader for type in types]
    if unit.commander:
        return [] if leaders == [CC] else ["a commander is one Team, whose leader is cc"]
    if CC in leaders:
        wrong.append("a commander is a Unit of his own")
    if leaders.count(PL) > 1:
        wrong.append(f"{leaders.count(PL)} Platoon Leaders")
    if PL not in leaders and not all(type.tank for type in types):
        wrong.append("a Unit with Infantry or Gun Teams needs a Platoon Leader")
    if FO in leaders and sum(type.howitzer for type in types) < now.number("barrage", "least_guns"):
        wrong.append("only artillery has a Forward Observer")
    return wrong


# ---- mustering -------------------------------------------------------------------------------------------


def muster(kinds: list[str], heading: int = 0) -> list[Team]:
    """Fresh Teams of these kinds, t1, t2, … in order, not yet placed."""
    known = team_types()
    return [
        Team(f"t{number}", heading=heading, kind=kind, turret=heading if known[kind].turret else -1)
        for number, kind in enumerate(kinds, 1)
    ]


def leader_of(teams: list[Team]) -> str:
    """Who leads: the Platoon Leader, or of a Tank Unit without one its first Team (14.17); "" where nobody does."""
    known = team_types()
    led = [team.id for team in teams if known[team.kind].leader == PL]
    tanks = [team.id for team in teams if all(known[each.kind].tank for each in teams)]
    return next(iter([*led, *tanks]), "")
