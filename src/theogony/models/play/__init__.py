"""Games of a model: what it is sent, how its replies are played, transcripts, many games at once."""
