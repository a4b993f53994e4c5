"""A rule set of a page, to try the core without a board: two lines of men who shoot at each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import msgspec

from grognard.core.aid_views import BoardView
from grognard.core.ask import Ask, Bar, Option, Procedure, Rules
from grognard.core.battle import Battle
from grognard.core.charts import Chart
from grognard.core.dice import at_least
from grognard.core.events import Change, Event
from grognard.core.files import Document
from grognard.core.game import Game
from grognard.core.ledger import Ledger, Rule
from grognard.core.reasons import Reason, Reasons, Wish
from grognard.core.tally import Tally
from grognard.core.view import Result, UnitView, View

TABLE = Chart(
    "toy",
    0,
    2,
    tuple((("",) * 2 if r < 8 else ("", "S") if r < 10 else ("S", "X")) for r in range(2, 13)),
    ("", "S", "X"),
)


class Man(msgspec.Struct, array_like=True):
    id: str
    side: str
    shaken: bool = False
    gone: bool = False
    hidden: bool = False


class ToyState(msgspec.Struct, array_like=True):
    men: dict[str, Man]
    side: str = "red"
    shots: int = 0
    last: int = 12


class Fell(Event, frozen=True, kw_only=True):
    man: str
    how: str

    def change(self) -> Change | None:
        return Change(self.man, self.how, harm=True, fatal=self.how == "gone")


class Found(Event, frozen=True, kw_only=True):
    man: str


class ToyScenario(msgspec.Struct):
    name: str = "toy"
    title: str = "Toy"
    source: str = "toy"
    briefing: str = ""
    sides: tuple[str, str] = ("red", "blue")
    turns: int = 12
    men: int = 3
    files: dict[str, str] = {}


def other(side: str) -> str:
    return "blue" if side == "red" else "red"


def shoot(battle: Battle[ToyState], shooter: str, target: str) -> Procedure[None]:
    """1.1: roll on the table; the target may duck first (1.2)."""
    man = battle.state.men[target]
    firepower = Tally("Firepower", 1, "1.1", shooter)
    answer = yield Ask(
        man.side,
        f"{target}: duck?",
        [Option("pass", "Stand", "pass"), Option("duck", "Duck", "duck", target, range=len(target))],
        reaction="duck",
        meanwhile="pass",
    )
    if answer == "duck":
        firepower.add("ducked", -1, "1.2")
    result = battle.roll(
        battle.state.side, "shot", "2d6", TABLE.reader(firepower.total, 0), ("1.1",), (firepower,), unit=target
    )
    if result == "X":
        man.gone = True
        battle.emit(Fell(man=target, how="gone", rules=("1.1",)))
    elif result == "S" and not battle.roll(man.side, "nerve", "2d6", at_least(7), ("1.3",), unit=target):
        man.shaken = True
        battle.emit(Fell(man=target, how="shaken", rules=("1.3",)))


def play(battle: Battle[ToyState]) -> Rules:
    state = battle.state
    while state.shots < state.last:
        mine = [m for m in state.men.values() if m.side == state.side and not m.gone]
        foes = [m for m in state.men.values() if m.side != state.side and not m.gone and not m.hidden]
        if not mine or not foes:
            return
        answer = yield Ask(
            state.side,
            "Your shot",
            lambda mine=mine, foes=foes: [  # type: ignore[misc]
                *[Option(f"shoot {m.id} {f.id}", "", "shoot", m.id) for m in mine if not m.shaken for f in foes],
                Option("look", "Look about", "look"),
                Option("wait", "Wait", "pass"),
            ],
            quiet=True,
        )
        words = answer.split()
        if words[0] == "shoot":
            yield from shoot(battle, words[1], words[2])
        elif words[0] == "look":
            for man in state.men.values():
                if man.hidden and man.side != state.side:
                    man.hidden = False
                    battle.emit(Found(man=man.id, shows=True, rules=("1.4",)))
                    break
        state.shots += 1
        state.side = other(state.side)


def no_shot(battle: Battle[ToyState], wish: Wish) -> Iterator[Bar]:
    """1.3: who is shaken does not shoot."""
    if wish.own[0].shaken:
        yield Bar("1.3", "it is shaken")


def no_look(battle: Battle[ToyState], wish: Wish) -> Iterator[Bar]:
    """1.4: nobody looks for the same man twice."""
    if not any(man.hidden for man in battle.state.men.values() if man.side != wish.side):
        yield Bar("1.4", "nobody is hidden")


class ToyReasons(Reasons[Battle[ToyState]]):
    units: ClassVar[Mapping[str, Reason[Any]]] = {"shoot": no_shot}
    sides: ClassVar[Mapping[str, Reason[Any]]] = {"look": no_look}
    usual = ("shoot",)
    not_yours = Bar("1.1", "he is not yours")
    example = "write it as: shoot r1 b1"

    def everybody(self, battle: Battle[ToyState]) -> Mapping[str, Man]:
        return battle.state.men

    def knows(self, battle: Battle[ToyState], side: str, unit: Man) -> bool:
        return not unit.hidden or side in ("", unit.side)

    def is_place(self, battle: Battle[ToyState], word: str) -> bool:
        return word in ("hill", "wood")

    def is_thing(self, battle: Battle[ToyState], word: str) -> bool:
        return word == "rifle"

    def timing(self, battle: Battle[ToyState], wish: Wish) -> Iterator[Bar]:
        if battle.state.side != wish.side and not wish.reacts:
            yield Bar("1.1", "it is not your shot")


class Toy(Game[ToyScenario, ToyState, Battle[ToyState]]):
    name, title, rules_version, folder = "toy", "Toy", 1, Path()
    state_type, battle_type = ToyState, Battle[ToyState]
    reasons = ToyReasons()

    @cached_property
    def ledger(self) -> Ledger:
        return Ledger("toy", "Toy", "1", [Rule(f"1.{i}", "procedure", "…") for i in range(1, 5)])

    @property
    def phrases(self) -> Mapping[str, str]:
        return {"ducked": "ducked"}

    def scenario_files(self) -> dict[str, Path]:
        return {}

    def load_scenario(self, document: Document) -> ToyScenario:
        return ToyScenario()

    def load_situation(self, document: Document) -> tuple[ToyScenario, ToyState]:
        return ToyScenario(), self.begin(ToyScenario())

    def begin(self, scenario: ToyScenario) -> ToyState:
        men = [Man(f"{s[0]}{i}", s) for s in ("red", "blue") for i in range(scenario.men)]
        men[-1].hidden = True
        return ToyState({m.id: m for m in men})

    def play(self, battle: Battle[ToyState]) -> Rules:
        return play(battle)

    def result(self, battle: Battle[ToyState]) -> Result | None:
        state = battle.state
        left = {m.side for m in state.men.values() if not m.gone and not m.hidden}
        if state.shots < state.last and len(left) == 2:
            return None
        return Result("", "out of shots")

    def view(self, battle: Battle[ToyState], side: str) -> View:
        men = [m for m in battle.state.men.values() if not m.hidden or m.side == side]
        units = [UnitView(m.id, m.side, m.id, "", "") for m in men if not m.gone]
        return View("toy", "toy", side, "", battle.state.shots, "shots", battle.state.side, {}, units, [])

    def conceal(self, battle: Battle[ToyState], side: str) -> None:
        for id in [m.id for m in battle.state.men.values() if m.hidden and m.side != side]:
            del battle.state.men[id]

    def sight(self, battle: Battle[ToyState], side: str, start: str, end: str) -> Any:
        return None

    def names(self, battle: Battle[ToyState]) -> Mapping[str, str]:
        return {man.id: man.id for man in battle.state.men.values()}

    def owner(self, battle: Battle[ToyState], unit: str) -> str:
        man = battle.state.men.get(unit)
        return man.side if man else ""

    def invariants(self, battle: Battle[ToyState]) -> list[str]:
        return []

    def draw(self, battle: Battle[ToyState], side: str) -> str:
        return "<svg/>"

    def draw_text(self, battle: Battle[ToyState], side: str) -> str:
        return ""

    def board(self, scenario: ToyScenario) -> BoardView:
        return BoardView("toy", 100, 100, 10, "paces")

    def land(self, scenario: ToyScenario, theme: str = "light") -> str:
        return f'<svg class="{theme}"/>'

    def turn_of(self, battle: Battle[ToyState]) -> tuple[int, str]:
        return battle.state.shots, "shots"


TOY = Toy()
