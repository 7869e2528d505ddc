"""Orbis: take regions from a shared display and build a pyramid of fourteen under one god."""
