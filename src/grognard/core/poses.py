"""Free placement: a pose as an answer, and the area in which poses are legal.

A table has no hexes to list. A question that lets a unit go anywhere within reach carries an ``Area``, which is the
whole truth about the poses it takes, as the options are about everything else. A pose is a short string like any
answer: ``pose 12.5 30 90 line m3@12.1,30.4`` is where the unit goes, which way it looks, in which form, and where
single models are set by hand. A model that looks another way than the rest has its heading behind its place, and
behind that its turret's: ``t3@12.1,30.4,90,135``. Lengths are units of the board with at most two decimals, headings
whole degrees clockwise from up.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Container, Mapping
from functools import lru_cache
from typing import NamedTuple

import msgspec

from grognard.core.ask import Bar, Option, shortened
from grognard.core.events import place_told

#: Positions are whole hundredths of the board's unit.
HUNDREDTHS = 100

Ring = list[tuple[int, int]]
#: A polygon as its rings, the outer one first, then holes; in hundredths.
Polygon = list[Ring]

_LENGTH = r"-?\d{1,4}(?:\.\d{1,2})?"
_POSE = re.compile(rf"^(?P<verb>[a-z_]+) (?P<x>{_LENGTH}) (?P<y>{_LENGTH}) (?P<heading>\d{{1,3}})(?P<rest>(?: \S+)*)$")
_MODEL = re.compile(
    rf"^(?P<id>[\w.-]{{1,40}})@(?P<x>{_LENGTH}),(?P<y>{_LENGTH})(?:,(?P<heading>\d{{1,3}})(?:,(?P<turret>\d{{1,3}}))?)?$"
)
_FORM = re.compile(r"^[a-z_]{1,20}$")

#: A pose has at most so many letters.
LONGEST = 2000

HOW = "write it as 'pose 12.5 30 90': across, down, heading; then a form and models set by hand as m3@12.1,30.4"


class Hand(NamedTuple):
    """A model set by hand: where, in hundredths, and which way it and its turret look.

    A heading of -1 is the pose's; a turret of -1 looks ahead. Only a model with a heading of its own has a turret.
    """

    id: str
    x: int
    y: int
    heading: int = -1
    turret: int = -1

    def word(self) -> str:
        """The model as a word of an answer."""
        words = [length(self.x), length(self.y)]
        if self.turned:
            words += [str(heading) for heading in (self.heading, self.turret) if heading >= 0]
        return f"{self.id}@{','.join(words)}"

    @property
    def turned(self) -> bool:
        """Whether it has a heading of its own."""
        return self.heading >= 0


class Pose(NamedTuple):
    """Where a unit goes, in hundredths, its heading in degrees, its form, and the models set by hand."""

    x: int
    y: int
    heading: int = 0
    form: str = ""
    by_hand: tuple[Hand, ...] = ()

    def key(self, verb: str = "pose") -> str:
        """The pose as an answer; `read_pose` reads it back."""
        words = [verb, length(self.x), length(self.y), str(self.heading)]
        if self.form:
            words.append(self.form)
        words += [hand.word() for hand in self.by_hand]
        return " ".join(words)

    @property
    def place(self) -> str:
        """Where it is, as views say it."""
        return place(self.x, self.y)


@lru_cache(maxsize=1 << 14)  # every place on a table is told in the same few thousand lengths
def length(hundredths: int) -> str:
    """Hundredths as people write a length.

    >>> length(1250), length(-5), length(300)
    ('12.5', '-0.05', '3')
    """
    whole, part = divmod(abs(hundredths), HUNDREDTHS)
    text = f"{whole}.{part:02d}".rstrip("0").rstrip(".")
    return f"-{text}" if hundredths < 0 and text != "0" else text


def place(x: int, y: int) -> str:
    """A point as a place: ``"12.5,30"``."""
    return f"{length(x)},{length(y)}"


class Points(Container[str]):
    """All places of a table of a size, as a container of words: ``"12.5,30"`` is one of them.

    >>> "12.5,30" in Points(7200, 4800), "90,30" in Points(7200, 4800), "hedge" in Points(7200, 4800)
    (True, False, False)
    """

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height

    def __contains__(self, word: object) -> bool:
        """Whether a word is a point on the table."""
        across, comma, down = str(word).partition(",")
        try:
            return bool(comma) and 0 <= hundredths(across) <= self.width and 0 <= hundredths(down) <= self.height
        except ValueError:
            return False


def hundredths(text: str) -> int:
    """A length as people write it, in hundredths; ValueError if it is none.

    >>> hundredths("12.5"), hundredths("-0.05")
    (1250, -5)
    """
    found = re.fullmatch(r"(-?)(\d{1,4})(?:\.(\d{1,2}))?", text, re.ASCII)
    if not found:
        raise ValueError(f"{text!r} is not a length with at most two decimals")
    value = int(found[2]) * HUNDREDTHS + int((found[3] or "0").ljust(2, "0"))
    return -value if found[1] else value


def point(text: str) -> tuple[int, int]:
    """A place such as ``"12.5,30"`` in hundredths; ValueError if it is none."""
    words = text.split(",")
    if len(words) != 2:
        raise ValueError(f"{text!r} is not a place; write it as 12.5,30")
    return hundredths(words[0]), hundredths(words[1])


def read_pose(key: str) -> tuple[str, Pose] | None:
    """The verb and the pose of an answer, or None if it is no pose."""
    found = _found(key)
    return None if found is None or _fault(found[1]) else found


def why_no_pose(key: str, verb: str = "pose") -> str:
    """What is wrong with an answer that is to be a pose, and what would be right; "" if it is one.

    >>> why_no_pose("pose 12 30 400")
    "'pose 12 30 400' has a heading of 400; headings are 0 to 359 degrees, clockwise from up"
    >>> why_no_pose("pose 12 30 90 line m3@1,2 m3@2,3")
    "'pose 12 30 90 line m3@1,2 m3@2,3' sets m3 by hand twice; once is right"
    """
    if len(key) > LONGEST:
        return f"{shortened(key)} has {len(key):,} letters; a pose has at most {LONGEST:,}"
    found = _found(key)
    if found is None or found[0] != verb:
        return f"{shortened(key)} is not a pose; {HOW.replace('pose', verb)}"
    wrong = _fault(found[1])
    return f"{shortened(key)} {wrong}" if wrong else ""


def _fault(pose: Pose) -> str:
    """What is wrong with a pose that is written like one, "" if nothing is."""
    headings = (pose.heading, *(hand.heading for hand in pose.by_hand), *(hand.turret for hand in pose.by_hand))
    if max(headings) > 359:
        return f"has a heading of {max(headings)}; headings are 0 to 359 degrees, clockwise from up"
    ids = [hand.id for hand in pose.by_hand]
    twice = next((id for id in ids if ids.count(id) > 1), "")
    return f"sets {twice} by hand twice; once is right" if twice else ""


def _found(key: str) -> tuple[str, Pose] | None:
    """The verb and the pose of whatever is written like one."""
    found = _POSE.fullmatch(key) if key.isascii() and len(key) <= LONGEST else None
    if not found:
        return None
    form = ""
    by_hand: list[Hand] = []
    for number, word in enumerate(found["rest"].split()):
        if model := _MODEL.match(word):
            by_hand.append(_hand(model))
        elif number == 0 and _FORM.match(word):
            form = word
        else:
            return None
    heading = int(found["heading"])
    return found["verb"], Pose(hundredths(found["x"]), hundredths(found["y"]), heading, form, tuple(by_hand))


def _hand(found: re.Match[str]) -> Hand:
    heading, turret = (int(found[name]) if found[name] else -1 for name in ("heading", "turret"))
    return Hand(found["id"], hundredths(found["x"]), hundredths(found["y"]), heading, turret)


def pose_told(key: str, names: Mapping[str, str]) -> tuple[str, str]:
    """A pose that no option lists, in words and as its place: where it is, and the way one looks there.

    >>> pose_told("pose 12.5 30 90 line", {}), pose_told("pass", {})
    (('12.5,30, heading 90°', '12.5,30'), ('pass', ''))
    """
    read = read_pose(key)
    if read is None:
        return key, ""
    where, heading = read[1].place, read[1].heading
    return place_told(where, names) + (f", heading {heading}°" if heading else ""), where


class Form(msgspec.Struct, frozen=True, omit_defaults=True):
    """A form that a unit can take: its models' places about the pose, in hundredths, at heading 0.

    ``turns`` is False where the heading does not turn them. A client lays out its ghost from these until the game's
    own preview comes.
    """

    name: str
    title: str
    models: list[tuple[str, int, int]] = []
    turns: bool = True


class ModelPose(msgspec.Struct, frozen=True, omit_defaults=True):
    """Where one model would stand, in hundredths, and how far it would go."""

    id: str
    x: int
    y: int
    heading: int = 0
    path: list[tuple[int, int]] = []


class Preview(msgspec.Struct, omit_defaults=True):
    """What a pose would come to: the layout, what it costs, and whatever is worth knowing before one commits.

    ``lines`` are short sentences (cover against whom, what would react); ``bar`` says why it is refused; ``polygons``
    are the area for this form and heading, where they were asked for; ``outline`` is what a template would cover.
    """

    key: str
    bar: Bar | None = None
    models: list[ModelPose] = []
    cost: str = ""
    lines: list[str] = []
    polygons: list[Polygon] = []
    outline: list[Ring] = []


class Area(ABC):
    """Where a unit may be put. ``bar`` is the whole truth about legality; the polygons are what it looks like.

    Any pose whose point lies inside the polygons for its form and heading is accepted, any outside is refused.
    """

    def __init__(self, unit: str, label: str, *, verb: str = "pose", rule: str = "") -> None:
        self.unit, self.label, self.verb, self.rule = unit, label, verb, rule

    @abstractmethod
    def forms(self) -> list[Form]:
        """The forms to choose from, the usual one first."""

    @abstractmethod
    def headings(self) -> tuple[int, ...]:
        """The headings to choose from where they are few; () where any degree will do."""

    @property
    @abstractmethod
    def start(self) -> Pose:
        """The pose that a client begins with: where the unit stands, in its usual form."""

    @abstractmethod
    def polygons(self, form: str, heading: int) -> list[Polygon]:
        """The legal points for a form and a heading."""

    @abstractmethod
    def bar(self, pose: Pose) -> Bar | None:
        """Why a pose is refused; None if it is legal."""

    @abstractmethod
    def preview(self, pose: Pose) -> Preview:
        """What a pose would come to, legal or not."""

    def no_such_form(self, pose: Pose) -> str:
        """What to say of a form that there is not; "" if there is."""
        known = [form.name for form in self.forms()]
        return f"{pose.form!r} is not a form; known: {', '.join(known)}" if pose.form and pose.form not in known else ""

    def option(self, key: str) -> Option | str:
        """The option that a pose makes, or why there is none."""
        read = read_pose(key)
        if read is None or read[0] != self.verb:
            return why_no_pose(key, self.verb)
        pose = read[1]
        if wrong := self.no_such_form(pose):
            return wrong
        if headings := self.headings():
            if pose.heading not in headings:
                return f"no heading {pose.heading}; legal: {', '.join(map(str, headings))}"
        if bar := self.bar(pose):
            return bar.say()
        return Option(key, self.label, self.verb, self.unit, pose.place, rule=self.rule)
