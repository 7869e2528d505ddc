"""Games to play and to look at: a local page, the terminal, replay pages, notebooks.

* `seen.py`: what one viewer is shown of a moment; pages, their JSON and their pictures come from nowhere else
* `words.py`: what pages need of the vocabulary and the rules
* `seats.py`, `table.py`: who sits where; a game at a table with its decisions and undo, and the bots that think there
* `agreement.py`: which window has a seat, and what people at separate windows agree on
* `saved.py`: the record that is kept of it, and the links of its seats
* `launch.py`, `session.py`, `server.py`: how `theogony play` begins, and the window of `render_mode="human"`; what a
  page asks and sends; the local page
* `first.py`: what is shown while rules are compiled, and the process that compiles them
* `guard.py`: its protection
* `terminal.py`: the same table in a terminal
* `hints.py`: what a search would do, by how much the rest is worse, what may follow; where a game has turned
* `background.py`: threads that decide, compile and search meanwhile, and processes that compile
* `analysis.py`: what a search would do and the odds it sees, for analysed games
* `film.py`, `replay.py`, `look.py`: a whole game as one file or in a notebook, from a record or a ledger; lists of such
* `pages.py`, `web/`: the pages, their style sheet and their scripts by subject; there is no build step

The commands `theogony play` and `theogony replay` are in `theogony.commands.playing`.
"""
