"""Battles as environments for reinforcement learning, by PettingZoo's conventions.

>>> from grognard import env
>>> battle = env.env("ost/training_ground", options=32)
>>> battle.reset(seed=7)
>>> str(battle), battle.agents, battle.action_space("american")
('grognard_ost_training_ground_v0', ['american', 'german'], Discrete(32))
"""

from grognard.env.arena import VERSION, BattleEnv, env, raw_env
from grognard.env.layout import Layout, Parts, Words
from grognard.env.thinning import thinned

__all__ = ["VERSION", "BattleEnv", "Layout", "Parts", "Words", "env", "raw_env", "thinned"]
