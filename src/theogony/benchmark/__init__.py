"""The benchmark: fixed tasks on reserved deals, results files that can be checked, and reports with honest intervals.

`tasks`, `tracks`, `agents` and `opponents` say what is played and by whom; `play/` trains and plays, `results/` is what
was found, `check/` tells whether to believe it, `report/` compares. `programs` is for learners of other libraries;
`join`, `rescore`, `baselines` and `held_back` are commands of those who keep the leaderboard.
"""
