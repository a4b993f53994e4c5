"""The figures by which a program judges what it sees: how much it fears, hopes and waits, tuned by whole games.

A game takes them as they are, or says which are others for it: ``Taste(feared=0.4)``.
"""

from __future__ import annotations

from typing import NamedTuple


class Taste(NamedTuple):
    """What a program minds, and how much. Shares are parts of what is at stake; lengths are hundredths of an inch."""

    # What is lost: a model costs this part of its unit's worth, in proportion.
    of_models: float = 0.6
    # Of what each enemy could do to a unit so much is reckoned with: of one who has still to act, and who has acted.
    feared: float = 0.55
    feared_later: float = 0.33
    # How far an assault goes, and over what length before that it becomes less likely.
    charge: float = 1250.0
    charge_fades: float = 300.0
    # How much of a unit's flank is reckoned to show where nobody knows.
    flank: float = 0.3
    # How much more a shot is worth at somebody who has still to act.
    still_to_act: float = 1.15
    # How much a shot of the next turn counts now.
    next_shot: float = 0.5
    # How far an enemy is reckoned to go before he is caught by somebody who waits for him.
    caught_within: float = 900.0
    # How much more an enemy is worth that stands at an objective, of what is at stake there in the last turn.
    holder: float = 0.85
    # No model is farther than this from the middle of its unit, where the unit stands at an objective.
    far_out: float = 2000.0
    # Farther from the enemy than this whoever is after nothing else minds, and so much for every inch.
    apart: float = 2200.0
    closes_in: float = 0.01

    # Objectives: how much nearer a turn's march brings, what it is worth to be there already, and what it is worth to
    # one more where enough are at it, all of what the goal is worth.
    per_turn: float = 0.14
    there: float = 1.12
    second: float = 0.7
    # The strength that an objective needs at least; whoever is weaker than this goes where nobody disputes the place.
    least: float = 0.9
    weak: float = 0.5
    # How far about an objective the enemy's strength counts.
    near: float = 1400.0
    # How much less an objective wants one more unit when it has all that it needs, and how much more the first one
    # where no enemy is near: it is had for the asking.
    sated: float = 0.75
    free: float = 1.6
    # What it costs to leave an objective that nobody else of the side holds, of what it is worth.
    post: float = 0.5

    # The way off the table: how much of the points is left if a unit leaves a turn later, and how much of them every
    # turn of the way that is still to go puts at risk.
    later: float = 0.95
    to_go: float = 0.01
    # The enemy moves too: a place is nearly as dangerous as those about it. No stop is reckoned more deadly than this.
    about: float = 0.8
    deadly: float = 0.9
    # How much it is worth to be off the table beside the points for it: nothing can happen to the unit any more.
    gone: float = 1.5

    # Moves: how much of a shot counts that is known by the chart alone, and of one that was looked at.
    chart_shot: float = 0.9
    shot_taken: float = 0.95
    # How much of the danger where it stands makes a unit act at once: whoever may be shot to pieces acts while he can.
    haste: float = 0.35
    # What counts for less than this is not told.
    slight: float = 0.02

    def scaled(self, inch: int) -> Taste:
        """The same with lengths in hundredths of another measure, of which so many make an inch."""
        if inch == 100:
            return self
        lengths = ("charge", "charge_fades", "caught_within", "far_out", "apart", "near")
        return self._replace(
            closes_in=self.closes_in * 100 / inch, **{name: getattr(self, name) * inch / 100 for name in lengths}
        )
