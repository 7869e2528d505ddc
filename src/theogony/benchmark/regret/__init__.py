"""What every decision of an agent cost, by a long search: `theogony benchmark regret`."""
