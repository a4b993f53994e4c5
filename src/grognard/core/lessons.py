"""Reading lessons: a guided battle as TOML, with every fault told at its line."""

from __future__ import annotations

import re

from grognard.core.aid_views import Cue, Lesson
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
                document.fault((*place, "id"), f"step {step.id!r} is there twice", "a different id for each step")
            seen.add(step.id)
            if (count := len(step.text.split())) > MOST_WORDS:
                document.fault((*place, "text"), f"{count} words", f"at most {MOST_WORDS}, or two steps")
            if step.done == Cue():
                document.fault((*place, "done"), "this step is never done", "done = { read = true }, or another cue")
        for index, line in enumerate(lesson.lines):
            if (count := len(line.text.split())) > MOST_WORDS:
                document.fault(("lines", index, "text"), f"{count} words", f"at most {MOST_WORDS}")
        if not lesson.lines or lesson.lines[-1].when != Cue():
            document.fault("lines", "nothing to say when no cue holds", "a last line of [[lines]] without when")
        for index, part in enumerate(lesson.script):
            for number, pattern in enumerate(part.keys):
                try:
                    re.compile(pattern)
                except re.error as error:
                    document.fault(("script", index, "keys", number), f"{pattern!r}: {error}", "a regular expression")
        if not lesson.steps:
            document.fault("steps", "the lesson needs steps", "[[steps]] with id, title and text")
    document.check()
    assert lesson is not None
    return lesson
