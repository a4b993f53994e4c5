"""A program that plays the game, on the kit's tactics: what its ground, its fire and its orders come to."""

from __future__ import annotations

from functools import cache

import numpy as np

from grognard.board.table.templates import Square, touched
from grognard.board.table.terrain import Kind
from grognard.core.ask import Ask, Option
from grognard.core.poses import read_pose
from grognard.core.tactics import Clock
from grognard.kits.table.tactics.chart import CLOSED, FREE, SLOW, Bools, Bytes, ChartGround, Floats, Going, chart_of
from grognard.kits.table.tactics.choices import Choice
from grognard.kits.table.tactics.judge import Judge
from grognard.kits.table.tactics.moves import weigh_poses
from grognard.kits.table.tactics.outlook import Outlook
from grognard.kits.table.tactics.player import TableTactics
from grognard.kits.table.tactics.taste import Taste
from grognard.kits.table.tactics.threats import Toll
from grognard.kits.table.tactics.weights import Weight
from tests.kits.table.stands.battle import Field
from tests.kits.table.stands.charts import charts
from tests.kits.table.stands.shooting import SIGHT, shots
from tests.kits.table.stands.state import Unit

#: What a shot of 5 or more, or of 6 at cover, fells.
OPEN, COVERED = 1 / 3, 1 / 6
#: So much of what the shots of a unit would fell one by one: several are at the same stand.
SPREAD = 0.4
#: The outer stands of a unit that turns go farther than its middle.
MIDDLE = 0.85
#: Every stand counts for itself: half a unit is worth half of it. Beyond the range of rifles, 40 cm, one closes in.
TASTE = Taste(of_models=1.0, apart=1500.0, closes_in=0.03)
Dice = tuple[int]


class Country(ChartGround):
    """2.1: 30 cm on the track, 20 across country, 10 through a spinney. Cells of 1.25 cm, a net of 5."""

    cell, mesh = 125, 500
    eye = float(SIGHT.target_height * 350)
    looked_at = float(SIGHT.target_height * 350)
    at_hand = (100.0, 200.0, 300.0)

    @property
    def goings(self) -> dict[str, Going]:
        track, country, spinney = (charts().distance("paces", ground) for ground in ("track", "country", "spinney"))
        return {"stands": Going(country, spinney, road=track / country)}

    def state(self, kind: Kind, column: str) -> int:
        return {"shut": CLOSED, "thick": SLOW}.get(kind.ground, FREE)

    def road(self, kind: Kind) -> bool:
        return kind.ground == "easy"


COUNTRYSIDE = Country()


@cache
def volley(dice: int) -> Dice:
    """One and the same object for as many dice: fields of fire are kept by it."""
    return (dice,)


class View(Outlook[Field, Unit, Dice]):
    """Worth is counted in stands."""

    def turns_left(self) -> float:
        return float(self.battle.scenario.turns - self.battle.state.turn + 1)

    def column(self, unit: Unit) -> str:
        return "stands"

    def worth(self, unit: Unit) -> float:
        return float(len(unit.models))

    def waits(self, unit: Unit) -> bool:
        return not unit.used

    def profile(self, unit: Unit, target: Unit, moved: bool) -> Dice:
        return volley(len(unit.models))

    def tolls(self, target: Unit, fire: Dice, far: Floats, cover: Bytes, flank: Floats | float) -> Toll:
        hits = fire[0] * SPREAD * np.where(cover > 0, COVERED, OPEN)
        lost = np.where(far <= charts().distance("shooting", "range"), hits, 0.0)
        gone = np.minimum(lost / len(target.models), 1.0) ** len(target.models)
        return Toll(lost, np.zeros(len(far)), gone)


class Captain(Judge[View, Unit]):
    """Weighs the orders of units."""

    def leads_to(self, unit: Unit, how: str) -> Bools:
        x, y = self.outlook.spot(unit)
        chart = self.outlook.chart
        country, spinney = (charts().distance("paces", ground) * MIDDLE for ground in ("country", "spinney"))
        free = chart.reachable(x, y, "stands", country, run=True)
        return free | chart.reachable(x, y, "stands", spinney, run=False)

    def weigh(self, unit: Unit) -> list[Choice]:
        return [self.march(unit)]

    def march(self, unit: Unit) -> Choice:
        point = self.best_point(unit, "march")
        return Choice(f"march {unit.id}", float(self.after(unit, "march")[point]), self.why_there(unit, "march", point))


def march(judge: Captain, option: Option) -> Choice:
    unit = judge.outlook.battle.unit(option.unit)
    return judge.gained(unit, judge.weigh(unit))[0]


def fire(judge: Captain, option: Option) -> Choice:
    """3.1, by the very tallies of the shots."""
    battle = judge.outlook.battle
    unit, target = battle.unit(option.unit), battle.unit(option.target)
    rolls = shots(battle, unit, target).values()
    lost = sum(1 - (1 - (7 - need.total) / 6) ** dice for dice, need in rolls)
    worth = judge.outlook.gain(target, lost, 0.0, 0.0)
    return Choice(option.key, worth, ((f"{battle.name(target)} loses {lost:.1f} stands on average", worth),))


def shelled(judge: Captain, x: int, y: int, heading: int) -> float:
    """3.2: what shells do, friends counted against."""
    battle, side = judge.outlook.battle, charts().distance("calling", "shells_side")
    each = [(unit, sum(touched(battle.bodies(unit), Square(x, y, side, heading)))) for unit in battle.units()]
    return sum(hit * OPEN * (1 if unit.side == judge.outlook.enemy else -1) for unit, hit in each)


def shells(judge: Captain, option: Option) -> Choice:
    """To call them at all: they fall once a game, and so on no fewer than two."""
    battle, (x, y) = judge.outlook.battle, judge.outlook.spot(judge.outlook.battle.unit(option.unit))
    reach, aims = charts().distance("calling", "range"), map(battle.anchor, judge.outlook.foes)
    worth = max((shelled(judge, *at, 0) for at in aims if np.hypot(at[0] - x, at[1] - y) <= reach), default=0.0)
    return Choice(option.key, worth - 0.6, ((f"{worth:.1f} stands expected under them", worth), ("not again", -0.6)))


def aim(judge: Captain, option: Option) -> Choice:
    read = read_pose(option.key)
    assert read is not None
    worth = shelled(judge, read[1].x, read[1].y, read[1].heading)
    return Choice(option.key, worth, ((f"{worth:.1f} stands expected under them", worth),))


def unwanted(judge: Captain, option: Option) -> Choice | None:
    """2.4 and 3.3: nobody rushes ahead of his men, or smokes."""
    return None


def retire(judge: Captain, ask: Ask) -> list[Choice]:
    """4.1: where it is least dangerous."""
    unit = judge.outlook.battle.unit(ask.options[0].unit)
    poses = [read[1] for option in ask.options if (read := read_pose(option.key)) is not None]
    return sorted(weigh_poses(judge, unit, poses, False), key=lambda choice: -choice.worth)


class StandsTactics(TableTactics[Field, Captain]):
    """Plays the game of stands. A stand more is a tenth of a battle."""

    points, ground = 10.0, COUNTRYSIDE
    weights = {"stands": Weight(0.2, 0.3)}
    questions = {"pose": retire}
    options = {
        "march": march,
        "fire": fire,
        "shells": shells,
        "at": aim,
        "smoke": unwanted,
        "rush": unwanted,
    }

    def judge(self, battle: Field, side: str, clock: Clock | None) -> Captain:
        chart = chart_of(battle.table, self.ground)
        return Captain(View(battle, side, chart, TASTE.scaled(battle.table.inch)), clock)

    def signs(self, battle: Field) -> tuple[float, tuple[float, ...]]:
        first, second = ([len(unit.models) for unit in battle.units(side)] for side in battle.sides)
        return max(battle.scenario.turns - battle.state.turn + 1.0, 0.0), (float(sum(first) - sum(second)),)
