"""The fence around programs of strangers, drawn by the operating system; `docs/safety.md` says what holds.

* `room.py`: what a process sees and may do, and how it is started
* `calls.py`: the calls of the system that are left to it, as a seccomp filter
* `outside.py`: namespaces and an empty root, where Bubblewrap is not installed
* `inside.py`: the first thing that runs in the room; limits, Landlock, the filter, then the program
* `talk.py`: questions and answers over its pipes, within a time
* `offered.py`: what this machine offers, for `theogony doctor`

`inside.py` and `outside.py` are run as files and import nothing of the project.
"""
