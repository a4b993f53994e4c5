"""Along a wall: men line what gives cover, on the side away from the enemy, by an ordinary pose."""

from __future__ import annotations

import pytest

from grognard.board.table import formations
from grognard.core.poses import Pose, read_pose
from grognard.core.session import Session
from grognard.games.bolt_action import advance_and_run, areas, formation, movement
from grognard.kits.table import lining
from tests.games.bolt_action.play import answer, field, keys, options, piece, play, run, the_battle, unit


def lines(session: Session) -> dict[str, str]:
    """The poses along something, by their labels."""
    return {
        option.label.split(",")[0]: option.key for option in options(session) if option.label.startswith("Line the")
    }


@pytest.mark.rule("bolt_action", "11.8")
def test_a_squad_lines_a_wall_on_the_side_away_from_the_enemy() -> None:
    wall = piece("stone_wall", (20, 24), (40, 24))
    session = play(
        unit("us_squad", "a1", at=(30, 28)), unit("ger_grenadiers", "g1", at=(30, 5)), terrain=[wall], drawn="american"
    )
    answer(session, "unit a1", "advance")
    answer(session, lines(session)["Line the stone wall"])
    battle = the_battle(session)
    squad = battle.unit("a1")
    # Every man is behind it, close enough for it to cover him, and the chain holds.
    assert all(2400 < model.y <= 2400 + 49 + 20 for model in squad.models)
    assert not formation.broken(battle, squad)
    assert areas.cover_from(battle, battle.unit("g1"), squad, battle.bodies(squad)) == "hard"


@pytest.mark.rule("bolt_action", "9.6")
def test_a_run_does_not_end_on_the_far_side_of_a_hedge() -> None:
    hedge = piece("hedge", (20, 24), (40, 24))
    enemy = unit("ger_grenadiers", "g1", at=(30, 45))
    session = play(unit("us_squad", "a1", at=(30, 28)), enemy, terrain=[hedge], drawn="american")
    answer(session, "unit a1", "run")
    assert not lines(session)  # the enemy is on its own side: it would have to climb over
    session = play(unit("us_squad", "a1", at=(30, 28)), enemy, terrain=[hedge], drawn="american")
    answer(session, "unit a1", "advance")
    assert "Line the hedge" in lines(session)
    answer(session, lines(session)["Line the hedge"])
    assert all(model.y < 2400 for model in the_battle(session).unit("a1").models)


def test_men_stand_in_a_trench() -> None:
    trench = piece("trench", (20, 24), (30, 24), (40, 26))
    session = play(
        unit("us_squad", "a1", at=(28, 28)),
        unit("ger_grenadiers", "g1", at=(30, 5)),
        terrain=[trench],
        drawn="american",
    )
    answer(session, "unit a1", "run")
    answer(session, lines(session)["Line the trench"])
    battle = the_battle(session)
    line = battle.table.line(battle.table.pieces[0])
    from shapely import Point

    assert all(line.distance(Point(model.x, model.y)) < 10 for model in battle.unit("a1").models)


def test_a_wall_that_turns_back_on_itself_is_lined_too() -> None:
    """At the very end of it, where it turns, it has no direction."""
    wall = piece("stone_wall", (30, 24), (33, 24), (30, 24))
    enemy = unit("ger_grenadiers", "g1", at=(30, 5))
    session = play(unit("us_bazooka", "a1", at=(31, 28)), enemy, terrain=[wall], drawn="american")
    answer(session, "unit a1", "advance")
    answer(session, lines(session)["Line the stone wall"])
    assert all(2400 < model.y <= 2400 + 49 + 20 for model in the_battle(session).unit("a1").models)


def test_who_lines_it_already_is_not_told_to() -> None:
    wall = piece("stone_wall", (20, 24), (40, 24))
    session = play(
        unit("us_squad", "a1", at=(30, 28)), unit("ger_grenadiers", "g1", at=(30, 5)), terrain=[wall], drawn="american"
    )
    answer(session, "unit a1", "advance")
    answer(session, lines(session)["Line the stone wall"])
    battle = the_battle(session)
    squad = battle.unit("a1")
    before = [(model.x, model.y) for model in squad.models]
    found = [
        o.key
        for o in advance_and_run.options(battle, squad, "advance", assault=False)
        if o.label.startswith("Line the")
    ]
    for key in found:
        read = read_pose(key)
        assert read is not None and [(hand.x, hand.y) for hand in read[1].by_hand] != before


def test_a_short_wall_is_lined_closer_or_not_at_all() -> None:
    enemy = unit("ger_grenadiers", "g1", at=(30, 5))
    short = field(unit("us_squad", "a1", at=(30, 28)), enemy, terrain=[piece("stone_wall", (26, 24), (34, 24))])
    tiny = field(unit("us_squad", "a1", at=(30, 28)), enemy, terrain=[piece("stone_wall", (29, 24), (31, 24))])
    for battle, some in ((short, True), (tiny, False)):
        squad = battle.unit("a1")
        found = [
            o
            for o in advance_and_run.options(battle, squad, "advance", assault=False)
            if o.label.startswith("Line the")
        ]
        assert bool(found) is some
        area = movement.area_of(battle, squad, "advance")
        for option in found:
            read = read_pose(option.key)
            assert read is not None and area.bar(read[1]) is None


def test_posts_are_worked_out_once_for_a_table() -> None:
    battle = field(
        unit("us_squad", "a1", at=(30, 28)),
        unit("ger_grenadiers", "g1", at=(30, 5)),
        terrain=[piece("hedge", (20, 24), (40, 24)), piece("road", (0, 30), (70, 30))],
    )
    known = lining.posts(battle.table)
    assert lining.posts(battle.table) is known
    assert {post.piece.kind for post in known.each} == {"hedge"}
    north, south = lining.behind(known.each[0], 3000, 0), lining.behind(known.each[0], 3000, 4800)
    assert (north, south) == (0, 180)


def test_listed_lines_are_taken_by_the_area() -> None:
    hedge = piece("hedge", (20, 20), (30, 24), (44, 22))
    battle = field(unit("us_squad", "a1", at=(30, 28)), unit("ger_grenadiers", "g1", at=(36, 5)), terrain=[hedge])
    squad = battle.unit("a1")
    key = next(
        o.key
        for o in advance_and_run.options(battle, squad, "run", assault=False)
        if o.label.startswith("Line the hedge")
    )
    read = read_pose(key)
    assert read is not None and read[1].form == formations.AS_THEY_STAND and len(read[1].by_hand) == len(squad.models)
    run(advance_and_run.move(battle, squad, "run"), key)
    assert {model.id: (model.x, model.y) for model in squad.models} == {
        hand.id: (hand.x, hand.y) for hand in read[1].by_hand
    }


@pytest.mark.rule("bolt_action", "28.6")
def test_a_unit_is_set_up_along_a_wall() -> None:
    from grognard.core import registry
    from grognard.core.files import Document

    game = registry.game("bolt_action")
    scenario = game.load_scenario(Document.read(game.scenario_files()["oder_suburb"]))
    session = Session(game, scenario, seed=b"1", snapshots=False)
    for _ in range(60):
        assert session.ask is not None
        found = lines(session)
        if found:
            break
        session.answer(keys(session)[0])
    assert found
    for key in found.values():
        assert session.ask.option(key) is not None
    session.answer(next(iter(found.values())))
    assert not game.invariants(session.battle)


def test_cover_on_the_way_to_an_objective_is_listed() -> None:
    battle = field(
        unit("us_squad", "a1", at=(20, 40)),
        unit("ger_grenadiers", "g1", at=(60, 4)),
        terrain=[piece("hedge", (14, 31), (26, 31)), piece("hedge", (14, 44), (26, 44))],
        objective=[{"at": [20, 14], "points": 2}],
    )
    labels = [option.label for option in advance_and_run.options(battle, battle.unit("a1"), "run", assault=False)]
    assert any("to the hedge on the way to" in label for label in labels)


def test_lines_of_one_name_are_told_apart_by_where_they_are() -> None:
    """Two walls of one name carry their places, a hedge that is alone only its name."""
    found = [
        (Pose(1204, 300, 0, ""), "the stone wall"),
        (Pose(2000, 300, 0, ""), "the stone wall"),
        (Pose(0, 0, 0, ""), "the hedge"),
    ]
    assert lining.told_apart(field(unit("us_squad", "a1", at=(20, 40))).table, found) == [
        "the stone wall (12″ from the left, 3″ from the top)",
        "the stone wall (20″ from the left, 3″ from the top)",
        "the hedge",
    ]
