"""The benchmark: fixed tasks on reserved deals, results files that can be checked, and reports with honest intervals.

`tasks` and `agents` say what is played and by whom, `training` and `programs` how agents learn, `tuning` of programs
by which options; `games` plays a deal, `run` all of them; `results` is what was found, `score` the figures that
follow, `verify` tells whether to believe them, `marks` for which it has; `exploit/` how far an agent can be beaten,
`report/` compares. `keeping` has the commands of those who keep the leaderboard.
"""
