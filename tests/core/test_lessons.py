"""Lessons: read from TOML, and every fault told at its line."""

from __future__ import annotations

import pytest

from grognard.core.aid_views import LessonScript
from grognard.core.errors import MalformedError
from grognard.core.files import Document
from grognard.core.lessons import load_lesson

HEAD = 'id = "one"\ntitle = "One"\nscenario = "farm"\nside = "blue"\nminutes = 5\n'
LINE = '[[lines]]\ntext = "Go on."\n'
STEP = '[[steps]]\nid = "a"\ntitle = "A"\ntext = "Do it."\n'


def faults(text: str) -> list[str]:
    with pytest.raises(MalformedError) as caught:
        load_lesson(Document.from_toml(text, "lesson.toml"))
    return [str(fault) for fault in caught.value.faults]


def test_a_lesson_and_what_its_steps_wait_for() -> None:
    text = (
        HEAD + STEP + STEP.replace('"a"', '"b"') + 'when = { offered = "move" }\ndone = { answered = "move" }\n' + LINE
    )
    lesson = load_lesson(Document.from_toml(text, "lesson.toml"))
    first, second = lesson.steps
    assert first.done.read and not first.when.offered
    assert second.when.offered == second.done.answered == "move" and not second.done.read


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (HEAD, "needs steps"),
        (HEAD + STEP + STEP, "lesson.toml:11: steps[2].id: step 'a' is there twice"),
        (HEAD + STEP.replace("Do it.", "word " * 51), "51 words"),
        (HEAD + STEP + "done = {}\n", "never done"),
        (HEAD + STEP + 'when = { offred = "move" }\n', "offred"),
        (HEAD.replace("5", '"five"') + STEP, "lesson.toml:5"),
        (STEP, "missing required field"),
        (HEAD + STEP, "nothing to say when no cue holds"),
        (HEAD + STEP + LINE + 'when = { offered = "move" }\n', "nothing to say when no cue holds"),
        (HEAD + STEP + LINE.replace("Go on.", "word " * 51), "lines[1].text: 51 words"),
        (HEAD + STEP + LINE + '[[script]]\nturn = 1\nkeys = ["("]\n', "script[1].keys"),
    ],
)
def test_faults_are_told(text: str, fault: str) -> None:
    told = faults(text)
    assert any(fault in each for each in told), told


def test_the_opponent_s_script() -> None:
    part = LessonScript(turn=3, keys=("enter .*", "step G2", "stop"))
    assert part.choose(3, ["pass", "stop", "step G2"]) == "step G2"
    assert part.choose(3, ["fire g1", "enter g2"]) == "enter g2"
    assert part.choose(3, ["pass"]) is None and part.choose(4, ["stop"]) is None
