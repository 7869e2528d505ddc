"""The folder of a run and its checkpoints: everything that lies on the disk."""
