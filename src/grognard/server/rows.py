"""A game as the store has it: its rows, and how they are made from a session and a session from them."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Literal, NamedTuple

import msgspec

from grognard.core import registry
from grognard.core.ask import FacesAsk
from grognard.core.dice import ScriptedDice
from grognard.core.errors import Fault, GrognardError, MalformedError, VersionError
from grognard.core.resuming import resume
from grognard.core.session import Session
from grognard.core.standing_orders import StandingOrder
from grognard.server import schema
from grognard.server.scenario_cache import LoadedScenario, load_cached

log = logging.getLogger("grognard.server")


class AnswerRow(NamedTuple):
    """An answer as it is stored, with the turn and phase that it led to, for the marks of a replay."""

    side: str
    key: str
    by_order: bool
    turn: int
    phase: str


class SeatRow(NamedTuple):
    """Who plays a side: a person has the hash of a token, a program the seed of its choices."""

    side: str
    player: str
    token: str = ""
    seed: str = ""


class GameRow(msgspec.Struct, frozen=True, kw_only=True):
    """What of a game does not change while it is played.

    ``source`` and ``files`` are the scenario whole, so that a game can be opened whatever becomes of its file.
    """

    id: str
    game: str
    rules: int
    scenario: str
    source: str
    files: dict[str, str]
    situation: bool
    seed: str
    mode: str
    free_undo: bool = False
    lesson: str = ""
    created: int = 0


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """Where a game stands: the count of its changes, the number of its question, own dice, and a fingerprint.

    ``undone`` says that something was taken back at some time, so that somebody's log may have lines that are gone.
    """

    number: int
    seq: int
    script: tuple[int, ...] | None
    over: bool
    undone: bool
    digest: str


class TakeBackRow(NamedTuple):
    """A side that would like to take its last answer back: "asked", and then "granted" or "refused"."""

    side: str
    state: Literal["asked", "granted", "refused"]


class StoredGame(NamedTuple):
    """All that is stored of a game."""

    row: GameRow
    standing: Standing
    seats: list[SeatRow]
    answers: list[AnswerRow]
    orders: list[StandingOrder]
    take_back: TakeBackRow | None = None


class ShareRow(NamedTuple):
    """A shared moment: the side that saw it, and after how many answers."""

    game: str
    side: str
    answers: int


# ---- rows and sessions -------------------------------------------------------------------------------------


def open_stored(stored: StoredGame) -> tuple[LoadedScenario, Session]:
    """A session from what is stored of a game, found to stand where it stood."""
    row, standing = stored.row, stored.standing
    where = f"battle {row.id}"
    if row.game in registry.names() and row.rules != (now := registry.game(row.game).rules_version):
        # Told before its scenario is read, which another version may have written otherwise.
        right = f"the rules of {row.game} are now version {now}; {_salvage(stored)}"
        raise VersionError([Fault(where, 0, "rules", f"played under rules version {row.rules}", right)])
    loaded = load_cached(row.game, row.source, row.files, row.situation, where)
    try:
        session = _replayed(stored, loaded)
    except GrognardError:
        raise
    except Exception as error:  # the rules trust the answers of a game; these were not given here
        raise spoilt(row.id, error) from None
    if session.digest != standing.digest:
        right = f"the program's rules or charts have changed; {_salvage(stored)}"
        raise VersionError([Fault(where, 0, "digest", "replaying its answers gives a different result", right)])
    return loaded, session


def _salvage(stored: StoredGame) -> str:
    """What can still be done with a battle that cannot be loaded."""
    if stored.row.mode == "invite" and not stored.standing.over:
        return "it can't be saved: it wasn't over, and the save would show each side the other's secrets"
    return "it can still be saved as a file"


def _replayed(stored: StoredGame, loaded: LoadedScenario) -> Session:
    row, standing = stored.row, stored.standing
    return resume(
        loaded.game,
        loaded.scenario,
        seed=bytes.fromhex(row.seed) if standing.script is None else None,
        script=standing.script,
        state=loaded.state(),
        given=[(answer.side, answer.key, answer.by_order) for answer in stored.answers],
        orders=stored.orders,
        seq=standing.seq,
        solo=row.free_undo,
    )


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


def spoilt(id: str, error: Exception) -> MalformedError:
    """The error for a game whose rows are not as this program writes them; what was found is noted in the log."""
    log.warning("battle %s cannot be read: %s", id, " ".join(f"{type(error).__name__}: {error}".split())[:300])
    right = "something else changed its rows; restore them from a backup of the database"
    return MalformedError([Fault(f"battle {id}", 0, "", "its stored rows can't be read", right)])


def check_orders(orders: Sequence[schema.NewOrder]) -> None:
    """Refuse a standing order that no store could keep."""
    if any("\0" in order.reaction for order in orders):
        raise GrognardError("A standing order contains a NUL character. Name a kind of reaction.")
