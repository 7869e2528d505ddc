"""The benchmark: fixed tasks on reserved deals, results files that can be checked, and reports with honest intervals.

`tasks` says what is played, `run` plays it and writes a results file, `verify` checks one, `report` compares many.
"""
