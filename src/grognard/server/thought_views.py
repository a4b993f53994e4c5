"""What the programs at a battle thought, told only to whom it gives nothing away.

A thought is full of secrets: where units hide, and what they mean to do. When the battle is over everybody may read
all of it. While it goes on only somebody who plays alone against programs may, and only what was thought about answers
whose effects they saw; units that they do not see are not named, and how the program thinks it stands is not told.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from grognard.core.poses import pose_told
from grognard.core.session import Session
from grognard.core.view import may_read
from grognard.players.seats import level_of
from grognard.players.thought import Thought
from grognard.players.thought import Weighed as Option
from grognard.server import schema
from grognard.server.side_log import SideLog
from grognard.server.thought_log import ThoughtLog

#: What is shown of an option that the reader may not know of.
UNSEEN = "something you can't see"


class Censor:
    """What a side may read of another's thoughts while the battle goes on."""

    def __init__(self, session: Session, side: str) -> None:
        self.session, self.side = session, side
        names = session.game.names(session.battle)
        seen = {unit.id: unit.name for unit in session.game.view(session.battle, side).units}
        self.unseen = {id for id, name in names.items() if id not in seen}
        words = {*self.unseen, *(names[id] for id in self.unseen)}
        #: Units that are seen, but not as what they are.
        words |= {name for id, name in names.items() if id in seen and seen[id] != name and id not in name}
        self._words = re.compile("|".join(rf"\b{re.escape(word)}\b" for word in sorted(words, key=len, reverse=True)))
        self._any = bool(words)

    def saw(self, number: int) -> bool:
        """Whether the side saw what came of an answer, and nothing came of it that is kept from the side."""
        session, answers = self.session, self.session.answers
        end = answers[number + 1].log if number + 1 < len(answers) else len(session.log)
        events = session.log[answers[number].log + 1 : end]
        return bool(events) and all(may_read(event, self.side) for event in events)

    def hides(self, text: str) -> bool:
        """Whether a text names something that the side does not see."""
        return self._any and bool(self._words.search(text))

    def read(self, option: Option) -> Option | None:
        """An option as the side may read it; None if it may not."""
        if option.unit in self.unseen or option.target in self.unseen or self.hides(option.label):
            return None
        return Option(
            key=option.key,
            label=option.label,
            verb=option.verb,
            unit=option.unit,
            place=option.place,
            target=option.target,
            worth=option.worth,
            visits=option.visits,
            reasons=tuple(why for why in option.reasons if not (why.secret or self.hides(why.text))),
        )


def view_of(
    number: int, thought: Thought, frame: int, names: Mapping[str, str], censor: Censor | None = None
) -> schema.ThoughtView:
    """A thought as a client shows it; with a censor, without what gives the other side's secrets away.

    ``names`` are how people call the units: a question about all of them has one answer "Move" for each.
    """
    level = level_of(thought.player)
    chosen = next((option.worth for option in thought.options if option.key == thought.chosen), 0.0)
    options: list[schema.Weighed] = []
    known: set[str] = set()
    for option in thought.options:
        if option.key in known:  # proposed twice, for several reasons; the better one stands
            continue
        known.add(option.key)
        read = option if censor is None else censor.read(option)
        # What an answer is worth by itself may tell of things unseen; how far answers lie apart does not.
        weighed = _weighed(read, option.worth - (0.0 if censor is None else chosen))
        if weighed.key and weighed.label == weighed.key:  # a pose that is not listed has no words of its own
            weighed.label, place = pose_told(weighed.key, names)
            weighed.place = weighed.place or place
        name = names.get(weighed.unit, "")
        if censor is not None and censor.hides(name):
            name = ""
        if name and name not in weighed.label and name not in thought.prompt:
            weighed.label = f"{name}: {weighed.label}"
        options.append(weighed)
    return schema.ThoughtView(
        number=number,
        side=thought.side,
        player=thought.player,
        title=level.title if level else thought.player.capitalize(),
        turn=thought.turn,
        phase=thought.phase,
        prompt=thought.prompt,
        seconds=thought.seconds,
        looked=thought.looked,
        standing=thought.standing if censor is None else None,
        options=options,
        chosen=thought.chosen,
        sees=thought.sees,
        frame=frame,
    )


def _weighed(option: Option | None, worth: float) -> schema.Weighed:
    worth = round(worth, 2)
    if option is None:
        return schema.Weighed("", UNSEEN, "", "", "", "", worth, None, 0, [])
    return schema.Weighed(
        option.key,
        option.label,
        option.verb,
        option.unit,
        option.place,
        option.target,
        worth,
        option.estimate,
        option.visits,
        [schema.Why(why.text, why.worth) for why in option.reasons],
    )


def told(
    thought_log: ThoughtLog, session: Session, log: SideLog, seats: Mapping[str, bool], solo: bool, since: int
) -> schema.Thoughts:
    """What a reader may read of thoughts from an answer on; ``seats`` says of each side whether a person plays it."""
    if session.over:
        censor = None
    elif solo and seats.get(log.side, False):
        censor = Censor(session, log.side)
    else:
        why = "You can see what the computer thought when the battle is over. Until then it would give its plans away."
        return schema.Thoughts(False, why, [])
    found = []
    names = session.game.names(session.battle)
    for number, thought in thought_log.standing(session):
        if number < since or (censor is not None and not censor.saw(number)):
            continue
        shown = view_of(number, thought, log.frame_at(number), names, censor)
        if all(option.key != thought.chosen for option in shown.options):
            continue  # what it chose cannot be told
        found.append(shown)
    return schema.Thoughts(True, "", found)
