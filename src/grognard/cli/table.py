"""The table at which people play by typing: the question, their answers, and what they may ask in between."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from grognard.cli import show
from grognard.cli.advise import advise_session
from grognard.cli.referee import known_names
from grognard.cli.rulebook import rule_lines, rules_with
from grognard.cli.show import say
from grognard.cli.words import choose_key, choose_keys, steps
from grognard.cli.writing import write_save
from grognard.core.ask import Ask, FacesAsk
from grognard.core.errors import GrognardError
from grognard.core.luck import luck_report
from grognard.core.session import Session
from grognard.core.words import unit_called
from grognard.players.seats import Seats, let_play

HELP = """\
Answer with an option's number, its key, or the beginning of its key if no other begins so.
  options [WORDS]           list the options again, all or those with the words
  odds OPTION [/ OPTION]    the exact chances of what an answer leads to
  preview POSE              what placing a unit there would come to
  advise                    what a good player would do in your place, and why
  why UNIT [VERB] [TARGET]  why something is not offered
  los A B                   line of sight between two units or places
  rule 12.3                 a rule, or a section; rules WORDS searches
  map, units [SIDE], log [N], luck, briefing
  undo                      take back your last answer
  save [FILE]               keep the game
  quit                      leave"""


class Table:
    """A battle with at least one person in it."""

    def __init__(self, session: Session, seats: Seats, save: Path | None = None, board: bool = True) -> None:
        self.session, self.seats, self.save, self.board = session, seats, save, board
        self.leaving = False
        self.drawn = ""
        self.moment: tuple[str, int, str, int] | None = None
        self.public = 0
        self.private = dict.fromkeys(session.scenario.sides, 0)
        people = [side for side, player in seats.items() if player is None]
        self.side = people[0]
        self.alone = len(people) == 1
        self.commands: dict[str, Callable[[str], None]] = {
            "options": self.list_options,
            "odds": self.show_odds,
            "preview": self.preview,
            "advise": self.advise,
            "why": self.explain,
            "los": self.show_sight,
            "rule": self.show_rule,
            "rules": self.search_rules,
            "map": self.show_map,
            "units": self.show_units,
            "log": self.show_log,
            "luck": self.show_luck,
            "briefing": self.show_briefing,
            "undo": self.undo,
            "save": self.keep,
            "help": self.show_help,
            "quit": self.quit,
        }

    def play(self) -> None:
        """Play until the battle is over or somebody leaves."""
        if sys.stdin.isatty():
            with suppress(ImportError):
                import readline  # noqa: F401  input() then has line editing and history
        say("Type 'help' to see what you can type.")
        while self.session.ask is not None and not self.leaving:
            ask = self.session.ask
            if self.seats[ask.side] is None or isinstance(ask, FacesAsk):
                self.turn(ask)
            else:
                let_play(self.session, self.seats)
        self.tell()

    @property
    def names(self) -> Mapping[str, str]:
        """How people call the units."""
        return self.session.game.names(self.session.battle)

    # -- one question ----------------------------------------------------------------------------------

    def turn(self, ask: Ask) -> None:
        """Put a question to a person, and deal with what is typed until it is answered."""
        if not self.alone and self.seats[ask.side] is None:
            self.side = ask.side
        self.tell()
        if self.board and ask.quiet:
            self.draw_if_changed()
        self.put(ask)
        before = self.session.seq
        while not self.leaving and self.session.seq == before:
            line = self.read(f"{ask.side}> ")
            if line is None:
                self.leave_unsaved()
                return
            try:
                self.deal_with(ask, line)
            except GrognardError as error:
                say(f"! {error}")

    def deal_with(self, ask: Ask, line: str) -> None:
        """Answer, or obey a command. An option's own key is never taken for a command."""
        words = line.split()
        if not words:
            self.put(ask)
        elif words[0].casefold() in self.commands and not self.is_key(ask, line):
            self.commands[words[0].casefold()](line.strip()[len(words[0]) :].strip())
        else:
            self.session.answer(choose_key(ask, line))
            self.autosave()

    def is_key(self, ask: Ask, line: str) -> bool:
        """Whether a line is the whole key of an option."""
        return not isinstance(ask, FacesAsk) and any(option.key == " ".join(line.split()) for option in ask.options)

    def put(self, ask: Ask) -> None:
        """Show the question."""
        say()
        if isinstance(ask, FacesAsk):
            for line in show.faces_wanted(ask, self.session.game.phrases):
                say(line)
            say(f"Type the faces, such as {' '.join(['3'] * ask.number)}")
            return
        if ask.quiet:
            say(show.head_line(self.session.game.view(self.session.battle, self.side)))
        say(show.ask_head(ask))
        for line in show.brief_option_lines(ask, self.names):
            say(line)

    def read(self, prompt: str) -> str | None:
        """A line that is typed; None at the end of input."""
        try:
            line = input(prompt)
        except EOFError:
            say()
            return None
        if not sys.stdin.isatty():
            say(line)
        return line

    # -- what is told -----------------------------------------------------------------------------------

    def tell(self) -> None:
        """What has happened since this side last looked; what everybody may see is told once."""
        log, side = self.session.log, self.side
        start = min(self.public, self.private[side])
        new = [
            event
            for number, event in enumerate(log[start:], start)
            if number >= (self.private[side] if event.seen_by else self.public)
        ]
        for line in show.event_lines(new, self.session.game.phrases, self.names, side=side):
            say(line)
        self.public = self.private[side] = len(log)

    def draw_if_changed(self) -> None:
        """Draw the board when a phase begins or somebody else has acted, if it differs from the one drawn last."""
        view = self.session.game.view(self.session.battle, self.side)
        others = sum(answer.side != self.side for answer in self.session.answers)
        if (moment := (self.side, view.turn, view.phase, others)) == self.moment:
            return
        self.moment = moment
        self.draw()

    def draw(self) -> None:
        """Draw the board unless it is still the one drawn last."""
        drawn = self.session.game.draw_text(self.session.battle, self.side)
        if drawn != self.drawn:
            self.drawn = drawn
            say()
            say(drawn.rstrip("\n"))

    # -- commands ---------------------------------------------------------------------------------------

    def list_options(self, words: str) -> None:
        """``options``."""
        assert self.session.ask is not None
        for line in show.option_lines(self.session.ask, self.names, words):
            say(line)

    def show_odds(self, words: str) -> None:
        """``odds OPTION``."""
        typed = steps([words])
        if not typed:
            raise GrognardError("odds of what? write: odds OPTION")
        keys = choose_keys(self.session, typed)
        show.show_odds(self.session.odds(*keys), self.session.game.phrases)

    def preview(self, words: str) -> None:
        """``preview POSE``."""
        for line in show.preview_lines(self.session.preview(" ".join(words.split()))):
            say(line)

    def advise(self, words: str) -> None:
        """``advise``."""
        advise_session(self.session)

    def explain(self, words: str) -> None:
        """``why UNIT``."""
        if not words:
            raise GrognardError("why what? write: why UNIT, or why UNIT VERB TARGET")
        bars = self.session.why_not(self.side, words)
        for bar in bars:
            say(bar.say())
        if not bars:
            say(f"Nothing bars {words}: look among the options.")

    def show_sight(self, words: str) -> None:
        """``los A B``."""
        try:
            places = shlex.split(words)
        except ValueError:
            places = []
        if len(places) != 2:
            raise GrognardError('line of sight between which two? write: los A B, or los "Unit a" "Unit b"')
        start, end = (unit_called(word, known_names(self.session, self.side)) for word in places)
        say(self.session.game.sight(self.session.battle, self.side, start, end).say())

    def show_rule(self, words: str) -> None:
        """``rule ID``."""
        for line in rule_lines(self.session.game, words):
            say(line)

    def search_rules(self, words: str) -> None:
        """``rules WORDS``."""
        for line in rules_with(self.session.game, words):
            say(line)

    def show_map(self, words: str) -> None:
        """``map``."""
        self.drawn = ""
        self.draw()

    def show_units(self, words: str) -> None:
        """``units``."""
        side = words.strip()
        if side and side not in self.session.scenario.sides:
            raise GrognardError(f"no side called {side!r}; there are {', '.join(self.session.scenario.sides)}")
        show.show_units(self.session.game.view(self.session.battle, self.side), side)

    def show_log(self, words: str) -> None:
        """``log``."""
        count = int(words) if words.isascii() and words.isdigit() and len(words) < 9 else 40
        lines = list(show.event_lines(self.session.log, self.session.game.phrases, self.names, side=self.side))
        for line in lines[-count:] if count else []:
            say(line)

    def show_luck(self, words: str) -> None:
        """``luck``."""
        show.show_luck(luck_report(event for event in self.session.log if event.seen_by in ("", self.side)))

    def show_briefing(self, words: str) -> None:
        """``briefing``."""
        say(self.session.scenario.briefing.strip() or "There is none.")

    def show_help(self, words: str) -> None:
        """``help``."""
        say(HELP)

    def undo(self, words: str) -> None:
        """``undo``: back to the person's own last answer; alone with programs, past theirs if that is allowed."""
        session = self.session
        own = {side for side, player in self.seats.items() if player is None}
        if not session.solo:
            # People at one table take back together whatever one of them answered last.
            session.undo(self.side if self.alone else None)
        elif not any(answer.side in own and not answer.by_order for answer in session.answers):
            raise GrognardError("cannot undo: you have not answered anything yet")
        else:
            while True:
                last = next(answer for answer in reversed(session.answers) if not answer.by_order)
                session.undo()
                if last.side in own:
                    break
        self.public = min(self.public, len(session.log))
        self.private = {side: min(number, len(session.log)) for side, number in self.private.items()}
        say("Taken back.")
        self.autosave()

    def autosave(self) -> None:
        """Keep the game, where a file was named for it."""
        if self.save is not None:
            write_save(self.save, self.session)

    def keep(self, words: str) -> None:
        """``save FILE``."""
        path = Path(words).expanduser() if words else self.save
        if path is None:
            raise GrognardError("save where? write: save FILE")
        write_save(path, self.session)
        say(f"Saved in {path}. Go on with: grognard play --text --load {path}")

    def quit(self, words: str) -> None:
        """``quit``: offers to save."""
        if self.save is not None:
            self.leave_unsaved()
            return
        while True:
            name = self.read("Save in which file? Enter leaves without saving: ")
            if not name or not name.strip():
                break
            try:
                self.keep(name.strip())
                break
            except GrognardError as error:
                say(f"! {error}")
        self.leaving = True

    def leave_unsaved(self) -> None:
        """Leave; what was to be kept is kept already."""
        if self.save is not None:
            say(f"Saved in {self.save}. Go on with: grognard play --text --load {self.save}")
        self.leaving = True
