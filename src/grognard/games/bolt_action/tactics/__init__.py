"""How Bolt Action is played well: nothing here is a rule. `player` is what players ask."""
