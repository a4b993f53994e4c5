"""The second man at a Team weapon (13.13, 17.4): who he is, indoors (25.1), and in every form that a squad can take."""

from __future__ import annotations

from typing import Any

import pytest

from grognard.board.table import bodies
from grognard.games.bolt_action import deployment, formation, good_poses, movement, weapons
from grognard.games.bolt_action.battle import BoltBattle
from grognard.games.bolt_action.fire_events import Shoots
from grognard.games.bolt_action.state import GUNNER, LOADER, RUN, Unit
from grognard.kits.table.deployment import DeployArea
from tests.games.bolt_action.fire_play import enemy, fire, tallies, us
from tests.games.bolt_action.play import answer, box, field, happened, lines, look, piece, play, the_battle, unit

rule = pytest.mark.rule
MISS = (1,) * 20
FARM = box("building", 33, 14, 39, 20, id="farm", name="Farm")


def place(*units: dict[str, Any], **head: Any) -> BoltBattle:
    return field(*units, sides=["american", "german"], **head)


def lmg(battle: BoltBattle) -> dict[str, int]:
    """The lines of the tally of the light machine gun's shots."""
    (found,) = [tally for tally in tallies(battle) if "light machine gun" in tally.what]
    return lines(found)


def row(x: float, *ids: int) -> list[dict[str, Any]]:
    """Men of a squad in a row, shoulder to shoulder."""
    return [{"id": f"m{id}", "at": (x + 1.25 * number, 40)} for number, id in enumerate(ids)]


@rule("bolt_action", "13.13", "25.1")
@pytest.mark.parametrize("side", [6, 8])
def test_a_gun_in_a_building_is_served_by_anybody_of_the_squad_who_is_in_it(side: float) -> None:
    house = box("building", 33, 30, 33 + side, 30 + side, id="farm")
    squad = us("ger_infantry", None, side="american", building="farm")
    battle = place(squad, enemy("us_squad", (36, 26)), terrain=[house], dice=MISS)
    fire(battle, "at g1")
    assert "single_crew" not in lmg(battle)
    alone = us("ger_infantry", None, side="american", building="farm", models=[{"id": "m9", "at": (35, 33)}])
    battle = place(alone, enemy("us_squad", (36, 26)), terrain=[house], dice=MISS)
    fire(battle, "at g1")
    assert lmg(battle)["single_crew"] == 1


@rule("bolt_action", "13.13", "25.1", "25.2")
def test_a_squad_that_goes_into_a_building_keeps_its_guns_second_man() -> None:
    """From its order to its next one: it runs in, and fires out with the gun served."""
    session = play(
        unit("ger_infantry", "g1", at=(36, 10), heading=180),
        unit("us_squad", "a1", at=(36, 34)),
        terrain=[FARM],
        drawn="german",
        dice=MISS,
        turn=2,
    )
    answer(session, "unit g1", "run", "enter farm")
    battle = the_battle(session)
    assert weapons.serving(battle, look(session, "g1")) == {8: 9}


@rule("bolt_action", "13.13", "25.1", "27.1")
def test_a_snipers_assistant_in_a_building_is_at_his_side() -> None:
    sniper = us("us_sniper", None, building="farm")
    house = box("building", 33, 32, 41, 40, id="farm")
    battle = place(sniper, enemy("ger_infantry", (36, 12)), terrain=[house], dice=MISS)
    fire(battle, "at g1")
    assert "single_crew" not in lines(tallies(battle)[0])


@rule("bolt_action", "17.4", "13.13")
def test_any_other_man_within_an_inch_serves_the_gun_and_does_not_fire_himself() -> None:
    """The loader is at the far end and fires his rifle; the rifleman beside the gunner has his hands full."""
    models = row(30, 9, 2, 3, 4, 10)
    battle = place(us("ger_infantry", side="american", models=models), enemy("us_squad", (33, 28)), dice=MISS)
    fire(battle, "at g1")
    assert "single_crew" not in lmg(battle)
    assert happened(battle, Shoots)[0].weapons == "light machine gun, 3 × rifle"


@rule("bolt_action", "17.4")
def test_the_man_beside_the_gunner_who_has_least_to_fire_serves_where_no_loader_is() -> None:
    models = [*row(30, 1), {"id": "m9", "at": (31.25, 40)}, {"id": "m2", "at": (32.5, 40)}]
    battle = place(us("ger_infantry", side="american", models=models), enemy("us_squad", (32, 30)), dice=MISS)
    fire(battle, "at g1")
    assert happened(battle, Shoots)[0].weapons == "submachine gun, light machine gun"


@rule("bolt_action", "17.4", "13.13")
def test_a_gun_with_nobody_within_an_inch_is_served_by_one_man() -> None:
    models = [{"id": "m9", "at": (30, 40)}, {"id": "m2", "at": (32.01, 40)}, {"id": "m10", "at": (33.2, 40)}]
    battle = place(us("ger_infantry", side="american", models=models), enemy("us_squad", (30, 28)), dice=MISS)
    fire(battle, "at g1")
    assert lmg(battle)["single_crew"] == 1
    models[1]["at"] = (32, 40)
    battle = place(us("ger_infantry", side="american", models=models), enemy("us_squad", (30, 28)), dice=MISS)
    fire(battle, "at g1")
    assert "single_crew" not in lmg(battle)


@rule("bolt_action", "17.4")
def test_one_man_serves_one_gun() -> None:
    """Two gunners with one rifleman between them: one of them is alone; with a loader at hand both are served."""
    guns = [
        {"id": "m8", "at": (30, 40), "role": GUNNER, "arms": [2]},
        {"id": "m2", "at": (31.25, 40)},
        {"id": "m9", "at": (32.5, 40)},
    ]
    battle = place(us("ger_infantry", side="american", models=guns))
    assert len(weapons.serving(battle, battle.unit("a1"))) == 1
    assert alone(battle) == ["m9"]
    more = [*guns, {"id": "m10", "at": (33.75, 40)}]
    battle = place(us("ger_infantry", side="american", models=more))
    assert weapons.serving(battle, battle.unit("a1")) == {0: 1, 2: 3}
    assert not alone(battle)


def alone(battle: BoltBattle) -> list[str]:
    """The gunners of the squad whom nobody serves."""
    squad = battle.unit("a1")
    return [held.model for held in weapons.in_hand(battle, squad) if weapons.alone(battle, squad, held)]


# ---- forms ---------------------------------------------------------------------------------------------------


def beside_the_gun(battle: BoltBattle, squad: Unit, stand: list[bodies.Body]) -> bool:
    """Whether the loader would stand within 1 in of the gunner."""
    roles = [model.role for model in squad.models]
    return bodies.gap(stand[roles.index(GUNNER)], stand[roles.index(LOADER)]) <= formation.reach(battle) + bodies.HAIR


@rule("bolt_action", "17.4")
@pytest.mark.parametrize("kind", ["ger_infantry", "ger_vet_grenadiers", "gb_section", "us_paras"])
@pytest.mark.parametrize("ranks", [1, 2, 3])
@pytest.mark.parametrize("shuffled", [False, True])
def test_every_form_puts_the_loader_beside_his_gunner(kind: str, ranks: int, shuffled: bool) -> None:
    battle = place(us(kind, side="american", ranks=ranks, quality="regular"))
    squad = battle.unit("a1")
    if shuffled:  # gunner and loader at opposite ends
        first, last = squad.models[0], squad.models[-1]
        first.x, first.y, last.x, last.y = last.x, last.y, first.x, first.y
        battle.invalidate()
    area = movement.area_of(battle, squad, RUN)
    for form in formation.FORMS[1:]:
        for heading in range(0, 360, 15):
            stand = [body.at(x, y) for body, (x, y) in zip(battle.bodies(squad), area.offsets(form, heading))]
            assert beside_the_gun(battle, squad, stand), (form, heading)
            assert formation.bar_layout(battle, squad, stand, range(len(stand))) is None


@rule("bolt_action", "17.4", "28.6")
def test_a_squad_is_set_up_with_the_loader_beside_his_gunner() -> None:
    battle = place(us("ger_infantry", side="american"))
    squad = battle.unit("a1")
    area = DeployArea(deployment.Deployment(battle), squad, None)
    for form in area.names:
        stand = [body.at(x, y) for body, (x, y) in zip(battle.bodies(squad), area.offsets(form, 30))]
        assert beside_the_gun(battle, squad, stand), form


@rule("bolt_action", "17.4", "11.8")
def test_men_who_line_a_wall_keep_the_loader_beside_the_gunner() -> None:
    wall = piece("stone_wall", (26, 36), (46, 36))
    battle = place(us("ger_infantry", side="american", ranks=2), enemy("us_squad", (36, 16)), terrain=[wall])
    squad = battle.unit("a1")
    roles = [model.role for model in squad.models]
    for swap in (0, 4):  # the loader stands among the first or in the middle of the front rank
        one, other = squad.models[swap], squad.models[roles.index(LOADER)]
        one.x, one.y, other.x, other.y = other.x, other.y, one.x, one.y
        battle.invalidate()
        area = movement.area_of(battle, squad, RUN)
        lined = [option for option in good_poses.good_poses(battle, squad, area) if option.label.startswith("Line")]
        assert lined
        for option in lined:
            chosen = area.option(option.key)
            assert not isinstance(chosen, str), chosen
            hand = {part.split("@")[0]: part.split("@")[1].split(",") for part in option.key.split() if "@" in part}
            stand = [
                body.at(*(round(float(each) * 100) for each in hand[model.id]))
                for model, body in zip(squad.models, battle.bodies(squad))
            ]
            assert beside_the_gun(battle, squad, stand)
