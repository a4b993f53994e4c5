"""Optional rules, and rulings that could go either way: each scenario may choose, the ruling is the default."""

from __future__ import annotations

import msgspec


class OptionalRules(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The switches of a scenario.

    urban                      the city rules of 61 (L-13)
    vehicle_luck_cards         keep vehicle Luck cards in the deck (62.8)
    degraded_fp_applies_to_ap  a degraded line costs AP shots Firepower as well as To Hit (59.3, 59.6, L-6)
    mortar_adds_squad_fp       a mortar's squad adds its own Firepower, as printed (20mo.2, W-9)
    satchel_collapses_bunkers  a satchel's collapse roll threatens Bunkers too (W-8)
    melee_shaken               the Melee -1: "all" firing units must be Shaken, or "any" (102.5, C-5)
    bog_immobilized_is_damage  Immobilized by a failed bog roll counts as damage for 97.5 (V-5)
    intensive_bars_rally       after Intensive Fire no paid Rally or Cover either (90.4, A-6)
    contested_scores           contested control hexes still score for their owner (65.5)
    """

    urban: bool = False
    vehicle_luck_cards: bool = True
    degraded_fp_applies_to_ap: bool = True
    mortar_adds_squad_fp: bool = True
    satchel_collapses_bunkers: bool = True
    melee_shaken: str = "all"
    bog_immobilized_is_damage: bool = True
    intensive_bars_rally: bool = True
    contested_scores: bool = False
