"""What every command does at a terminal: says how far it is, ends at Ctrl-C, shows text of others as plain text."""
