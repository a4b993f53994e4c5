"""Where a live battle stands, and what each side is sent of it. Only what a side may know is in its updates."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

from msgspec.structs import replace

from grognard.core.ask import FacesAsk
from grognard.core.session import Session
from grognard.players.seats import HUMAN
from grognard.server import schema
from grognard.server.rows import StoredGame
from grognard.server.schema import Update
from grognard.server.seats import WATCHER
from grognard.server.side_log import LogLines, SideLog
from grognard.server.take_backs import NOTHING, ask_bar, undo_bar

#: Why a seat that plays no side has no undo.
NOT_A_PLAYER = "only players can take back answers"


class Position:
    """A battle's session with what the store has of it, and the log of each side that somebody has looked at.

    It is touched only by whoever has the runner's turn. When the battle is read again from the store, a new one takes
    its place.
    """

    def __init__(self, stored: StoredGame, session: Session) -> None:
        self.row, self.seats, self.session = stored.row, stored.seats, session
        self.humans = frozenset(seat.side for seat in stored.seats if seat.player == HUMAN)
        self.bots = {seat.side: seat for seat in stored.seats if seat.player not in (HUMAN, WATCHER)}
        self.number = stored.standing.number
        self.undone = stored.standing.undone
        self.rows = list(stored.answers)
        self.orders = list(stored.orders)
        self.take_back = self.stored_take_back = stored.take_back
        start = session.game.turn_of(session.past(0).battle)
        self.turns = [start, *((row.turn, row.phase) for row in stored.answers[: len(session.answers)])]
        self._logs: dict[str, SideLog] = {}
        self._lines = LogLines()

    @property
    def between_people(self) -> bool:
        """Whether people play each other, each at a screen of their own."""
        return self.row.mode == "invite"

    # -- what a side may do ----------------------------------------------------------------------------------------

    def may_answer(self, side: str) -> bool:
        """Whether the question is this side's, or asks for a program's dice, which any person can enter."""
        ask = self.session.ask
        if ask is None or side not in self.humans:
            return False
        return ask.side == side or (isinstance(ask, FacesAsk) and ask.side in self.bots)

    def undo_bar(self, side: str) -> str:
        """Why a side cannot take its last answer back; the reason tells only what the side saw happen."""
        session = self.session
        if side not in self.humans:
            return NOT_A_PLAYER
        if self.row.free_undo:
            mine = any(by in self.humans and not by_order for by, _, by_order in session.given)
            return "" if mine else NOTHING
        return undo_bar(session, side, self.between_people)

    def _ask_bar(self, side: str) -> str:
        """Why a side cannot ask for a take-back."""
        if side not in self.humans:
            return NOT_A_PLAYER
        return ask_bar(self.session, side, self.between_people, self.take_back)

    # -- what a side has seen ----------------------------------------------------------------------------------------

    def log_of(self, side: str) -> SideLog:
        """The log of a side, as far as it has been brought up to date."""
        if side not in self._logs:
            self._logs[side] = SideLog(side, self.undone, self._lines)
        return self._logs[side]

    def synced(self, side: str) -> SideLog:
        """The log of a side, up to date."""
        log = self.log_of(side)
        log.sync(self.session, self.turns)
        return log

    # -- updates -----------------------------------------------------------------------------------------------------

    def now(self, side: str, lines: int, frames: int, online: Collection[str]) -> Update:
        """How things stand for a side that has so many lines and frames already."""
        log = self.synced(side)
        return self.update(side, self.number, min(lines, log.line_floor), min(frames, log.frame_floor), online)

    def update(self, side: str, number: int, lines: int, frames: int, online: Collection[str]) -> Update:
        """What a side sees, with the log from a line on and the frames from one on. Its log is up to date."""
        session, log = self.session, self.log_of(side)
        view = session.view(side, len(session.log))
        if session.ask is not None and view.ask is None and self.may_answer(side):
            view.ask = session.ask_view(side)
        if view.ask is not None:
            view.ask.seq = session.seq_of(side)
        lines, frames = max(0, min(lines, len(log.lines))), max(0, min(frames, len(log.frames)))
        view.log = log.lines[lines:]
        waiting: Literal["you", "other", "over"] = "over" if session.over else "other"
        if view.ask is not None:
            waiting = "you"
        return Update(
            number=number,
            seq=session.seq_of(side),
            side=side,
            waiting=waiting,
            view=view,
            log_start=lines,
            frames=log.frames[frames:],
            frames_start=frames,
            may_undo=self.undo_bar(side),
            orders=session.orders_of(side),
            seats=self.seat_views(online),
            may_ask_back=self._ask_bar(side),
            take_back=self._take_back_view(log),
        )

    def whole(self, update: Update) -> Update:
        """The update with all of the log and the frames: for somebody who has missed some."""
        log = self.log_of(update.side)
        view = replace(update.view, log=list(log.lines))
        return replace(update, view=view, log_start=0, frames=list(log.frames), frames_start=0)

    def past(self, side: str, count: int, lines: int, online: Collection[str], reveal: bool = False) -> Update:
        """What a side saw when so many answers had been given, or with ``reveal`` all that there was."""
        past = self.session.past(count)
        view = past.view("" if reveal else side, len(past.log))
        view.ask = None
        return Update(
            number=self.number,
            seq=self.session.seq_of(side),
            side=side,
            waiting="over" if past.over else "other",
            view=view,
            log_start=lines,
            frames=[],
            frames_start=len(self.log_of(side).frames),
            may_undo="this is the past",
            orders=[],
            seats=self.seat_views(online),
            may_ask_back="this is the past",
        )

    def seat_views(self, online: Collection[str]) -> list[schema.SeatView]:
        """Who plays each side, and who is there."""
        return [
            schema.SeatView(seat.side, seat.player, seat.side in online or seat.side in self.bots)
            for seat in self.seats
            if seat.player != WATCHER
        ]

    def _take_back_view(self, log: SideLog) -> schema.TakeBack | None:
        """The take-back that somebody asks for, with how many lines of a reader's log would go."""
        asked = self.take_back
        if asked is None:
            return None
        count = self.session.last_of(asked.side) if asked.state == "asked" else -1
        lines = len(log.lines) - log.line_count(count) if count >= 0 else 0
        return schema.TakeBack(asked.side, asked.state, lines)
