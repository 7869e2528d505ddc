"""Bluff: bid on the sum of hidden dice, or doubt. A complete small game, explained in docs/new_game.md."""
