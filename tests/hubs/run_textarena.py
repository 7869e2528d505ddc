"""A game of TextArena, by its registry and its own wrapper of observations."""

from itertools import pairwise

import textarena as ta
import theogony_arena
from played import ARGUMENTS, SEED, reply, say

assert "Theogony-Orbis-v0" in theogony_arena.ENV_REGISTRY
env = ta.make("Theogony-PushOfFaith-v0", invalid=-0.01, **ARGUMENTS)
env.reset(num_players=1, seed=SEED)
seen, rewards, done = [env.get_observation()[1]], [], False
while not done:
    done, info = env.step(reply(len(rewards)))
    rewards.append(info["turn_reward"])
    seen.append(env.get_observation()[1])
paid, about = env.close()
texts = [seen[0].removeprefix("\n[GAME] ")]
for before, now in pairwise(seen):
    texts.append(now.removeprefix(before).partition("\n[GAME] ")[2])
assert paid == {0: about[0]["reward"]} and about[0]["invalid_move"]
say(texts, rewards, about[0])
