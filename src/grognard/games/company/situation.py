"""Situations: positions set by hand, for tests, puzzles and the referee at a real table.

A situation uses the words of a scenario, but every Team in it is placed. See docs/company.md.
"""

from __future__ import annotations

from typing import Any

import msgspec

from grognard.board.table import formations
from grognard.board.table.bodies import Body
from grognard.core.dice import ScriptedDice
from grognard.core.files import Document
from grognard.core.read_tables import Count, FilePath, each_record, read_record, read_whole, read_word
from grognard.core.situations import filled, table_of
from grognard.games.company.battle import CompanyBattle
from grognard.games.company.charts import MEASURE, charts
from grognard.games.company.invariants import barred, impossible
from grognard.games.company.reading import BLANK, read_kind, read_training
from grognard.games.company.roster import LETTERS, NATIONS, UnitType, leader_of, muster, roster, team_types
from grognard.games.company.scenario import Scenario
from grognard.games.company.state import INITIATIVE, PHASES, Cloud, Company, Platoon, State, Team, everybody
from grognard.games.company.victory import read_victory
from grognard.kits.table.reading import Number, on_table, read_heading
from grognard.kits.table.situation import SituationHead, TableSituation
from grognard.kits.table.state import LOST, ON_TABLE, STATUSES, UNPLACED

#: The marks of Teams that a Unit's table may have for all of them.
FLAGS = ("marks", "moved", "fired", "ran", "watch", "shot")


class _Head(SituationHead, kw_only=True):
    turns: Count = 8
    phase: str = INITIATIVE
    step: Count = 0
    initiative: Count = 1
    first: str = ""
    company: Any = {}
    exits: dict[str, str] = {}
    smoke: Any = []


_Team = table_of(
    Team,
    id=(str, ""),
    kind=(str, ""),
    at=(tuple[Number, Number] | None, None),
    heading=(int, -1),
    turret=(int, -1),
    without=("x", "y"),
)
_Unit = table_of(
    Platoon,
    without=("n", "models", "riders", "aboard"),
    id=(str, ""),
    side=(str, ""),
    status=(str, ""),
    training=(str, ""),
    leader=(str | None, None),
    at=(tuple[Number, Number] | None, None),
    heading=(int, 0),
    form=(str, formations.LINE),
    teams=(list[Any], []),
    riders=(list[Any], []),
    **{
        flag: (Count if flag in ("marks", "shot") else bool, 0 if flag in ("marks", "shot") else False)
        for flag in FLAGS
    },
)
_Company = table_of(Company, start=(Count | None, None), commander=(str | None, None))


class _Smoke(msgspec.Struct, kw_only=True):
    at: tuple[Number, Number]
    heading: int = 0
    until: Count = 99


def load_situation(doc: Document) -> tuple[Scenario, State]:
    """A position set by hand: a scenario and the state in it, or all the file's faults."""
    head = read_whole(doc, _Head)
    reader = _Reader(doc, head, _Unit, roster(), NATIONS, LETTERS, charts().kinds, MEASURE, BLANK)
    reader.check_sides(head, ("company", "lost", "nations"))
    scenario = Scenario(
        turns=max(head.turns, head.turn),
        victory=read_victory(doc, ("victory",), head.victory, reader.names),
        **reader.scenario_fields(),
    )
    state = reader.state()
    doc.check()
    battle = CompanyBattle(scenario, state, ScriptedDice())
    for wrong in (*impossible(battle), *barred(battle)):
        doc.fault(reader.place_of(wrong.unit, wrong.key, wrong.model), wrong.says, wrong.right)
    doc.check()
    return scenario, state


class _Reader(TableSituation[_Head]):
    """Turns the tables of a situation into a state."""

    def __init__(self, *known: Any) -> None:
        super().__init__(*known)
        self.units: dict[str, Platoon] = {}
        #: Where each Team is told of in the file, by its Unit and its id.
        self.spots: dict[tuple[str, str], FilePath] = {}

    def state(self) -> State:
        doc, head, names = self.doc, self.head, self.names
        read_word(doc, ("phase",), "phase", head.phase, PHASES)
        for key in ("first", "side"):
            if side := getattr(head, key):
                self.side((key,), side)
        for path, record in self.tables:
            self.read_unit(path, record)
        side = head.side or names[0]
        return State(
            units=self.units,
            phase=head.phase,
            step=head.step,
            turn=head.turn,
            side=side,
            initiative=head.initiative,
            first=head.first or side,
            companies={side: self.company(side) for side in names},
            clouds=self.read_smoke(),
            lost={side: list(head.lost.get(side, [])) for side in names},
            exits=dict(head.exits),
        )

    # -- units -------------------------------------------------------------------------------------------

    def read_unit(self, path: FilePath, record: Any) -> None:
        doc = self.doc
        kind = read_kind(doc, (*path, "kind"), record.kind)
        if record.status:
            read_word(doc, (*path, "status"), "status", record.status, STATUSES)
        heading = read_heading(doc, (*path, "heading"), record.heading)
        if kind is None:
            return
        side = self.side((*path, "side"), record.side or kind.nation)
        id = self.next_id(path, record, side)
        status = record.status or (ON_TABLE if record.at or record.teams else UNPLACED)
        models = self.read_teams(path, record, kind, heading)
        riders = self.read_riders(path, record, models, id)
        if status == LOST:
            models, riders = [], []
        for team in [*models, *riders]:
            self.mark(team, record)
        for number, team in enumerate(models):
            self.spots[id, team.id] = (*path, "teams", number) if record.teams else path
        unit = filled(
            Platoon,
            record,
            id=id,
            n=len(self.units) + 1,
            side=side,
            models=models,
            riders=riders,
            status=status,
            training=read_training(doc, (*path, "training"), record.training, kind),
            size=record.size or len(models) + len(riders),
            leader="",
        )
        unit.leader = leader_of(everybody(unit)) if record.leader is None else record.leader
        if unit.leader and unit.leader not in {team.id for team in everybody(unit)}:
            known = ", ".join(team.id for team in everybody(unit)) or "none"
            doc.fault((*path, "leader"), f'no Team "{unit.leader}" in {id}', f'one of {known}, or "" for none')
        self.units[id] = unit

    def mark(self, team: Team, record: Any) -> None:
        """What a Unit's table says of all its Teams."""
        for flag in FLAGS:
            if not getattr(team, flag):
                setattr(team, flag, getattr(record, flag))

    def read_teams(self, path: FilePath, record: Any, kind: UnitType, heading: int) -> list[Team]:
        """The Teams on the table: all of the Unit in a form at a place, or each where it is told."""
        if record.teams:
            return self.place_teams((*path, "teams"), record.teams, kind, heading)
        teams = muster(kind.kinds, heading)
        if record.at is not None:
            x, y = on_table(self.doc, (*path, "at"), self.table, *record.at)
            read_word(self.doc, (*path, "form"), "form", record.form, formations.FORMS)
            known, gap = team_types(), charts().distance("distances", "spacing")
            stand = [Body(0, 0, heading, known[team.kind].foot) for team in teams]
            for team, (at_x, at_y) in zip(teams, formations.lay_out(record.form, stand, x, y, heading, gap)):
                team.x, team.y = at_x, at_y
        elif record.status not in (LOST, UNPLACED):
            right = "at = [12, 30], or teams = [[12, 30], ...]"
            self.doc.fault(path, "a unit on the table without a place", right)
        return teams

    def place_teams(self, path: FilePath, entries: list[Any], kind: UnitType, heading: int) -> list[Team]:
        """Teams one by one: a bare place stands for the next Team of the roster's list."""
        doc, kinds, found = self.doc, kind.kinds, list[Team]()
        for number, entry in enumerate(entries):
            where = (*path, number)
            record = read_record(doc, where, entry if isinstance(entry, dict) else {"at": entry}, _Team)
            if record is None:
                continue
            given: Any = record
            if not given.kind and number >= len(kinds):
                doc.fault(where, f"more places than the {len(kinds)} Teams of {kind.name}", 'kind = "..." says which')
                continue
            team = self.team_of(where, given, given.kind or kinds[number], f"t{number + 1}", heading)
            if team is None:
                continue
            if given.at is None:
                doc.fault(where, "a Team without a place", "at = [12, 30]")
            else:
                team.x, team.y = on_table(doc, (*where, "at"), self.table, *given.at)
            if team.id in {other.id for other in found}:
                doc.fault((*where, "id"), f'the id "{team.id}" twice', "a different id")
            found.append(team)
        return found

    def team_of(self, where: FilePath, given: Any, kind: str, id: str, heading: int) -> Team | None:
        """A Team of the file."""
        doc, known = self.doc, team_types()
        if not read_word(doc, (*where, "kind"), "Team", kind, known):
            return None
        if given.heading >= 0:
            heading = read_heading(doc, (*where, "heading"), given.heading)
        turret = -1
        if given.turret >= 0 and not known[kind].turret:
            doc.fault((*where, "turret"), f"{known[kind].name} has no turret", "leave it out")
        elif known[kind].turret:
            turret = heading if given.turret < 0 else read_heading(doc, (*where, "turret"), given.turret)
        return filled(Team, given, id=given.id or id, kind=kind, heading=heading, turret=turret, x=0, y=0)

    def read_riders(self, path: FilePath, record: Any, models: list[Team], unit: str) -> list[Team]:
        """The Teams in or behind a vehicle: where it is."""
        doc, found = self.doc, list[Team]()
        on_foot = {team.id: team for team in models}
        for number, entry in enumerate(record.riders):
            where = (*path, "riders", number)
            given: Any = read_record(doc, where, entry, _Team)
            if given is None:
                continue
            team = self.team_of(where, given, given.kind, f"t{len(models) + number + 1}", 0)
            if team is None:
                continue
            carrier = on_foot.get(team.aboard)
            if carrier is None:
                known = ", ".join(on_foot) or "none"
                doc.fault((*where, "aboard"), f'no Team "{team.aboard}" of {unit} on the table', f"one of {known}")
                continue
            team.x, team.y, team.heading = carrier.x, carrier.y, carrier.heading
            self.spots[unit, team.id] = where
            found.append(team)
        return found

    def place_of(self, unit: str, key: str, team: str) -> FilePath:
        """Where in the file something is said that is wrong: a Unit's own line, or that of one of its Teams."""
        if (unit, team) in self.spots:
            return self.spots[unit, team]
        return (*self.places[unit], key) if unit and key else self.places.get(unit, ())

    # -- what else there is --------------------------------------------------------------------------------

    def company(self, side: str) -> Company:
        """What is remembered of a company; it began with the Units that it has and those that it lost."""
        path: FilePath = ("company", side)
        data = self.head.company.get(side, {}) if isinstance(self.head.company, dict) else {}
        record: Any = read_record(self.doc, path, data, _Company, {})
        kinds = roster()
        own = [unit for unit in self.units.values() if unit.side == side]
        here = [unit for unit in own if kinds[unit.kind].commander and unit.status != LOST]
        commander = next((unit.id for unit in here), "") if record.commander is None else record.commander
        if commander and commander not in {unit.id for unit in here}:
            known = ", ".join(unit.id for unit in here) or "none"
            self.doc.fault((*path, "commander"), f'no commander "{commander}"', f"one of {known}")
        start = record.start
        if start is None:
            lost = {*self.head.lost.get(side, []), *(unit.id for unit in own if not kinds[unit.kind].commander)}
            start = len(lost)
        return filled(Company, record, start=start, commander=commander)

    def read_smoke(self) -> list[Cloud]:
        """The squares of smoke: on the table, not yet gone, and where somebody could have laid them (15.12, 15.17)."""
        doc, found = self.doc, []
        for path, item in each_record(doc, ("smoke",), self.head.smoke):
            record = read_record(doc, path, item, _Smoke)
            if record is None:
                continue
            heading = read_heading(doc, (*path, "heading"), record.heading)
            x, y = on_table(doc, (*path, "at"), self.table, *record.at)
            if record.until < self.head.turn:
                says = f"smoke that hung until turn {record.until}, in turn {self.head.turn}"
                doc.fault((*path, "until"), says, f"until = {self.head.turn} or more")
            found.append(Cloud(x, y, heading, record.until))
        if found and not self.had_artillery():
            says = "smoke, but neither side has or had a Unit that fires barrages"
            doc.fault(("smoke", 0), says, 'no smoke, or the Unit that laid it, with status = "lost" if it is gone')
        return found

    def had_artillery(self) -> bool:
        """Whether some Unit may have laid smoke: it outlives its guns, and of Units merely named nobody knows."""
        known = team_types()
        gone = {id for ids in self.head.lost.values() for id in ids} | set(self.head.exits)
        return bool(gone - set(self.units)) or any(
            roster()[unit.kind].artillery or any(known[team.kind].howitzer for team in everybody(unit))
            for unit in self.units.values()
        )
