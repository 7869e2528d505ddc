"""A task of inspect_ai, by its own `eval` and its mock model."""

import tempfile

from inspect_ai import eval as evaluate
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from played import SEED, reply, say
from theogony_task import theogony


def answer(input, tools, tool_choice, config):
    """The next reply."""
    said = ModelOutput.from_content("mockllm", reply(sum(message.role == "assistant" for message in input)))
    said.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)  # else a tokenizer would be fetched
    return said


seats = [sample.metadata["seat"] for sample in theogony(deals=1, players=3).dataset]
assert seats == [0, 1, 2], "a larger table has as many samples a deal"
task = theogony(moves="numbered", deals=SEED + 1)
task.dataset = task.dataset.filter(lambda sample: sample.id.startswith(f"push_of_faith-{SEED}-"))
with tempfile.TemporaryDirectory() as folder:
    model = get_model("mockllm/model", custom_outputs=answer)
    (log,) = evaluate(task, model=model, log_dir=folder, display="none", max_samples=1)
    assert log.status == "success", log.error
    samples = sorted(log.samples, key=lambda one: one.id)
    assert [one.id for one in samples] == ["push_of_faith-5-0", "push_of_faith-5-1"]
    metrics = {score.name: score.metrics for score in log.results.scores}
    assert metrics["invalid"]["mean"].value == 1 and set(metrics) == {"reward", "win", "invalid"}
    one = samples[1]
    texts = [message.text for message in one.messages if message.role == "user"]
    assert one.scores["outcome"].value["reward"] == one.metadata["result"]["reward"]
    say(texts, one.metadata["turn_rewards"], one.metadata["result"])
