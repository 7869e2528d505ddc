"""God of War: The Card Game: a team of heroes fights through scenes of cards, with open hands."""
