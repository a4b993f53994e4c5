"""Looking things up in the ledger and the glossary of a game."""

from __future__ import annotations

from collections.abc import Iterator

from grognard.core.errors import GrognardError
from grognard.core.game import Game
from grognard.core.glossary import Term, explain
from grognard.core.ledger import Rule
from grognard.core.words import unknown


def find_rules(game: Game, id: str) -> list[Rule]:
    """A rule by its id, the rules of a section, or the rule of a tag such as Shk."""
    id = id.strip().strip("[]")
    found = game.ledger.section(id)
    if not found and (term := explain(game.glossary(), id)):
        found = game.ledger.section(term.rule)
    if not found:
        sections = {rule.split(".")[0] for rule in game.ledger.rules}
        raise unknown(f"rule of {game.name}", id, {*game.ledger.rules, *sections})
    return found


def search(game: Game, words: str) -> list[Rule]:
    """The rules that have all of the words."""
    if not words.strip():
        raise GrognardError("search for what? Give some words of the rule")
    return game.ledger.search(words)


def rule_lines(game: Game, id: str) -> Iterator[str]:
    """A rule or a section for people."""
    if not id.strip():
        raise GrognardError("which rule? Give its number, or a tag from a counter")
    yield from (term_line(term) for term in [find_term(game, id)] if term)
    yield from map(rule_line, find_rules(game, id))


def rules_with(game: Game, words: str) -> Iterator[str]:
    """The rules found by words, for people."""
    found = search(game, words)
    yield from map(rule_line, found)
    if not found:
        yield f"No rule has all of these words: {words}"


def find_term(game: Game, word: str) -> Term | None:
    """What a tag or an abbreviation means; nothing for the number of a rule."""
    return None if game.ledger.section(word.strip().strip("[]")) else explain(game.glossary(), word)


def term_line(term: Term) -> str:
    """What a tag means, in a line."""
    return f"{term.word}: {term.title}. {term.text} [{term.rule}]"


def rule_line(rule: Rule) -> str:
    """A rule in a line."""
    return f"{rule.id} ({rule.kind}) {rule.text}"
