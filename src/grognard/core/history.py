"""The past of a game: its answers, copies of its state at quiet questions, and playing it again from one of them."""

from __future__ import annotations

from typing import Any, NamedTuple

from grognard.core.ask import Ask, Rules
from grognard.core.battle import Battle
from grognard.core.dice import Dice, FacesNeededError, FairDice, ScriptedDice
from grognard.core.events import Asked, Event
from grognard.core.game import Game


class Answer(NamedTuple):
    """An answer as it was given, with where dice and log stood before it."""

    side: str
    key: str
    by_order: bool
    dice: int
    log: int


class Mark(NamedTuple):
    """A quiet question: a copy of the state, and how far answers, dice, log and grafts had come."""

    answers: int
    state: Any
    dice: int
    log: int
    grafts: int = 0


class Graft(NamedTuple):
    """Where a copy for thinking left the game: after how many answers, with which dice, and as whose knowledge."""

    answers: int
    seed: bytes
    side: str = ""


def replay(
    game: Game,
    scenario: Any,
    mark: Mark,
    again: list[Answer],
    log: list[Event],
    base: Dice,
    grafts: tuple[Graft, ...],
) -> tuple[Battle[Any], Rules, Ask | None]:
    """A battle brought from a snapshot to where it stands, and grafted anew where it was; the question there."""
    dice = FairDice(grafts[mark.grafts - 1].seed) if mark.grafts else base
    dice.position = mark.dice
    battle = game.battle(scenario, game.copy(mark.state), dice)
    battle.log = log
    procedure = game.play(battle)
    grafts = grafts[mark.grafts :]
    try:
        ask: Ask | None = next(procedure)
        for number, answer in enumerate(again, mark.answers):
            while grafts and grafts[0].answers <= number:
                _graft_onto(game, battle, grafts[0])
                grafts = grafts[1:]
            log.append(Asked(side=answer.side, key=answer.key, by_order=answer.by_order))
            ask = procedure.send(answer.key)
    except (StopIteration, FacesNeededError):
        ask = None
    for graft in grafts:
        _graft_onto(game, battle, graft)
    return battle, procedure, ask


def _graft_onto(game: Game, battle: Battle[Any], graft: Graft) -> None:
    battle.dice = FairDice(graft.seed)
    if graft.side:
        game.conceal(battle, graft.side)


def copy_dice(dice: Dice) -> Dice:
    """The same dice once more, for a copy of the game."""
    if isinstance(dice, ScriptedDice):
        return ScriptedDice(dice.script)
    assert isinstance(dice, FairDice)
    return FairDice(dice.seed, dice.position)
