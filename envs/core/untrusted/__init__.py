"""Files of others: read within limits, checked before anything is made of them, written whole or not at all."""
