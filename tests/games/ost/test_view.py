"""What a side may see (27, 62.3, 73.2): two states that look alike to it give equal views, options and odds."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import msgspec
import pytest

from grognard.core.errors import GrognardError
from grognard.core.session import Session
from grognard.games.ost import view
from grognard.games.ost.game import GAME
from grognard.games.ost.roster import roster
from grognard.games.ost.state import ON_MAP, Mines, State
from grognard.players.random import RandomPlayer
from tests.games.ost.helpers import answer, keys, position, state, unit

rule = pytest.mark.rule

SECRETS = (
    "g1 ger_rifle D2",
    "g2 ger_rifle H2 hidden with=ger_lmg",
    "g3 ger_sgt - attached=g2",
    "g4 ger_hmg42 H5 hidden inside",
    "g5 ger_pak40 H7 hidden f=6",
    "a1 us_rifle D6",
    "a2 us_m4a1 B4 f=2",
    "a3 us_sgt D6 attached=a1",
)


def secrets(**kept: object) -> Session:
    """A position full of things that the American does not know."""
    return position(
        *SECRETS,
        works=["bunker H5 german hidden", "trench D2 german"],
        mines=["E5 german", "C3 german revealed", "F6 german"],
        cards={"german": ["old_soldier"], "american": ["clear_orders"]},
        active="american",
        points={"german": 4, "american": 4},
        dice=(6, 6, 6, 6, 6, 6),
        **kept,  # type: ignore[arg-type]
    )


# ---- what stands in a view -------------------------------------------------------------------------------


@rule("ost", "73.2", "73.3", "73.4", "73.5", "27.1", "27.2", "62.3")
def test_each_side_sees_its_own_secrets_and_not_the_enemys() -> None:
    session = secrets()
    enemy, own = session.view("american"), session.view("german")
    assert {u.id for u in enemy.units} == {"g1", "a1", "a2", "a3"}
    assert {u.id for u in own.units} == {f"g{n}" for n in range(1, 6)} | {"a1", "a2", "a3"}
    assert {(m.kind, m.place) for m in enemy.markers} == {("trench", "D2"), ("mines", "C3")}
    assert {(m.kind, m.place) for m in own.markers} >= {("bunker", "H5"), ("mines", "E5"), ("mines", "F6")}
    assert enemy.tracks["Luck cards"] == {"german": 1, "american": ["Clear Orders"]}
    assert own.tracks["Luck cards"] == {"german": ["Old Soldier"], "american": 1}
    text = msgspec.json.encode(enemy).decode()
    for secret in ("g2", "g3", "g4", "g5", "H2", "H5", "H7", "E5", "F6", "old_soldier", "Old Soldier", "bunker"):
        assert f'"{secret}' not in text and f"{secret} " not in text, secret


@rule("ost", "1.0b", "8.2", "8.3", "8.4", "8.6", "8.7")
def test_a_counter_shows_its_markers_and_figures() -> None:
    session = position(
        "g1 ger_rifle D4 reduced shaken moved with=ger_lmg",
        "g2 ger_sgt D4 attached=g1",
        "g3 ger_pz4h F4 f=3 mgs_out guns_out=0 bogged used",
        "g4 ger_pak40 G6 f=5 fired acquired=a1",
        "g5 ger_rifle - due=3 entry=A1",
        "g6 ger_pak40 A8 unmanned",
        "a1 us_m4a1 J8 f=6",
    )
    seen = {u.id: u for u in session.view("german").units}
    assert set(seen["g1"].states) == {"shaken", "reduced", "moved"}
    assert seen["g1"].stats["firepower"] == 2 and seen["g1"].stats["weapons"] == ["LMG (MG34/42) w1"]
    assert (seen["g1"].stack, seen["g2"].stack, seen["g2"].with_unit) == (0, 1, "g1")
    assert {"machine guns out", "bogged", "used"} <= set(seen["g3"].states) and seen["g3"].facing == 3
    assert any("out" in word and "75mm" in word for word in seen["g3"].states)
    assert {"fired", "has acquired M4A1 Sherman a1"} <= set(seen["g4"].states) and seen["g4"].stats["guns"][0]["range"]
    assert seen["g1"].stats["type"] == "rifle squad" and seen["g1"].stats["branch"] == "Heer"
    assert list(seen["g1"].stats)[:4] == ["firepower", "range", "defense", "move"], "in the order of the counter"
    assert {"gun", "hexes", "to hit", "ap"} == set(seen["g4"].stats["against armor"][0])
    words = [stat for unit in seen.values() for stat in unit.stats.values() if isinstance(stat, str)]
    assert not [word for word in words if "_" in word], "words, no ids"
    assert seen["g5"].place == "" and seen["g5"].states == ("enters on turn 3",)
    assert seen["g6"].states == ("unmanned",) and seen["g6"].place == "A8"
    assert seen["a1"].stats["front"] == 5 and seen["a1"].name == "M4A1 Sherman a1"
    assert "g5" not in {u.id for u in session.view("american").units}


def test_every_counter_has_a_nato_symbol() -> None:
    for kind in roster().values():
        if kind.kind == "support":
            continue
        own, enemy = view.symbol(kind, True), view.symbol(kind, False)
        assert len(own) == 20 and own.isdigit(), kind.id
        assert own[:4] == "1003" and enemy[:4] == "1006" and own[4:] == enemy[4:]
        assert own[4:6] in ("10", "15", "01")
    assert view.symbol(roster()["ger_rifle"], True) == "10031000121211000000"
    assert view.symbol(roster()["us_m4a1"], False) == "10061500331202000000"


def test_pictures_show_what_the_view_shows() -> None:
    session = secrets()
    for side, hidden in (("american", True), ("german", False)):
        svg, text = GAME.draw(session.battle, side), GAME.draw_text(session.battle, side)
        assert svg.startswith("<svg") and 'data-unit="a1"' in svg and "a1" in text
        assert ('data-unit="g4"' in svg) is not hidden and ("g4" in text) is not hidden


def test_names_are_those_that_people_use() -> None:
    names = GAME.names(secrets().battle)
    assert names["g1"] == "Rifle Squad g1" and names["w1"] == "LMG (MG34/42) w1"


# ---- states that look alike ------------------------------------------------------------------------------


def _swap_places(found: State, random: Random) -> None:
    hidden = [u for u in found.units.values() if u.side == "german" and u.hidden and not u.attached]
    free = [hex for hex in ("F2", "G2", "G3", "I3", "I5", "J4", "J7") if not any(u.hex == hex for u in hidden)]
    for mover in hidden:
        mover.hex = free.pop(random.randrange(len(free)))
        mover.inside = False
        for leader in found.units.values():
            if leader.attached == mover.id:
                leader.hex = mover.hex
    found.works.pop("H5", None)


def _move_mines(found: State, random: Random) -> None:
    for hex in ("E5", "F6"):
        found.mines.pop(hex)
    for hex in random.sample(["D4", "C5", "F3", "G7"], 2):
        found.mines[hex] = Mines("german")


def _other_card(found: State, random: Random) -> None:
    found.cards["german"] = [random.choice(["crossed_wires", "dead_ground", "second_wind"])]


def _other_arms(found: State, random: Random) -> None:
    found.weapons["w1"].kind = random.choice(["ger_panzerfaust", "ger_satchel"])
    found.units["g4"].kind = random.choice(["ger_pak38", "ger_pz4h", "ger_rifle"])
    found.units["g4"].inside = False


def _change_everything(found: State, random: Random) -> None:
    for change in (_swap_places, _move_mines, _other_card, _other_arms):
        change(found, random)


CHANGES = [_swap_places, _move_mines, _other_card, _other_arms, _change_everything]


def alike(change: Callable[[State, Random], None], seed: int) -> tuple[Session, Session]:
    """Two sessions that differ only in what the American does not know."""
    session = secrets()
    other = GAME.copy(state(session))
    change(other, Random(seed))
    assert GAME.encode(other) != GAME.encode(state(session))
    return session, Session(GAME, session.scenario, state=other, script=(6, 6, 6, 6, 6, 6))


@rule("ost", "73.2", "27.1", "62.3")
@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("seed", range(3))
def test_what_looks_alike_gives_equal_views_options_and_odds(
    change: Callable[[State, Random], None], seed: int
) -> None:
    one, other = alike(change, seed)
    assert msgspec.msgpack.encode(one.view("american")) == msgspec.msgpack.encode(other.view("american"))
    assert msgspec.msgpack.encode(one.view("german")) != msgspec.msgpack.encode(other.view("german"))
    assert one.ask is not None and other.ask is not None and one.ask.options == other.ask.options
    assert GAME.draw_text(one.battle, "american") == GAME.draw_text(other.battle, "american")
    for key in ("fire a1", "move a1", "cover a1"):
        assert one.odds(key) == other.odds(key)
    for words in ("a1 move E5", "a1 fire g4", "a1 fire g1", "a2 move H5", "g4", "a1 move F6"):
        assert one.why_not("american", words) == other.why_not("american", words)
    answer(one, "fire a1")
    answer(other, "fire a1")
    assert keys(one) == keys(other)
    assert [one.odds(key) for key in keys(one)] == [other.odds(key) for key in keys(other)]


@pytest.mark.parametrize("change", CHANGES)
def test_a_mover_is_offered_the_same_steps(change: Callable[[State, Random], None]) -> None:
    one, other = alike(change, 5)
    for key in ("move a1", "step E6"):
        answer(one, key)
        answer(other, key)
        if one.ask is None or one.ask.side != "american":
            return  # a hidden unit's owner thinks about firing: that is no secret any more
        assert keys(one) == keys(other)


@rule("ost", "88.5", "73.2")
def test_a_leader_beside_a_hidden_unit_looks_alone() -> None:
    """What may be fired at follows from what is seen: the hidden gun beside him does not shield the Leader."""
    units = ("g1 ger_sgt D4", "a1 us_rifle D6", "a2 us_rifle F6")
    session = position(*units, "g2 ger_pak40 D4 hidden f=4", active="american")
    copy = session.fork()
    GAME.conceal(copy.battle, "american")
    assert keys(session) == keys(copy) and "fire a1" in keys(session)
    assert "fire a1" in keys(session)
    session.battle.reveal(unit(session, "g2"))
    answer(session, "fire a1")
    assert keys(session) == ["at g2 own"]
    shown = position(*units, "g2 ger_pak40 D4 f=4", active="american")
    answer(shown, "fire a1")
    assert keys(shown) == ["at g2 own"]


def test_concealing_takes_all_secrets_out_of_the_state() -> None:
    session = secrets()
    copy, _, _ = session.rerun()
    GAME.conceal(copy, "american")
    concealed = copy.state
    assert set(concealed.units) == {"g1", "a1", "a2", "a3"} and not concealed.weapons
    assert set(concealed.mines) == {"C3"} and set(concealed.works) == {"D2"}
    assert concealed.cards["german"] == [view.UNKNOWN]
    assert not [u for units in copy.at.values() for u in units if u.hidden]
    assert unit(session, "g2").hidden  # the game itself is as it was


def test_line_of_sight_tells_nothing_of_hidden_units() -> None:
    session = secrets()
    assert GAME.sight(session.battle, "american", "a1", "g1")
    assert GAME.sight(session.battle, "german", "g4", "a1")
    with pytest.raises(GrognardError, match="neither a hex nor a unit you know of"):
        GAME.sight(session.battle, "american", "a1", "g4")
    with pytest.raises(GrognardError, match="neither a hex nor a unit"):
        GAME.sight(session.battle, "american", "a1", "Z99")


def test_in_a_whole_game_views_follow_from_what_is_known() -> None:
    """Random hidden units of a random battle are moved about: the enemy's view does not change."""
    session = Session(GAME, GAME.random_battle(seed=3), seed=b"view")
    player, random = RandomPlayer(1), Random(2)
    tried = 0
    for _ in range(250):
        if session.ask is None:
            break
        hidden = [u for u in state(session).units.values() if u.hidden and u.status == ON_MAP and not u.attached]
        if hidden and state(session).phase == "play":
            copy = GAME.copy(state(session))
            moved = copy.units[random.choice(hidden).id]
            empty = [h for h in session.battle.grid.hexes if h not in session.battle.at]
            moved.hex = random.choice(empty)
            side = next(side for side in session.scenario.sides if side != moved.side)
            for follower in copy.units.values():
                if follower.attached == moved.id:
                    follower.hex = moved.hex
            other = GAME.battle(session.scenario, copy, session.dice)
            assert msgspec.msgpack.encode(GAME.view(other, side)) == msgspec.msgpack.encode(
                GAME.view(session.battle, side)
            )
            tried += 1
        session.answer(player.choose(None, session.ask), trusted=True)
    assert tried > 20


def test_a_battle_shows_itself_in_a_notebook() -> None:
    session = position("g1 ger_rifle D4", "a1 us_rifle E4 hidden")
    picture = session._repr_svg_()
    assert picture.startswith("<svg") and 'data-unit="a1"' in picture
