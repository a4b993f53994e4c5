"""The turn (1): Initiatives until everybody has acted, and what is done between two turns.

``PHASES`` is the state machine: each phase can be entered afresh from the state, does its work, and says which phase is
next. The question whom to activate is quiet: the state alone leads back to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache

from grognard.core.ask import Ask, Bar, Option, Procedure, Rules
from grognard.core.dice import Faces, Reader
from grognard.core.words import side_name
from grognard.games.company import activation, commander, leaders, morale, setup, smoke, training, turn_events, victory
from grognard.games.company.battle import CompanyBattle
from grognard.games.company.state import DEPLOY, INITIATIVE, OVER, START, TURN_END, Platoon
from grognard.kits.table import turn as kit

#: What two dice that show the same mean (1.2).
TIE = "a tie"


def play(battle: CompanyBattle) -> Rules:
    """The whole battle from wherever the state stands (1.1)."""
    return kit.play(battle, PHASES)


# ---- the beginning of a turn (1.2, 1.9) ----------------------------------------------------------------------


def start(battle: CompanyBattle) -> Procedure[str]:
    """A company at half its strength checks whether it goes on; then both sides roll for the Initiative (1.2, 1.9)."""
    state = battle.state
    battle.emit(turn_events.TurnBegins(turn=state.turn, rules=("1.1",)))
    for side in battle.sides:
        if not (yield from commander.company_check(battle, side)):
            victory.retreat(battle, side)
            return OVER
    winner = TIE
    while winner == TIE:
        winner = battle.roll("", "the first Initiative", "2d6", higher(battle.sides), ("1.2",))
    side = next(side for side in battle.sides if side_name(side) == winner)
    state.first = side
    begin_initiative(battle, side)
    return INITIATIVE


@cache
def higher(sides: tuple[str, str]) -> Reader:
    """Who rolls higher, the first die being the first side's (1.2).

    >>> higher(("german", "soviet"))((3, 5)), higher(("german", "soviet"))((2, 2))
    ('Soviet', 'a tie')
    """
    first, second = map(side_name, sides)

    def read(faces: Faces) -> str:
        return TIE if faces[0] == faces[1] else second if faces[1] > faces[0] else first

    lines = ("first die higher", first), ("second die higher", second), ("both the same", "roll again")
    read.told = lines  # type: ignore[attr-defined]
    return read


# ---- Initiatives (1.3 to 1.8) --------------------------------------------------------------------------------


def begin_initiative(battle: CompanyBattle, side: str) -> None:
    """A side has the Initiative: what may be done once in one may be done again (1.4, 7.2)."""
    battle.state.side = side
    battle.state.initiative += 1
    battle.emit(turn_events.InitiativeBegins(side=side, number=battle.state.initiative, rules=("1.3", "1.4")))


def waiting(battle: CompanyBattle, side: str = "") -> list[Platoon]:
    """The Units of a side, or of both, that have not acted this turn (1.6)."""
    return [unit for unit in battle.platoons(side) if bar_activate(battle, unit) is None]


def bar_activate(battle: CompanyBattle, unit: Platoon) -> Bar | None:
    """Why a Unit cannot be activated in its side's Initiative."""
    if battle.is_commander(unit):
        return Bar("14.14", "a commander acts with one of his Units", battle.name(unit))
    if unit.acted == battle.state.turn:
        return Bar("1.6", "it has acted this turn", battle.name(unit))
    return None


def initiatives(battle: CompanyBattle) -> Procedure[str]:
    """A side activates Units until one fails, then the other does, until every Unit has acted (1.3 to 1.5)."""
    state = battle.state
    while not victory.wiped_out(battle):
        if not waiting(battle):
            battle.emit(turn_events.TurnEnds(turn=state.turn, rules=("1.5",)))
            return TURN_END
        passed = yield from activate(battle, state.side)
        battle.settled()
        hand_over(battle, passed)
    victory.decide(battle)
    return OVER


def hand_over(battle: CompanyBattle, passed: bool) -> None:
    """The next Initiative begins after a failure, or where a side has nobody left to activate (1.4, 1.8)."""
    state, side = battle.state, battle.state.side
    other = battle.other(side)
    if passed and waiting(battle, side):
        return
    if waiting(battle, other):
        begin_initiative(battle, other)
    elif waiting(battle, side):
        battle.emit(turn_events.NobodyLeft(side=other, rules=("1.8",)))
        begin_initiative(battle, state.side)


def activate(battle: CompanyBattle, side: str) -> Procedure[bool]:
    """Ask which Unit is activated, and activate it; False if it failed (1.3). Nobody may pass (1.7)."""
    while True:
        answer = yield Ask(side, "Activate which Unit?", lambda: list(options(battle, side)), quiet=True, rule="1.3")
        verb, *words = answer.split()
        if verb == "activate":
            return (yield from activation.activate(battle, battle.unit(words[0])))
        leaders.act(battle, answer)


def options(battle: CompanyBattle, side: str) -> Iterator[Option]:
    """The Units that a side can activate, and what its commander may do besides (14.13)."""
    for unit in waiting(battle, side):
        needs = training.needed(battle, unit, modifiers=training.suppression(battle, unit)).total
        chance = f"on {needs}+" if needs <= battle.charts.number("training_check", "highest") else "bound to fail"
        label = f"{battle.name(unit)}: activate, {chance}"
        yield Option(f"activate {unit.id}", label, "activate", unit.id, rule="3.1")
    yield from leaders.acts(battle, side)


# ---- the end of a turn (1.9) ---------------------------------------------------------------------------------


def end_turn(battle: CompanyBattle) -> Procedure[str]:
    """Morale, Units with one Team, and smoke; then the next turn, or the end of the battle (1.9, 16.4)."""
    state = battle.state
    state.initiative += 1  # for the commander's re-roll the checks are one more Initiative (14.20)
    yield from morale.checks(battle)
    yield from morale.last_teams(battle)
    smoke.age(battle)
    if victory.wiped_out(battle) or state.turn >= battle.scenario.turns:
        victory.decide(battle)
        return OVER
    state.turn += 1
    return START


PHASES: dict[str, Callable[[CompanyBattle], Procedure[str]]] = {
    DEPLOY: setup.deploy,
    START: start,
    INITIATIVE: initiatives,
    TURN_END: end_turn,
}
