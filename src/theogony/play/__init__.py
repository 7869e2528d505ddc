"""Games to play and to look at: a local page, the terminal, replay pages, notebooks.

* `seen.py`: what one viewer is shown of a moment; pages, their JSON and their pictures come from nowhere else
* `words.py`: what pages need of the vocabulary and the rules
* `seats.py`, `table.py`, `bots.py`: who sits where; a game at a table with its decisions and undo; who thinks there
* `agreement.py`: what people at separate windows agree on
* `saved.py`: the record that is kept of it, and the links of its seats
* `launch.py`, `session.py`, `server.py`: how `theogony play` begins; what a page asks; the local page
* `first.py`, `elsewhere.py`: what is shown while rules are compiled; the process that compiles them
* `guard.py`, `connections.py`, `messages.py`, `sitting.py`: its protection, what it is sent, which window has a seat
* `terminal.py`: the same table in a terminal
* `hints.py`: what a search would do, by how much the rest is worse and what may follow, for people
* `course.py`: where a game has turned, for who has played it
* `background.py`: threads that decide, compile and search meanwhile
* `advice.py`, `analysis.py`: what a search would do and the odds it sees, for analysed games
* `film.py`, `pack.py`, `replay.py`, `look.py`: a whole game as one file, from a record or a ledger
* `index.py`: the games of a tournament as a list of such files
* `display.py`, `notebook.py`: the window of `render_mode="human"`, and the same board in a notebook
* `pages.py`, `web/`: the pages, their style sheet and their scripts by subject; there is no build step

The commands `theogony play` and `theogony replay` are in `theogony.commands.playing`.
"""
