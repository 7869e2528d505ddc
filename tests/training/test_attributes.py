"""Learning from observations with attributes: a training file of the project, pointers over cards, packs."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from theogony.envs import load
from theogony.training.config import ConfigError
from theogony.training.config.file import load_config
from theogony.training.networks.members import pointed_in

CONFIG = Path(__file__).parents[2] / "configs" / "innovation" / "attributes.yaml"


def test_pointers_go_over_the_rows_of_cards() -> None:
    config: Any = load_config(CONFIG, [])
    game = load(config.game).configure(config.options)
    cards, tops = (pointed_in(game, members) for members in config.algorithm.net_arch.pointers.values())
    where, first = game.features.slices(), game.actions.first
    assert cards.entries.shape[0] == 105 and tops.entries.shape[0] == 5
    width = len(game.t.attributes[0])
    assert (cards.entries[7, :width] == where["card_attributes"].start + np.arange(7 * width, 8 * width)).all()
    assert cards.actions[7].tolist() == [first["card"] + 7] and tops.actions[3].tolist() == [first["dogma"] + 3]
    own = where["top_attributes"].start + 3 * width  # of the observer, whose board is the first
    assert (tops.entries[3, :width] == own + np.arange(width)).all()


def test_without_attributes_there_is_nothing_to_point_at() -> None:
    with pytest.raises(ConfigError, match="there is no feature 'card_attributes'"):
        load_config(CONFIG, ["options.observation=ids"])


def test_other_words_are_refused() -> None:
    with pytest.raises(ConfigError, match=r"option observation='all': .*'ids' or 'attributes'"):
        load_config(CONFIG, ["options.observation=all"])
