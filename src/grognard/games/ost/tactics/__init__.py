"""How Old School Tactical is played well: what a position is worth, and which answers deserve a thought.

`OstTactics` is what players ask. `stakes` says what a scenario is about, `ground` how far things are, `front` where
the enemy will come from, `position` who threatens whom, `errands` who goes where; `shots`, `moves`, `rides`, `fray`
and `strikes` weigh single acts, `impulse` weighs them against each other, and `choices`, `reactions`, `cards` and
`setting_up` answer the smaller questions. `account` and `standing` tell who is ahead, and `redeal` puts plausible
hidden enemies back. Nothing here is a rule. From one question to the next only that is remembered which would be found
again just the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random
from typing import Any

from grognard.core.ask import Ask
from grognard.core.battle import Battle
from grognard.core.tactics import Clock, Proposal, Tactics
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.scenario import Scenario
from grognard.games.ost.tactics import cards, choices, reactions, setting_up
from grognard.games.ost.tactics.choices import strike_at_once
from grognard.games.ost.tactics.ideas import Idea, propose
from grognard.games.ost.tactics.impulse import Commander
from grognard.games.ost.tactics.knowledge import Knowledge
from grognard.games.ost.tactics.position import Position
from grognard.games.ost.tactics.redeal import redeal
from grognard.games.ost.tactics.standing import standing

Answerer = Callable[[Commander, Ask], Iterable[Idea]]


class OstTactics(Tactics):
    """How a scenario of Old School Tactical is played well."""

    #: Four changes of initiative do not yet show what a hex was good for (docs/decisions.md, opponents).
    looks = 3

    def __init__(self, scenario: Scenario) -> None:
        super().__init__(scenario)
        self.know = Knowledge.of(scenario)

    def prepare(self) -> None:
        """Survey the map once: what sees what, and how far it is to what counts."""
        self.know.survey()

    def standing(self, battle: Battle[Any], side: str) -> float:
        """How a battle stands by the scenario's victory conditions and what is left to decide them."""
        return standing(self.know, _ours(battle), side)

    def propose(self, battle: Battle[Any], ask: Ask, clock: Clock) -> list[Proposal]:
        """The answers worth a thought, the best first."""
        return propose(self.ideas(_ours(battle), ask, clock))

    def ideas(self, battle: OstBattle, ask: Ask, clock: Clock | None = None) -> list[Idea]:
        """Every answer that was weighed."""
        options = ask.options
        if len(options) == 1:
            return [Idea(0.0, options[0].key)]
        commander = self._commander(battle, ask)
        if ask.rule == "67.2":
            found = list(commander.ideas(ask, clock))
        elif ask.rule == "62.5":
            found = [Idea(0.0, "done")]
            found += [i for o in options if o.verb == "card" for i in cards.card_ideas(commander, o)]
        else:
            found = list(_answerer(ask)(commander, ask))
        return found or [Idea(0.0, options[0].key)]

    def best(self, battle: Battle[Any], ask: Ask, clock: Clock) -> str:
        """The first of the proposals, with no reasons given; where a strike falls, without listing the whole map."""
        ours = _ours(battle)
        if ask.rule in ("107.5", "106.4") and (key := strike_at_once(self._commander(ours, ask), ask)):
            return key
        return max(self.ideas(ours, ask, clock), key=lambda idea: idea.worth).key

    def _commander(self, battle: OstBattle, ask: Ask) -> Commander:
        return Commander(Position(self.know, battle, ask.side))

    def joined(self, battle: Battle[Any]) -> bool:
        """Whether set-up is over (64)."""
        return _ours(battle).state.phase != "setup"

    def redeal(self, battle: Battle[Any], side: str, rng: Random) -> None:
        """Put hidden enemies, mines and cards back as they may well be."""
        redeal(self.know, _ours(battle), side, rng)


def _ours(battle: Battle[Any]) -> OstBattle:
    assert isinstance(battle, OstBattle)
    return battle


def _answerer(ask: Ask) -> Answerer:
    """Who weighs the answers to a question: told by its rule, else by the verb of its options."""
    known = BY_RULE.get(ask.rule)
    if known is not None:
        return known
    verb = ask.options[0].verb
    return BY_VERB.get(verb, lambda _, ask: setting_up.plain(ask.options))


BY_RULE: dict[str, Answerer] = {
    "75.1": choices.step_ideas,
    "88.1": choices.target_ideas,
    "95.13": choices.target_ideas,
    "92.3": choices.group_ideas,
    "92.1": choices.arm_ideas,
    "105.0": reactions.opportunity_ideas,
    "85.10": reactions.parachute_ideas,
    "107.5": choices.strike_ideas,
    "107.18": choices.strike_ideas,
    "106.4": choices.strike_ideas,
    "106.11": choices.strike_ideas,
    "20mo.11": choices.smoke_ideas,
    "10.2": choices.smoke_ideas,
    "78.3": choices.entry_ideas,
    "15.5": choices.leader_ideas,
    "15.4": choices.leader_ideas,
    "111.3": choices.attach_ideas,
    "62.4": cards.pick,
    "22.1": reactions.duel_ideas,
    "104.19": reactions.duel_ideas,
    "104.20": reactions.duel_ideas,
    "85.9": setting_up.land_ideas,
    "84.6": lambda _, ask: setting_up.drop_ideas(ask),
    "83.3": lambda _, ask: setting_up.order_ideas(ask),
    "73.1": setting_up.hide_ideas,
}
BY_VERB: dict[str, Answerer] = {
    "place": setting_up.place_ideas,
    "give": setting_up.give_ideas,
    "attach": choices.leader_ideas,
    "face": choices.face_ideas,
    "retreat": reactions.flight_ideas,
    "evade": reactions.melee_ideas,
    "none": reactions.melee_ideas,
    "all": reactions.melee_ideas,
    "melee": reactions.melee_ideas,
    "keep": lambda commander, ask: (
        Idea(choices.weapon_rank(commander, commander.battle.state.weapons[o.target].kind), o.key) for o in ask.options
    ),
    "road": lambda _, ask: (Idea(float(o.verb == "building"), o.key) for o in ask.options),
}
