"""Games to play and to look at: a local page, the terminal, replay pages, notebooks.

* `seen.py`: what one viewer is shown of a moment; pages, their JSON and their pictures come from nowhere else
* `seats.py`, `table.py`: who sits where; a game at a table with its decisions, bots, undo and hints
* `saved.py`: the record that is kept of it, and the links of its seats
* `server.py`, `guard.py`, `messages.py`, `sitting.py`, `launch.py`: the local page, its protection, what it is sent
* `terminal.py`: the same table in a terminal
* `hints.py`: what a search would do, by how much the rest is worse and what may follow, for people
* `advice.py`, `analysis.py`: what a search would do and the odds it sees, for analysed games
* `film.py`, `pack.py`, `replay.py`, `look.py`: a whole game as one file, from a record or a ledger
* `index.py`: the games of a tournament as a list of such files
* `display.py`, `notebook.py`: the window of `render_mode="human"`, and the same board in a notebook
* `commands.py`: `theogony play` and `theogony replay`
* `pages.py`, `web/`: the pages, their style sheet and their scripts by subject; there is no build step
"""
