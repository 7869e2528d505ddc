"""OpenSpiel: its information-set Monte Carlo tree search plays one of our games against a random player.

    python examples/openspiel_ismcts.py --game push_of_faith --games 100

Needs the extra `openspiel`. Nothing is learnt: every decision is searched for on positions that the seat
holds possible, which `resample_from_infostate` draws.
"""

from __future__ import annotations

import argparse

import numpy as np
from open_spiel.python.algorithms import ismcts, mcts

from theogony.training.rating.evaluate import Result, table, wilson
from theogony.wrappers.openspiel import SpielGame, load


def make_search(game: SpielGame, simulations: int, seed: int) -> ismcts.ISMCTSBot:
    """A player that searches with so many simulations a decision."""
    return ismcts.ISMCTSBot(
        game=game,
        evaluator=mcts.RandomRolloutEvaluator(1, np.random.RandomState(seed)),
        uct_c=1.4,
        max_simulations=simulations,
        random_state=np.random.RandomState(seed + 1),
    )


def play(game: SpielGame, search: ismcts.ISMCTSBot, seat: int, rng: np.random.Generator) -> float:
    """One game, in which the search has this seat and all others play at random. Returns its reward."""
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(int(rng.integers(game.seeds)))
        elif state.current_player() == seat:
            state.apply_action(search.step(state))
        else:
            state.apply_action(int(rng.choice(state.legal_actions())))
    return state.returns()[seat]


def main(arguments: list[str] | None = None) -> Result:
    """Play games in both seats; prints and returns how they went."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="push_of_faith", help="one for two")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--simulations", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    settings = parser.parse_args(arguments)
    game = load(settings.game)
    search, rng = make_search(game, settings.simulations, settings.seed), np.random.default_rng(settings.seed)
    won = np.array([(play(game, search, k % 2, rng) + 1) / 2 for k in range(settings.games)])
    seats = [float(won[seat::2].mean()) for seat in (0, 1)]
    result = Result("random", len(won), float(won.mean()), *wilson(float(won.sum()), len(won)), None, seats)
    print(table([result]))
    return result


if __name__ == "__main__":
    main()
