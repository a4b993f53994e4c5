"""Melees set by hand: units in a hex, scripted dice, answers in order, and a look at what came of it."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, TypeVar

from grognard.core.ask import Ask
from grognard.core.dice import ScriptedDice
from grognard.core.events import Event, Rolled
from grognard.core.files import Document
from grognard.core.tally import Tally
from grognard.games.ost import melee
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.combat_events import Retreated
from grognard.games.ost.invariants import invariants
from grognard.games.ost.situation import load_situation
from grognard.games.ost.state import MORALE, ON_MAP, Unit
from tests.games.ost.helpers import faced

R = TypeVar("R")
HEX = "D4"
AROUND = ("D3", "E4", "E5", "D5", "C5", "C4")


def unit(kind: str, id: str, hex: str = HEX, **more: Any) -> dict[str, Any]:
    """A unit's table; ``unit("us_rifle", "a1", morale="shaken")`` stands in the Melee hex."""
    return faced({"kind": kind, "id": id, "hex": hex, **more})


class Fray:
    """A battle in its Melee phase."""

    def __init__(
        self,
        *units: dict[str, Any],
        dice: str = "",
        initiator: str = "american",
        map: dict[str, Any] | None = None,
        melees: tuple[str, ...] = (HEX,),
        **more: Any,
    ) -> None:
        head = {"sides": ["american", "german"], "phase": "melee", "initiative": "german", **more}
        head["map"] = {"columns": 7, "rows": 7, **(map or {})}
        head["unit"] = list(units)
        head["melee"] = [{"hex": hex, "initiator": initiator} for hex in melees]
        scenario, state = load_situation(Document(head, "a test"))
        self.dice = ScriptedDice([int(face) for face in dice.split()])
        self.battle = OstBattle(scenario, state, self.dice)
        self.asks: list[Ask] = []

    def run(self, procedure: Generator[Ask, str, R], *answers: str) -> R:
        """Answer each question in turn; all answers and all dice must be used up, and no more be asked."""
        left = list(answers)
        try:
            ask = next(procedure)
            while True:
                self.asks.append(ask)
                keys = [option.key for option in ask.options]
                assert left, f"{ask.side} is asked {ask.prompt!r}: {keys}"
                assert len(keys) == len(set(keys)) > 1
                ask = procedure.send(ask.option(left.pop(0)).key)
        except StopIteration as end:
            assert not left, f"never asked: {left}"
            assert self.dice.position == len(self.dice.script), "not all dice were thrown"
            assert not invariants(self.battle)
            return end.value  # type: ignore[no-any-return]

    def fight(self, *answers: str) -> Fray:
        """Play the Melee phase."""
        self.run(melee.melee_phase(self.battle), *answers)
        return self

    # -- looking ---------------------------------------------------------------------------------------

    def __getitem__(self, id: str) -> Unit:
        return self.battle.unit(id)

    def where(self, id: str) -> str:
        """The hex a unit stands in; its status if it isn't on the map."""
        unit = self[id]
        return unit.hex if unit.status == ON_MAP else unit.status

    def morale(self, id: str) -> str:
        """A unit's morale in words."""
        return MORALE[self[id].morale]

    def events(self, kind: type[Event]) -> list[Any]:
        """What happened, of one kind."""
        return [event for event in self.battle.log if isinstance(event, kind)]

    def rolls(self, what: str = "Melee attack") -> list[Rolled]:
        """The rolls made for one purpose."""
        return [event for event in self.events(Rolled) if event.what == what]

    def column(self, roll: int = 0, what: str = "Melee attack") -> tuple[int, int, int]:
        """Firepower, Defense and modifier of a roll."""
        firepower, defense, modifiers = self.rolls(what)[roll].tallies
        return firepower.total, defense.total, modifiers.total

    def lines(self, roll: int, tally: int, what: str = "Melee attack") -> list[tuple[str, int, str, str]]:
        """The lines of one of a roll's tallies: 0 Firepower, 1 Defense, 2 modifiers."""
        return lines(self.rolls(what)[roll].tallies[tally])

    def retreats(self) -> dict[str, str]:
        """Who retreated, and whereto."""
        return {event.unit: event.place for event in self.events(Retreated)}

    def rules(self, kind: type[Event]) -> set[str]:
        """The rules behind what happened."""
        return {rule for event in self.events(kind) for rule in event.rules}


def lines(tally: Tally) -> list[tuple[str, int, str, str]]:
    """A tally's lines as plain tuples; a unit by its id, the last word of its name."""
    return [(line.id, line.amount, line.rule, "".join(line.source.split()[-1:])) for line in tally.lines]
