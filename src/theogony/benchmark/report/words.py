"""The words of the leaderboard and of the pages of its suites."""

from __future__ import annotations

from theogony.benchmark.report.entries import NO_LEARNING, OPEN
from theogony.benchmark.tasks import TRACKS

HEAD = """\
# Leaderboard

How well agents play the games of the [benchmark](benchmark.md), in one number over the tasks of a
[suite](benchmark.md#choose-a-suite): 0 is random play, 1 a learnt player of each game, the reference player (in
the suite `unseen` greedy play).
"""
COLUMNS = """\
* *Score*: the [interquartile mean](benchmark_protocol.md#score) over tasks, with a 95 % interval over deals and seeds.
* *Kind*: what an agent [uses when it plays](benchmark.md#words). *Learnt from*: the
  [track](benchmark_protocol.md#tracks) that limits its training, and how many trainings played; `open` is learning
  outside of a track, *too few* are less than five.
* *Against greedy*: share of games won before learning and after it, from learning curves, the mean over tasks: what an
  agent brings along, as scores of greedy as input or the game's own value, is no learning.
* *Beaten in*: a [lower bound](benchmark_protocol.md#how-far-an-entry-can-be-beaten) on the share of games that somebody
  wins against this entry, of the two-player games the one where it is highest. *50% (a copy)*: nobody was found who
  surely wins more than a copy of the entry would.
* *Unseen*: how its score changes where [components are drawn anew](benchmark_protocol.md#unseen-components).
* *CPU seconds*: of learning, if any, + of play, all seeds together.
* *Verified*: *checked*, or *replayed* with the number of games that were played anew
  ([what that proves](benchmark_submit.md#what-verify-proves)).
"""
AGAIN_HERE = """\
Two commands play a row anew and show the difference, task by task:

```
theogony benchmark run {suite} --agent {agent} --out mine.json
theogony benchmark compare mine.json leaderboard/results/{name}
```

The commands of every row stand on [the page of the suite](leaderboard/{file}.md#play-a-row-again). How your own agent
takes part: [Measure an agent](benchmark_run.md).
"""
OTHERS = """\
Each has a page with its table, its tasks and plots; rows that have played some of the tasks are there too.
"""
EXPLOITED = """\
Share of games won, a drawn game counting half, with its 95 % interval: by the best exploiter on fresh deals, and at
each table of two by the strongest opponent of the entry's tasks, chosen on every second deal and measured on the
others. Of each entry the row whose interval begins highest comes first, since few deals prove little. An interval is
of its row alone. Somebody stronger may win more; where an interval reaches what a copy of the entry wins, that is the
bound.
"""
UNSEEN = """\
Scores against greedy, which knows all components by their rules and is 1 with either: with the printed components and
with packs that nobody learns with. The interval of the change holds what 0 and 1 were measured to be.
"""
RATINGS = """\
Elo points above greedy play, by Bradley-Terry from the games against the task's opponents, which stand in the table as
well ([how](../benchmark_protocol.md#ratings)), *held back* for the one that
[nobody trains against](../benchmark_protocol.md). 400 points are odds of ten to one. Agents with all tables come first,
the best by their mean.
"""
SUBMITTED = """\
As the submissions say. *Decisions*: from how many it learnt, within a track as they were counted, the most of any task.
"""
AGAIN = """\
Two commands play a row again and show that nothing differs ([how](../benchmark_run.md#play-a-row-again)). What a
row has learnt is learnt again; an agent that is a file or a class must be at hand.
"""
MODELS = """\
Elo points above `random` on the ladder of the table, with the 95 % interval. Figures of different
[tracks](tracks.md#what-may-differ) are not compared.
"""
GAP = """\
*Gap*: how far scores are below 1 on average, where those above 1 count as 1
([optimality gap](../benchmark_protocol.md#score)). All other columns are those of the [leaderboard](../leaderboard.md).
"""
IMPROVEMENT = """\
Probability of improvement: how likely a run of the agent of the row has the higher score in a task drawn at random than
one of the column. `theogony benchmark compare` gives its interval:
"""
TRACK_TITLES = {NO_LEARNING: "nothing learnt", OPEN: "learnt outside of a track"} | {
    name: f"at most {limits.decisions:,} decisions learnt from" if name != "1h" else "one CPU-hour of learning"
    for name, limits in TRACKS.items()
}
