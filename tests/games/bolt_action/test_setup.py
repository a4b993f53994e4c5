"""Deployment (28.6), reserves, and the opening state."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.core.errors import IllegalError
from grognard.core.files import Document
from grognard.core.session import Session
from grognard.games.bolt_action.game import GAME
from grognard.games.bolt_action.turn_events import Deployed, DeploysFirst
from tests.games.bolt_action.play import answer, happened, keys, look, options, rolled, the_state, to_toml

SOUTH = [{"name": "south", "points": [[0, 36], [72, 36], [72, 48], [0, 48]]}]


def scenario(us: Any, germans: Any, terrain: Any = (), our_zone: Any = SOUTH, **head: Any) -> Any:
    """A battle with zones along the long edges of the table."""
    text = to_toml(
        {
            "game": "bolt_action",
            "name": "trial",
            "title": "Trial",
            "briefing": "A trial.",
            **head,
            "table": {"name": "trial", "width": 72, "height": 48},
            "terrain": list(terrain),
            "side": {
                "american": {
                    "nation": "american",
                    "title": "Americans",
                    "zone": our_zone,
                    "unit": us,
                },
                "german": {
                    "nation": "german",
                    "title": "Germans",
                    "zone": [{"name": "north", "points": [[0, 0], [72, 0], [72, 12], [0, 12]]}],
                    "unit": germans,
                },
            },
        }
    )
    return GAME.load_scenario(Document.from_toml(text, "trial.toml"))


def begin(us: Any, germans: Any, *dice: Any, terrain: Any = (), **head: Any) -> Any:
    return Session(GAME, scenario(us, germans, terrain, **head), script=list(dice))


SQUAD, TEAM = {"kind": "us_squad", "id": "a1"}, {"kind": "us_mmg", "id": "a2"}
THEIRS, MORE = {"kind": "ger_infantry", "id": "g1"}, {"kind": "ger_mmg", "id": "g2"}


@pytest.mark.rule("bolt_action", "28.6")
def test_the_lower_roller_places_first_and_sides_take_turns() -> None:
    session = begin([SQUAD, TEAM], [THEIRS, MORE], 5, 2, 1)
    assert happened(session, DeploysFirst)[0].side == "german"
    order = []
    for _ in range(4):
        order.append(session.ask.side)
        if keys(session, "unit"):
            answer(session, keys(session, "unit")[0])
        answer(session, keys(session, "pose")[0])
    assert order == ["german", "american", "german", "american"]
    assert all(unit.status == "table" and not unit.die and not unit.pins for unit in the_state(session).units.values())


@pytest.mark.rule("bolt_action", "28.6")
def test_ties_are_rolled_again() -> None:
    session = begin([SQUAD], [THEIRS], 4, 4, 1, 6)
    assert len(rolled(session, "deployment")) == 4 and session.ask.side == "american"


@pytest.mark.rule("bolt_action", "28.6")
def test_a_side_with_more_units_places_the_rest_alone() -> None:
    session = begin([SQUAD, TEAM], [THEIRS], 1, 6)
    answer(session, "unit a2", keys_then(session, "unit a2"), keys_of(session))
    assert session.ask.side == "american" and "pose" in keys(session)[0]


def keys_then(session: Any, first: Any) -> Any:
    """The first pose that is offered after an answer."""
    copy = session.fork()
    copy.answer(first)
    return keys(copy, "pose")[0]


def keys_of(session: Any) -> Any:
    """The first pose of the next side, which does not hang on what is placed now."""
    return "pose 36 6 180 line"


@pytest.mark.rule("bolt_action", "28.6")
def test_any_pose_inside_the_zone_is_an_answer_and_none_outside() -> None:
    session = begin([SQUAD], [THEIRS], 1, 6)
    with pytest.raises(IllegalError, match=r"zone.*28\.6"):
        answer(session, "pose 20 35 0 line")
    answer(session, "pose 20.5 37.25 0 line")
    assert look(session, "a1").status == "table"
    assert all(3600 <= model.y <= 4800 for model in look(session, "a1").models)
    assert happened(session, Deployed)[0].place == "20.5,37.25"


@pytest.mark.rule("bolt_action", "28.6", "8.5")
def test_no_base_hangs_over_the_edge_of_the_table() -> None:
    session = begin([TEAM], [THEIRS], 1, 6)
    with pytest.raises(IllegalError, match=r"table.*8\.5"):
        answer(session, "pose 20 47.8 0 line")
    answer(session, "pose 20 47.5 0 line")


@pytest.mark.rule("bolt_action", "28.6", "8.4")
def test_units_are_set_up_clear_of_each_other() -> None:
    session = begin([SQUAD, TEAM], [THEIRS], 1, 6)
    answer(session, "unit a1", "pose 20 40 0 line", "pose 36 6 180 line")
    with pytest.raises(IllegalError, match=r"8\.4"):
        answer(session, "pose 20 40 0 line")
    answer(session, "pose 40 40 0 line")


@pytest.mark.rule("bolt_action", "28.6")
def test_the_poses_that_are_listed_are_legal_and_face_the_enemy() -> None:
    session = begin([SQUAD], [THEIRS], 1, 6, terrain=[{"kind": "hedge", "points": [[10, 38], [30, 38]]}])
    found = options(session, "pose")
    assert 4 <= len(found) <= 12
    assert any("hedge" in option.label for option in found)
    for option in found:
        assert session.ask.area.bar is not None and not isinstance(session.ask.area.option(option.key), str)
        assert option.key.split()[3] == "0"


@pytest.mark.rule("bolt_action", "9.2", "9.7")
def test_a_gun_set_up_in_rough_ground_is_dug_in() -> None:
    woods = [{"kind": "woods", "points": [[10, 36], [30, 36], [30, 48], [10, 48]]}]
    session = begin([{"kind": "us_57mm", "id": "a1"}], [THEIRS], 1, 6, terrain=woods)
    answer(session, "pose 20 42 0 line")
    assert look(session, "a1").dug_in
    other = begin([{"kind": "us_57mm", "id": "a1"}], [THEIRS], 1, 6, terrain=woods)
    answer(other, "pose 50 42 0 line")
    assert not look(other, "a1").dug_in


@pytest.mark.rule("bolt_action", "9.2", "9.4")
def test_a_wheeled_vehicle_is_not_set_up_in_rough_ground_nor_anything_across_a_wall_of_a_house() -> None:
    ground = [
        {"kind": "woods", "points": [[10, 36], [30, 36], [30, 48], [10, 48]]},
        {"kind": "building", "id": "farm", "points": [[40, 38], [46, 38], [46, 44], [40, 44]]},
    ]
    session = begin([{"kind": "us_truck", "id": "a1"}], [THEIRS], 1, 6, terrain=ground)
    for pose in ("pose 20 42 0", "pose 43 41 0", "pose 46.5 41 0"):
        with pytest.raises(IllegalError):
            answer(session, pose)
    answer(session, "pose 50 42 0")


@pytest.mark.rule("bolt_action", "25.1", "9.4")
def test_infantry_and_guns_may_be_set_up_in_a_building() -> None:
    farm = [{"kind": "building", "id": "farm", "points": [[40, 38], [46, 38], [46, 44], [40, 44]]}]
    session = begin([SQUAD], [THEIRS], 1, 6, terrain=farm)
    answer(session, "building farm")
    assert look(session, "a1").building == "farm" and not look(session, "a1").dug_in
    gun = begin([{"kind": "us_57mm", "id": "a1"}], [THEIRS], 1, 6, terrain=farm)
    answer(gun, "building farm")
    assert look(gun, "a1").building == "farm" and look(gun, "a1").dug_in


@pytest.mark.rule("bolt_action", "24.1")
def test_a_squad_may_begin_aboard_a_transport_that_has_room() -> None:
    session = begin([{"kind": "us_truck", "id": "a1"}, {"kind": "us_squad", "id": "a2"}], [THEIRS], 1, 6, 1)
    answer(session, "unit a1", "pose 20 42 0", "pose 36 6 180 line")
    assert "aboard a1" in keys(session)
    answer(session, "aboard a1")
    assert look(session, "a2").status == "aboard" and look(session, "a2").aboard == "a1"
    crowded = begin([{"kind": "us_jeep", "id": "a1"}, {"kind": "us_squad", "id": "a2"}], [THEIRS], 1, 6)
    answer(crowded, "unit a1", "pose 20 42 0", "pose 36 6 180 line")
    assert "aboard a1" not in keys(crowded), "a jeep has three seats"


@pytest.mark.rule("bolt_action", "28.6", "28.2")
def test_a_scenario_may_have_one_side_deploy_first() -> None:
    session = begin([SQUAD, TEAM], [THEIRS, MORE], first_to_deploy="german")
    assert not rolled(session)
    order = []
    for _ in range(4):
        order.append(session.ask.side)
        if keys(session, "unit"):
            answer(session, keys(session, "unit")[0])
        answer(session, keys(session, "pose")[0])
        if the_state(session).phase != "deploy":
            break
    assert order == ["german", "german", "american", "american"]


@pytest.mark.rule("bolt_action", "28.6", "7.5")
def test_the_questions_of_deployment_are_quiet() -> None:
    session = begin([SQUAD, TEAM], [THEIRS, MORE], 1, 6)
    assert session.ask.quiet
    answer(session, "unit a2")
    assert session.ask.quiet and session.fork().ask.prompt == session.ask.prompt
    assert (look(session, "a1").size, look(session, "a2").size) == (12, 3)


# ---- reserves ----------------------------------------------------------------------------------------


@pytest.mark.rule("bolt_action", "1.9", "1.11", "28.2")
def test_a_reserve_has_a_die_but_takes_no_order_before_its_turn() -> None:
    late = {"kind": "us_m4", "id": "a2", "turn": 2, "edge": "bottom"}
    session = begin([SQUAD, late], [THEIRS], 1, 6, 1, 1)
    answer(session, "pose 20 40 0 line", "pose 36 6 180 line")
    assert rolled(session, "order die")[0].dice == "1d3"
    assert keys(session) == ["unit a1"]
    answer(session, "unit a1", "down")
    assert the_state(session).aside["american"] == 1, "its die is drawn and set aside"
    assert session.ask.side == "german"


@pytest.mark.rule("bolt_action", "28.2")
def test_a_reserve_enters_from_its_turn_on_with_advance_or_run() -> None:
    late = {"kind": "us_m4", "id": "a2", "turn": 1, "edge": "bottom"}
    session = begin([SQUAD, late], [THEIRS], 1, 6, 1, 1)
    answer(session, "pose 20 40 0 line", "pose 36 6 180 line", "unit a2")
    assert keys(session) == ["advance", "run", "down"]
    answer(session, "run")
    answer(session, keys(session, "pose")[0])
    assert look(session, "a2").status == "table"


@pytest.mark.rule("bolt_action", "28.6")
def test_places_that_are_offered_look_at_the_zone_of_the_enemy() -> None:
    """The Americans have the lower edge and look up, the Germans the upper one and look down."""
    session = begin([SQUAD], [THEIRS], 1, 6)
    looked: dict[str, set[str]] = {}
    for _ in range(2):
        looked[session.ask.side] = {key.split()[3] for key in keys(session, "pose")}
        answer(session, keys(session, "pose")[0])
    assert looked == {"american": {"0"}, "german": {"180"}}
