"""Language models at the table: who answers (`ask`), how they are asked and games played (`play`), what it amounts to
(`results`), and programs that models write (`code`). `theogony models` is the command."""
