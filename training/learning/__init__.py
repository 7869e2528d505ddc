"""Everything that learns: PPO, its opponents, imitation, and RLlib as a second engine."""
