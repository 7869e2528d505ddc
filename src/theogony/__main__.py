"""`python -m theogony`: the same as the command `theogony`."""

from theogony.cli import main

main()
