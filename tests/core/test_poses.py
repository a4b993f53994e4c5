"""Free placement: a pose is an answer like any other, and the area is the whole truth about it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grognard.cli.words import choose_key
from grognard.core.ask import Ask, Bar, Option, Rules
from grognard.core.battle import Battle
from grognard.core.errors import IllegalError
from grognard.core.poses import Area, Form, Hand, ModelPose, Polygon, Pose, Preview, read_pose
from grognard.core.session import Session
from grognard.core.view import ask_view
from tests.core.toy import Toy, ToyScenario


class Yard(Area):
    """Ten by ten; in the form "thin" only its left half; nobody stands in the middle."""

    def forms(self) -> list[Form]:
        return [Form("wide", "Wide", [("m1", 0, 0), ("m2", 100, 0)]), Form("thin", "Thin")]

    def headings(self) -> tuple[int, ...]:
        return (0, 90) if self.unit == "tank" else ()

    @property
    def start(self) -> Pose:
        return Pose(100, 100, 0, "wide")

    def polygons(self, form: str, heading: int) -> list[Polygon]:
        far = 500 if form == "thin" else 1000
        return [[[(0, 0), (far, 0), (far, 1000), (0, 1000)]]]

    def bar(self, pose: Pose) -> Bar | None:
        far = 500 if pose.form == "thin" else 1000
        if 0 <= pose.x <= far and 0 <= pose.y <= 1000:
            return None
        return Bar("1.1", "that is outside the yard")

    def preview(self, pose: Pose) -> Preview:
        return Preview(pose.key(self.verb), self.bar(pose), [ModelPose("m1", pose.x, pose.y)], "3 in")


class Yards(Toy):
    """Toy, whose first question is where to stand."""

    def play(self, battle: Battle[Any]) -> Rules:
        state = battle.state
        answer = yield Ask(
            "red",
            "Where to?",
            [Option("stay", "Stay", "stay")],
            quiet=True,
            area=lambda: Yard("r0", "Walk", rule="1.1"),
        )
        state.shots = state.last if answer == "stay" else len(answer)


@pytest.fixture
def session() -> Session:
    return Session(Yards(), ToyScenario(), seed=b"yard")


@given(
    x=st.integers(-99999, 99999),
    y=st.integers(-99999, 99999),
    heading=st.integers(0, 359),
    form=st.sampled_from(["", "line", "as_they_stand"]),
    by_hand=st.lists(
        st.builds(
            lambda n, x, y, heads: Hand(f"u1.{n}", x, y, *heads),
            st.integers(0, 50),
            st.integers(0, 9999),
            st.integers(0, 9999),
            st.lists(st.integers(0, 359), max_size=2),
        ),
        max_size=4,
    ),
)
def test_a_pose_and_its_key_tell_the_same(x: int, y: int, heading: int, form: str, by_hand: list[Hand]) -> None:
    models = tuple({hand.id: hand for hand in by_hand}.values())
    pose = Pose(x, y, heading, form, models)
    assert read_pose(pose.key("put")) == ("put", pose)


def test_a_model_set_by_hand_may_have_a_heading_and_a_turret() -> None:
    old, turned, turret = Hand("m3", 1210, 3040), Hand("t3", 1210, 3040, 90), Hand("t3", 1210, 3040, 0, 135)
    for hand, word in ((old, "m3@12.1,30.4"), (turned, "t3@12.1,30.4,90"), (turret, "t3@12.1,30.4,0,135")):
        key = f"pose 12.5 30 90 line {word}"
        assert read_pose(key) == ("pose", Pose(1250, 3000, 90, "line", (hand,)))
        assert Pose(1250, 3000, 90, "line", (hand,)).key() == key


@pytest.mark.parametrize(
    "key",
    ["pose", "pose 1 2", "pose 1 2 360", "pose 1.234 2 0", "pose 1 2 0 Line", "pose 1 2 0 line wide", "pose 1 2 -5",
     "pose 1 2 0 m1@1", "pose 1 2 0 m1@1,1,360", "pose 1 2 0 m1@1,1,", "pose 1 2 0 m1@1,1,9,360",
     "pose 1 2 0 m1@1,1,-1", "pose 1 2 0 m1@1,1,,9", "pose 1 2 0 m1@1,1,9,9,9", "pose 1 2 0 m1@1,1,9.5",
     "pose 1 2 0 m1@1,1 m1@2,2", "pose 1 2 0 m1@1,1 line", "pose 1e3 2 0",
     "pose ١ 2 0", "pose 1  2 0"],
)  # fmt: skip
def test_what_is_no_pose_is_not_read_as_one(key: str) -> None:
    assert read_pose(key) is None


def test_any_pose_in_the_area_is_an_answer_and_any_outside_is_refused(session: Session) -> None:
    assert session.ask is not None
    with pytest.raises(IllegalError, match=r"outside the yard \[1\.1\]"):
        session.answer("pose 10.01 5 0")
    with pytest.raises(IllegalError, match="outside the yard"):
        session.answer("pose 6 5 0 thin")
    with pytest.raises(IllegalError, match="'square' is not a form; known: wide, thin"):
        session.answer("pose 6 5 0 square")
    with pytest.raises(IllegalError, match="is not a pose; write it as 'pose"):
        session.answer("pose here")
    with pytest.raises(IllegalError, match="legal: stay, and any 'pose' inside its area"):
        session.answer("put 6 5 0")
    assert session.answers == []
    session.answer("pose 6 5 0 wide")
    assert session.given == [("red", "pose 6 5 0 wide", False)]


def test_one_option_is_the_only_answer_where_nobody_may_stand_as_he_likes(session: Session) -> None:
    assert session.ask is not None and len(session.ask.options) == 1 and session.ask.only is None
    stay, go = Option("stay", "Stay", "stay"), Option("go", "Go", "go")
    assert Ask("red", "Well?", [stay]).only == "stay"
    assert Ask("red", "Well?", [stay, go]).only is None


def test_headings_may_be_few() -> None:
    tank = Ask("red", "Where to?", [], area=lambda: Yard("tank", "Drive"))
    with pytest.raises(IllegalError, match="no heading 45; legal: 0, 90"):
        tank.option("pose 1 1 45")
    assert tank.option("pose 1 1 90").unit == "tank"


def test_the_question_shows_its_area_to_whom_it_is_put(session: Session) -> None:
    view = ask_view(session.ask, "red")
    assert view is not None and view.area is not None
    assert (view.area.unit, view.area.start, view.area.rule) == ("r0", "pose 1 1 0 wide", "1.1")
    assert view.area.polygons == [[[(0, 0), (1000, 0), (1000, 1000), (0, 1000)]]]
    assert ask_view(session.ask, "blue") is None


def test_a_preview_tells_what_a_pose_comes_to_and_changes_nothing(session: Session) -> None:
    seen = session.preview("pose 6 5 0 thin", area=True)
    assert not seen.legal and seen.bar is not None and seen.bar.rule == "1.1"
    assert seen.polygons[0][0][1] == (500, 0)
    assert session.preview("pose 3 5 0 thin").legal
    assert not session.preview("pose 3 5 0 square").legal
    # By an option that is no pose nobody goes anywhere here; what is no option is refused.
    assert session.preview("stay").legal and not session.preview("stay").models
    with pytest.raises(IllegalError):
        session.preview("vanish")
    assert session.answers == []


def test_typed_poses_are_taken_as_they_are(session: Session) -> None:
    assert session.ask is not None
    assert choose_key(session.ask, "pose  3 5   90 thin") == "pose 3 5 90 thin"
    assert choose_key(session.ask, "st") == "stay"
    with pytest.raises(IllegalError, match="outside the yard"):
        choose_key(session.ask, "pose 30 5 90 thin")


def test_a_fork_and_a_replay_take_poses(session: Session) -> None:
    session.answer("pose 6 5 0 wide")
    assert session.fork().digest == session.digest
    session.undo()
    assert session.ask is not None and session.ask.area is not None
