"""What one side has seen of a battle so far: its lines of the log and its frames, made once and kept."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Any

from grognard.core.events import Event
from grognard.core.history import Answer
from grognard.core.session import Session
from grognard.core.view import LogLine, may_read
from grognard.server.errors import MissingError
from grognard.server.schema import Frame

#: Turn and phase after so many answers.
Turns = Sequence[tuple[int, str]]


class LogLines:
    """The lines of a battle's log, made once for all who may read them: by far the most that a battle keeps."""

    def __init__(self) -> None:
        self._events: list[Event] = []
        self._lines: list[LogLine | None] = []

    def of(self, session: Session, numbers: Sequence[int]) -> list[LogLine]:
        """The lines of some events of the log."""
        log, lines = session.log, self._lines
        same = _common(self._events, log)
        del self._events[same:], lines[same:]
        self._events += log[same:]
        lines += [None] * (len(log) - same)
        new = [number for number in numbers if lines[number] is None]
        for number, made in zip(new, session.told(log[number] for number in new)):
            lines[number] = made
        return [line for number in numbers if (line := lines[number]) is not None]


class SideLog:
    """The log and the frames of one side.

    A frame is a moment at which the side's log had grown; so the number of frames tells nothing of what the other
    side did unseen. ``line_floor`` and ``frame_floor`` are the shortest that log and frames have been since they
    grew longer: what a client has beyond that may have been taken back meanwhile.
    """

    def __init__(self, side: str, undone: bool, told: LogLines | None = None) -> None:
        self.side = side
        self._told = told or LogLines()
        self.lines: list[LogLine] = []
        self.frames: list[Frame] = []
        self.line_floor = 0 if undone else 10**9
        self.frame_floor = 0 if undone else 10**9
        self._sources = array("L")
        self._counts: list[int] = []
        self._events: list[Event] = []
        self._answers: list[Answer] = []

    def sync(self, session: Session, turns: Turns) -> tuple[int, int]:
        """Come up to date; returns how many lines and frames of those there were still stand."""
        log, answers = session.log, session.answers
        same = _common(self._events, log)
        old_lines, old_frames = len(self.lines), len(self.frames)
        lines = bisect_left(self._sources, same)
        del self.lines[lines:], self._sources[lines:], self._events[same:]
        same_answers = _common(self._answers, answers)
        while self.frames and (self._counts[-1] > same_answers or self.frames[-1].log > lines):
            self.frames.pop()
            self._counts.pop()
        frames = len(self.frames)
        new = [number for number in range(same, len(log)) if may_read(log[number], self.side)]
        self.lines += self._told.of(session, new)
        self._sources.extend(new)
        self._events += log[same:]
        self._answers[same_answers:] = answers[same_answers:]
        for count in range(self._counts[-1] + 1 if self._counts else 0, len(answers) + 1):
            end = answers[count].log if count < len(answers) else len(log)
            seen = bisect_left(self._sources, end)
            if not self.frames or seen > self.frames[-1].log:
                turn, phase = turns[count]
                self.frames.append(Frame(len(self.frames), turn, phase, seen))
                self._counts.append(count)
        if lines < old_lines:
            self.line_floor = min(self.line_floor, lines)
        if frames < old_frames:
            self.frame_floor = min(self.frame_floor, frames)
        return lines, frames

    def count(self, frame: int) -> int:
        """How many answers had been given at a frame."""
        if not 0 <= frame < len(self.frames):
            raise MissingError(f"There's no frame {frame}. Frames go from 0 to {len(self.frames) - 1}.")
        return self._counts[frame]

    def frame_at(self, count: int) -> int:
        """The last frame at which no more than so many answers had been given."""
        return max(bisect_right(self._counts, count) - 1, 0)

    def line_count(self, count: int) -> int:
        """How many lines there were when so many answers had been given."""
        if count >= len(self._answers):
            return len(self.lines)
        return bisect_left(self._sources, self._answers[count].log)

    def answer_behind(self, line: int) -> int:
        """The number of the answer that led to a line of the log; -1 for what happened before any."""
        if not 0 <= line < len(self.lines):
            raise MissingError(f"The log has no line {line}. Lines go from 0 to {len(self.lines) - 1}.")
        return bisect_right([answer.log for answer in self._answers], self._sources[line]) - 1


def _common(old: list[Any], new: list[Any]) -> int:
    """How many entries at the beginning are the very same."""
    if len(old) <= len(new) and (not old or old[-1] is new[len(old) - 1]):
        return len(old)  # nothing that stands is ever exchanged before the last: lists only grow, or are cut and grow
    same = 0
    for mine, theirs in zip(old, new):
        if mine is not theirs:
            break
        same += 1
    return same
