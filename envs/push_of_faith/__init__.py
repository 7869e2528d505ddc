"""Push of Faith: push lines of a shared map, build a world of nine tiles."""
