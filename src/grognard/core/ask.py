"""Questions and answers: an Ask with its options, each answer a short string."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from grognard.core.errors import IllegalError
from grognard.core.tally import Tally

if TYPE_CHECKING:
    from grognard.core.battle import Throw
    from grognard.core.drafts import Draft
    from grognard.core.poses import Area, Preview


#: An error repeats so much of an answer.
LONG = 200


class Option(msgspec.Struct, frozen=True, omit_defaults=True):
    """One legal answer: its stable key, and what a client needs to show it.

    ``range`` is how far off its target is, in whole steps of the board: what a standing order goes by. Where people
    want it finer than that, ``distance`` tells it as they read it, and the label does not. Where a single model is
    meant, ``model`` is that one of ``unit``, and ``target_model`` that one of ``target``.
    """

    key: str
    label: str = ""
    verb: str = ""
    unit: str = ""
    place: str = ""
    target: str = ""
    cost: str = ""
    rule: str = ""
    range: int = -1
    distance: str = ""
    model: str = ""
    target_model: str = ""


class Bar(msgspec.Struct, frozen=True, array_like=True):
    """Why something is not allowed: the rule, the reason, and where it lies."""

    rule: str
    reason: str
    source: str = ""

    def say(self) -> str:
        """The reason as people read it."""
        source = f" ({self.source})" if self.source else ""
        return f"{self.reason}{source}" + (f" [{self.rule}]" if self.rule else "")


class Ask:
    """A choice that a side must make. Its options are listed only when somebody looks.

    ``quiet`` asks are those to which the state alone leads back; ``reaction`` names the kind of interrupt
    (such as ``"opportunity fire"``) so that a standing order can answer it. A free placement has an ``area``: then any
    pose in it is an answer too, and the poses among the options are only good ones to choose from. In the same way a
    ``draft`` takes whatever is drawn or filled in and has no fault. ``meanwhile`` is the
    key with which odds go on when the question comes up and nobody says how it is answered; "" ends the odds here.
    ``foresee`` tells where models would go by an option that is no pose, such as an assault, and None where they stay.
    ``about`` is what the question is about, in ids and figures, where its options do not say it: the prompt is for
    people, and no program reads it.
    """

    __slots__ = (
        "_area",
        "_draft",
        "_list",
        "_meanwhile",
        "_options",
        "about",
        "foresee",
        "prompt",
        "quiet",
        "reaction",
        "rule",
        "seq",
        "side",
    )

    def __init__(
        self,
        side: str,
        prompt: str,
        options: Callable[[], Iterable[Option]] | list[Option],
        *,
        quiet: bool = False,
        reaction: str = "",
        rule: str = "",
        area: Callable[[], Area] | None = None,
        draft: Callable[[], Draft] | None = None,
        meanwhile: str | Callable[[], str] = "",
        foresee: Callable[[str], Preview | None] = lambda key: None,
        about: tuple[str, ...] = (),
    ) -> None:
        self._area: Callable[[], Area] | Area | None = area
        self._draft: Callable[[], Draft] | Draft | None = draft
        self.foresee = foresee
        self.about = about
        self._meanwhile = meanwhile
        self.side, self.prompt, self.quiet, self.reaction, self.rule = side, prompt, quiet, reaction, rule
        self.seq = 0
        self._options: list[Option] | None = None
        self._list: Callable[[], Iterable[Option]] | None = None
        if callable(options):
            self._list = options
        else:
            self._options = options

    @property
    def options(self) -> list[Option]:
        """Every legal answer. This list is the whole truth about legality."""
        if self._options is None:
            assert self._list is not None
            self._options = list(self._list())
        return self._options

    @property
    def only(self) -> str | None:
        """The key of the one answer that there is; None where there is a choice."""
        open_ended = self.area is not None or self.draft is not None
        return self.options[0].key if len(self.options) == 1 and not open_ended else None

    @property
    def meanwhile(self) -> str:
        """The key with which odds go on here; "" where they end."""
        return self._meanwhile() if callable(self._meanwhile) else self._meanwhile

    @property
    def area(self) -> Area | None:
        """Where a pose is an answer too; None where there is no free placement."""
        if callable(self._area):
            self._area = self._area()
        return self._area

    @property
    def draft(self) -> Draft | None:
        """What judges an answer that is drawn or filled in; None where there is none."""
        if callable(self._draft):
            self._draft = self._draft()
        return self._draft

    def option(self, key: str) -> Option:
        """The option of a key; any other key is illegal, and the error says what would be right."""
        draft = self.draft
        if draft is not None and draft.takes(key):
            judged = draft.option(key)
            if isinstance(judged, str):
                wrong = f"{shortened(key)} is not an answer to “{self.prompt}” ({self.side}): {judged}"
                raise IllegalError(key, self, f"{wrong}; legal: {self._legal()}")
            return next((option for option in self.options if option.key == key), judged)
        area = self.area
        if area is not None and key.split(" ", 1)[0] == area.verb:
            found = area.option(key)
            if isinstance(found, str):
                wrong = f"{shortened(key)} is not an answer to “{self.prompt}” ({self.side}): {found}"
                raise IllegalError(key, self, f"{wrong}; legal: {self._legal()}")
            # A pose that is listed has its cost and label.
            return next((option for option in self.options if option.key == key), found)
        for option in self.options:
            if option.key == key:
                return option
        wrong = f"{shortened(key)} is not an answer to “{self.prompt}” ({self.side})"
        raise IllegalError(key, self, f"{wrong}; legal: {self._legal()}")

    def _legal(self) -> str:
        """What would be an answer, in words."""
        keys = [shortened(option.key)[1:-1] if len(option.key) > LONG else option.key for option in self.options]
        shown = ", ".join(keys[:12]) + (f", … ({len(keys)} in all)" if len(keys) > 12 else "")
        if self.area is not None:
            shown += f", and any {self.area.verb!r} inside its area"
        return shown if self.draft is None else f"{shown}, and any {self.draft.verb!r} without a fault"

    def __repr__(self) -> str:
        return f"Ask({self.side!r}, {self.prompt!r}, quiet={self.quiet})"


def shortened(key: str) -> str:
    """An answer as an error repeats it; nobody reads thousands of characters."""
    return repr(key) if len(key) <= LONG else f"{key[:LONG]!r}…"


class FacesAsk(Ask):
    """The table's own dice are wanted: the answer is ``dice 3 4``, or ``dice german`` where things have names.

    ``throw`` says whose dice they are ("" for nobody's, which any side may tell), what they decide and how they are
    read. ``names`` are the things that can be drawn, each with a face that stands for it.
    """

    __slots__ = ("names", "number", "sides", "throw")

    def __init__(self, side: str, number: int, sides: int, throw: Throw) -> None:
        self.number, self.sides, self.throw = number, sides, throw
        things: tuple[str, ...] = getattr(throw.read, "names", ()) if number == 1 else ()
        self.names = {name_of_thing(thing): face for face, thing in reversed(list(enumerate(things, 1)))}
        super().__init__(side, f"Result of {number}d{sides}{f' for {throw.what}' if throw.what else ''}?", [])

    @property
    def what(self) -> str:
        """What the dice decide."""
        return self.throw.what

    @property
    def tallies(self) -> tuple[Tally, ...]:
        """What they are reckoned with."""
        return self.throw.tallies

    @property
    def things(self) -> dict[str, int]:
        """What can be drawn, with how many there are of each; nothing where dice are thrown."""
        found: dict[str, int] = {}
        for thing in getattr(self.throw.read, "names", ()) if self.names else ():
            found[thing] = found.get(thing, 0) + 1
        return found

    @property
    def example(self) -> str:
        """An answer such as is wanted, without its first word."""
        return next(iter(sorted(self.names)), " ".join([str(min(3, self.sides))] * self.number))

    def faces(self, key: str) -> tuple[int, ...]:
        """The faces that an answer tells."""
        return tuple(self.names.get(word) or int(word) for word in key.split()[1:])

    def option(self, key: str) -> Option:
        """Any faces that such dice can show, or the name of what was drawn."""
        words = key.split()
        good = len(words) == self.number + 1 and words[0] == "dice" and all(map(self._is_face, words[1:]))
        if not good:
            right = " or ".join(f"'dice {name}'" for name in sorted(self.names)) or f"'dice {self.example}'"
            each = "" if self.names else f"; {'each die' if self.number > 1 else 'it'} shows 1 to {self.sides}"
            wrong = f"{key!r} is not a result of {self.number}d{self.sides}; write it as {right}{each}"
            raise IllegalError(key, self, wrong)
        return Option(key)

    def _is_face(self, word: str) -> bool:
        return word in self.names or (
            len(word) <= 4 and word.isascii() and word.isdigit() and 1 <= int(word) <= self.sides
        )


def name_of_thing(thing: str) -> str:
    """The word by which something that was drawn is said: "Great Britain" is great_britain."""
    return "_".join(thing.casefold().split())


R = TypeVar("R")
Procedure = Generator[Ask, str, R]
Rules = Generator[Ask, str, Any]
