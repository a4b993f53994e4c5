"""Standing orders: a side's answers to reactions, given beforehand, so that play does not stall."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import msgspec

from grognard.core.odds import HOLD

if TYPE_CHECKING:
    from grognard.core.ask import Ask
    from grognard.core.session import Session


class StandingOrder(msgspec.Struct, frozen=True, omit_defaults=True):
    """Pass a reaction of a kind: always, beyond a range, or below a chance of an effect.

    ``reaction`` is the kind of reaction it answers ("" for all). Without a limit it always passes.
    """

    side: str
    reaction: str = ""
    beyond: int | None = None
    below: float | None = None

    def answer(self, session: Session, ask: Ask) -> str | None:
        """The key this order answers with, or None to leave the question to the player."""
        if ask.side != self.side or not ask.reaction or self.reaction not in ("", ask.reaction):
            return None
        hold = next((option.key for option in ask.options if option.verb in HOLD), None)
        if hold is None:
            return None
        shots = [option for option in ask.options if option.verb not in HOLD]
        if self.beyond is not None:
            shots = [option for option in shots if not option.range > self.beyond]
            return None if shots else hold
        if self.below is not None:
            least = Fraction(self.below).limit_denominator(10_000)
            # Whoever goes to ground or makes off does it for what the enemy would do to him otherwise.
            if any(not option.target for option in shots) and session.odds(hold).to_us >= least:
                return None
            found = (session.odds(option.key) for option in shots)
            # Where nothing is thrown for, such as a card that is played, there is no chance to go by.
            return None if any(not odds.tallies or odds.to_them >= least for odds in found) else hold
        return hold
