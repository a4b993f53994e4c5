"""``try``: a position, the answers given in it and the dice that were thrown, with everything that comes of them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from grognard.cli import show
from grognard.cli.json_output import ask_record, event_records, plain, print_json, view_record
from grognard.cli.referee import by_ids, check_side, choose, refusal
from grognard.cli.show import say
from grognard.cli.words import faces_key, steps, tells_faces
from grognard.cli.writing import write_save
from grognard.core import open_files
from grognard.core.ask import FacesAsk
from grognard.core.dice import FairDice, ImpossibleFacesError
from grognard.core.drives import Drive, drive
from grognard.core.errors import GrognardError, IllegalError
from grognard.core.events import Event
from grognard.core.session import Session
from grognard.core.words import side_name


class Step(NamedTuple):
    """An answer, "" for what happened before any, and what came of it."""

    key: str
    events: list[Event]


class Trial:
    """A position in which somebody answers, with the dice of a real table at hand."""

    def __init__(self, session: Session, dice: Sequence[str], side: str = "", tell: bool = True) -> None:
        if dice and isinstance(session.dice, FairDice):
            raise GrognardError("--dice: this saved game rolls its own dice from a seed")
        self.session, self.side, self.tell = session, side, tell
        self.left, self.thrown = list(dice), list[str]()
        self.told_by_hand = False
        self.drive: Drive | None = None
        self.steps: list[Step] = []
        self.heard = 0
        self._throw()
        self._note("")

    def answer(self, typed: str) -> None:
        """Answer the question that stands, and throw the dice at hand for as long as any are wanted."""
        session = self.session
        if session.ask is None:
            raise IllegalError(typed, None, f"the battle is over before {typed!r}")
        if isinstance(session.ask, FacesAsk) and not tells_faces(session.ask, typed):
            raise IllegalError(typed, session.ask, self._dice_first(session.ask, typed))
        try:
            key = choose(session, session.ask, typed)
        except IllegalError as error:
            self.drive = drive(session, by_ids(session, session.ask.side, typed))
            if self.drive is None:
                raise refusal(session, typed, error) from None
            self._go_on()
            return
        self.told_by_hand |= isinstance(session.ask, FacesAsk)
        session.answer(key)
        try:
            self._throw()
        finally:
            self._note(key)
        self._go_on()

    def _dice_first(self, ask: FacesAsk, typed: str) -> str:
        """What is wanted before an answer can be given, and how to tell it."""
        wanted = f"{ask.number}d{ask.sides} for {ask.what}" if not ask.names else f"a draw ({ask.what})"
        return f"{typed!r} has to wait for {wanted}. {how_to_tell(self, ask)}"

    def _go_on(self) -> None:
        """Go on with a move that was told in one answer, until something else is asked."""
        while self.drive is not None and (given := self.drive.go_on(self.session)):
            self._throw()
            self._note(" / ".join(given))
        if self.drive is not None and self.drive.over:
            if self.drive.stopped and self.tell:
                say(f"  The move stopped. It would have continued with {' / '.join(self.drive.left)}")
            self.drive = None

    def _throw(self) -> None:
        """Tell the next faces of --dice, throw by throw; one that they are too few for is told whole or not at all."""
        session = self.session
        while isinstance(ask := session.ask, FacesAsk) and len(self.left) >= ask.number:
            faces, rest = self.left[: ask.number], self.left[ask.number :]
            try:
                key = faces_key(ask, " ".join(faces))
            except IllegalError:
                raise ImpossibleFacesError(_impossible(ask, faces)) from None
            session.answer(key)
            self.left, self.thrown = rest, self.thrown + faces

    def _note(self, key: str) -> None:
        log = self.session.seen.log
        new, self.heard = list(log[self.heard :]), max(self.heard, len(log))
        if not key and not new:
            return
        self.steps.append(Step(key, new))
        if self.tell:
            self._say(self.steps[-1])

    def _say(self, step: Step) -> None:
        if step.key:
            say(f"> {step.key}")
        names = self.session.game.names(self.session.seen)
        for line in show.event_lines(step.events, self.session.game.phrases, names, side=self.side):
            say(f"  {line}")


def _impossible(ask: FacesAsk, faces: Sequence[str]) -> str:
    shown = " ".join(faces)
    if ask.names:
        return f"--dice: {shown!r} can't be drawn for {ask.what}; it is one of {', '.join(sorted(ask.names))}"
    about = f" for {ask.what}" if ask.what else ""
    return f"{shown} is not a result of {ask.number}d{ask.sides}{about}; faces go from 1 to {ask.sides}"


def try_position(word: str, do: Sequence[str], dice: str, side: str, save: Path | None, game: str, json: bool) -> None:
    """Answer in a position with given dice, and tell what came of it."""
    session = open_files.open_position(word, game)
    check_side(session, side)
    trial = Trial(session, read_dice(dice), side, tell=not json)
    for typed in steps(do):
        trial.answer(typed)
    if save is not None:
        write_save(save, session)
    if json:
        print_json(_record(trial))
        return
    if trial.steps:
        say()
        show.show_state(show.view_of(session, side))
        say()
    _stands(trial)
    if trial.drive is not None and trial.drive.left:
        say(f"Then the move continues: {' / '.join(trial.drive.left)}")
    if trial.left:
        say(f"Not used of --dice: {','.join(trial.left)}")
    if save is not None:
        say(f"Saved in {save}.")


def _stands(trial: Trial) -> None:
    """The question that stands now, or how the battle ended."""
    session, side = trial.session, trial.side
    ask, result = session.ask, session.result
    if ask is None:
        say(
            f"The battle is over: {side_name(result.winner) or 'a draw'}, {result.reason}"
            if result
            else "The battle is over."
        )
        return
    if isinstance(ask, FacesAsk):
        for line in show.faces_wanted(session, ask, side):
            say(line)
        say(how_to_tell(trial, ask))
        return
    say(show.ask_head(ask))
    if side in ("", ask.side):
        names, hints = session.game.names(session.battle), session.game.hints(session.battle, ask)
        for line in show.option_lines(ask, names, hints=hints):
            say(line)


def how_to_tell(trial: Trial, ask: FacesAsk) -> str:
    """How to say what the dice showed."""
    by_hand = f"--do 'dice {ask.example}'"
    if trial.told_by_hand or isinstance(trial.session.dice, FairDice):
        return f"Give them with a further {by_hand}"
    return f"Give them with --dice {','.join([*trial.thrown, *['?'] * ask.number])} or with a further {by_hand}"


def read_dice(text: str) -> list[str]:
    """The faces of --dice, ``3,4,6`` or ``3 4 6``, and the names of what was drawn, as in ``german,3``."""
    faces = []
    for word in text.replace(",", " ").split():
        number = word.isascii() and word.isdigit() and len(word) <= 4 and int(word) > 0
        if not (number or (len(word) > 1 and word.isidentifier())):
            raise GrognardError(f"--dice: {word!r} is not a die face; write the dice as 3,4,6")
        faces.append(word)
    return faces


def _record(trial: Trial) -> dict[str, Any]:
    session, side = trial.session, trial.side
    record: dict[str, Any] = {
        "game": session.game.name,
        "taken": [{"key": step.key, "events": event_records(step.events, session, side)} for step in trial.steps],
        "state": view_record(show.view_of(session, side)),
        "ask": ask_record(session, side),
        "result": plain(session.result),
        "spare_dice": [int(face) if face.isdigit() else face for face in trial.left],
    }
    if trial.drive is not None:
        record["then"] = trial.drive.left
    if isinstance(session.ask, FacesAsk):
        record["wanted"] = how_to_tell(trial, session.ask)
    return record
