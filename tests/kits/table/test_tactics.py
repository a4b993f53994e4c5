"""The kit's tactics in centimetres: chart, danger, objectives and the way out, by a few hooks of the game of stands."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from grognard.core.dice import FairDice
from grognard.core.files import Document
from grognard.kits.table.scenario import Objective
from grognard.kits.table.tactics.chart import CLOSED, Chart
from grognard.kits.table.tactics.goals import THERE_WITHIN
from grognard.kits.table.tactics.outlook import Outlook
from grognard.kits.table.tactics.setting_up import Habits, Setter
from grognard.kits.table.tactics.taste import Taste
from tests.kits.table.stands.battle import Field
from tests.kits.table.stands.charts import charts
from tests.kits.table.stands.game import GAME
from tests.kits.table.stands.state import Unit
from tests.kits.table.stands.tactics import TASTE, Country, View

RIFLE = charts().distance("shooting", "range")


class Held(Country):
    """Ground with places to hold, from 10 cm."""

    reach = 1000.0


def seen(side: str = "red", view: type[View] = View, **more: Any) -> View:
    """How a side sees the opening, with more in the scenario."""
    scenario = GAME.load_scenario(Document.read(GAME.scenario_files()["crossing"]))
    scenario = replace(scenario, **more)
    battle = Field(scenario, GAME.begin(scenario), FairDice(b"any"))
    return view(battle, side, Chart(scenario.table, Held()), TASTE.scaled(scenario.table.inch))


def place(x: int, y: int, *sides: str) -> Objective:
    return Objective(id="mill", name="The mill", x=x * 100, y=y * 100, points=3, sides=sides or ("red", "blue"))


def test_lengths_of_taste_are_in_the_table_s_measure() -> None:
    inches = Taste()
    assert inches.scaled(100) is inches
    metric = inches.scaled(254)
    assert metric.near == pytest.approx(inches.near * 2.54) and metric.feared == inches.feared
    assert metric.apart * metric.closes_in == pytest.approx(inches.apart * inches.closes_in)


def test_the_chart_knows_what_is_shut_what_is_slow_and_what_hides() -> None:
    chart = seen().chart
    assert chart.move["stands"][chart.cell(7300, 2700)] == CLOSED, "the barn"
    assert not chart.sees(6000, 2700, 8600, 2700) and chart.sees(6000, 1500, 8600, 1500)
    turns = chart.turns_to("east", chart.along_edge("right"), "stands")
    track, field, deep = (float(turns[chart.nearest(x, y)]) for x, y in ((6000, 6000), (6000, 9000), (4000, 4700)))
    assert track < field < deep, "along the track it is quicker, and through a spinney slower"


def test_danger_is_where_the_enemy_sees_and_reaches() -> None:
    outlook = seen()
    unit, chart = outlook.battle.unit("r2"), outlook.chart
    danger = outlook.danger(unit)
    far = np.min([outlook.row(foe).far for foe in outlook.foes], axis=0)
    assert danger[far > RIFLE + chart.mesh].max() == 0 < danger[chart.nearest(9000, 2500)]
    hidden = ~np.any([outlook.row(foe).seen for foe in outlook.foes], axis=0)
    assert hidden.any() and danger[hidden].max() == 0


def test_units_share_out_objectives_and_stay_where_they_hold_one() -> None:
    outlook = seen(objectives=(place(50, 24),))
    holder, other = outlook.battle.unit("r2"), outlook.battle.unit("r1")
    goal = outlook.goal(holder)
    assert goal is not None and goal.at == (5000, 2400) and outlook.at_goal(holder, outlook.here(holder))
    assert outlook.stands_at(holder, goal.at) and not outlook.stands_at(other, goal.at)
    away = outlook.goal(other)
    assert away is not None and away.turns[outlook.here(other)] > THERE_WITHIN
    assert outlook.aim(holder)[outlook.here(holder)] > outlook.aim(holder)[outlook.chart.nearest(5000, 8400)]


def test_an_enemy_at_an_objective_is_worth_more() -> None:
    plain, fought = seen(), seen(objectives=(place(98, 20),))
    worth = [each.value(each.battle.unit("b1")) for each in (plain, fought)]
    assert worth[1] > worth[0] == 6.0


class Leaving(View):
    """Red wants off the table on the right."""

    def exit_of(self, unit: Unit) -> tuple[str, int] | None:
        return ("right", 4) if unit.side == "red" else None


def test_the_way_out_is_worth_more_the_nearer_the_edge_is() -> None:
    outlook: Outlook[Any, Any, Any] = seen(view=Leaving)
    unit, chart = outlook.battle.unit("r1"), outlook.chart
    goal = outlook.goal(unit)
    assert goal is not None and goal.exit == "right"
    near, far = (float(outlook.way_out(unit, goal, 7.0)[chart.nearest(x, 9500)]) for x in (14000, 2000))
    assert near > far
    assert outlook.way_out(unit, goal, 0.0).max() == 0 < outlook.way_out(unit, goal, 1.0).max()
    foe = outlook.battle.unit("b2")
    assert outlook.value(foe) > seen().value(foe), "he stands between them and the edge"


def test_setting_up_seeks_cover_and_what_is_fought_for() -> None:
    outlook = seen(objectives=(place(20, 50),))
    setter = Setter(outlook, outlook.battle.unit("r1"), Habits())
    worth, chart = setter.rough(), outlook.chart
    assert worth[chart.nearest(2000, 5000)] > worth[chart.nearest(2000, 9500)]
    assert set(setter.parts) == {"goals", "cover", "friends", "danger", "targets"}
