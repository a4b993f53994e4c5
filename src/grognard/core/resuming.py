"""Taking a game up again: from a save (`load`), or from what a store keeps of it (`resume`)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from grognard.core.ask import FacesAsk
from grognard.core.dice import ImpossibleFacesError
from grognard.core.errors import Fault, IllegalError, MalformedError, VersionError
from grognard.core.game import Game
from grognard.core.saves import read_save
from grognard.core.session import Session
from grognard.core.standing_orders import StandingOrder
from grognard.core.words import side_name


def resume(
    game: Game,
    scenario: Any,
    *,
    seed: bytes | None = None,
    script: Sequence[int] | None = None,
    state: Any = None,
    given: Iterable[tuple[str, str, bool]] = (),
    orders: Iterable[StandingOrder] = (),
    seq: int | None = None,
    solo: bool = False,
) -> Session:
    """A session from what was kept of it: its dice, all that was given, the orders, and the question's number.

    The answers are trusted, so that nothing is listed; it ends at the same question, also where real dice are
    awaited. Standing orders answer nothing here: what they answered is among the answers.
    """
    session = Session(game, scenario, seed=seed, script=script, state=state, solo=solo)
    for number, (side, key, by_order) in enumerate(given, 1):
        ask = session.ask
        if ask is None or isinstance(ask, FacesAsk) or ask.side != side:
            stands = "the battle is over" if ask is None else f"{side_name(ask.side)} to answer: {ask.prompt}"
            raise MalformedError([Fault("kept game", 0, f"answer {number}", f"{side} cannot answer here", stands)])
        session.take(key, ask, by_order)
    session.orders = list(orders)
    if seq is not None:
        session.seq = seq
        if session.ask is not None:
            session.ask.seq = seq
    return session


def load(data: bytes, game: Game, scenario: Any, state: Any = None, name: str = "save") -> Session:
    """Play a save again from its beginning, and check that it leads to the same state."""
    save = read_save(data, name)
    if save.rules != game.rules_version:
        right = f"the rules of {game.name} are at version {game.rules_version}"
        raise VersionError([Fault(name, 0, "rules", f"a save under rules version {save.rules}", right)])
    try:
        seed = bytes.fromhex(save.seed) if save.script is None else None
        session = Session(game, scenario, seed=seed, script=save.script, state=state)
    except ValueError as error:
        raise MalformedError([Fault(name, 0, "seed", str(error))]) from None
    for index, (side, key, by_order) in enumerate(save.answers):
        place = f"answers[{index + 1}]"
        ask = session.ask
        if ask is None or ask.side != side or isinstance(ask, FacesAsk):
            stands = "the battle is over" if ask is None else f"{side_name(ask.side)} to answer: {ask.prompt}"
            raise MalformedError([Fault(name, 0, place, f"{side} cannot answer here", stands)])
        try:
            ask.option(key)
            session.take(key, ask, by_order)
        except (IllegalError, ImpossibleFacesError) as error:
            raise MalformedError([Fault(name, 0, place, str(error))]) from None
    session.orders = list(save.orders)
    if session.digest != save.digest:
        fault = Fault(name, 0, "digest", "its answers do not lead to its state", "the file or its scenario was changed")
        raise MalformedError([fault])
    return session
