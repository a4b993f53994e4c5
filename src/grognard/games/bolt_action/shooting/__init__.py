"""Shooting (12): `procedure` goes through the steps of the sheet; the other modules are what it needs for each.

`targets` says who may shoot at whom, `weapon_groups` what can be fired and how, `declaring` asks what is fired at
whom, `volley` measures ranges and works out the number of each shot, `handfuls` throws the dice to hit. What other
procedures need too has modules of its own beside this package: `to_hit`, `damage`, `armour`, `high_explosive`,
`weapons`, `casualties`, `morale`, `pins`.
"""
