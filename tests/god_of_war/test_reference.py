"""A reference network that was made for another layout of the game is refused, and what to do instead is said."""

from pathlib import Path

import pytest

from theogony.envs.core.players import make_player
from theogony.envs.god_of_war.game import SPEC
from theogony.training.config.schema import Network
from theogony.training.networks.weights import CheckpointError
from theogony.training.players import reference
from theogony.training.storage.header import HEADER, Header


def test_a_network_of_another_layout_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The header is whole, but of a game with one action more."""
    game = SPEC.configure({"players": 2})
    header = Header.of(game, Network(), 0)
    other = header.model_copy(update={"actions": header.actions + 1, "features": "0" * 16}).sealed({})
    (tmp_path / "god_of_war" / "2p").mkdir(parents=True)
    (tmp_path / "god_of_war" / "2p" / HEADER).write_bytes(other.as_bytes())
    monkeypatch.setattr(reference, "AGENTS", tmp_path)
    refused = r"actions is \d+, but this game has \d+; .* has changed since: train the agent anew.*; \"greedy\" plays"
    with pytest.raises(CheckpointError, match=refused):
        make_player("reference", game)
