"""Why not? Nothing that is not offered is said to be free, and nothing that is offered has a reason against it."""

from __future__ import annotations

import random

from grognard.core.ask import FacesAsk
from grognard.core.session import Session
from grognard.players.random import RandomPlayer
from tests.conformance.conftest import start

Battle = tuple[str, str]
#: How many questions of a game are looked at, and how many things are asked about at each.
QUESTIONS, THINGS = 5, 6


def words_of(session: Session, chance: random.Random) -> str:
    """Something that a player might ask for: a verb, one of his units, and perhaps somebody or some place."""
    ask = session.ask
    assert ask is not None
    view = session.game.view(session.battle, ask.side)
    mine = [unit.id for unit in view.units if unit.side == ask.side]
    theirs = [unit.id for unit in view.units if unit.side != ask.side]
    verb = chance.choice([help.verb for help in session.game.verbs()])
    more = chance.choice([[], theirs[:], mine[:]])
    return " ".join([verb, chance.choice(mine or [""]), *([chance.choice(more)] if more else [])]).strip()


def is_offered(session: Session, words: str) -> bool:
    """Whether an option of the question says it in so many words."""
    assert session.ask is not None
    wanted = set(words.split())
    for option in session.ask.options:
        if wanted <= {*option.key.split(), option.verb, option.unit, option.target, option.place}:
            return True
    return False


def follows(session: Session, words: str) -> bool:
    """Whether it is offered behind an answer or two that it begins with."""
    ask = session.ask
    assert ask is not None
    wanted = set(words.split())
    for option in ask.options:
        names = {*option.key.split(), option.verb, option.unit, option.target, option.place}
        if not wanted & names:
            continue
        probe = session.probe()
        probe.answer(option.key)
        after = probe.ask
        if after is None or after.quiet or after.side != ask.side or isinstance(after, FacesAsk):
            continue
        left = " ".join(wanted - names)
        if not left or is_offered(probe, left) or follows(probe, left):
            return True
    return False


def test_for_what_is_not_offered_there_is_a_reason(battle: Battle, seed: int) -> None:
    session = start(*battle, 40 + seed)
    player, chance = RandomPlayer(41 + seed), random.Random(f"{battle} {seed}")
    looked = count = 0
    while session.ask is not None and looked < QUESTIONS:
        if count % 37 == 11:
            looked += 1
            for _ in range(THINGS):
                words = words_of(session, chance)
                bars = session.why_not(session.ask.side, words)
                assert all(bar.reason for bar in bars)
                if not bars:
                    assert is_offered(session, words) or follows(session, words), words
                else:
                    assert not is_offered(session, words) or len(words.split()) < 2, (words, bars)
        session.answer(player.choose(None, session.ask), trusted=True)
        count += 1
    assert looked


def test_what_is_offered_has_no_reason_against_it(battle: Battle, seed: int) -> None:
    session = start(*battle, 50 + seed)
    player, chance = RandomPlayer(51 + seed), random.Random(seed)
    looked = count = 0
    while session.ask is not None and looked < QUESTIONS:
        if count % 37 == 11:
            looked += 1
            for option in chance.sample(session.ask.options, min(3, len(session.ask.options))):
                # A unit alone asks for all that it cannot do.
                if len(option.key.split()) > 1 and not option.key.startswith("unit "):
                    assert session.why_not(session.ask.side, option.key) == [], option.key
        session.answer(player.choose(None, session.ask), trusted=True)
        count += 1
    assert looked


def test_the_words_of_every_answer_are_known(battle: Battle, seed: int) -> None:
    """Whoever asks with the words that the questions use never reads that there is no such thing."""
    session = start(*battle, 60 + seed)
    player, tried = RandomPlayer(61 + seed), set[str]()
    for _ in range(400):
        ask = session.ask
        if ask is None:
            break
        units = session.game.names(session.battle)
        for option in ask.options:
            for word in {option.key.split()[0], option.verb} - {"", *units, *tried}:
                tried.add(word)
                bars = session.why_not(ask.side, f"{word} {option.unit}".strip())
                assert not any("that you know of" in bar.reason for bar in bars), (word, bars)
        session.answer(player.choose(None, ask), trusted=True)
    assert len(tried) > 3
