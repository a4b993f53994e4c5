"""What one side may see, in one schema for all games. A client draws it and knows no rules."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import msgspec

from grognard.core.ask import Ask, Bar, FacesAsk, Option, name_of_thing
from grognard.core.dice import pool
from grognard.core.events import NO_NAMES, Asked, Change, Event, Rolled, place_told, say_meaning, say_needed
from grognard.core.forms import DraftView
from grognard.core.goals import GoalView
from grognard.core.poses import Area, Form, ModelPose, Polygon, Preview, Ring
from grognard.core.tally import Tally

if TYPE_CHECKING:
    from grognard.core.luck import Luck
    from grognard.core.odds import Odds

#: The version of what is said to a client: views, questions and log lines. Raised when their shape changes.
PROTOCOL_VERSION = 7


class ModelView(msgspec.Struct, omit_defaults=True):
    """A figure, stand, gun or vehicle of a unit on a table, in units of the board.

    A round base has a ``radius``; a rectangle has ``length`` and ``width`` and looks along its ``heading``, in degrees
    clockwise from up. ``short`` is a word for what it carries, ``title`` all of it in words. ``turret`` is the heading
    of its turret, -1 where it has none of its own. ``look`` is what it is drawn as ("figure", "stand", "gun", "tank",
    "car" or "marker"; "" leaves that to its unit's symbol), ``figures`` how many stand on its base. ``states`` and
    ``badges`` are those of this model alone; each badge is short for the state in the same place.
    """

    id: str
    x: float
    y: float
    heading: int = 0
    radius: float = 0.0
    length: float = 0.0
    width: float = 0.0
    short: str = ""
    title: str = ""
    turret: int = -1
    look: str = ""
    figures: int = 0
    states: tuple[str, ...] = ()
    badges: tuple[str, ...] = ()


class UnitView(msgspec.Struct, omit_defaults=True):
    """A counter as a side sees it, or on a table a unit with its ``models``.

    ``symbol`` is a NATO code of 20 digits; ``short`` one word for its class and ``values`` the line of figures, as
    they are printed on a counter; ``badges`` short texts of the ``states`` that a counter shows; ``with_unit`` the
    unit that it goes with or in; ``stack`` its place in the stack, 0 at the bottom.
    """

    id: str
    side: str
    name: str
    symbol: str
    place: str
    facing: int = 0
    stack: int = 0
    with_unit: str = ""
    states: tuple[str, ...] = ()
    stats: dict[str, Any] = {}
    short: str = ""
    values: str = ""
    badges: tuple[str, ...] = ()
    models: list[ModelView] = []


class MarkerView(msgspec.Struct, omit_defaults=True):
    """A marker on the map.

    On a table it may have a size: a ``radius`` about its place, or the ``length`` and ``width`` of a rectangle that
    lies along ``facing`` in degrees, or its own ``outline``; in units of the board.
    """

    kind: str
    place: str
    side: str = ""
    facing: int = 0
    text: str = ""
    radius: float = 0.0
    length: float = 0.0
    width: float = 0.0
    outline: list[tuple[float, float]] = []


class GraphicView(msgspec.Struct, omit_defaults=True):
    """Something drawn on the map by a plan: a boundary, an axis of advance, an assembly area.

    ``kind`` is "line", "arrow" or "area"; ``points`` are places of the board, in order; ``text`` is written beside it.
    """

    id: str
    kind: str
    points: list[str]
    side: str = ""
    text: str = ""


class FormationView(msgspec.Struct, omit_defaults=True):
    """A formation of an order of battle: its own units by id, and the formations below it."""

    id: str
    name: str
    side: str
    units: tuple[str, ...] = ()
    formations: list[FormationView] = []


class TallyLine(msgspec.Struct, omit_defaults=True):
    """One modifier of a tally, with its name for people."""

    id: str
    amount: int
    text: str = ""
    rule: str = ""
    source: str = ""


class TallyView(msgspec.Struct, omit_defaults=True):
    """A number and where it comes from, line by line; ``text`` is all of it in a sentence.

    With odds, ``roll`` says which roll it is behind and ``side`` who throws it.
    """

    what: str
    base: int
    total: int
    text: str
    rule: str = ""
    source: str = ""
    lines: list[TallyLine] = []
    roll: str = ""
    side: str = ""


class LogLine(msgspec.Struct, omit_defaults=True):
    """A line of the log: text, rules, the units and places it is about and, for a roll, its faces and tallies.

    ``kind`` is the event's; ``chance`` is how likely a roll was to mean what it meant, ``meaning`` that in words, and
    ``needed`` what would have come to anything, "" where all does; ``total`` is the sum of the faces, 0 where each die
    is read by itself. ``turn`` is the turn that the event opens a part of, and 0 for all others. What befell ``whom``
    is told by ``change``, without the unit's name; it may do ``harm`` or be ``fatal``.
    """

    text: str
    side: str = ""
    rules: tuple[str, ...] = ()
    faces: tuple[int, ...] = ()
    dice: str = ""
    tallies: tuple[TallyView, ...] = ()
    kind: str = ""
    units: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    chance: float = 0.0
    turn: int = 0
    meaning: str = ""
    needed: str = ""
    total: int = 0
    whom: str = ""
    change: str = ""
    harm: bool = False
    fatal: bool = False


class FaceMeaning(msgspec.Struct, omit_defaults=True):
    """What some faces of a throw mean, in words: "3 to 6", "good"."""

    faces: str
    meaning: str


class DiceThing(msgspec.Struct, omit_defaults=True):
    """Something that can be drawn: what people call it, the word to answer with, and how many there are."""

    title: str
    word: str
    number: int = 1


class DiceView(msgspec.Struct, omit_defaults=True):
    """A throw whose faces somebody must tell: the answer is ``dice 3 4``, or ``dice german`` where things are drawn.

    ``owner`` is whose dice they are, "" for nobody's; ``about`` the name of the unit that they are about; ``so_far``
    what has happened of the answer that waits for them.
    """

    number: int
    sides: int
    what: str = ""
    tallies: list[TallyView] = []
    owner: str = ""
    about: str = ""
    rules: tuple[str, ...] = ()
    meanings: list[FaceMeaning] = []
    things: list[DiceThing] = []
    so_far: list[LogLine] = []


class AreaView(msgspec.Struct, omit_defaults=True):
    """A free placement: which unit, with which verb, in which forms and headings, and where, in hundredths.

    ``headings`` is empty where any degree will do; ``polygons`` are for the form and heading of ``start``, the answer
    that a client begins with. For another form or heading, and for what a pose comes to, it asks for a preview.
    """

    unit: str
    verb: str
    label: str
    start: str
    forms: list[Form]
    headings: tuple[int, ...] = ()
    polygons: list[Polygon] = []
    rule: str = ""


class PreviewView(msgspec.Struct, omit_defaults=True):
    """What a pose or a draft would come to: whether it is legal, the models, its cost and what is worth knowing.

    ``polygons`` are the area for this form and heading, where they were asked for; ``outline`` is what a template would
    cover, ring by ring, in hundredths. Of a draft ``bars`` are all its faults, each with its place in the form as the
    source; ``tints`` are places to tint, with a word for what each is; ``graphics`` what to draw.
    """

    key: str
    legal: bool
    bar: BarView | None = None
    models: list[ModelPose] = []
    cost: str = ""
    lines: list[str] = []
    polygons: list[Polygon] = []
    outline: list[Ring] = []
    bars: list[BarView] = []
    tints: dict[str, str] = {}
    graphics: list[GraphicView] = []


class AskView(msgspec.Struct, omit_defaults=True):
    """The question that a side has to answer.

    ``reaction`` names the kind of interrupt, if it is one; ``dice`` is there when real dice are wanted; ``area`` when
    a pose is an answer too, ``draft`` when something drawn or filled in is.
    """

    seq: int
    side: str
    prompt: str
    options: list[Option]
    reaction: str = ""
    rule: str = ""
    quiet: bool = False
    dice: DiceView | None = None
    area: AreaView | None = None
    draft: DraftView | None = None


class Result(msgspec.Struct, frozen=True):
    """How a battle ended: the winner ("" for a draw) and why."""

    winner: str
    reason: str
    rule: str = ""


class ChangeView(msgspec.Struct, omit_defaults=True):
    """Something that changes, in words, with the unit it befalls, whose that is, and how much of it there is.

    ``what`` is the same for all changes of a sort, whatever their amount. What does ``harm`` counts against its side;
    ``fatal`` puts the unit out of the fight.
    """

    text: str
    what: str
    unit: str = ""
    side: str = ""
    amount: int = 0
    harm: bool = False
    fatal: bool = False


class Chance(msgspec.Struct, omit_defaults=True):
    """One way it can end: how likely, as a number and as the exact fraction, and what happens.

    Of a thing by itself ``mean`` is how much of it there is on average when it happens, 0 where it is not counted.
    """

    probability: float
    fraction: str
    text: str
    changes: list[ChangeView] = []
    mean: float = 0.0


class AssumedView(msgspec.Struct):
    """An answer that odds assume because nobody gave it: whose, to which question, and all of it in a sentence."""

    side: str
    prompt: str
    key: str
    label: str
    text: str


class OddsView(msgspec.Struct):
    """What answers lead to for the ``side`` that is asked: every outcome, and the tallies behind the rolls.

    ``to_them`` is the chance of any harm to the enemy, ``to_us`` that of any to the side itself, ``besides`` that of
    anything that harms nobody; they are never added up. ``anyway`` is what happens whatever the dice show; ``parts``
    are the things that the outcomes are made of, each by itself, so that they overlap: how often somebody is wiped out,
    how many men are lost on average when any are. ``assumed`` are the answers that nobody gave, ``reached`` is how
    often the last answer is asked for at all, ``ends`` are the questions at which the odds end. Where the odds are not
    ``exact`` they rest on so many ``samples``.
    """

    keys: list[str]
    side: str
    exact: bool
    samples: int
    to_them: Chance
    to_us: Chance
    besides: Chance
    outcomes: list[Chance]
    tallies: list[TallyView]
    anyway: list[ChangeView]
    parts: list[Chance]
    assumed: list[AssumedView]
    reached: float
    ends: list[str]


class Journey(msgspec.Struct, omit_defaults=True):
    """Somewhere a unit can go in one move: the answers that lead there, what they cost, and what may happen.

    ``via`` are the places entered in order, the goal last; ``reactors`` the known enemies that could react on the
    way; ``rolls`` what dice are thrown for on the way; ``facing`` the facing on arrival, 0 where there is none.
    """

    place: str
    keys: list[str]
    cost: float
    currency: str = ""
    via: list[str] = []
    reactors: list[str] = []
    rolls: list[str] = []
    facing: int = 0


class Branch(msgspec.Struct, omit_defaults=True):
    """What an option leads to before any die is thrown: the question that follows it, or where the unit can go."""

    option: Option
    prompt: str = ""
    follow: list[Option] = []
    journeys: list[Journey] = []


class Prospect(msgspec.Struct):
    """What a unit can do now: each of its options with what it leads to."""

    seq: int
    unit: str
    branches: list[Branch]


class BarView(msgspec.Struct, omit_defaults=True):
    """Why something is not offered: the reason and its rule."""

    reason: str
    rule: str = ""
    source: str = ""


class LuckView(msgspec.Struct):
    """The rolls of one kind by one side against what was to be expected."""

    side: str
    what: str
    rolls: int
    value: float
    expected: float
    deviations: float


class View(msgspec.Struct):
    """Everything that one side may know. ``drafts`` are what it may prepare at any moment, asked or not."""

    game: str
    scenario: str
    side: str
    map: str
    turn: int
    phase: str
    active: str
    tracks: dict[str, dict[str, Any]]
    units: list[UnitView]
    markers: list[MarkerView]
    ask: AskView | None = None
    log: list[LogLine] = []
    result: Result | None = None
    protocol: int = PROTOCOL_VERSION
    graphics: list[GraphicView] = []
    formations: list[FormationView] = []
    drafts: list[DraftView] = []
    goal: GoalView | None = None


def tally_view(tally: Tally, phrases: Mapping[str, str]) -> TallyView:
    """A tally line by line, each modifier with its name for people."""
    lines = [
        TallyLine(line.id, line.amount, phrases.get(line.id, line.id.replace("_", " ")), line.rule, line.source)
        for line in tally.lines
    ]
    return TallyView(tally.what, tally.base, tally.total, tally.say(phrases), tally.rule, tally.source, lines)


def ask_view(
    ask: Ask | None, side: str, phrases: Mapping[str, str] = NO_NAMES, hints: Mapping[str, str] = NO_NAMES
) -> AskView | None:
    """The question, if it is this side's to answer; the other side's options are nobody else's business.

    ``hints`` are what people should know of options before they choose, by key.
    """
    if ask is None or ask.side != side:
        return None
    dice = None
    if isinstance(ask, FacesAsk):
        dice = DiceView(ask.number, ask.sides, ask.what, [tally_view(tally, phrases) for tally in ask.tallies])
        dice.owner, dice.rules = ask.throw.side, ask.throw.rules
        dice.things = [DiceThing(thing, name_of_thing(thing), many) for thing, many in ask.things.items()]
    area = area_view(ask.area) if ask.area is not None else None
    draft = ask.draft.view() if ask.draft is not None else None
    options = [_hinted(option, hints.get(option.key, "")) for option in ask.options] if hints else ask.options
    return AskView(ask.seq, ask.side, ask.prompt, options, ask.reaction, ask.rule, ask.quiet, dice, area, draft)


def _hinted(option: Option, hint: str) -> Option:
    return msgspec.structs.replace(option, label=f"{option.label} ({hint})") if hint else option


def area_view(area: Area) -> AreaView:
    """A free placement as a client draws it."""
    start = area.start
    forms = area.forms()
    form = start.form or (forms[0].name if forms else "")
    return AreaView(
        area.unit,
        area.verb,
        area.label,
        start.key(area.verb),
        forms,
        area.headings(),
        area.polygons(form, start.heading),
        area.rule,
    )


def preview_view(preview: Preview) -> PreviewView:
    """What a pose would come to, as a client shows it."""
    bar = bar_view(preview.bar) if preview.bar else None
    told = preview.models, preview.cost, preview.lines, preview.polygons, preview.outline
    return PreviewView(preview.key, bar is None, bar, *told)


def odds_view(odds: Odds, keys: Sequence[str], phrases: Mapping[str, str]) -> OddsView:
    """A distribution as a client shows it; a sampled one has no exact fractions."""

    def change_view(change: Change) -> ChangeView:
        text = change.say(odds.names)
        return ChangeView(text, change.what, change.unit, change.side, change.amount, change.harm, change.fatal)

    def chance(
        probability: Fraction, text: str, changes: Iterable[Change] = (), mean: Fraction = Fraction(0)
    ) -> Chance:
        fraction = str(probability) if odds.exact else ""
        return Chance(float(probability), fraction, text, [change_view(change) for change in changes], float(mean))

    def behind(roll: str, tally: Tally, side: str) -> TallyView:
        found = tally_view(tally, phrases)
        found.roll, found.side = roll, side
        return found

    return OddsView(
        list(keys),
        odds.side,
        odds.exact,
        0 if odds.exact else odds.paths,
        chance(odds.to_them, "you to them"),
        chance(odds.to_us, "they to you"),
        chance(odds.besides, "besides"),
        [chance(outcome.probability, outcome.text, outcome.changes) for outcome in odds.outcomes],
        [behind(*each) for each in odds.tallies],
        [change_view(change) for change in odds.anyway],
        [chance(part.probability, part.text, (part.change,), part.mean) for part in odds.parts],
        [AssumedView(each.side, each.prompt, each.key, each.label, each.text) for each in odds.assumed],
        float(odds.reached),
        list(odds.ends),
    )


def bar_view(bar: Bar) -> BarView:
    """Why something is not offered, as a client shows it."""
    return BarView(bar.reason, bar.rule, bar.source)


def luck_views(report: Mapping[str, Mapping[str, Luck]]) -> list[LuckView]:
    """The luck of each side by kind of roll. What is thrown for nobody, such as a further turn, is nobody's luck."""
    return [
        LuckView(side, what, luck.rolls, luck.value, luck.expected, luck.deviations)
        for side, kinds in report.items()
        if side
        for what, luck in kinds.items()
    ]


# ---- the log -----------------------------------------------------------------------------------------------


def may_read(event: Event, side: str) -> bool:
    """Whether a side may read of an event. An answer may be a secret; what it led to is told by other events."""
    return event.seen_by in ("", side) and not (isinstance(event, Asked) and event.side != side)


def log_lines(
    events: Iterable[Event],
    side: str,
    phrases: Mapping[str, str],
    names: Mapping[str, str],
    places: Container[str] = (),
) -> list[LogLine]:
    """What a side may read of events; ``names`` tells units by their ids, ``places`` which words are places."""
    return [log_line(event, phrases, names, places) for event in events if may_read(event, side)]


def log_line(
    event: Event, phrases: Mapping[str, str], names: Mapping[str, str], places: Container[str] = ()
) -> LogLine:
    """An event as a line of the log."""
    line = LogLine(event.say(names), event.side, event.rules, kind=type(event).__name__)
    line.turn = getattr(event, "turn", 0)
    if isinstance(event, Rolled):
        line.faces, line.dice, line.chance = event.faces, event.dice, event.chance
        line.tallies = tuple(tally_view(tally, phrases) for tally in event.tallies)
        number, sides, add = pool(event.dice)
        each = bool(event.words)
        line.meaning = say_meaning(event.meaning, event.words)
        line.needed = say_needed(number, sides, event.needed, each=each)
        line.total = 0 if each or not event.faces else sum(event.faces) + add
    line.units, line.places = _about(event, line.text, names, places)
    change = event.change()
    if change is not None and change.unit in line.units:
        line.whom, line.change = change.unit, change.say(names, named=False)
        line.harm, line.fatal = change.harm, change.fatal
    return line


_WORD = re.compile(r"[^\s,;:()\[\]]+")
#: A place of a table, which has a comma in it.
_POINT = re.compile(r"(?<![\d.,])\d+(?:\.\d+)?,\d+(?:\.\d+)?(?![\d,])")
#: What every event has, and what a roll shows otherwise: none of it is the id of anything.
_NO_IDS = frozenset({"side", "rules", "seen_by", "shows", "faces", "meaning", "tallies", "dice", "what"})


def _about(
    event: Event, text: str, names: Mapping[str, str], places: Container[str]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The units and places in an event's fields, so far as its own text tells them: so nothing more is given away."""
    words: list[str] = []
    for field in event.__struct_fields__:
        if field not in _NO_IDS:
            value = getattr(event, field)
            if isinstance(value, str):
                words += value.split()
            elif isinstance(value, tuple | list):
                words += [word for word in value if isinstance(word, str)]
    if not words:
        return (), ()
    told = {*_WORD.findall(text), *_POINT.findall(text)}
    about = dict.fromkeys(words)
    units = tuple(word for word in about if word in names and (word in told or _tells(text, names[word])))
    return units, tuple(
        word for word in about if word in places and (word in told or _tells(text, place_told(word, names)))
    )


def _tells(text: str, words: str) -> bool:
    """Whether a text has the words for a place or unit, and not those for another one that ends or begins alike."""
    return words in text and bool(re.search(rf"(?<![\w.]){re.escape(words)}(?!\w)", text))
