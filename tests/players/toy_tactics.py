"""Tactics for the toy game: shoot at whoever is not shaken, duck, and look about when nobody is seen."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
from tests.core.toy import Man, Toy, ToyScenario, ToyState

from grognard.core.ask import Ask
from grognard.core.battle import Battle
from grognard.core.session import Session
from grognard.core.tactics import Clock, Proposal, Reason, Tactics
from grognard.core.view import Result


class ToyTactics(Tactics):
    """Counts men."""

    def standing(self, battle: Battle[Any], side: str) -> float:
        men: list[Man] = list(battle.state.men.values())
        each = [(1.0 if not man.shaken else 0.5) * (1 if man.side == side else -1) for man in men if not man.gone]
        return sum(each) / max(len(men), 1)

    def propose(self, battle: Battle[Any], ask: Ask, clock: Clock) -> list[Proposal]:
        worth = {"shoot": 5.0, "duck": 2.0, "look": 1.0, "pass": 0.0}
        men = battle.state.men
        found = []
        for option in ask.options:
            target = option.key.split()[-1]
            shaken = option.verb == "shoot" and men[target].shaken
            reasons = (Reason("the target is shaken already", -1.0),) if shaken else (Reason(option.verb, 1.0),)
            found.append(Proposal(option.key, worth[option.verb] - shaken, reasons))
        return sorted(found, key=lambda proposal: -proposal.worth)

    def redeal(self, battle: Battle[Any], side: str, rng: Random) -> None:
        """One of the enemy's men may be hidden: as many as there were, less those that are known."""
        men, scenario = battle.state.men, battle.scenario
        other = next(each for each in scenario.sides if each != side)
        for number in range(scenario.men):
            id = f"{other[0]}{number}"
            if id not in men:
                men[id] = Man(id, other, hidden=True, shaken=rng.random() < 0.5)


class TacticalToy(Toy):
    """The toy game with tactics, and with a winner: whoever has more men left."""

    def tactics(self, scenario: Any) -> Tactics:
        return ToyTactics(scenario)

    def result(self, battle: Battle[Any]) -> Result | None:
        found = super().result(battle)
        if found is None:
            return None
        standing = ToyTactics(battle.scenario).standing(battle, "red")
        return Result("" if abs(standing) < 1e-9 else "red" if standing > 0 else "blue", "men left")


TACTICAL = TacticalToy()


def opened(seed: bytes = b"toy", state: ToyState | None = None) -> Session:
    """A session of it."""
    return Session(
        TACTICAL,
        ToyScenario(),
        seed=seed,
        state=msgspec.msgpack.decode(msgspec.msgpack.encode(state), type=ToyState) if state else None,
    )
