"""``grognard advise``: what a good player would do in a position, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from grognard.cli import show
from grognard.cli.json_output import plain, print_json
from grognard.cli.referee import answer
from grognard.cli.show import say
from grognard.cli.words import steps
from grognard.core import open_files
from grognard.core.ask import FacesAsk
from grognard.core.dice import ScriptedDice
from grognard.core.errors import GrognardError
from grognard.core.poses import pose_told
from grognard.core.session import Session
from grognard.core.tactics import Clock
from grognard.core.words import read_seed, side_name, unknown
from grognard.players.greedy import GreedyPlayer
from grognard.players.search import SearchPlayer
from grognard.players.seats import make_ready
from grognard.players.thought import Thought, Weighed

ADVISERS = ("greedy", "search")


class Question(NamedTuple):
    """What was asked for on the command line."""

    position: str
    player: str
    seconds: float
    side: str
    do: Sequence[str]
    options: int
    workers: int
    seed: str
    game: str
    json: bool


def advise_position(question: Question) -> None:
    """Tell what a player thinks of the question that stands in a position."""
    if question.player not in ADVISERS:
        raise unknown("adviser", question.player, ADVISERS)
    session = _open(question)
    for typed in steps(question.do):
        answer(session, typed)
    thought = think(session, question)
    if question.json:
        print_json({"game": session.game.name, **plain(thought)})
    else:
        show_thought(thought, session, question.options)


def _open(question: Question) -> Session:
    """The position; where it has no dice of its own some are thrown, so that nobody need say what they showed."""
    session = open_files.open_position(question.position, question.game)
    if not isinstance(session.dice, ScriptedDice) or session.answers:
        return session
    state = session.past(0).state if session.situation else None
    return Session(session.game, session.scenario, seed=read_seed(question.seed), state=state)


def think(session: Session, question: Question) -> Thought:
    """What the adviser thinks of the question that stands."""
    ask = session.ask
    if ask is None:
        raise GrognardError(f"{question.position}: the battle is over")
    if isinstance(ask, FacesAsk):
        raise GrognardError(f"{question.position}: the roll comes first; enter it with --do 'dice 3 4'")
    if question.side and question.side not in session.scenario.sides:
        raise unknown("side", question.side, session.scenario.sides)
    if question.side not in ("", ask.side):
        raise GrognardError(f"{ask.side} is to answer here, not {question.side}: {ask.prompt}")
    player: GreedyPlayer | SearchPlayer = GreedyPlayer("advice")
    if question.player == "search":
        player = SearchPlayer("advice", workers=question.workers)
    make_ready(session, [player])
    player.choose_from(session.probe(), Clock.now() + question.seconds)
    assert player.thought is not None
    return player.thought


def advise_session(session: Session, most: int = 3) -> None:
    """Tell somebody at a table what a quick adviser would answer in their place."""
    question = Question("this battle", "greedy", 2.0, "", (), most, 1, "", "", False)
    show_thought(think(session, question), session, most)


def show_thought(thought: Thought, session: Session, most: int) -> None:
    """A thought for people: the best options, each with its reasons."""
    assert session.ask is not None
    say(show.ask_head(session.ask))
    if thought.standing is not None:
        stands = f"the battle stands at {thought.standing:+.2f} (from -1, lost, to +1, won)."
        say(f"So far as {side_name(thought.side)} knows, {stands}")
    say(f"{thought.player} sees {thought.sees}.")
    searched = thought.looked > 0
    say(f"It thought for {thought.seconds:.2f} s" + (f" and played on {thought.looked} times." if searched else "."))
    say()
    names = session.game.names(session.battle)
    shown = sorted(thought.options, key=lambda option: option.key != thought.chosen)[:most]
    for number, option in enumerate(shown, 1):
        _show_option(number, option, names, shown[0])
    if len(thought.options) > most:
        say(f"({len(thought.options) - most} more; --options N shows them)")


def _show_option(number: int, option: Weighed, names: Mapping[str, str], best: Weighed) -> None:
    label = option.label if option.label != option.key else pose_told(option.key, names)[0]
    unit = names.get(option.unit, "")
    who = f"{unit}: " if unit and unit not in label else ""
    figures = f"worth {option.worth:+.1f}"
    if number > 1:
        figures += f" ({option.worth - best.worth:+.1f})"
    if option.estimate is not None:
        figures += f", {option.estimate:+.2f} after {option.visits} playouts"
    say(f"{number}. {who}{label}  [{option.key}]  {figures}")
    for reason in option.reasons:
        say(f"     {reason.worth:+6.1f}  {reason.text}" if reason.worth else f"             {reason.text}")
