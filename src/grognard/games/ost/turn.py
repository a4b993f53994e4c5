"""The turn (2, 3, 66, 67, 111): its phases in order, and the Impulses in it.

``PHASE`` is the state machine: each phase can be entered afresh from the state, does its work, and says
which phase is next. Questions of this module are quiet: the state alone leads back to them.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from functools import cache
from typing import Any

from grognard.core.ask import Ask, Option, Procedure, Rules
from grognard.core.dice import Faces, Reader, at_least, pool, total
from grognard.core.tally import Tally
from grognard.games.ost import (
    air_strikes,
    airborne,
    artillery,
    assault,
    crewed_weapons,
    entry,
    fire,
    fire_groups,
    fortifications,
    group_move,
    leaders,
    melee,
    morale,
    movement,
    setup,
    shooting,
    turn_events,
    vehicle_movement,
    victory,
)
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.luck import cards, lasting
from grognard.games.ost.unit_memory import memory_of

PASS = Option("pass", "Pass", "pass", rule="67.6")
BURN = Option("burn", "Spend a point without acting", "burn", cost="1 IP", rule="67.7")
KEEP = Option("done", "Keep the cards", "done", rule="62.5")


def play(battle: OstBattle) -> Rules:
    """The whole battle from wherever the state stands (111.0)."""
    state = battle.state
    while state.phase != "over":
        following = PHASE[state.phase](battle)
        if isinstance(following, Generator):
            following = yield from following
        battle.settled()
        if state.ending:
            following = "over"
        enter(battle, following)


def enter(battle: OstBattle, phase: str) -> None:
    """Go to a phase. What is said of it is said here, so that coming back to its questions says nothing twice."""
    state = battle.state
    state.phase, state.step = phase, ""
    state.done.clear()
    if phase in TITLES:
        title, rule = TITLES[phase]
        battle.emit(turn_events.Phase(phase=title, turn=state.turn, rules=(rule,)))
    if phase in ("attach", "setup"):
        state.active = battle.sides[0]
    elif phase in ("play", "melee"):
        state.active = state.initiative


TITLES = {
    "reinforcements": ("Reinforcements", "111.2"),
    "attach": ("Attach Leaders and weapons", "111.3"),
    "rally": ("Free Rally and Bog rolls", "111.6"),
    "initiative": ("Initiative", "111.7"),
    "play": ("Play", "111.9"),
    "melee": ("Melee", "111.10"),
    "clean": ("Remove markers", "111.11"),
    "score": ("Score Victory Points", "111.12"),
}


# ---- before the Impulses (111.1-111.8) ---------------------------------------------------------------


def turn_marker(battle: OstBattle) -> str:
    """Count the turn down, but not before the first (2.0, 111.1, T-1)."""
    state = battle.state
    if state.opening:
        state.opening = False
    else:
        state.turn -= 1
    return "reinforcements"


def reinforcements(battle: OstBattle) -> Procedure[str]:
    """Units that are due may enter from now on; drops that are due are made (111.2, 78.4, P-1)."""
    yield from airborne.drop_phase(battle)
    return "attach"


def smoke(battle: OstBattle) -> str:
    """Smoke 2 is removed, then Smoke becomes Smoke 2 (111.4)."""
    fortifications.age_smoke(battle)
    return "rolls"


def scenario_rolls(battle: OstBattle) -> str:
    """The die rolls that the scenario asks for (111.5)."""
    state = battle.state
    for index, roll in enumerate(battle.scenario.rolls):
        first, last = roll.turns
        memory = f"roll {index}"
        if not last <= state.turn <= first or (roll.once and memory in state.played):
            continue
        needed = Tally("needed", roll.at_least, "111.5", roll.what)
        add = pool(roll.dice).add
        if battle.roll(roll.side, roll.what, roll.dice, at_least(roll.at_least, add), ("111.5",), (needed,)):
            if roll.once:
                state.played.append(memory)
            held = state.assets.setdefault(roll.side, {})
            for kind, count in roll.assets.items():
                held[kind] = held.get(kind, 0) + count
                battle.emit(turn_events.AssetGained(side=roll.side, kind=kind, count=count, rules=("111.5", "64.9")))
    return "rally"


def free_rally(battle: OstBattle) -> str:
    """A free rally attempt for each unit that needs it, a freeing roll for each bogged vehicle (71, 77.5, 111.6)."""
    morale.free_rally(battle)
    vehicle_movement.free_bogged(battle)
    return "initiative"


def initiative(battle: OstBattle) -> str:
    """Both sides roll 2D6; the higher has the first Impulse, ties are rolled again (66, 111.7)."""
    first, second = battle.sides
    dice = battle.charts["initiative"]["dice"]
    while True:
        mine, yours = (battle.roll(side, "Initiative", dice, total(), ("66.1",)) for side in (first, second))
        if mine != yours:
            break
    winner = first if mine > yours else second
    battle.state.initiative = winner
    totals = (mine, yours) if winner == first else (yours, mine)
    battle.emit(turn_events.Initiative(side=winner, totals=totals, rules=("66.2",)))
    return "impulses"


def impulse_roll(battle: OstBattle) -> str:
    """Both sides roll their Impulse dice; mounting losses take points away, never the last one (6.2, 67.4)."""
    state = battle.state
    winner = state.initiative
    for side in (winner, battle.other(winner)):
        tally = impulse_tally(battle, side)
        dice = battle.scenario.impulse[side]
        least = battle.charts["mounting_losses"]["minimum_impulse"]
        reader = _impulse_points(tally.total, least)
        points: int = battle.roll(side, "Impulse Points", dice, reader, ("67.4",), (tally,))
        state.points[side] = points
        battle.emit(turn_events.Impulses(side=side, points=points, rules=("67.4", "111.8")))
    return "play"


def impulse_tally(battle: OstBattle, side: str) -> Tally:
    """What is added to a side's Impulse dice: the scenario's bonus, less a point for every 5 lost (67.3, 6.2)."""
    losses = battle.charts["mounting_losses"]
    tally = Tally("Impulse Points", pool(battle.scenario.impulse[side]).add, "67.3", "dice")
    suffered = battle.state.casualties.get(battle.other(side), 0)
    lost = suffered // losses["per_points"] * losses["impulse_loss"]
    if lost:
        tally.add("mounting_losses", -lost, "6.2", f"{suffered} points suffered")
    return tally


@cache
def _impulse_points(add: int, least: int) -> Reader:
    def read(faces: Faces) -> int:
        return max(sum(faces) + add, least)

    return read


# ---- the Impulses (67) -------------------------------------------------------------------------------


def play_turn(battle: OstBattle) -> Procedure[str]:
    """Impulses alternate until both totals are 0 (67.1, 67.8, 111.9)."""
    state = battle.state
    while not victory.annihilation(battle):
        side = state.active
        if state.step:
            yield from _after(battle, side)
        elif state.points[side]:
            yield from _impulse(battle, side)
        elif state.points[battle.other(side)]:
            state.active = battle.other(side)  # 67.8: a side without points is skipped
        else:
            return "melee"
        battle.settled()
    return "over"


def _impulse(battle: OstBattle, side: str) -> Procedure[None]:
    """One Impulse: any action, a card, pass or a point for nothing (67.2, 67.6, 67.7)."""
    points = battle.state.points[side]
    prompt = f"Your Impulse ({points} {'point' if points == 1 else 'points'} left)"
    answer = yield Ask(side, prompt, lambda: impulse_options(battle, side), quiet=True, rule="67.2")
    verb, *words = answer.split()
    if verb == "pass":
        battle.emit(turn_events.Passed(side=side, rules=("67.6",)))
        _next(battle, battle.other(side))
        return
    if verb == "burn":
        battle.spend(side, 1, "67.7")
        _next(battle, battle.other(side))
        return
    same = yield from act(battle, side, verb, words)
    if verb in FREE:
        return
    following = side if same else battle.other(side)
    if next(cards.options_card(battle, side, after_action=True), None) is not None:
        battle.state.step = f"after {following}"
    else:
        _next(battle, following)


def _after(battle: OstBattle, side: str) -> Procedure[None]:
    """The action is done; a Luck card may still be played in this Impulse (62.5, T-5)."""
    following = battle.state.step.split()[1]
    options = list(cards.options_card(battle, side, after_action=True))
    if not options:
        _next(battle, following)
        return
    # Asked after every action while a card is held: a standing order can answer it.
    answer = yield Ask(side, "Play a Luck card?", [KEEP, *options], quiet=True, reaction="Luck card", rule="62.5")
    if answer == KEEP.key:
        _next(battle, following)
    else:
        verb, *words = answer.split()
        yield from act(battle, side, verb, words)


def _next(battle: OstBattle, side: str) -> None:
    """The Impulse is over; what held for it ends, and the side has the next one."""
    state = battle.state
    lasting.clear_boons(battle)
    shooting.keep_acquired(battle)
    state.step, state.active = "", side


def impulse_options(battle: OstBattle, side: str) -> list[Option]:
    """Everything a side may do with its Impulse (67.2), then pass or burn."""
    recall = memory_of(battle).recall
    found: list[Option] = []
    for verb, (options, _) in ACTIONS.items():
        found += options(battle, side, recall) if verb in NEAR else options(battle, side)
    points = battle.state.points
    found.append(PASS if points[side] < points[battle.other(side)] else BURN)
    return found


def act(battle: OstBattle, side: str, verb: str, words: list[str]) -> Procedure[bool]:
    """Carry out an action; True if the same side has the next Impulse too (105.7)."""
    outcome = ACTIONS[verb][1](battle, side, *words)
    if isinstance(outcome, Generator):
        outcome = yield from outcome
    return bool(outcome)


# ---- after the Impulses (111.10-111.16) ----------------------------------------------------------------


def melees(battle: OstBattle) -> Procedure[str]:
    """All Melees are fought, in the order the Initiative winner chooses (111.10, T-12)."""
    yield from melee.melee_phase(battle)
    victory.annihilation(battle)
    return "clean"


def remove_markers(battle: OstBattle) -> str:
    """Clearing is completed; the markers of this turn come off (8.8, 10.4, 111.11)."""
    state = battle.state
    fortifications.clear_obstacles(battle)
    artillery.clear_strikes(battle)
    for unit in state.units.values():
        unit.moved = unit.assaulted = unit.intensive = unit.new_hex = unit.loaded = False
        unit.fired = unit.main_fires = 0
        unit.acquired = unit.clearing = ""
    for weapon in state.weapons.values():
        weapon.used_by = ""
    for fight in state.melees.values():
        fight.fought = False
    lasting.clear_boons(battle)
    return "score"


def score(battle: OstBattle) -> str:
    """Victory Points of this turn, then whether a side has won at once (111.12)."""
    victory.score_turn(battle)
    victory.sudden_death(battle)
    return "end_turn"


def end_turn(battle: OstBattle) -> str:
    """On to the next turn, unless this was the last (2.0b, 111.13)."""
    figures, turn = battle.charts["turn"], battle.state.turn
    if turn > figures["last"]:
        return "marker"
    return "extended" if turn == figures["last"] and not battle.state.extended else "end"


def extended_play(battle: OstBattle) -> str:
    """Both sides roll 1D6: 7 or more in all gives one more turn, turn 0 (3.0, 111.14, T-10)."""
    state, figures = battle.state, battle.charts["turn"]
    dice = figures["extended_each_roll"]
    sum_ = sum(battle.roll(side, "Extended play", dice, total(), ("3.0", "111.14")) for side in battle.sides)
    if sum_ < figures["extended_total_at_least"]:
        return "end"
    state.extended = True
    return "marker"


def end(battle: OstBattle) -> str:
    """The victory conditions decide (111.15, 111.16)."""
    victory.decide(battle)
    return "over"


Phase = Callable[[OstBattle], Any]

PHASE: dict[str, Phase] = {
    "setup": setup.set_up,
    "luck": setup.draw_luck,
    "marker": turn_marker,
    "reinforcements": reinforcements,
    "attach": leaders.attach_phase,
    "smoke": smoke,
    "rolls": scenario_rolls,
    "rally": free_rally,
    "initiative": initiative,
    "impulses": impulse_roll,
    "play": play_turn,
    "melee": melees,
    "clean": remove_markers,
    "score": score,
    "end_turn": end_turn,
    "extended": extended_play,
    "end": end,
}


# ---- what an Impulse can be used for (67.2) ----------------------------------------------------------

Offers = Callable[..., Iterable[Option]]
Act = Callable[..., Any]

# verb: what is offered, and what is done
ACTIONS: dict[str, tuple[Offers, Act]] = {
    "move": (movement.options_move, movement.act_move),
    "group_move": (group_move.options_group_move, group_move.act_group_move),
    "rolling_cover": (group_move.options_rolling_cover, group_move.act_rolling_cover),
    "enter": (entry.options_enter, entry.act_enter),
    "fire": (fire.options_fire, fire.act_fire),
    "fire_group": (fire_groups.options_fire_group, fire_groups.act_fire_group),
    "assault": (assault.options_assault, assault.act_assault),
    "group_assault": (assault.options_group_assault, assault.act_group_assault),
    "rally": (morale.options_rally, morale.act_rally),
    "cover": (fortifications.options_cover, fortifications.act_cover),
    "clear": (fortifications.options_clear, fortifications.act_clear),
    "engineer_smoke": (fortifications.options_engineer_smoke, fortifications.act_engineer_smoke),
    "demolish": (fortifications.options_demolish, fortifications.act_demolish),
    "oba": (artillery.options_oba, artillery.act_oba),
    "air": (air_strikes.options_air, air_strikes.act_air),
    # free: the Impulse's action is still to come
    "card": (cards.options_card, cards.act_card),
    "abandon": (crewed_weapons.options_abandon, crewed_weapons.act_abandon),
    "lift": (group_move.options_lift, group_move.act_lift),
}
FREE = frozenset({"card", "abandon", "lift"})
#: What is offered by what is in the hex of each unit and next to it: that is remembered while nothing changes there.
NEAR = frozenset(
    {
        "move",
        "group_move",
        "rolling_cover",
        "fire",
        "fire_group",
        "assault",
        "cover",
        "clear",
        "engineer_smoke",
        "demolish",
    }
)
