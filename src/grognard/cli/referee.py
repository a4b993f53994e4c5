"""``odds``, ``los`` and ``why``: the referee beside a real table."""

from __future__ import annotations

from collections.abc import Sequence

from grognard.cli import show
from grognard.cli.json_output import odds_record, plain, print_json
from grognard.cli.show import say
from grognard.cli.words import STEPS, choose_key, steps, takes_draft, with_ids
from grognard.core import open_files
from grognard.core.aid_views import UnitWord
from grognard.core.ask import Ask, FacesAsk
from grognard.core.drives import staged
from grognard.core.errors import GrognardError, IllegalError
from grognard.core.session import Session
from grognard.core.why import OtherAnswers
from grognard.core.words import unit_called, unknown


def check_side(session: Session, side: str) -> str:
    """A side of the battle, or "" for the referee."""
    if side and side not in session.scenario.sides:
        raise unknown("side", side, session.scenario.sides)
    return side


def by_ids(session: Session, side: str, typed: str) -> str:
    """What was typed, with the ids of the units that a side knows for their names."""
    return with_ids(typed, known_names(session, side), {help.verb for help in session.game.verbs()})


def choose(session: Session, ask: Ask, typed: str) -> str:
    """The key of the option that somebody means, who may call units by their names."""
    try:
        return choose_key(ask, typed)
    except IllegalError:
        if takes_draft(ask, typed.strip()):
            raise
        said = typed if isinstance(ask, FacesAsk) else by_ids(session, ask.side, typed)
        if said == " ".join(typed.split()):
            raise
        return choose_key(ask, said)


def answer(session: Session, typed: str) -> None:
    """Answer the question that stands; a refusal says why."""
    if session.ask is None:
        raise IllegalError(typed, None, f"the battle is over before {typed!r}")
    try:
        key = choose(session, session.ask, typed)
    except IllegalError as error:
        raise refusal(session, typed, error) from None
    session.answer(key)


def refusal(session: Session, typed: str, error: IllegalError, before: Sequence[str] = ()) -> IllegalError:
    """An answer that was refused, with the reasons that the rules have for it before what would be right.

    ``before`` is what would have been answered first.
    """
    ask = session.ask
    if ask is None or isinstance(ask, FacesAsk) or takes_draft(ask, typed.strip()):
        return error
    words = " ".join([*before, typed])
    try:
        bars = session.why_not(ask.side, by_ids(session, ask.side, words))
    except GrognardError:
        return error
    # What the question offers instead is in the error.
    reasons = "; ".join(bar.say() for bar in bars if bar.rule and not isinstance(bar, OtherAnswers))
    return IllegalError(typed, ask, f"{typed}: {reasons}. {error}") if reasons else error


def explain(word: str, words: str, do: Sequence[str], side: str, game: str, json: bool) -> None:
    """Why something is not offered in a position, after answers, with the rule of each reason."""
    session = open_files.open_position(word, game)
    check_side(session, side)
    for typed in steps(do):
        answer(session, typed)
    side = side or (session.ask.side if session.ask else "")
    bars = session.why_not(side, by_ids(session, side, words))
    if json:
        print_json({"side": side, "words": words, "allowed": not bars, "bars": bars})
        return
    for bar in bars:
        say(bar.say())
    if not bars:
        say(f"You can do this: {words}. Look in the list of options.")


def show_odds(word: str, keys: Sequence[str], game: str, json: bool) -> None:
    """The distribution of what answers lead to."""
    session = open_files.open_position(word, game)
    typed = steps(keys)
    if not typed:
        raise GrognardError("odds of what? Give the key of an option")
    odds_of(session, typed, json)


def odds_of(session: Session, typed: Sequence[str], json: bool = False) -> None:
    """The odds of what was typed, in words or for a program; a move in one answer is told step by step."""
    try:
        answers = staged(session, typed, lambda ask, said: choose(session, ask, said))
    except IllegalError as error:
        before = typed[: typed.index(error.key)] if error.key in typed else []
        raise refusal(session, error.key, error, before) from None
    odds = session.odds(*answers)
    if json:
        print_json(odds_record(answers, odds, session.game.phrases))
        return
    if len(answers) > len(typed):
        say(f"> {STEPS.join(answers)}")
    show.show_odds(odds, session.game.phrases)


def known_names(session: Session, side: str) -> dict[str, str]:
    """The names of the units that a side knows of, by id."""
    names = session.game.names(session.battle)
    return {unit.id: names.get(unit.id, unit.name) for unit in session.game.view(session.battle, side).units}


def sight_ends(session: Session, side: str, *words: str) -> list[str]:
    """The ends of a line of sight: units where words are ids or names of those that the side knows, else places."""
    names = known_names(session, side)
    found = [unit_called(word, names) for word in words]
    return [UnitWord(word) if word in names else word for word in found]


def show_sight(word: str, start: str, end: str, side: str, game: str, json: bool) -> None:
    """Line of sight between two units or places."""
    session = open_files.open_position(word, game)
    check_side(session, side)
    report = session.game.sight(session.battle, side, *sight_ends(session, side, start, end))
    if json:
        print_json({**plain(report), "text": report.say()})
    else:
        say(report.say())
