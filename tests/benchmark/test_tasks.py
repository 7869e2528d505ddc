"""The tasks that the package comes with."""

from toy_tasks import with_one_pack

from theogony.benchmark.tasks import shipped


def test_tasks_have_default_options_but_for_players_scenes_and_packs_in_their_ids() -> None:
    for task in with_one_pack(shipped().tasks):
        game = task.make_game()
        assert f"-{game.players}p-" in task.id
        usual = game.spec.configure({"players": game.players}).options.model_dump()
        changed = {name: value for name, value in game.options.model_dump().items() if value != usual[name]}
        said = {"scene": f"-{game.options.model_dump().get('scene')}-", "components": "-unseen-"}
        assert all(said[name] in task.id for name in changed), task.id
