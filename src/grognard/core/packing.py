"""A question with all that leads to it, packed for another process that shall think about it."""

from __future__ import annotations

from typing import Any

import msgspec

from grognard.core.dice import FairDice, ScriptedDice
from grognard.core.files import Document
from grognard.core.game import Game
from grognard.core.history import Answer, Graft, Mark
from grognard.core.session import Session


class PackedSession(msgspec.Struct, frozen=True, array_like=True):
    """The last quiet position of a session, what was answered since, and its dice; the scenario as its text."""

    game: str
    source: str
    files: dict[str, str]
    situation: bool
    state: bytes
    seed: bytes
    script: list[int] | None
    position: int
    answers: list[Answer]
    grafts: list[Graft]
    begun: int
    seq: int


def pack(session: Session) -> PackedSession:
    """A session packed for another process."""
    mark, base = session._marks[-1], session._base
    scenario = session.scenario
    return PackedSession(
        game=session.game.name,
        source=scenario.source,
        files=dict(scenario.files),
        situation=session.situation,
        state=session.game.encode(mark.state),
        seed=base.seed if isinstance(base, FairDice) else b"",
        script=list(base.script) if isinstance(base, ScriptedDice) else None,
        position=mark.dice,
        answers=session.answers[mark.answers :],
        grafts=[graft._replace(answers=max(graft.answers - mark.answers, 0)) for graft in session._grafts],
        begun=mark.grafts,
        seq=session.seq,
    )


def open_scenario_of(packed: PackedSession, game: Game) -> Any:
    """The scenario of a packed session."""
    document = Document.from_toml(packed.source, "a packed session's scenario")
    document.files = dict(packed.files)
    return game.load_situation(document)[0] if packed.situation else game.load_scenario(document)


def unpack(packed: PackedSession, game: Game, scenario: Any) -> Session:
    """The session of a packed session: it stands before the same question, and what came before it is forgotten."""
    session = object.__new__(Session)
    session.game, session.scenario, session.snapshots, session.solo = game, scenario, True, False
    session.situation, session.orders, session.seq = packed.situation, [], packed.seq
    session._base = FairDice(packed.seed) if packed.script is None else ScriptedDice(packed.script)
    session.dice, session._pending = session._base, None
    session.answers = list(packed.answers)
    session._grafts = tuple(packed.grafts)
    state = game.decode(packed.state)
    session._marks = [Mark(0, state, packed.position, 0, packed.begun)]
    session.battle = game.battle(scenario, game.copy(state), session.dice)
    ask = session._restore(len(session.answers))
    if ask is not None:
        ask.seq = session.seq
    session._ask = ask
    return session
