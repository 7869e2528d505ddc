"""The beginning of a Terra Mystica ledger, for tests."""

HEAD = """option errata-cultist-power
score SCORE3,SCORE1,SCORE2,SCORE5,SCORE7,SCORE8   # rounds 1 to 6
delete BON1
delete BON2
delete BON3
delete BON4
setup giants
setup witches
giants: build A9
witches: BUILD A10
witches: build E9
giants: build D6
witches: pass BON5
giants: pass BON9
"""  # 14 lines; giants and witches sit side by side at A9 and A10


def text_with(*rows: str) -> str:
    return HEAD + "\n".join(rows) + "\n"
