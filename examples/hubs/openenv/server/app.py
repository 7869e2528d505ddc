"""The server: `uvicorn server.app:app` in the folder above, or `python -m server.app`."""

from __future__ import annotations

from models import GameObservation, MoveAction
from openenv.core.env_server.http_server import create_app

from server.environment import TheogonyEnvironment

app = create_app(TheogonyEnvironment, MoveAction, GameObservation, env_name="theogony_env", max_concurrent_envs=16)


def main(host: str = "127.0.0.1", port: int = 8000) -> None:
    """Serve on this machine; in the container the command names the address."""
    import uvicorn

    uvicorn.run(app, host=host, port=port)


if __name__ == "__main__":
    main()
