"""The players that training makes, by name: networks, reference agents and those that search."""
