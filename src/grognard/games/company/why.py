"""Why something is not offered: the same bars that left it out of the options, with their rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from grognard.core.ask import Bar
from grognard.core.poses import Pose, point
from grognard.core.reasons import Reason, Reasons, Wish, some, unless_one_works
from grognard.games.company import activation, charge, firing, indirect, leaders, movement, reactions, turn, volley
from grognard.games.company.activation import STEPS
from grognard.games.company.battle import CompanyBattle
from grognard.games.company.charts import charts
from grognard.games.company.state import INITIATIVE, Platoon, everybody
from grognard.games.company.turn_events import Activated, FailedToActivate
from grognard.games.company.volley import MODES, WORDS
from grognard.kits.table.state import ON_TABLE

#: Words of answers that are neither units, places nor verbs of this table.
ANSWERS = ("all", "nothing", "rest", *filter(None, WORDS))
ACTIONS = tuple(charts().actions)


# ---- what a Unit does with its activation --------------------------------------------------------------------


def under_way(battle: CompanyBattle, wish: Wish) -> bool:
    """Whether the Unit has just been activated: the answers before say so, and more is asked than that."""
    more = set(wish.words) - {"activate", *(unit.id for unit in (*wish.own, *wish.others))}
    return "activate" in wish.words and bool(more or wish.others) and wish.own[0].acted == battle.state.turn


def _passed(battle: CompanyBattle, unit: Platoon) -> bool:
    """Whether its last check was passed."""
    checks = (event for event in reversed(battle.log) if isinstance(event, Activated | FailedToActivate))
    return next((isinstance(event, Activated) for event in checks if event.unit == unit.id), True)


def _activate(battle: CompanyBattle, wish: Wish) -> Iterator[Bar]:
    return some(turn.bar_activate(battle, wish.own[0]))


def _action(battle: CompanyBattle, wish: Wish) -> Iterator[Bar]:
    """Why a Unit does not take an action, or not against that target or to that place (3.3)."""
    unit = wish.own[0]
    acting = under_way(battle, wish)
    if not acting and (bar := turn.bar_activate(battle, unit)):
        yield bar
        return
    if bar := activation.bar_action(battle, unit, wish.verb, not acting or _passed(battle, unit)):
        yield bar
    for target in wish.targets:
        yield from some(_attack(battle, unit, wish.verb, target))
    steps = STEPS.get(wish.verb)
    for word in wish.places if steps is not None and steps.moves else ():
        x, y = point(word)
        pose = Pose(x, y, unit.models[0].heading if unit.models else 0)
        yield from some(movement.bar_pose(battle, unit, steps.moves, pose)) if steps is not None else ()


def _attack(battle: CompanyBattle, unit: Platoon, verb: str, target: Platoon) -> Bar | None:
    if verb == activation.ASSAULT:
        return charge.bar(battle, unit, target) if target.side != unit.side else Bar("13.1", "it is on your side")
    if verb == activation.BARRAGE:
        return indirect.bar_range(battle, unit, target)
    steps = STEPS.get(verb)
    mode = (steps.first or steps.last) if steps is not None else "fire"
    return volley.bar_target(battle, unit, target, _modes(unit, mode)) if mode else None


def _modes(unit: Platoon, mode: str) -> dict[str, volley.Mode]:
    return dict.fromkeys((team.id for team in unit.models), MODES[mode])


def _at(battle: CompanyBattle, wish: Wish) -> Iterator[Bar]:
    """Why a Unit does not fire at a target."""
    unit = wish.own[0]
    if not under_way(battle, wish) and (bar := turn.bar_activate(battle, unit)):
        yield bar
    if not wish.targets:
        yield from some(firing.bar_fire(battle, unit))
    for target in wish.targets:
        yield from some(volley.bar_target(battle, unit, target, _modes(unit, "fire")))


def _range(battle: CompanyBattle, wish: Wish) -> Iterator[Bar]:
    """Why a Unit does not range in on a target, or lays no smoke (15)."""
    unit = wish.own[0]
    if not under_way(battle, wish) and (bar := turn.bar_activate(battle, unit)):
        yield bar
    if not wish.targets:
        yield from some(indirect.bar_barrage(battle, unit))
    for target in wish.targets:
        yield from some(indirect.bar_range(battle, unit, target))


# ---- leaders --------------------------------------------------------------------------------------------------


def _lead(battle: CompanyBattle, wish: Wish) -> Iterator[Bar]:
    return some(leaders.bar_lead(battle, wish.own[0]))


def _commander(battle: CompanyBattle, wish: Wish) -> Iterator[Bar]:
    return some(leaders.bar_act_with(battle, wish.own[0]))


def _appoint(battle: CompanyBattle, wish: Wish) -> Iterator[Bar]:
    """Why a Team is not made the new Leader; without a Team, why none is (14.13)."""
    unit = wish.own[0]
    teams = [team for team in everybody(unit) if team.id in wish.rest] or everybody(unit)
    yield from unless_one_works(leaders.bar_appoint(battle, unit, team) for team in teams)[:1]


# ---- what a Unit does when something is done to it, or before it ---------------------------------------------


def _ground(battle: CompanyBattle, wish: Wish) -> Iterator[Bar]:
    return some(firing.bar_ground(battle, wish.own[0]))


def _react(battle: CompanyBattle, wish: Wish) -> Iterator[Bar]:
    """Why a Unit does not react, or not to that one (7.1, 7.3)."""
    unit = wish.own[0]
    if bar := reactions.bar_react(battle, unit):
        yield bar
        return
    for target in wish.others:
        if target.id != battle.state.moving:
            yield Bar("7.1", f"{battle.name(target)} isn't on the move")
        yield from some(volley.bar_target(battle, unit, target, _modes(unit, "reaction")))
    if not wish.others and not battle.state.moving:
        yield Bar("7.1", "nobody is on the move")


REACTIONS: dict[str, Reason[CompanyBattle]] = {"ground": _ground, "react": _react}
UNITS: dict[str, Reason[CompanyBattle]] = {
    "activate": _activate,
    **dict.fromkeys(ACTIONS, _action),
    "at": _at,
    "range": _range,
    "smoke": _range,
    "lead": _lead,
    "commander": _commander,
    "appoint": _appoint,
    **REACTIONS,
}


class CompanyReasons(Reasons[CompanyBattle]):
    """Reasons by verb, with the Initiative before them (1.3)."""

    units: ClassVar[Mapping[str, Reason[Any]]] = UNITS
    usual = ("activate", *ACTIONS)
    not_yours = Bar("1.3", "it isn't your Unit")
    example = "write it as: g3, g3 run, g3 fire a7, g3 assault a7, or g3 move 12.5,30"

    def knows(self, battle: CompanyBattle, side: str, unit: Platoon) -> bool:
        """Nothing is hidden."""
        return True

    def is_place(self, battle: CompanyBattle, word: str) -> bool:
        """Whether a word is a point."""
        try:
            point(word)
        except ValueError:
            return False
        return True

    def is_thing(self, battle: CompanyBattle, word: str) -> bool:
        """Whether a word is a Team, or another word of an answer."""
        return word in ANSWERS or any(
            team.id == word for unit in battle.state.units.values() for team in everybody(unit)
        )

    def timing(self, battle: CompanyBattle, wish: Wish) -> Iterator[Bar]:
        """Whose Initiative it is (1.3)."""
        state = battle.state
        if state.phase != INITIATIVE:
            yield Bar("1.3", "nobody has the Initiative yet")
        elif state.side != wish.side:
            yield Bar("1.3", "the other side has the Initiative")

    def against(self, battle: CompanyBattle, wish: Wish) -> Iterator[Bar]:
        """Everything that speaks against a wish: what is asked for last counts, after the answers that led to it."""
        if not wish.own:
            return
        unit = wish.own[0]
        verb = next((word for word in reversed(wish.words) if word in UNITS), wish.verb)
        if verb == "activate" and under_way(battle, wish):
            verb = ""
        wish = wish._replace(verb=verb)
        if verb in REACTIONS:
            yield from REACTIONS[verb](battle, wish)
        elif wish.reacts:
            return  # the question and its answers tell
        else:
            yield from self.timing(battle, wish)
            if unit.status != ON_TABLE:
                yield Bar("1.3", f"{battle.name(unit)} isn't on the table")
            elif wish.verb or not under_way(battle, wish):
                yield from self.of_verb(battle, wish)


REASONS = CompanyReasons()
