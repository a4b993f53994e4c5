"""Player aids in one schema for all games: the board, sight, fields of fire, charts, help and lessons.

Like a view they are plain records that a client draws without knowing the rules.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import msgspec


class HexView(msgspec.Struct, omit_defaults=True):
    """A hex: its name, its middle in pixels of the sheet, its axial coordinates, and its ground in words."""

    id: str
    x: float
    y: float
    q: int
    r: int
    text: str = ""


class BoardView(msgspec.Struct, omit_defaults=True):
    """The sheet that a battle is fought on, in pixels of its picture.

    ``corners`` are those of every hex around its middle, clockwise; ``step`` the distance of two neighbours' middles
    (on a table: of one unit of measure); ``facings`` the degrees clockwise from up of facing 1, 2, …; ``colours``
    the counters' colour by side. A board without hexes is a ``table``: its places are ``"x,y"`` in units of measure
    from the top left, its units have models, its facings are degrees.
    """

    name: str
    width: float
    height: float
    step: float
    measure: str
    hexes: list[HexView] = []
    corners: list[tuple[float, float]] = []
    facings: list[float] = []
    colours: dict[str, str] = {}
    table: bool = False


class UnitWord(str):
    """A word that is a unit's id and nothing else: ``g6`` is the unit, whatever hexes are called."""


class PlaceWord(str):
    """A word that names a place and nothing else."""


class Crossed(msgspec.Struct, omit_defaults=True):
    """Something that a line of sight crosses: where, what it is, what it does, and the rule.

    ``effect`` is "none", "degrade" or "block".
    """

    places: list[str]
    text: str
    effect: str = "none"
    rule: str = ""


class SightLine(msgspec.Struct, omit_defaults=True):
    """The thread between two models, in units of the board; ``blocked_at`` is where something stops it."""

    x1: float
    y1: float
    x2: float
    y2: float
    state: str = "clear"
    blocked_at: tuple[float, float] | None = None
    text: str = ""


class SightView(msgspec.Struct, omit_defaults=True):
    """A line of sight: its state is "clear", "degraded" or "blocked"; ``text`` is the verdict in a sentence.

    On a table ``lines`` are the threads between models.
    """

    start: str
    end: str
    range: int
    state: str
    text: str
    crossed: list[Crossed] = []
    lines: list[SightLine] = []


class Ring(msgspec.Struct):
    """A range of a unit's weapon, in steps of the board."""

    range: int
    text: str


class Seen(msgspec.Struct, omit_defaults=True):
    """A place in a field of fire: ``state`` as of sight, ``ring`` the nearest ring that it lies in, -1 if beyond."""

    place: str
    state: str
    ring: int = -1


class Fan(msgspec.Struct):
    """An arc of fire on a table: from a point, about a heading in degrees, so many degrees wide, out to a range."""

    x: float
    y: float
    heading: int
    width: int
    range: float
    text: str = ""


class FieldView(msgspec.Struct, omit_defaults=True):
    """What a unit sees and can fire at from where it stands, so far as the side that asks knows.

    On a table it has ``fans`` instead of rings about a place, and ``areas`` that it sees, as outlines.
    """

    unit: str
    rings: list[Ring] = []
    places: list[Seen] = []
    fans: list[Fan] = []
    areas: list[list[tuple[float, float]]] = []


class ChartView(msgspec.Struct, omit_defaults=True):
    """A chart in force: its table, and whether it is from the rulebook, published, reconstructed or the user's own."""

    id: str
    title: str
    provenance: str
    columns: list[str]
    rows: list[list[str]]
    rule: str = ""
    note: str = ""
    source: str = ""


class WeaponSheet(msgspec.Struct, omit_defaults=True):
    """A weapon of a unit: its name, its figures, and what they are at each range where they differ."""

    name: str
    figures: dict[str, Any] = {}
    bands: list[dict[str, Any]] = []


class UnitSheet(msgspec.Struct, omit_defaults=True):
    """A unit of the roster with everything printed on its counter or card, and where that comes from."""

    id: str
    name: str
    nation: str
    kind: str
    figures: dict[str, Any]
    weapons: list[WeaponSheet] = []
    years: tuple[int, int] = (0, 0)
    provenance: str = ""


class VerbHelp(msgspec.Struct, omit_defaults=True):
    """What a verb of the options means, for somebody who has not read the rules."""

    verb: str
    title: str
    text: str
    rule: str = ""
    #: Which keyboard letter offers itself for it.
    letter: str = ""
    #: Whether the odds of what follows help to choose between options of this verb; who falls first is no gamble.
    odds: bool = True
    #: Whether to answer so, when it is one's go, is to let it go by: a side ends its turn with such answers.
    idle: bool = False


class Cue(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """When a step of a lesson shows, or is done: every condition that is given must hold.

    ``offered`` is among the options of the learner's question: a verb, a key such as "rally a2", or how a label
    begins; with ``selected = "*"`` the selected unit can do it. ``asked`` is a part of the prompt, ``reaction`` the
    kind of an interrupt, ``selected`` a unit that is selected ("*" any), ``answered`` a verb that was answered,
    ``event`` the kind of an event that happened since the step began, ``over`` that the battle has ended, ``read``
    that the learner presses Next. ``here`` are units that the learner sees on the board, if need be in one of some
    states ("a2 shaken/broken"), ``mine`` is a place where a unit of the learner's stands, ``empty`` a place where no
    enemy is seen; ``held`` is an objective that is the learner's, ``wanted`` one that is not.
    """

    offered: str = ""
    asked: str = ""
    reaction: str = ""
    selected: str = ""
    answered: str = ""
    event: str = ""
    over: bool = False
    read: bool = False
    here: tuple[str, ...] = ()
    mine: str = ""
    empty: str = ""
    held: str = ""
    wanted: str = ""


class LessonLine(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """What a guided battle says where no step has its moment: the first line whose cue holds."""

    text: str
    when: Cue = Cue()
    point: tuple[str, ...] = ()


class LessonScript(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """What the opponent of a guided battle answers in a turn, where it is offered: patterns of keys, the best first."""

    turn: int
    keys: tuple[str, ...]

    def choose(self, turn: int, offered: Sequence[str]) -> str | None:
        """The answer to one of his questions; None where it is left to himself."""
        if turn != self.turn:
            return None
        return next((key for want in self.keys for key in offered if re.fullmatch(want, key)), None)


class LessonStep(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """A step of a guided battle: what it teaches, when it shows, when it is done, and what it points at.

    ``point`` is a unit, a place, or a part of the window: "log", "options", "undo", "pass", "tracks".
    """

    id: str
    title: str
    text: str
    when: Cue = Cue()
    done: Cue = Cue(read=True)
    point: tuple[str, ...] = ()
    rule: str = ""


class Lesson(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """A guided battle: its scenario, the learner's side, the dice it begins with, and its steps in order.

    A step whose cue does not come yet is passed over and shown when it does; ``lines`` are told in between, so that
    there is always something to go by. ``script`` is what the opponent does where a step needs it, ``next`` the
    scenario to go on with.
    """

    id: str
    title: str
    scenario: str
    side: str
    minutes: int
    opponent: str = ""
    seed: str = ""
    next: str = ""
    script: list[LessonScript] = []
    steps: list[LessonStep] = []
    lines: list[LessonLine] = []
