"""Looking for the setting of a scenario's knobs that is nearest to even.

Every knob is tried a step or two, all with the same dice, and only towards the side that wins too seldom wherever
that is known. Settings race: those farthest from even fall out, the others play on. Where the best of them is still not
even, the search goes on from it with the other knobs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import msgspec

from grognard.core.errors import GrognardError
from grognard.core.files import Document
from grognard.core.game import Game
from grognard.core.knobs import Knob, turn
from grognard.core.open_files import open_scenario
from grognard.lab.frames import Frames
from grognard.lab.game_rows import GameRecord
from grognard.lab.run import play_numbers
from grognard.lab.series import LIMIT, Field, Series, field_of, make_series
from grognard.lab.statistics import Mean, estimate

#: Games of every setting at first, by what factor the survivors' grow, and which part of them survives.
FIRST, GROWTH, SURVIVE = 12, 2, 3
#: The knobs that are turned at most, one after the other.
STAGES = ("first", "second", "third")

Turned = tuple[tuple[str, str], ...]
#: Is told what is being played, how many of its games have ended, and how many there are.
Progress = Callable[[str, int, int], None]


class Trial(NamedTuple):
    """A setting that was tried: what was turned and how far, and the first side's share of wins with luck taken out."""

    settings: Turned
    steps: int
    share: Mean

    @property
    def off(self) -> float:
        """How far from even."""
        return abs(self.share.value - 0.5)

    @property
    def even(self) -> bool:
        """Whether its interval holds one half."""
        return self.off <= self.share.margin


class Balance(NamedTuple):
    """What came of the search: the scenario as it is, the best setting, all that were tried, and the changed file.

    ``best`` was chosen for being near to even, and flatters itself; ``checked`` is the same setting in games that had
    no part in the choice, and None where the search was stopped before.
    """

    field: Field
    side: str
    before: Trial
    best: Trial
    checked: Trial | None
    tried: tuple[Trial, ...]
    source: str
    knobs: tuple[Knob, ...]

    def say(self, trial: Trial) -> str:
        """A setting in words."""
        titles = {knob.name: knob.title for knob in self.knobs}
        return "; ".join(f"{titles[name]} {value}" for name, value in trial.settings) or "as it is"


class Searcher:
    """A search with its games, which are kept: a setting that plays on has its first games already."""

    def __init__(
        self,
        word: str,
        *,
        games: int,
        players: Sequence[str],
        seed: str = "",
        limit: int = LIMIT,
        jobs: int = 0,
        ray: str = "",
        only: Sequence[str] = (),
        progress: Progress | None = None,
    ) -> None:
        self.game, self.scenario = open_scenario(word)
        self.template = make_series([word], games=games, players=players, seed=seed, limit=limit)
        if len(self.template.seatings) != 1 or len(set(players)) != 1:
            raise GrognardError("the same player must play both sides; otherwise its strength would be balanced away")
        self.games, self.jobs, self.ray, self.progress = games, jobs, ray, progress
        found = self.game.knobs(self.scenario)
        self.knobs = tuple(knob for knob in found if not only or knob.name.split(".")[0] in only)
        if not self.knobs:
            known = ", ".join(sorted({knob.name.split(".")[0] for knob in found})) or "none"
            raise GrognardError(f"{self.scenario.name} doesn't have that knob; its knobs: {known}")
        self.side = self.scenario.sides[0]
        self._fields: dict[Turned, Field | None] = {}
        self._records: dict[Turned, list[GameRecord]] = {}
        self._best: Turned = ()

    # -- settings --------------------------------------------------------------------------------------------------

    def field(self, settings: Turned) -> Field | None:
        """The scenario with knobs turned; None where that is no scenario any more."""
        if settings not in self._fields:
            self._fields[settings] = self._turned(settings)
        return self._fields[settings]

    def _turned(self, settings: Turned) -> Field | None:
        source = turn(self.scenario.source, self.knobs, dict(settings))
        try:
            return field_of(self.game, _load(self.game, source, self.scenario))
        except GrognardError:
            return None

    def neighbours(self, settings: Turned, weaker: str) -> list[Turned]:
        """Settings with one more knob turned, so that it may help a side."""
        turned = dict(settings)
        tried = (
            (*settings, (knob.name, value))
            for knob in self.knobs
            if knob.name not in turned
            for value in knob.values
            if value != knob.now and knob.may_help(weaker, value)
        )
        return [each for each in tried if self.field(each) is not None]

    def steps(self, settings: Turned) -> int:
        """How far settings are from the scenario as it is."""
        known = {knob.name: knob for knob in self.knobs}
        return sum(known[name].steps(value) for name, value in settings)

    # -- games ------------------------------------------------------------------------------------------------------

    def play(self, tried: Sequence[Turned], games: int, what: str) -> None:
        """Let settings play on until each has so many games: all of them together, with the same dice."""
        by_done: dict[int, list[Turned]] = {}
        for settings in tried:
            by_done.setdefault(len(self._records.get(settings, ())), []).append(settings)
        for done, together in sorted(by_done.items()):
            if done < games:
                self._play(together, done, games, what)

    def _play(self, together: Sequence[Turned], done: int, games: int, what: str) -> None:
        fields = tuple(field for settings in together if (field := self.field(settings)) is not None)
        old = self.template
        series = Series(fields=fields, players=old.players, games=games, seed=old.seed, limit=old.limit)
        numbers = range(done * len(fields), games * len(fields))
        found: list[GameRecord] = []
        try:
            for record in play_numbers(series, numbers, jobs=self.jobs, ray=self.ray):
                found.append(record)
                if self.progress:
                    self.progress(what, len(found), len(numbers))
        finally:  # what was played before a stop is told, too
            for record in sorted(found, key=lambda each: each.number):
                kept = self._records.setdefault(together[series.job(record.number).field], [])
                # A setting's games come from several series; within the setting they are numbered anew.
                kept.append(msgspec.structs.replace(record, number=len(kept)))

    def trial(self, settings: Turned, *, check: bool = False) -> Trial:
        """What the games of a setting say; to check its choice, those that had no part in it."""
        records = self._records[settings]
        records = records[self.games :] if check else records[: self.games]
        frames = Frames(records, self.template)
        return Trial(settings, self.steps(settings), estimate(frames, "", self.side).best)

    # -- the search ---------------------------------------------------------------------------------------------------

    def search(self) -> Balance:
        """The setting nearest to even, found with at most so many games of any setting."""
        self.play([()], self.games, "The scenario as it is")
        best = self.trial(())
        for stage in STAGES:
            if best.off <= best.share.margin / 2:
                break  # nearer to even than the games can tell
            found = self._stage(best, f"The {stage} knob")
            if found is None or found.off >= best.off:
                break
            best, self._best = found, found.settings
        if self._best:
            self.play([self._best], 2 * self.games, "The best setting, with new dice")
        return self.found()

    def found(self) -> Balance:
        """What the games so far say; also when the search was stopped."""
        best, before = self.trial(self._best), self.trial(())
        checked = before if not self._best else None
        if len(self._records[self._best]) == 2 * self.games:
            checked = self.trial(self._best, check=True)
        name = f"{self.scenario.name}_even" if self._best else ""
        source = turn(self.scenario.source, self.knobs, dict(self._best), name)
        # Those that came farther in the race first: with few games many look even.
        tried = tuple(sorted(map(self.trial, self._records), key=lambda trial: (-trial.share.games, *_rank(trial))))
        return Balance(self.template.fields[0], self.side, before, best, checked, tried, source, self.knobs)

    @property
    def begun(self) -> bool:
        """Whether a game has ended, so that there is something to tell."""
        return () in self._records

    def _stage(self, start: Trial, what: str) -> Trial | None:
        """The best of a setting's neighbours, by a race that ends with the full number of games."""
        weaker = self.scenario.sides[0 if start.share.value < 0.5 else 1]
        racing = self.neighbours(start.settings, weaker)
        games = min(FIRST, self.games)
        while racing:
            self.play(racing, games, f"{what}: {len(racing)} settings, {games} games each")
            found = sorted(map(self.trial, racing), key=_rank)
            if games == self.games:
                return found[0]
            racing = [trial.settings for trial in found[: max(len(found) // SURVIVE, 2)]]
            games = min(games * GROWTH, self.games)
        return None


def _rank(trial: Trial) -> tuple[float, int, Turned]:
    """The nearest to even first; of equals what changes least."""
    return (round(trial.off, 6), trial.steps, trial.settings)


def _load(game: Game, source: str, scenario: Any) -> Any:
    document = Document.from_toml(source, scenario.name)
    document.files = dict(scenario.files)
    return game.load_scenario(document)
