"""Playing by typing: the question, people's answers, and what they may ask in between."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from grognard.cli import show
from grognard.cli.advise import advise_session
from grognard.cli.referee import by_ids, choose, odds_of, refusal, sight_ends
from grognard.cli.rulebook import rule_lines, rules_with
from grognard.cli.show import say
from grognard.cli.words import steps, takes_draft
from grognard.cli.writing import write_save
from grognard.core.ask import Ask, FacesAsk
from grognard.core.drives import Drive, drive
from grognard.core.errors import GrognardError, IllegalError
from grognard.core.files import Document
from grognard.core.luck import luck_report
from grognard.core.session import Session
from grognard.players.seats import Seats, let_play

HELP = """\
Answer with an option's number, its key, or enough of its key to tell it from the others.
  options [WORDS]           list the options again, or only those with these words
  odds OPTION [/ OPTION]    the exact odds of an answer
  preview POSE              what happens if you place the unit there, or hand in a draft
  draft FILE                hand in what you drew or filled in, from a TOML file
  advise                    what a good player would do in your place, and why
  why UNIT [VERB] [TARGET]  why you can't do something
  los A B                   line of sight between two units or places
  rule 12.3                 a rule, a section or a tag; rules WORDS searches
  map, units [SIDE], log [N], luck, briefing
  undo                      take back your last answer
  save [FILE]               save the game
  quit                      quit"""


class TextGame:
    """A battle with at least one person in it."""

    def __init__(self, session: Session, seats: Seats, save: Path | None = None, board: bool = True) -> None:
        self.session, self.seats, self.save, self.board = session, seats, save, board
        self.leaving = False
        self.drive: Drive | None = None
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
            "draft": self.hand_in,
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
        while (ask := self.next_ask()) is not None and not self.leaving:
            if isinstance(ask, FacesAsk) or self.seats[ask.side] is None:
                self.turn(ask)
            else:
                let_play(self.session, self.seats)
        self.tell()

    @property
    def names(self) -> Mapping[str, str]:
        """How people call the units."""
        return self.session.game.names(self.session.seen)

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
            self.answer(ask, line)
            self.autosave()

    def answer(self, ask: Ask, line: str) -> None:
        """Answer with an option, or with a whole move such as ``move k D4``, which waits while others react."""
        try:
            key = choose(self.session, ask, line)
        except IllegalError as error:
            self.drive = drive(self.session, by_ids(self.session, self.side, line))
            if self.drive is None:
                raise refusal(self.session, line, error) from None
            self.go_on()
        else:
            self.session.answer(key)

    def next_ask(self) -> Ask | None:
        """The question that stands once a move under way has gone on as far as it can."""
        self.go_on()
        return self.session.ask

    def go_on(self) -> None:
        """Go on with a move that was told in one answer, if its side is asked for the next step."""
        if self.drive is not None:
            self.drive.go_on(self.session)
            if self.drive.stopped:
                say("The move stopped: there is a new question.")
            if self.drive.over:
                self.drive = None

    def is_key(self, ask: Ask, line: str) -> bool:
        """Whether a line is the whole key of an option."""
        return not isinstance(ask, FacesAsk) and any(option.key == " ".join(line.split()) for option in ask.options)

    def put(self, ask: Ask) -> None:
        """Show the question."""
        say()
        if isinstance(ask, FacesAsk):
            for line in show.faces_wanted(self.session, ask, self.side):
                say(line)
            say(f"Type {'what was drawn' if ask.names else 'the faces'}, such as {ask.example}")
            return
        if ask.quiet:
            say(show.head_line(self.session.game.view(self.session.battle, self.side)))
        say(show.ask_head(ask))
        for line in show.brief_option_lines(ask, self.names, self.session.game.hints(self.session.battle, ask)):
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
        log, side = self.session.seen.log, self.side
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
            raise GrognardError("odds of what? Write: odds OPTION")
        odds_of(self.session, typed)

    def preview(self, words: str) -> None:
        """``preview POSE``."""
        typed = words.strip()
        ask = self.session.ask
        key = typed if ask is not None and takes_draft(ask, typed) else " ".join(typed.split())
        for line in show.preview_lines(self.session.preview(key)):
            say(line)

    def hand_in(self, words: str) -> None:
        """``draft FILE``."""
        ask = self.session.ask
        if ask is None or ask.draft is None:
            raise GrognardError("this question takes nothing that is drawn or filled in")
        if not words:
            raise GrognardError("hand in what? Write: draft FILE, with the form as TOML")
        key = ask.draft.read_document(Document.read(Path(words)))
        for line in show.preview_lines(self.session.preview(key)):
            say(line)
        self.session.answer(key)
        self.autosave()

    def advise(self, words: str) -> None:
        """``advise``."""
        advise_session(self.session)

    def explain(self, words: str) -> None:
        """``why UNIT``."""
        if not words:
            raise GrognardError("why what? Write: why UNIT, or why UNIT VERB TARGET")
        bars = self.session.why_not(self.side, by_ids(self.session, self.side, words))
        for bar in bars:
            say(bar.say())
        if not bars:
            say(f"You can do this: {words}. Look in the list of options.")

    def show_sight(self, words: str) -> None:
        """``los A B``."""
        try:
            places = shlex.split(words)
        except ValueError:
            places = []
        if len(places) != 2:
            raise GrognardError('line of sight between which two? Write: los A B, or los "Unit a" "Unit b"')
        ends = sight_ends(self.session, self.side, *places)
        say(self.session.game.sight(self.session.battle, self.side, *ends).say())

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
            raise GrognardError("You can't undo: you have not answered anything yet")
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
            raise GrognardError("save where? Write: save FILE")
        write_save(path, self.session)
        say(f"Saved in {path}. Continue with: grognard play --text --load {path}")

    def quit(self, words: str) -> None:
        """``quit``: offers to save."""
        if self.save is not None:
            self.leave_unsaved()
            return
        while True:
            name = self.read("Save in which file? Press Enter to quit without saving: ")
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
            say(f"Saved in {self.save}. Continue with: grognard play --text --load {self.save}")
        self.leaving = True
