"""Leaders (14): where the Leader is placed, the three helps, and what a commander does for his company.

Who joins a platoon, under attack or to act with it, stands among its Teams for that time: he is dealt hits, saves,
moves and fires as they do, and no rule needs a word for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import shapely
from shapely.geometry.base import BaseGeometry

from grognard.board.table import bodies, formations
from grognard.board.table.bodies import HAIR, Body
from grognard.board.table.footing import Footing
from grognard.board.table.stand_area import StandArea
from grognard.board.table.ways import Placed, Zone
from grognard.core.ask import Ask, Bar, Option, Procedure
from grognard.core.poses import Pose, place
from grognard.games.company import casualties, command_events, ground
from grognard.games.company.battle import CompanyBattle
from grognard.games.company.charts import charts
from grognard.games.company.cohesion import Ties, bound
from grognard.games.company.state import CC, FO, PL, Platoon, Team, everybody, living
from grognard.kits.table import moving
from grognard.kits.table.state import ABOARD, LOST, ON_TABLE

#: What a commander's Team is called, in whatever platoon he stands.
CC_ID = "cc"


class Helper(NamedTuple):
    """Somebody who can help a Team now: his platoon, or the commander's; where he stands; and who he is."""

    unit: Platoon
    body: Body
    commander: bool


# ---- where the commander is ----------------------------------------------------------------------------------


def captain(battle: CompanyBattle, side: str) -> tuple[Platoon, Team] | None:
    """A side's commander with the platoon among whose Teams he stands, his own or one that he has joined."""
    company = battle.company(side)
    own = battle.state.units.get(company.commander)
    if own is None or own.status == LOST:
        return None
    holder = battle.unit(own.aboard) if own.status == ABOARD else own
    if holder.status != ON_TABLE:
        return None
    return next(((holder, team) for team in holder.models if battle.team_type(team).leader == CC), None)


# ---- the three helps (14.3 to 14.5, 14.7, 14.15) -------------------------------------------------------------


def helpers(battle: CompanyBattle, unit: Platoon) -> list[Helper]:
    """Who can still help a Team of a Unit in this Initiative: its Leader (14.3, 14.17), the commander (14.15)."""
    found, now = [], battle.state.initiative
    leader = next((team for team in unit.models if team.id == unit.leader), None)
    if leader is not None and battle.team_type(leader).leader == PL and unit.helped != now:
        found.append(Helper(unit, battle.body(unit, leader), False))
    there = captain(battle, unit.side)
    if there is not None and battle.company(unit.side).helped != now:
        found.append(Helper(battle.unit(battle.company(unit.side).commander), battle.body(*there), True))
    return found


def within(battle: CompanyBattle, helper: Helper, unit: Platoon, team: Team) -> bool:
    """Whether a Team stands within a helper's 2 inches (14.3)."""
    reach = charts().distance("leaders", "reach")
    return bodies.gap(helper.body, battle.body(unit, team)) <= reach + HAIR


def _help(battle: CompanyBattle, helper: Helper) -> None:
    """His help of this Initiative is spent (14.3, 14.15)."""
    if helper.commander:
        battle.company(helper.unit.side).helped = battle.state.initiative
    else:
        helper.unit.helped = battle.state.initiative


def _called(battle: CompanyBattle, helper: Helper) -> str:
    return "The commander" if helper.commander else f"The Leader of {battle.name(helper.unit)}"


def hurriers(battle: CompanyBattle, unit: Platoon) -> list[Helper]:
    """Who could have a Team of a Unit move 4 inches more, in an Initiative of its own (14.3, 14.15)."""
    return helpers(battle, unit) if battle.state.side == unit.side else []


def hurry(battle: CompanyBattle, unit: Platoon, team: Team) -> None:
    """A Team has ended its longer move by whoever hurried it (14.3)."""
    helper = next(each for each in hurriers(battle, unit) if within(battle, each, unit, team))
    _help(battle, helper)
    battle.emit(
        command_events.Hurried(
            side=unit.side,
            helper=_called(battle, helper),
            unit=unit.id,
            team=battle.team_name(unit, team),
            rules=("14.3",),
        )
    )


def direct(battle: CompanyBattle, unit: Platoon, misses: Mapping[str, int]) -> Procedure[str]:
    """Ask whose dice that missed are thrown again: the Team, "" for nobody's (14.4).

    ``misses`` are the dice that missed by Team; it may be asked again as long as somebody is chosen (14.15), and no
    die is thrown a third time (6.31).
    """
    free = helpers(battle, unit)
    near = {
        team.id: helper
        for helper in reversed(free)
        for team in unit.models
        if misses.get(team.id) and within(battle, helper, unit, team)
    }
    if not near:
        return ""

    def options() -> Iterator[Option]:
        for id in sorted(near, key=lambda id: -misses[id]):
            dice = f"{misses[id]} {'die' if misses[id] == 1 else 'dice'}"
            label = f"{_called(battle, near[id])} directs {battle.team_name(unit, battle.team(unit, id))}: {dice} again"
            yield Option(f"direct {id}", label, "direct", unit.id, rule="14.4", model=id)
        yield Option("pass", "Leave the dice as they are", "pass", unit.id, rule="14.4")

    prompt = f"{battle.name(unit)}: throw misses again?"
    answer = yield Ask(unit.side, prompt, options, reaction="leader", rule="14.4", meanwhile="pass")
    id = answer.removeprefix("direct ")
    if id not in near:
        return ""
    _help(battle, near[id])
    name, who = battle.team_name(unit, battle.team(unit, id)), _called(battle, near[id])
    battle.emit(command_events.Directed(side=unit.side, helper=who, unit=unit.id, team=name, rules=("14.4",)))
    return id


def shifts(battle: CompanyBattle, unit: Platoon) -> list[Option]:
    """To whom a helper can have the markers of a Team moved (14.5, 14.19), in an Initiative of its own."""
    if battle.state.side != unit.side:
        return []
    found, free = [], helpers(battle, unit)
    for team in unit.models:
        if not team.marks or not any(within(battle, helper, unit, team) for helper in free):
            continue
        for other in everybody(unit):
            if other is team or battle.team_type(other).leader in (FO, CC):
                continue
            for marks in range(team.marks, 0, -1):
                key = f"shift {team.id} {other.id}" + (f" {marks}" if marks < team.marks else "")
                what = "suppression" if marks == team.marks else f"{marks} of the markers"
                text = f"Move {what} from {battle.team_name(unit, team)} to {battle.team_name(unit, other)}"
                found.append(Option(key, text, "shift", unit.id, rule="14.5", model=team.id))
    return found


def shift(battle: CompanyBattle, unit: Platoon, key: str) -> None:
    """Move markers of a Team by a helper to another of its Unit (14.5, 14.19)."""
    _, one, two, *count = key.split()
    team, other = battle.team(unit, one), battle.team(unit, two)
    helper = next(each for each in helpers(battle, unit) if within(battle, each, unit, team))
    marks = int(count[0]) if count else team.marks
    team.marks, other.marks = team.marks - marks, other.marks + marks
    other.watch = False
    _help(battle, helper)
    battle.emit(
        command_events.MarksShifted(
            side=unit.side,
            helper=_called(battle, helper),
            unit=unit.id,
            team=battle.team_name(unit, team),
            other=battle.team_name(unit, other),
            marks=marks,
            rules=("14.5", "14.19"),
        )
    )


# ---- placing the Leader (14.2, 14.17) ------------------------------------------------------------------------


def bar_lead(battle: CompanyBattle, unit: Platoon) -> Bar | None:
    """Why the Leader of a Unit cannot be placed (14.2, 14.17); None if he can."""
    leader = battle.leader(unit)
    if leader is None:
        return Bar("14.6", "it doesn't have a Leader")
    if battle.team_type(leader).leader != PL or not battle.team_type(leader).infantry:
        return Bar("14.17", "only a Leader on foot is placed")
    if leader not in unit.models:
        return Bar("14.17", "its Leader is aboard a vehicle")
    if not any(team is not leader and bound(battle, team) for team in unit.models):
        return Bar("14.2", "its Leader has nobody else to stand by")
    return None


class LeaderArea(StandArea):
    """Where the Leader of a Unit may be placed: within 6 inches of a Team, with half in cohesion (14.17)."""

    def __init__(self, battle: CompanyBattle, unit: Platoon) -> None:
        now = charts()
        self.far = now.distance("cohesion", "distance")
        stand = battle.bodies(unit)
        self.number = next(n for n, team in enumerate(unit.models) if team.id == unit.leader)
        self.others = [n for n, team in enumerate(unit.models) if n != self.number and bound(battle, team)]
        self.ties = Ties(battle, unit, unit.models, stand, [self.number])
        own = stand[self.number]
        near = shapely.union_all([bodies.shape(stand[n], self.far + own.foot.farthest) for n in self.others])
        footing = Footing(battle.table, Bar("14.17", "it would leave the table"))
        away = Bar("14.17", "it is farther than 6″ from every other Team of its Unit")
        ways = Placed(near, [Zone(near)] * len(stand), [footing] * len(stand), self.far, away)
        super().__init__(
            unit.id,
            [team.id for team in unit.models],
            stand,
            [ways],
            room=ground.room(battle, unit),
            within=self._by_his_men,
            outside=Bar("14.17", "too few Teams would be in cohesion with their Leader"),
            names=[formations.AS_THEY_STAND],
            spacing=now.distance("distances", "spacing"),
            party=[self.number],
            label="The Leader goes there",
            rule="14.2",
        )

    def _by_his_men(self, form: str, heading: int) -> BaseGeometry:
        own = self.known[self.number].at(0, 0, self.heading(form, heading, self.number))
        near = shapely.union_all([bodies.sum_of(self.known[n], own, self.far) for n in self.others])
        held = self.ties.within({self.number: (0, 0)}, lambda number: own.heading)
        return near if held is None else near.intersection(held)


def lead(battle: CompanyBattle, unit: Platoon) -> Procedure[None]:
    """Ask where the Leader goes, and place him: it is no move (14.2, 14.17, 10.13)."""
    area = LeaderArea(battle, unit)
    stay = Option("stay", "Leave him where he is", "stay", unit.id, rule="14.2")
    pose = yield from moving.ask_pose(
        unit.side,
        f"{battle.name(unit)}: where does its Leader go?",
        lambda: [stay, *_by_teams(battle, unit, area)],
        lambda: area,
        rule="14.2",
    )
    if not isinstance(pose, Pose):
        return
    leader, there = unit.models[area.number], area.stand(pose, area.ends(pose))[area.number]
    leader.x, leader.y, leader.heading = there.x, there.y, there.heading
    battle.invalidate(unit)
    battle.emit(
        command_events.LeaderPlaced(side=unit.side, unit=unit.id, place=place(leader.x, leader.y), rules=("14.2",))
    )


def _by_teams(battle: CompanyBattle, unit: Platoon, area: LeaderArea) -> Iterator[Option]:
    """A place beside each of the other Teams."""
    own = area.known[area.number]
    for n in area.others:
        other = area.known[n]
        far = other.foot.farthest + own.foot.farthest + 5
        for by in (180, 135, 225, 90, 270, 0):
            x, y = bodies.onward(other.x, other.y, other.heading + by, far)
            pose = Pose(x, y, own.heading, area.names[0])
            if area.allows(pose):
                text = f"By {battle.team_name(unit, unit.models[n])}"
                yield Option(pose.key(area.verb), text, area.verb, unit.id, pose.place, rule="14.2")
                break


# ---- a check thrown again (14.8, 14.9, 14.20) ----------------------------------------------------------------


def offer_reroll(battle: CompanyBattle, unit: Platoon, what: str, failing: str = "") -> Procedure[bool]:
    """Whether the commander has a failed check thrown again: once in each Initiative (14.8)."""
    company = battle.company(unit.side)
    if captain(battle, unit.side) is None or company.rerolled == battle.state.initiative:
        return False
    after = f"Otherwise {failing}." if failing else ""
    prompt = f"{battle.name(unit)} fails its check ({what}). Throw again? {after}".strip()
    options = [
        Option("reroll", "The commander has it thrown again", "reroll", unit.id, rule="14.8"),
        Option("keep", "Let it stand", "keep", unit.id, rule="14.8"),
    ]
    answer = yield Ask(unit.side, prompt, options, reaction="commander", rule="14.8", meanwhile="keep")
    if answer == "keep":
        return False
    company.rerolled = battle.state.initiative
    battle.emit(command_events.CheckThrownAgain(side=unit.side, unit=unit.id, rules=("14.8",)))
    return True


def pay(battle: CompanyBattle, unit: Platoon) -> Procedure[None]:
    """A Unit is removed by a check that its commander had thrown again: he goes too (14.9)."""
    there = captain(battle, unit.side)
    if there is not None:
        battle.emit(command_events.CommanderPays(side=unit.side, unit=unit.id, rules=("14.9",)))
        yield from casualties.lose(battle, there[0], there[1].id, ("14.9",))


# ---- joining (14.12, 14.14, 14.16) ---------------------------------------------------------------------------


def join(battle: CompanyBattle, target: Platoon) -> Procedure[Platoon]:
    """Whom an attack is made on: a commander joins a Unit within 6 inches, if there is one (14.12, 14.16).

    Where several are near his owner chooses. `part` ends it if another platoon than the target is given back.
    """
    if not battle.is_commander(target):
        return target
    near = charts().distance("leaders", "join_within")
    units = [unit for unit in battle.platoons(target.side) if battle.gap(unit, target) <= near + HAIR]
    if not units:
        return target
    unit = units[0]
    if len(units) > 1:
        options = [Option(f"join {u.id}", battle.name(u), "join", target.id, target=u.id, rule="14.12") for u in units]
        nearest = min(units, key=lambda unit: (battle.gap(unit, target), unit.n))
        prompt = "Your commander is under attack: which Unit does he join?"
        answer = yield Ask(target.side, prompt, options, reaction="join", rule="14.12", meanwhile=f"join {nearest.id}")
        unit = battle.unit(answer.split()[1])
    _among(battle, target, unit, ("14.12",))
    return unit


def bar_act_with(battle: CompanyBattle, unit: Platoon) -> Bar | None:
    """Why the commander cannot act with a Unit (14.14); None if he can."""
    there = captain(battle, unit.side)
    if there is None or battle.is_commander(unit):
        return Bar("14.14", "its company doesn't have a commander on the table")
    own = battle.unit(battle.company(unit.side).commander)
    if own.status == ABOARD or own.acted == battle.state.turn:
        return Bar("14.14", "the commander has acted this turn")
    return None


def act_with(battle: CompanyBattle, unit: Platoon) -> None:
    """The commander takes part in a Unit's activation, until `part` (14.14)."""
    own = battle.unit(battle.company(unit.side).commander)
    own.acted = battle.state.turn
    for team in own.models:
        team.moved = team.fired = team.ran = team.watch = False
    _among(battle, own, unit, ("14.14",))


def _among(battle: CompanyBattle, own: Platoon, unit: Platoon, rules: tuple[str, ...]) -> None:
    """A commander stands among the Teams of a platoon."""
    team = own.models[0]
    team.id = CC_ID
    own.models, own.status, own.aboard = [], ABOARD, unit.id
    unit.models = [*unit.models, team]
    battle.company(unit.side).joined = unit.id
    battle.invalidate()
    battle.emit(command_events.CommanderJoins(side=unit.side, unit=unit.id, rules=rules))


def part(battle: CompanyBattle, side: str) -> Procedure[None]:
    """A commander who had joined a platoon is by himself again; if he was its last Team it is destroyed."""
    company = battle.company(side)
    there = captain(battle, side)
    joined, company.joined = company.joined, ""
    if not joined or there is None or there[0].id != joined:
        return
    unit, team = there
    own = battle.unit(company.commander)
    unit.models = [other for other in unit.models if other is not team]
    own.models, own.status, own.aboard = [team], ON_TABLE, ""
    battle.invalidate()
    if not living(unit):
        yield from casualties.destroy(battle, unit, ("14.12",))


# ---- a new Leader (14.13) ------------------------------------------------------------------------------------


def bar_appoint(battle: CompanyBattle, unit: Platoon, team: Team) -> Bar | None:
    """Why a Team cannot be made its Unit's new Leader (14.13); None if it can."""
    there, company = captain(battle, unit.side), battle.company(unit.side)
    if unit.leader or battle.is_commander(unit):
        return Bar("14.13", "its Leader hasn't been killed")
    if there is None:
        return Bar("14.13", "its company doesn't have a commander on the table")
    if company.appointed == battle.state.initiative or battle.state.side != unit.side:
        return Bar("14.13", "the commander appoints one Leader in each Initiative of his own")
    near = charts().distance("distances", "appoint")
    if team not in unit.models or bodies.gap(battle.body(*there), battle.body(unit, team)) > near + HAIR:
        return Bar("14.13", "it isn't within 2 inches of the commander")
    if battle.team_type(team).tank and _leader_kinds(battle, unit):
        return Bar(
            "14.13", "its Leader goes on foot, and a vehicle isn't replaced by him", battle.team_name(unit, team)
        )
    return Bar("15.14", "an observer leads nobody") if battle.team_type(team).observer else None


def _leader_kinds(battle: CompanyBattle, unit: Platoon) -> list[str]:
    """The kind of the stand that leads such a Unit; nothing where one of its vehicles does (14.17)."""
    return [kind for kind in battle.type(unit).kinds if battle.teams[kind].leader == PL]


def acts(battle: CompanyBattle, side: str) -> list[Option]:
    """What a commander may do beside the activations of his Initiative: appoint new Leaders (14.13)."""
    return [
        Option(
            f"appoint {unit.id} {team.id}",
            f"Make {battle.team_name(unit, team)} the Leader of {battle.name(unit)}",
            "appoint",
            unit.id,
            rule="14.13",
            model=team.id,
        )
        for unit in battle.platoons(side)
        if not unit.leader
        for team in unit.models
        if bar_appoint(battle, unit, team) is None
    ]


def act(battle: CompanyBattle, key: str) -> None:
    """Appoint a new Leader: a Leader's stand takes the place of the Team's, where the Unit had one (14.13)."""
    _, id, who = key.split()
    unit = battle.unit(id)
    team = battle.team(unit, who)
    name = battle.team_name(unit, team)
    if kinds := _leader_kinds(battle, unit):
        team.kind, team.turret = kinds[0], -1
    unit.leader = team.id
    battle.company(unit.side).appointed = battle.state.initiative
    battle.invalidate(unit)
    battle.emit(command_events.Appointed(side=unit.side, unit=unit.id, team=name, rules=("14.13",)))
