"""The player that plays anything legal: for fuzzing, and as the least a better player must beat."""

from __future__ import annotations

from random import Random

from grognard.core.ask import Ask
from grognard.core.view import AskView, View


class RandomPlayer:
    """Chooses a verb at random among those offered, then one of its options.

    So rare kinds of answers come up as often as common ones: of thirty moves and one Rally, the Rally is
    chosen every second time. The same seed plays the same game.
    """

    name = "random"
    title = "Recruit"
    text = "Plays any legal move, without a plan. Good for learning how things work."
    rank = 0
    #: Whether it wants the view; making one costs more than choosing at random.
    looks = False
    quick = True

    def __init__(self, seed: int | str | bytes = 0) -> None:
        self.random = Random(seed)

    def choose(self, view: View | None, ask: Ask | AskView) -> str:
        """The key of an option of the question. The view is not looked at."""
        options = ask.options
        verbs = list(dict.fromkeys(option.verb for option in options))
        if len(verbs) > 1:
            verb = verbs[self.random.randrange(len(verbs))]
            options = [option for option in options if option.verb == verb]
        return options[self.random.randrange(len(options))].key
