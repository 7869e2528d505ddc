"""Rules for a GPU: `kernels` are those of a batch, one game a thread, `emit` writes them as PTX."""
