"""Language models at the table: who answers (`ask`), who sits where (`table`), how games are played (`game`, `run`),
and what it amounts to (`results`). `theogony models` is the command."""
