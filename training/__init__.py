"""Everything that learns, plays and rates."""
