"""The tasks that the package comes with."""

from theogony.benchmark.tasks import shipped


def test_tasks_have_default_options_but_for_players_and_scenes_in_their_ids() -> None:
    for task in shipped().tasks:
        game = task.make_game()
        assert f"-{game.players}p-" in task.id
        usual = game.spec.configure({"players": game.players}).options.model_dump()
        changed = {name: value for name, value in game.options.model_dump().items() if value != usual[name]}
        assert all(name == "scene" and f"-{value}-" in task.id for name, value in changed.items()), task.id
