"""Everything that learns: the engines `sb3` (PPO), `td`, `distil` and `rllib`, their opponents, and imitation."""
