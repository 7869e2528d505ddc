"""Games to play and to look at: a local page, the terminal, replay pages, notebooks.

| file | holds |
|---|---|
| `seen.py` | what one seat is shown of a moment: pages, their JSON and their pictures come from nowhere else |
| `seats.py`, `table.py` | who sits where; a game at a table: decisions, bots, undo, hints |
| `saved.py` | the record that is kept of it, and the links of its seats |
| `server.py`, `guard.py`, `messages.py`, `launch.py` | the local page: routes, protection, what comes in, port and browser |
| `terminal.py` | the same table in a terminal |
| `advice.py`, `analysis.py` | what a search would do, and the odds it sees: hints and analysed games |
| `pack.py`, `replay.py`, `sources.py` | a whole game as one file: frames as differences, the page, records and ledgers |
| `notebook.py`, `display.py` | the same picture in a notebook, and in the window of `render_mode="human"` |
| `commands.py` | `theogony play` and `theogony replay` |
| `web/` | two pages, one style sheet, one script; no build step |
"""
