"""How Old School Tactical is played well: what a position is worth, and which answers deserve a thought.

`OstTactics` is what players ask. `victory_values` says what a scenario is about, `ground` how far things are,
`approaches` where the enemy will come from, `position` who threatens whom, `assignments` who goes where; `shots`,
`moves`, `rides`, `melee_odds` and `strikes` weigh single acts, `impulse` weighs them against each other, and
`choices`, `reactions`, `cards` and `setting_up` answer the smaller questions. `features` and `standing` tell who is
ahead, and `redeal` puts plausible hidden enemies back. Nothing here is a rule. From one question to the next only
that is remembered which would be found again just the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random

from grognard.core.ask import Ask
from grognard.core.tactics import Clock, Proposal, Tactics
from grognard.games.ost.battle import OstBattle
from grognard.games.ost.scenario import Scenario
from grognard.games.ost.tactics import cards, choices, reactions, setting_up
from grognard.games.ost.tactics.choices import strike_at_once
from grognard.games.ost.tactics.impulse import Commander
from grognard.games.ost.tactics.knowledge import Knowledge
from grognard.games.ost.tactics.position import Position
from grognard.games.ost.tactics.redeal import redeal
from grognard.games.ost.tactics.standing import standing
from grognard.kits.hex.tactics.choices import Choice, propose

Answerer = Callable[[Commander, Ask], Iterable[Choice]]


class OstTactics(Tactics[OstBattle]):
    """How a scenario of Old School Tactical is played well."""

    #: Four changes of initiative do not yet show what a hex was good for (docs/decisions.md, opponents).
    looks = 3
    #: Measured over 117 pairs of answers in Mill Farm and First Patrol (docs/decisions.md, opponents).
    spread = 7.7

    def __init__(self, scenario: Scenario) -> None:
        super().__init__(scenario)
        self.know = Knowledge.of(scenario)

    def prepare(self) -> None:
        """Survey the map once: what sees what, and how far it is to what counts."""
        self.know.survey()

    def standing(self, battle: OstBattle, side: str) -> float:
        """How a battle stands by the scenario's victory conditions and what is left to decide them."""
        return standing(self.know, battle, side)

    def propose(self, battle: OstBattle, ask: Ask, clock: Clock) -> list[Proposal]:
        """The answers worth a thought, the best first."""
        return propose(self.choices(battle, ask, clock))

    def choices(self, battle: OstBattle, ask: Ask, clock: Clock | None = None) -> list[Choice]:
        """Every answer that was weighed."""
        options = ask.options
        if len(options) == 1:
            return [Choice(0.0, options[0].key)]
        commander = self._commander(battle, ask)
        if ask.rule == "67.2":
            found = list(commander.choices(ask, clock))
        elif ask.rule == "62.5":
            found = [Choice(0.0, "done")]
            found += [i for o in options if o.verb == "card" for i in cards.card_choices(commander, o)]
        else:
            found = list(_answerer(ask)(commander, ask))
        return found or [Choice(0.0, options[0].key)]

    def best(self, battle: OstBattle, ask: Ask, clock: Clock) -> str:
        """The first of the proposals, with no reasons given; where a strike falls, without listing the whole map."""
        if ask.rule in ("107.5", "106.4") and (key := strike_at_once(self._commander(battle, ask), ask)):
            return key
        return max(self.choices(battle, ask, clock), key=lambda choice: choice.worth).key

    def _commander(self, battle: OstBattle, ask: Ask) -> Commander:
        return Commander(Position(self.know, battle, ask.side))

    def joined(self, battle: OstBattle) -> bool:
        """Whether set-up is over (64)."""
        return battle.state.phase != "setup"

    def redeal(self, battle: OstBattle, side: str, rng: Random) -> None:
        """Put hidden enemies, mines and cards back as they may well be."""
        redeal(self.know, battle, side, rng)


def _answerer(ask: Ask) -> Answerer:
    """Who weighs the answers to a question: told by its rule, else by the verb of its options."""
    known = BY_RULE.get(ask.rule)
    if known is not None:
        return known
    verb = ask.options[0].verb
    return BY_VERB.get(verb, lambda _, ask: setting_up.plain(ask.options))


BY_RULE: dict[str, Answerer] = {
    "75.1": choices.step_choices,
    "88.1": choices.target_choices,
    "95.13": choices.target_choices,
    "92.3": choices.group_choices,
    "92.1": choices.arm_choices,
    "105.0": reactions.opportunity_choices,
    "85.10": reactions.parachute_choices,
    "107.5": choices.strike_choices,
    "107.18": choices.strike_choices,
    "106.4": choices.strike_choices,
    "106.11": choices.strike_choices,
    "20mo.11": choices.smoke_choices,
    "10.2": choices.smoke_choices,
    "78.3": choices.entry_choices,
    "15.5": choices.leader_choices,
    "15.4": choices.leader_choices,
    "111.3": choices.attach_choices,
    "62.4": cards.pick,
    "22.1": reactions.duel_choices,
    "104.19": reactions.duel_choices,
    "104.20": reactions.duel_choices,
    "85.9": setting_up.land_choices,
    "84.6": lambda _, ask: setting_up.drop_choices(ask),
    "83.3": lambda _, ask: setting_up.order_choices(ask),
    "73.1": setting_up.hide_choices,
}
BY_VERB: dict[str, Answerer] = {
    "place": setting_up.place_choices,
    "give": setting_up.give_choices,
    "attach": choices.leader_choices,
    "face": choices.face_choices,
    "retreat": reactions.flight_choices,
    "first": reactions.rescue_choices,
    "evade": reactions.melee_choices,
    "none": reactions.melee_choices,
    "all": reactions.melee_choices,
    "melee": reactions.melee_choices,
    "keep": lambda commander, ask: (
        Choice(choices.weapon_rank(commander, commander.battle.state.weapons[o.target].kind), o.key)
        for o in ask.options
    ),
    "road": lambda _, ask: (Choice(float(o.verb == "building"), o.key) for o in ask.options),
}
