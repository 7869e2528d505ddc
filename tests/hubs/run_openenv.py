"""A game over OpenEnv's own server and client, on a socket."""

import os
import socket
import threading
import time

os.environ.update(THEOGONY_GAME="push_of_faith", THEOGONY_OPPONENTS="greedy", THEOGONY_MOVES="numbered")

import uvicorn
from client import TheogonyEnv
from models import MoveAction
from played import SEED, reply, say
from server.app import app

place = socket.create_server(("127.0.0.1", 0))
server = uvicorn.Server(uvicorn.Config(app, log_level="error"))
threading.Thread(target=server.run, kwargs={"sockets": [place]}, daemon=True).start()
while not server.started:
    time.sleep(0.05)
with TheogonyEnv(base_url=f"http://127.0.0.1:{place.getsockname()[1]}").sync() as env:
    result = env.reset(seed=SEED)
    texts, rewards = [result.observation.text], []
    while not result.done:
        info = result.observation.info
        assert sum(info["action_mask"]) == len(info["legal_moves"]) > 0
        result = env.step(MoveAction(message=reply(len(rewards))))
        texts.append(result.observation.text)
        rewards.append(result.reward)
    assert env.state().step_count == len(rewards)
say(texts, rewards, result.observation.info)
server.should_exit = True
