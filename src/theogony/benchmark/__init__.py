"""The benchmark: fixed tasks on reserved deals, results files that can be checked, and reports with honest intervals.

`tasks`, `tracks`, `agents` and `opponents` say what is played and by whom; `play/` trains and plays, `results/` is what
was found, `check/` tells whether to believe it, `exploit/` how far it can be beaten, `report/` compares. `trained`,
`figures` and `digests` are what these share. `programs` is for learners of other libraries, `join` makes one results
file of parts; `rescore`, `baselines` and `held_back` are commands of those who keep the leaderboard.
"""
