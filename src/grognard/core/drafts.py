"""Drafts: a drawing or a form as an answer, and what judges it.

Orders that are drawn on a map are no option of a list and no pose. A question that takes them carries a ``Draft``,
which is the whole truth about such answers, as the options are about everything else; options beside it may be a
handful of good drafts to choose from. The answer is the draft's verb and the form as JSON:
``plan {"route":["A1","B2"],"units":["r1"]}``. A side may prepare drafts while the other one is asked: they are judged
the same way, and handed in when the question comes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Container, Iterable, Sequence
from random import Random

import msgspec

from grognard.core.ask import Bar, Option
from grognard.core.files import Document
from grognard.core.forms import (
    DraftView,
    Field,
    Form,
    check_form,
    place_in,
    read_json,
    sample_form,
    start_of,
    where_of,
    write_form,
)
from grognard.core.view import GraphicView, PreviewView, bar_view

#: An answer that is a draft has at most so many characters.
LONGEST = 4000


class DraftPreview(msgspec.Struct, omit_defaults=True):
    """What a draft would come to: short sentences, places to tint with a word for each, and what to draw."""

    lines: list[str] = []
    tints: dict[str, str] = {}
    graphics: list[GraphicView] = []


class Draft(ABC):
    """What a side may draw or fill in. ``bars`` is the whole truth about what is wrong with it.

    ``places`` are the words that name places of the map. It tells and judges by what the side knows, and by nothing
    else: a fault is read by whoever draws.
    """

    def __init__(self, verb: str, label: str, *, places: Container[str] = (), rule: str = "") -> None:
        self.verb, self.label, self.places, self.rule = verb, label, places, rule

    # -- what the game says ------------------------------------------------------------------------------

    @abstractmethod
    def fields(self) -> Sequence[Field]:
        """The fields of the form, in the order in which people fill them in."""

    @abstractmethod
    def bars(self, form: Form) -> Iterable[Bar]:
        """Everything that stands against a form, each with the place in it as its source: ``place_in(("route", 2))``.

        Its values are those of its fields. What the fields themselves refuse is told already and left out of it, so
        that any field may be missing, and a list may be short of what was wrong in it.
        """

    def start(self) -> Form:
        """What an editor opens with: the defaults of the fields."""
        return start_of(self.fields())

    def preview(self, form: Form) -> DraftPreview:
        """What a form would come to, as far as it goes: any field may be missing."""
        return DraftPreview()

    def sample(self, rng: Random) -> Form:
        """A form to try the game with. Some should be legal and some near misses."""
        words = [word for word in getattr(self.places, "__iter__", list)() if isinstance(word, str)]
        return sample_form(self.fields(), rng, words)

    # -- what follows ------------------------------------------------------------------------------------

    def key(self, form: Form) -> str:
        """A form as an answer; ``read`` reads it back."""
        return f"{self.verb} {write_form(form)}"

    def takes(self, key: str) -> bool:
        """Whether an answer is meant to be this draft."""
        return key.partition(" ")[0] == self.verb

    def read(self, key: str) -> tuple[Form, list[Bar]]:
        """The form of an answer so far as it can be read, and every fault in it at once."""
        text = key.partition(" ")[2]
        if len(key) > LONGEST:
            return {}, [Bar("", f"{len(key):,} characters; at most {LONGEST:,}")]
        if text != text.strip():
            return {}, [Bar("", "spaces before or after the form; leave them out")]
        if not text.isascii() or not text.isprintable():
            return {}, [Bar("", "letters that are not plain ASCII; write them as \\u00e9")]
        value, wrong = read_json(text)
        if value is None:
            return {}, [Bar("", f"{wrong}; write it as {self.key(self.start())}")]
        fields = self.fields()
        form, faults = check_form(fields, value, self.places)
        rules = {field.id: field.rule for field in fields}
        bars = [
            Bar(
                rules.get(str(fault.where[0]), "") if fault.where else "",
                fault.wrong + (f"; {fault.right}" if fault.right else ""),
                place_in(fault.where),
            )
            for fault in faults
        ]
        return form, [*bars, *self.bars(form)]

    def read_document(self, document: Document) -> str:
        """The answer that a file with the form makes; or all the faults of the file, each with its line."""
        form, faults = check_form(self.fields(), document.data, self.places)
        for fault in faults:
            document.fault(fault.where, fault.wrong, fault.right)
        for bar in self.bars(form):
            document.fault(where_of(bar.source), bar.reason, f"rule {bar.rule}" if bar.rule else "")
        document.check()
        return self.key(form)

    def option(self, key: str) -> Option | str:
        """The option that an answer makes, or all that stands against it."""
        _, bars = self.read(key)
        return "; ".join(bar.say() for bar in bars) or Option(key, self.label, self.verb, rule=self.rule)

    def shown(self, key: str) -> PreviewView:
        """What an answer would come to, with every fault, as a client shows it."""
        form, bars = self.read(key)
        told = self.preview(form)
        first = bar_view(bars[0]) if bars else None
        seen = PreviewView(key, not bars, first, lines=told.lines, tints=told.tints, graphics=told.graphics)
        seen.bars = [bar_view(bar) for bar in bars]
        return seen

    def view(self) -> DraftView:
        """What a client needs to draw its editor."""
        return DraftView(self.verb, self.label, list(self.fields()), self.key(self.start()), self.rule)
