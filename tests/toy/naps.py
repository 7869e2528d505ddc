"""Workers of the arena that play nothing, for tests of what becomes of their jobs."""

import os
import time
from typing import Any


class Naps:
    """Takes its time."""

    def warm_up(self, _: Any) -> None: ...

    def play(self, job: int) -> int:
        time.sleep(0.3)
        return job * job


class Deadly(Naps):
    """Has a job that ends its process, as one that takes too much memory does."""

    def play(self, job: int) -> int:
        if job == 3:
            os._exit(1)
        return job


class Unknown(Naps):
    """Cannot play on a machine of the cluster."""

    def play(self, job: int) -> int:
        raise ValueError(f"there is no player {job}")
