"""Formation (7): the chain, the forms, and closing up."""

from __future__ import annotations

import pytest

from grognard.board.table import formations
from grognard.core.poses import Pose
from grognard.games.bolt_action import advance_and_run, formation, movement, orders
from grognard.games.bolt_action.move_events import Moved
from tests.games.bolt_action.play import answer, field, happened, keys, look, play, run, the_battle, unit

FOE = unit("ger_2lt", "g1", at=(5, 5))


def torn(gap: float = 3.0) -> dict[str, object]:
    """Five men, two of them cut off from the rest."""
    left = [(20, 30), (21.2, 30), (22.4, 30)]
    right = [(23.4 + gap, 30), (24.6 + gap, 30)]
    return unit("us_squad10", "a1", models=left + right, men=5)


@pytest.mark.rule("bolt_action", "7.1", "7.2")
def test_a_unit_is_one_chain_of_gaps_of_an_inch_or_less() -> None:
    battle = field(torn(1.0), FOE)  # an inch and the bases: no wider than it may be
    assert not formation.broken(battle, battle.unit("a1"))
    battle = field(torn(1.05), FOE)
    assert formation.broken(battle, battle.unit("a1"))


@pytest.mark.rule("bolt_action", "7.3")
def test_a_broken_chain_allows_only_advance_run_and_down_and_must_be_closed() -> None:
    session = play(torn(), FOE, drawn="american", seed=b"x")
    answer(session, "unit a1")
    assert keys(session) == ["advance", "run", "down"]
    answer(session, "advance")
    assert "stay" not in keys(session) and "close_up" in keys(session)
    area = session.ask.area if session.ask else None
    assert area is not None and "as_they_stand" not in [form.name for form in area.forms()]
    answer(session, "close_up")
    assert not formation.broken(the_battle(session), look(session, "a1"))
    assert "7.3" in happened(session, Moved)[0].rules
    assert [(m.x, m.y) for m in look(session, "a1").models][:3] == [(2000, 3000), (2120, 3000), (2240, 3000)]


@pytest.mark.rule("bolt_action", "7.3")
def test_a_chain_that_cannot_be_closed_is_shortened() -> None:
    battle = field(torn(14), FOE)
    who = battle.unit("a1")
    before = battle.bodies(who)[3].x - battle.bodies(who)[2].x
    run(advance_and_run.move(battle, who, "advance"), "close_up")
    after = battle.bodies(who)[3].x - battle.bodies(who)[2].x
    assert formation.broken(battle, who)
    assert before - after == pytest.approx(1200, abs=20), "both halves come their six inches"


@pytest.mark.rule("bolt_action", "7.3")
def test_the_greatest_group_comes_to_meet_the_others_where_that_closes_the_chain() -> None:
    battle = field(unit("us_squad", "a1", models=[(20, 30), (21.5, 30), (31, 30), (32.5, 30)]), FOE)
    who = battle.unit("a1")
    run(advance_and_run.move(battle, who, "advance"), "close_up")
    assert not formation.broken(battle, who), "8.5 in apart: six inches of one half alone are not enough"


@pytest.mark.rule("bolt_action", "7.3")
def test_poses_restore_the_chain() -> None:
    battle = field(torn(), FOE)
    who = battle.unit("a1")
    area = movement.area_of(battle, who, "advance")
    assert area.bar(Pose(2300, 2900, 0, "cluster")) is None
    run(advance_and_run.move(battle, who, "advance"), "pose 23 29 0 cluster")
    assert not formation.broken(battle, who)


@pytest.mark.rule("bolt_action", "7.2")
@pytest.mark.parametrize("form", ["line", "column", "cluster"])
@pytest.mark.parametrize("heading", [0, 17, 90, 211])
def test_forms_hold_the_chain_and_nobody_stands_in_another(form: str, heading: int) -> None:
    battle = field(unit("us_squad", "a1", at=(30, 30), ranks=2), FOE)
    who = battle.unit("a1")
    places = formation.offsets(battle, who, form, heading)
    stand = [body.at(3000 + x, 3000 + y) for body, (x, y) in zip(battle.bodies(who), places)]
    assert formations.chained(stand, formation.reach(battle)) and formations.clear(stand)
    assert formation.bar_layout(battle, who, stand, range(len(stand))) is None


@pytest.mark.rule("bolt_action", "23.4")
def test_a_spotter_need_not_keep_formation() -> None:
    crew = [{"id": f"m{i}", "at": (20 + 1.2 * i, 30)} for i in (1, 2, 3)]
    spotter = {"id": "m4", "at": (30, 20), "role": "spotter"}
    battle = field(unit("us_mortar_medium", "a1", models=[*crew, spotter]), FOE)
    who = battle.unit("a1")
    assert not formation.broken(battle, who)
    assert orders.bar(battle, who, "fire") is None
    run(advance_and_run.move(battle, who, "run"), "pose 22 24 0 line m4@33,18")
    assert [(m.x, m.y) for m in who.models][3] == (3300, 1800)
    assert not formation.broken(battle, who)


@pytest.mark.rule("bolt_action", "23.4")
def test_a_spotter_who_is_not_told_to_stays_and_nobody_stops_on_him() -> None:
    crew = [{"id": f"m{i}", "at": (20 + 1.2 * i, 30)} for i in (1, 2, 3)]
    battle = field(
        unit("us_mortar_medium", "a1", models=[*crew, {"id": "m4", "at": (22.4, 25), "role": "spotter"}]), FOE
    )
    who = battle.unit("a1")
    bar = movement.area_of(battle, who, "run").bar(Pose(2240, 2500, 0, "line"))
    assert bar is not None and bar.rule == "8.5"
    run(advance_and_run.move(battle, who, "run"), "pose 22.4 22 0 line")
    assert (who.models[3].x, who.models[3].y) == (2240, 2500)
