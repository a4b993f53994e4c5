"""What server and client send each other. The OpenAPI document and the client's types are made from these records."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from grognard.core.aid_views import BoardView, ChartView, Lesson, VerbHelp
from grognard.core.drafts import LONGEST
from grognard.core.glossary import Term
from grognard.core.standing_orders import StandingOrder
from grognard.core.view import LuckView, Result, View

#: An answer. The longest are drafts: orders that are drawn.
Key = Annotated[str, Meta(min_length=1, max_length=LONGEST)]
Word = Annotated[str, Meta(max_length=80)]
#: A plan: the longest are marches, one answer for each hex.
Keys = Annotated[list[Key], Meta(min_length=1, max_length=120)]
Seq = Annotated[int, Meta(ge=0, le=2**31)]
#: A file that is brought, in characters: a saved game of 60,000 answers has some 3,500,000.
LARGEST_SAVE = 5_000_000


# ---- the lobby -----------------------------------------------------------------------------------------


class Level(msgspec.Struct):
    """An opponent that can be chosen: how many seconds it thinks about an answer, and what it may look at."""

    name: str
    title: str
    text: str
    budget: float
    sees: str


class Force(msgspec.Struct):
    """A side of a scenario, as the lobby shows it: its units in words, such as "4 Rifle Squad"."""

    side: str
    units: list[str]


class Card(msgspec.Struct):
    """A scenario in the lobby."""

    game: str
    name: str
    title: str
    turns: int
    sides: list[str]
    forces: list[Force]
    briefing: str
    place: str
    date: str
    map: str
    units: int
    picture: str  # the address of its thumbnail


class Choice(msgspec.Struct):
    """Something to choose for a random battle, with what it may be."""

    name: str
    values: list[str]
    default: str


class GameCard(msgspec.Struct):
    """A rule set in the lobby."""

    name: str
    title: str
    edition: str
    scenarios: list[Card]
    random: list[Choice]
    lessons: list[Lesson]


class Lobby(msgspec.Struct):
    """All that can be played here."""

    version: str
    protocol: int
    games: list[GameCard]
    levels: list[Level]
    default_level: str


# ---- making and joining a battle ---------------------------------------------------------------------------


class NewBattle(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A battle to be made.

    ``players`` says who plays each side: "human", or the name of a level; a side left out is "human".
    ``invite`` gives the second human side a link of its own; without it all human sides sit at one screen.
    ``random`` makes a random battle from these choices instead of a scenario; ``lesson`` a guided one.
    """

    game: Word
    scenario: Word = ""
    lesson: Word = ""
    random: dict[Word, Word] | None = None
    players: dict[Word, Word] = {}
    invite: bool = False
    own_dice: bool = False
    free_undo: bool = False
    seed: Word = ""


class ImportBattle(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """A battle from a file's text: a saved game, a situation or a scenario."""

    save: Annotated[str, Meta(max_length=LARGEST_SAVE)]
    players: dict[Word, Word] = {}
    invite: bool = False
    free_undo: bool = False


class NewPlayers(msgspec.Struct, forbid_unknown_fields=True):
    """Who plays the sides of a battle that goes on from a shared moment, as in NewBattle."""

    players: dict[Word, Word] = {}


class SeatView(msgspec.Struct):
    """Who plays a side, and whether somebody is connected for it."""

    side: str
    player: str  # "human" or the name of a level
    online: bool = False


class SeatKey(msgspec.Struct):
    """The secret of a seat: whoever has it plays the side. The side "watcher" sees what everybody may see."""

    side: str
    token: str


class Battle(msgspec.Struct):
    """A battle as everybody at it may know it: what does not change while it is played."""

    id: str
    game: str
    game_title: str
    scenario: str
    title: str
    briefing: str
    special: list[str]
    sides: list[str]
    turns: int
    board: BoardView
    land: str  # the address of the map's picture; append ?theme=dark for night
    mode: Literal["solo", "hotseat", "invite"]
    own_dice: bool
    free_undo: bool
    commitment: str
    verbs: list[VerbHelp]
    lesson: Lesson | None = None
    victory: str = ""  # what each side must do to win, in words
    glossary: list[Term] = []


class Made(msgspec.Struct):
    """A battle that was made, with the secrets of its seats."""

    battle: Battle
    seats: list[SeatKey]


# ---- playing ----------------------------------------------------------------------------------------------


class Frame(msgspec.Struct):
    """A moment that a side can go back to look at: its number, when it was, and how long the log was."""

    number: int
    turn: int
    phase: str
    log: int


class TakeBack(msgspec.Struct):
    """A side that has asked to take its last answer back; ``lines`` of the reader's log would go with it.

    It stands until it is granted, refused or withdrawn, or somebody plays on; what became of it, until then too.
    """

    side: str
    state: Literal["asked", "granted", "refused"]
    lines: int = 0


class Update(msgspec.Struct):
    """What a side sees now. Of the log only the lines from ``log_start`` on; what the client had after it is gone.

    ``waiting`` is "you", "other" or "over"; ``may_undo`` is empty when undo is allowed, else the reason why not, and
    ``may_ask_back`` likewise for asking the other side for a take-back. ``seq`` is the number of this side's question.
    ``frames`` likewise from ``frames_start`` on. ``number`` grows with every change, for telling new from old.
    """

    number: int
    seq: int
    side: str
    waiting: Literal["you", "other", "over"]
    view: View
    log_start: int
    frames: list[Frame]
    frames_start: int
    may_undo: str
    orders: list[StandingOrder]
    seats: list[SeatView]
    may_ask_back: str = ""
    take_back: TakeBack | None = None


class Hello(msgspec.Struct, forbid_unknown_fields=True):
    """The first message on a battle's socket: the seat, and how much of log and frames the client has already."""

    token: Annotated[str, Meta(max_length=200)]
    log: Seq = 0
    frames: Seq = 0


class Answer(msgspec.Struct, forbid_unknown_fields=True):
    """An answer to the question with this sequence number."""

    seq: Seq
    key: Key


class Plan(msgspec.Struct, forbid_unknown_fields=True):
    """Several answers, taken one after the other until something unexpected is asked."""

    seq: Seq
    keys: Keys


class Taken(msgspec.Struct):
    """How many answers of a plan were taken, and what the side sees now."""

    taken: int
    update: Update


class Ahead(msgspec.Struct, forbid_unknown_fields=True):
    """Answers to look ahead along, from the question with this sequence number.

    ``quick`` asks for an estimate at once where the exact odds would take longer.
    """

    seq: Seq
    keys: Keys
    quick: bool = False


class Placing(msgspec.Struct, forbid_unknown_fields=True):
    """A pose or a draft to look at before it is answered; ``area`` asks for where a pose's form and heading may go.

    A draft that the side prepares may be looked at whoever is asked.
    """

    seq: Seq
    key: Key
    area: bool = False


class Undo(msgspec.Struct, forbid_unknown_fields=True):
    """Take the last answer back."""

    seq: Seq


class TakingBack(msgspec.Struct, forbid_unknown_fields=True):
    """Ask the other side for a take-back, grant or refuse theirs, or withdraw one's own.

    ``number`` is that of the update that it is about.
    """

    number: Seq
    say: Literal["ask", "grant", "refuse", "withdraw"]


class Orders(msgspec.Struct, forbid_unknown_fields=True):
    """All standing orders of the side; they replace those it had."""

    orders: Annotated[list[NewOrder], Meta(max_length=20)]


class NewOrder(msgspec.Struct, forbid_unknown_fields=True):
    """A standing order: pass a kind of reaction, always, beyond a range, or below a chance of an effect."""

    reaction: Word = ""
    beyond: Annotated[int, Meta(ge=0, le=1000)] | None = None
    below: Annotated[float, Meta(ge=0, le=1)] | None = None


# ---- aids -------------------------------------------------------------------------------------------------


class Why(msgspec.Struct):
    """A reason in words, and how many hundredths of a battle it counts."""

    text: str
    worth: float


class Weighed(msgspec.Struct):
    """An option that a program weighed; of one that the reader may not know of only the worth is told.

    ``worth`` is in hundredths of a battle; ``estimate`` how the battle stood on average when it was played on in
    thought, from -1 to 1, and ``visits`` how often it was.
    """

    key: str
    label: str
    verb: str
    unit: str
    place: str
    target: str
    worth: float
    estimate: float | None
    visits: int
    reasons: list[Why]


class ThoughtView(msgspec.Struct):
    """What a program thought about a question: the best options first, and the key of the one that it chose.

    ``number`` is how many answers had been given before it, ``frame`` the reader's moment to look back to;
    ``standing`` how the battle stood for its side, from -1 (lost) to 1 (won), if that may be told; ``looked`` how many
    times it played on in thought.
    """

    number: int
    side: str
    player: str
    title: str
    turn: int
    phase: str
    prompt: str
    seconds: float
    looked: int
    standing: float | None
    options: list[Weighed]
    chosen: str
    sees: str
    frame: int


class Thoughts(msgspec.Struct):
    """What the programs at a battle thought, the latest last; ``why`` says why none are told where they are not."""

    open: bool
    why: str
    thoughts: list[ThoughtView]


class RuleView(msgspec.Struct):
    """A rule in our own words; ``title`` is what its section is about."""

    id: str
    kind: str
    text: str
    title: str = ""


class Charts(msgspec.Struct):
    """The charts in force, and the user's own files that were laid over them."""

    charts: list[ChartView]
    overrides: list[str]


class EndView(msgspec.Struct):
    """The end of a battle: the result, what each side lost, who was lucky, and the seed for checking the dice.

    ``rolls`` lists every throw as number, sides and faces in order, so that a client can check it against the seed.
    """

    result: Result
    losses: dict[str, list[str]]
    luck: list[LuckView]
    seed: str  # hexadecimal; empty where real dice were thrown
    commitment: str
    rolls: list[tuple[int, int, list[int]]]


class Share(msgspec.Struct, forbid_unknown_fields=True):
    """Make a link to a moment: the number of a frame."""

    frame: Seq


class Shared(msgspec.Struct):
    """A link to a moment: its address within this server."""

    link: str


class Moment(msgspec.Struct):
    """A moment that somebody shared, as that side saw it."""

    battle: Battle
    update: Update
    playable: bool  # whether a new battle can go on from here


class Problem(msgspec.Struct):
    """Why something was refused: the kind of error, what was wrong, and what would be right.

    ``error`` is "malformed", "illegal", "stale", "forbidden", "missing", "version", "too_much", "undo", or "internal"
    when the fault is the server's own.
    """

    error: str
    message: str
    seq: int = 0
    faults: list[str] = []


class Health(msgspec.Struct):
    """The server is there."""

    status: Literal["ok"] = "ok"
