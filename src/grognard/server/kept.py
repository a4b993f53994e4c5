"""A session and its rows: the one made from the other."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

from grognard.core.ask import FacesAsk
from grognard.core.dice import ScriptedDice
from grognard.core.errors import Fault, VersionError
from grognard.core.resuming import resume
from grognard.core.session import Session
from grognard.server.scenes import Scene, scene
from grognard.server.store import AnswerRow, Kept, Standing


def token_hash(token: str) -> str:
    """What is kept of a token."""
    return sha256(token.encode()).hexdigest()


def open_kept(kept: Kept) -> tuple[Scene, Session]:
    """A session from what is kept of a game, found to stand where it stood."""
    row, standing = kept.row, kept.standing
    where = f"battle {row.id}"
    opened = scene(row.game, row.source, row.files, row.situation, where)
    game = opened.game
    if row.rules != game.rules_version:
        right = f"the rules of {game.name} are at version {game.rules_version}; it can still be saved as a file"
        raise VersionError([Fault(where, 0, "rules", f"played under rules version {row.rules}", right)])
    session = resume(
        game,
        opened.scenario,
        seed=bytes.fromhex(row.seed) if standing.script is None else None,
        script=standing.script,
        state=opened.state(),
        given=[(answer.side, answer.key, answer.by_order) for answer in kept.answers],
        orders=kept.orders,
        seq=standing.seq,
        solo=row.free_undo,
    )
    if session.digest != standing.digest:
        right = "the rules or figures of this program were changed; it can still be saved as a file"
        raise VersionError([Fault(where, 0, "digest", "its answers no longer lead where they led", right)])
    return opened, session


def standing_of(session: Session, number: int, undone: bool) -> Standing:
    """Where a session stands, for the store."""
    dice = session.dice
    return Standing(
        number=number,
        seq=session.seq,
        script=tuple(dice.script) if isinstance(dice, ScriptedDice) else None,
        over=session.over,
        undone=undone,
        digest=session.digest,
    )


def answer_rows(session: Session, turns: Sequence[tuple[int, str]], since: int = 0) -> list[AnswerRow]:
    """The rows of the answers from one on; one that waits for dice has the turn in which it waits."""
    rows = [AnswerRow(a.side, a.key, a.by_order, *turns[n]) for n, a in enumerate(session.answers[since:], since + 1)]
    if isinstance(session.ask, FacesAsk):
        rows += [AnswerRow(*waits, *turns[-1]) for waits in session.given[len(session.answers) :]]
    return rows
