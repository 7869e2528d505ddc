"""An episode of verifiers: its null harness, its interception server, and a model at a scripted endpoint."""

import asyncio
import sys

import theogony_games
import verifiers.v1 as vf
from played import SEED, reply, say
from scripted import POLICIES, serving
from verifiers.v1.runtimes import Runtime


async def prepared(self, script, env=None, *, activate=True):
    """The harness's own program, run by this Python: `uv` would fetch its libraries, which are here already."""
    data = script.encode() if isinstance(script, str) else script
    await self.write("program.py", data)
    return [sys.executable, "program.py"]


async def main() -> None:
    Runtime.prepare_uv_script = prepared
    taskset = {"id": "theogony_games", "game": "push_of_faith", "moves": "numbered", "invalid": -0.01}
    env = theogony_games.GamesEnv(theogony_games.GamesEnvConfig(taskset=taskset))
    task = next(iter(env.taskset.include(idx=[f"{SEED}:{SEED + 1}"])))
    POLICIES["run"] = lambda messages: reply(sum(message["role"] == "assistant" for message in messages))
    with serving() as server:
        client = vf.EvalClientConfig(base_url=server.address("run").partition("#")[0])
        ctx = vf.ModelContext(client=client, model="run", sampling=vf.SamplingConfig())
        async with env.serving():
            episode = await env.run_episode(task, ctx)
    assert episode.ok, [error for trace in episode.traces for error in trace.errors]
    (trace,) = episode.traces
    asked = server.seen[-1]["messages"]
    texts = [
        m["content"] if isinstance(m["content"], str) else m["content"][0]["text"] for m in asked if m["role"] == "user"
    ]
    assert trace.rewards and sum(trace.info["action_mask"]) == 0 and trace.metrics["invalid_replies"] == 1
    say(texts, trace.info["turn_rewards"], trace.info)


asyncio.run(main())
