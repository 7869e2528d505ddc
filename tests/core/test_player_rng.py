"""Players draw from generators that do not say from which seed a game began."""

from typing import Any, ClassVar

import numpy as np
import pytest

import theogony
from theogony.benchmark.agents import Agent, views_of
from theogony.benchmark.games import AGENT, BenchmarkTable, Job, rng_of
from theogony.benchmark.tasks import shipped
from theogony.envs import load
from theogony.envs.core.batch import Batch
from theogony.envs.core.contract import deal_seed
from theogony.envs.core.players import RandomPlayer, Views
from theogony.envs.core.position import Position
from theogony.envs.core.thinking.player_rng import lent, player_rng, seen_rng
from theogony.training.rating import tournament as rating
from theogony.training.rating.evaluate import evaluate
from theogony.training.rating.tournament import Plan, TournamentTable
from theogony.wrappers.single_agent import SingleAgentEnv

GAME = load("push_of_faith").configure({"players": 2})
SEED = 123456789


class Spy:
    """Plays the first legal action, and keeps what its generators say of themselves."""

    name = "spy"
    said: ClassVar[list[Any]] = []

    def act(self, views: Views, rng: np.random.Generator) -> np.ndarray:
        self.said.append(rng.bit_generator.seed_seq.entropy)  # type: ignore[attr-defined]
        return views.masks.argmax(axis=1)


@pytest.fixture
def spy() -> Spy:
    Spy.said.clear()
    return Spy()


@pytest.mark.parametrize("seed", [0, SEED, deal_seed(7), [deal_seed(7), 1], [3, 2, 1, 0]])
def test_its_numbers_are_those_of_the_seed_which_it_does_not_say(seed: Any) -> None:
    rng = player_rng(seed)
    assert (rng.integers(2**63, size=9) == np.random.default_rng(seed).integers(2**63, size=9)).all()
    entropy = rng.bit_generator.seed_seq.entropy  # type: ignore[attr-defined]
    assert isinstance(entropy, int) and entropy > 2**128, "a hash of 256 bits"
    assert player_rng(seed).spawn(1)[0].random() == player_rng(seed).spawn(1)[0].random()


def test_what_a_player_draws_from_a_lent_generator_is_drawn() -> None:
    mine, other = np.random.default_rng(SEED), np.random.default_rng(SEED)
    with lent(mine) as rng:
        assert rng.random() == other.random() and rng.bit_generator.seed_seq.entropy != SEED  # type: ignore[attr-defined]
    assert mine.random() == other.random()


def of_a_batch(spy: Spy) -> None:
    batch = Batch(GAME, 4, SEED, seat=0, opponents=spy)
    for _ in range(5):
        batch.step(batch.masks.argmax(axis=1))


def of_an_evaluation(spy: Spy) -> None:
    evaluate(spy, "random", GAME, games=4, seed=SEED)


def of_a_tournament(spy: Spy) -> None:
    table = TournamentTable(Plan(GAME, ("greedy", "random"), SEED))
    table.players["random"] = spy
    table.play(rating.Job(("greedy", "random"), 0))


def of_an_environment(spy: Spy) -> None:
    env = SingleAgentEnv(theogony.make("push_of_faith"), opponents=spy)
    env.reset(seed=SEED)
    for _ in range(5):
        env.step(int(env.action_masks().argmax()))


def of_a_player_in_an_environment(spy: Spy) -> None:
    env: Any = theogony.make("push_of_faith")
    env.reset(seed=SEED)
    theogony.player(spy, env, seed=SEED).act(env)


@pytest.mark.parametrize(
    "play", [of_a_batch, of_an_evaluation, of_a_tournament, of_an_environment, of_a_player_in_an_environment]
)
def test_no_table_hands_out_its_seed(play: Any, spy: Spy) -> None:
    play(spy)
    assert spy.said and all(isinstance(one, int) and one > 2**128 for one in spy.said)


# ---------------------------------------------------------------------------------------------------- the benchmark

TASK = next(task for task in shipped().tasks if task.id == "push_of_faith-2p-small-v1")


def agent(**changes: Any) -> Agent:
    about = {"name": "a", "player": "random", "kind": "observation-only", "sha256": {TASK.id: None}, "seed": 0}
    return Agent(**{**about, "trained": False, "track": None, **changes})


def test_an_observation_only_agent_draws_from_what_it_sees_alone(spy: Spy) -> None:
    """Two deals that look alike give the same numbers, so that these tell nothing of the deal."""
    game, states = TASK.make_game(), []
    for deal in range(2):
        position, twin = Position(game, deal_seed(deal)), Position(game, deal_seed(0))
        views = views_of(twin, "observation-only")
        states.append(rng_of(spy, agent(), views, position, player_rng([deal_seed(deal), 0, 1])).bit_generator.state)
    assert states[0] == states[1]
    views = views_of(Position(game, deal_seed(0)), "observation-only")
    others = [seen_rng(views, own).bit_generator.state for own in ([0, 0, 0], [1, 0, 0], [0, 0, 1])]
    assert len({str(one) for one in [*states, *others]}) == 3, "but for another seed or decision"


def test_no_generator_of_the_benchmark_names_the_deal(spy: Spy) -> None:
    for kind in ("observation-only", "search"):
        table = BenchmarkTable(agent(kind=kind))
        table._players[AGENT, TASK.id] = spy
        table._warm.add(TASK.id)  # else it decides once in no deal of the task, by the generator 0
        table.play(Job(TASK, "greedy", 3))
    assert len(spy.said) > 10 and all(isinstance(one, int) and one > 2**128 for one in spy.said)


def test_random_draws_what_it_always_drew() -> None:
    """Its results are on the leaderboard, and every score stands on them."""
    position, stream = Position(TASK.make_game(), deal_seed(0)), player_rng([deal_seed(0), 0, 1])
    views = views_of(position, "observation-only")
    assert rng_of(RandomPlayer(), agent(), views, position, stream) is stream
