"""What games of a model amount to: the results file, the ladder, the table, and playing transcripts again."""
