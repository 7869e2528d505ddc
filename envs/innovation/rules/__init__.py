"""The rules of Innovation: sets, piles, movement, choices, the interpreter of card effects, dogma and turns."""
