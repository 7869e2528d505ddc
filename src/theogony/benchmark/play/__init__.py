"""Training within a track, and playing the tasks."""
