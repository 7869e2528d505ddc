"""Whether a results file can be believed."""
