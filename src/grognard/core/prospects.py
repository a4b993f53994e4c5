"""What a unit can do now, and where it could go: found by trying the game's own answers in concealed copies.

No rule of movement is told here a second time. A move is a chain of staged answers, each with its cost; this
searches for the cheapest chain to every place, letting the enemy pass wherever it may react.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from heapq import heappop, heappush
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

from grognard.core.ask import Ask, Bar, FacesAsk, Option
from grognard.core.battle import Battle
from grognard.core.errors import IllegalError
from grognard.core.events import Rolled
from grognard.core.poses import Preview, read_pose, why_no_pose
from grognard.core.sixths import PARTS
from grognard.core.view import Branch, Journey, PreviewView, Prospect, preview_view

if TYPE_CHECKING:
    from grognard.core.ask import Rules
    from grognard.core.session import Session

#: The most positions that are looked at for one move, and the most seconds.
NODES = 1500
SECONDS = 3.0
#: A question without costs in the middle of a move, such as which way to face, is followed up to this many options.
INTERLUDE = 8
NOTHING = Fraction(0)

_COST = re.compile(rf"^(\d*)([{''.join(PARTS)}]?)(?:\.(\d+))? ?([A-Za-z]+|″)$")


@lru_cache(maxsize=1024)
def read_cost(text: str) -> tuple[Fraction, str] | None:
    """A cost as an exact number and what it is paid in; None for one that is no number.

    >>> [(str(cost), paid_in) for cost, paid_in in map(read_cost, ("1½ MP", "6.5″", "⅓ MP"))]
    [('3/2', 'MP'), ('13/2', '″'), ('1/3', 'MP')]
    >>> read_cost("all MP")
    """
    found = _COST.match(text)
    if not found or not (found[1] or found[2]):
        return None
    whole, part, decimals, currency = found.groups()
    return Fraction(f"{whole or 0}.{decimals or 0}") + PARTS[part], currency


def preview(ask: Ask | None, key: str, *, area: bool = False) -> PreviewView:
    """What a pose or a draft would come to at a question; with the area for its form and heading if wanted.

    Of an option that is neither it tells where the models would go, if they do.
    """
    if ask is not None and ask.draft is not None and ask.draft.takes(key):
        return ask.draft.shown(key)
    if ask is not None and any(option.key == key for option in ask.options) and read_pose(key) is None:
        return preview_view(ask.foresee(key) or Preview(key))
    if ask is None or ask.area is None:
        what = f"any {ask.draft.verb!r}" if ask is not None and ask.draft is not None else "no pose and no draft"
        raise IllegalError(key, ask, f"this question takes {what}")
    placement = ask.area
    read = read_pose(key)
    if read is None or read[0] != placement.verb:
        raise IllegalError(key, ask, why_no_pose(key, placement.verb))
    pose = read[1]
    if wrong := placement.no_such_form(pose):
        return preview_view(Preview(key, Bar(placement.rule, wrong)))
    shown = placement.preview(pose)
    found = placement.option(key)
    if isinstance(found, str) and shown.bar is None:
        shown.bar = Bar(placement.rule, found)
    if area:
        shown.polygons = placement.polygons(pose.form or placement.start.form, pose.heading)
    return preview_view(shown)


def prospect(
    session: Session, unit: str, *, journeys: bool = True, nodes: int = NODES, seconds: float = SECONDS
) -> Prospect:
    """Every option of a unit in the question that stands, with what follows it before a die is thrown.

    It knows what the side that is asked knows. An option that begins a move has a journey to each place that the
    unit can get to, unless they are not wanted; in the midst of a move each belongs to the option that it begins with.
    """
    ask = session.ask
    if ask is None:
        raise IllegalError(unit, None, "the battle is over")
    if isinstance(ask, FacesAsk):
        raise IllegalError(unit, ask, "the roll comes first: enter the dice")
    branches = [Branch(option) for option in ask.options if option.unit == unit]
    if not branches:
        return Prospect(session.seq, unit, [])
    deadline = time.monotonic() + seconds
    if journeys and not ask.quiet and not ask.reaction and (steps := Search(session, unit)).is_move(ask):
        found = steps.journeys(nodes, deadline)
        for branch in branches:
            branch.journeys = [journey for journey in found if journey.keys[0] == branch.option.key]
            if not branch.journeys:
                _look_behind(session, branch)
        return Prospect(session.seq, unit, branches)
    for branch in branches:
        following = _look_behind(session, branch)
        search = Search(session, unit, (branch.option.key,), branch.option.cost)
        if journeys and following is not None and search.is_move(following):
            branch.journeys = search.journeys(nodes, deadline)
    return Prospect(session.seq, unit, branches)


def _look_behind(session: Session, branch: Branch) -> Ask | None:
    """Note the question that follows an option, if it is the same side's and no die was thrown on the way.

    After an option that aims at somebody the next weapon may be asked for: whoever aims that one at somebody else makes
    another choice, and has not yet made this one.
    """
    trial = Trial(session)
    if not trial.send(branch.option.key) or trial.ask is None:
        return None
    following, aim = trial.ask, branch.option.target
    if following.quiet or following.side != trial.side:
        return None
    if aim and any(option.target and option.target != aim for option in following.options):
        return None
    branch.prompt, branch.follow = following.prompt, following.options
    return following


class Trial:
    """A concealed copy of the battle in which answers are tried."""

    __slots__ = ("ask", "battle", "procedure", "rolled", "side")

    def __init__(self, session: Session) -> None:
        self.ask: Ask | None
        self.battle: Battle[object]
        self.procedure: Rules
        self.battle, self.procedure, self.ask = session.trial()
        self.side = self.ask.side if self.ask else ""
        self.rolled = ""

    def send(self, key: str) -> bool:
        """Give an answer; False when a die was thrown or the battle ended, and nothing can be said of what follows."""
        start, position = len(self.battle.log), self.battle.dice.position
        try:
            self.ask = self.procedure.send(key)
        except StopIteration:
            self.ask = None
        if self.battle.dice.position != position:
            thrown = (event for event in self.battle.log[start:] if isinstance(event, Rolled))
            self.rolled = next((event.what for event in thrown), "dice")
            return False
        return self.ask is not None


class _Node(NamedTuple):
    """A position in a move: the answers that lead to it, what they cost, and who could have reacted."""

    cost: Fraction
    keys: tuple[str, ...]
    via: tuple[str, ...]
    reactors: frozenset[str]
    replies: tuple[str, ...]  # all answers, the enemy's passes among them
    trial: list[Trial]  # the copy that stands at the parent, for the first of its children that is looked at
    stays: bool = False  # whether its last answer left the unit in its place


_Push = Callable[[_Node, int, str, str], None]


class _Turns:
    """Which answers turn a unit to one facing whatever its facing was: learnt on the way, so that few are tried."""

    def __init__(self) -> None:
        self.seen: dict[str, tuple[set[int], set[int]]] = {}

    def learn(self, key: str, before: int, after: int) -> None:
        """An answer that left the unit in its place turned it."""
        befores, afters = self.seen.setdefault(key, (set(), set()))
        befores.add(before)
        afters.add(after)

    def leads_to(self, key: str) -> int:
        """The facing that an answer is known to lead to, or 0."""
        befores, afters = self.seen.get(key, (set(), set()))
        return min(afters) if len(befores) > 1 and len(afters) == 1 else 0


class Search:
    """The cheapest way to every place that a unit can reach in one move.

    ``along`` is the only path that it may take, ``goal`` the place that is enough.
    """

    def __init__(
        self,
        session: Session,
        unit: str,
        opening: tuple[str, ...] = (),
        cost: str = "",
        along: Sequence[str] = (),
        goal: str = "",
    ) -> None:
        self.along, self.goal = along, goal
        self.session, self.unit, self.opening, self.cost = session, unit, opening, cost
        self.where = session.game.whereabouts
        self.home = self.where(session.battle, unit)[0]
        self.currency = ""
        self.passes: dict[tuple[str, str], tuple[str, frozenset[str]]] = {}
        self.turns = _Turns()

    def is_move(self, ask: Ask) -> bool:
        """Whether a question may ask for a step of a move: it offers the unit a place at a cost, nothing to aim at."""
        for option in ask.options:
            if option.unit == self.unit and not option.target and option.place:
                if (cost := read_cost(option.cost)) is not None:
                    self.currency = cost[1]
                    return True
        return False

    def journeys(self, nodes: int, deadline: float) -> list[Journey]:
        """A journey to each place, the cheapest; of equals the one that fewer enemies could react to."""
        found: dict[str, Journey] = {}
        order = count()
        done: set[tuple[str, str, int]] = set()
        stood: set[tuple[str, int, tuple[str, ...]]] = set()
        turned: set[tuple[str, int]] = set()
        heap: list[tuple[Fraction, int, int, int, tuple[str, str, int], _Node]] = []

        def push(node: _Node, facing: int, key: str, place: str) -> None:
            rank = (node.cost, len(node.reactors), len(node.keys), next(order))
            heappush(heap, (*rank, (key, place, facing), node))

        trial = Trial(self.session)
        for key in self.opening:
            trial.send(key)
        paid = read_cost(self.cost)
        spent = paid[0] if paid is not None and paid[1] == self.currency else NOTHING
        start = _Node(spent, self.opening, (), frozenset(), self.opening, [trial])
        self._expand(start, trial, done, push)
        looked = 0
        while heap and looked < nodes and time.monotonic() < deadline:
            *_, edge, node = heappop(heap)
            key, to, before = edge
            if edge in done or (to, self.turns.leads_to(key)) in turned:
                continue
            done.add(edge)
            looked += 1
            stays = node.stays
            node, trial, goes_on = self._go(node)
            place, facing = self.where(trial.battle, self.unit)
            if trial.rolled:
                place = to
            if place and place != self.home:
                self._note(found, node, trial, place, facing)
                if self.goal in found:  # the cheapest come first
                    break
            if not goes_on or trial.ask is None:
                continue
            if stays:
                self.turns.learn(key, before, facing)
                turned.add((place, facing))
            here = (place, facing, tuple(option.key for option in trial.ask.options if option.place == place))
            if here not in stood:
                stood.add(here)
                self._expand(node, trial, done, push)
        return list(found.values())

    def _note(self, found: dict[str, Journey], node: _Node, trial: Trial, place: str, facing: int) -> None:
        known = found.get(place)
        rolls = [trial.rolled] if trial.rolled else []
        if known is not None:
            old = (known.cost, len(known.rolls), len(known.reactors))
            if old <= (float(node.cost), len(rolls), len(node.reactors)):
                return
        keys, reactors = list(node.keys), sorted(node.reactors)
        found[place] = Journey(place, keys, float(node.cost), self.currency, list(node.via), reactors, rolls, facing)

    def _expand(self, node: _Node, trial: Trial, done: set[tuple[str, str, int]], push: _Push) -> None:
        """Put every step that can be taken from a position in the queue."""
        assert trial.ask is not None
        place, facing = self.where(trial.battle, self.unit)
        shared = [trial]
        following = self.along[len(node.via) : len(node.via) + 1] if self.along else None
        for option, cost in self._steps(trial.ask, place):
            if following is not None and option.place not in (place, *following):
                continue
            if (option.key, option.place, facing) not in done:
                via = node.via if option.place == place else (*node.via, option.place)
                keys, replies = (*node.keys, option.key), (*node.replies, option.key)
                stays = option.place == place
                step = _Node(node.cost + cost, keys, via, node.reactors, replies, shared, stays)
                push(step, facing, option.key, option.place)

    def _steps(self, ask: Ask, place: str) -> Iterator[tuple[Option, Fraction]]:
        """The steps among the options, with their costs; a question in between that costs nothing may be answered."""
        costed = False
        for option in ask.options:
            cost = read_cost(option.cost)
            if cost is not None and cost[1] == self.currency and option.unit == self.unit:
                costed = True
                if not option.target:
                    yield option, cost[0]
        if not costed and 1 < len(ask.options) <= INTERLUDE:
            if all(o.unit == self.unit and o.place == place and not o.cost for o in ask.options):
                for option in ask.options:
                    yield option, NOTHING

    def _go(self, node: _Node) -> tuple[_Node, Trial, bool]:
        """Take the last step of a node, the enemy passing; with whether the move goes on from there."""
        if node.trial:
            trial = node.trial.pop()
        else:
            trial = Trial(self.session)
            for key in node.replies[:-1]:
                trial.send(key)
        goes_on = trial.send(node.replies[-1])
        replies, reactors = node.replies, node.reactors
        # A quiet question is no reaction: the move is over, and what the enemy could do next is not told.
        while goes_on and trial.ask is not None and trial.ask.side != trial.side and not trial.ask.quiet:
            passing = self._passing(trial.ask, self.where(trial.battle, self.unit)[0])
            if passing is None:
                goes_on = False
                break
            key, could = passing
            reactors, replies = reactors | could, (*replies, key)
            goes_on = trial.send(key)
        if goes_on and trial.ask is not None and trial.ask.quiet:
            goes_on = False
        return node._replace(reactors=reactors, replies=replies, trial=[]), trial, goes_on

    def _passing(self, ask: Ask, place: str) -> tuple[str, frozenset[str]] | None:
        """The enemy's answer that lets the move go on, and its units that could do otherwise."""
        known = self.passes.get((ask.prompt, place))
        if known is None:
            key = next((option.key for option in ask.options if option.verb == "pass"), None)
            if key is None:
                return None
            could = frozenset(option.unit for option in ask.options if option.verb != "pass" and option.unit)
            known = self.passes[ask.prompt, place] = (key, could)
        return known
