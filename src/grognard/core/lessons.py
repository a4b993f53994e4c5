"""Reading lessons: a guided battle as TOML, with every fault told at its line."""

from __future__ import annotations

from grognard.core.aids import Cue, Lesson
from grognard.core.files import Document

#: A hint is read while playing: more words than these are not.
MOST_WORDS = 50


def load_lesson(document: Document) -> Lesson:
    """A lesson from its file, or all the file's faults."""
    lesson = document.convert(document.data, Lesson)
    if lesson is not None:
        seen: set[str] = set()
        for index, step in enumerate(lesson.steps):
            place = ("steps", index)
            if step.id in seen:
                document.fault((*place, "id"), f"step {step.id!r} stands twice", "an id of its own for each step")
            seen.add(step.id)
            if (count := len(step.text.split())) > MOST_WORDS:
                document.fault((*place, "text"), f"{count} words", f"at most {MOST_WORDS}, or two steps")
            if step.done == Cue():
                document.fault((*place, "done"), "a step that is never done", "done = { read = true }, or another cue")
        if not lesson.steps:
            document.fault("steps", "a lesson without steps", "[[steps]] with id, title and text")
    document.check()
    assert lesson is not None
    return lesson
