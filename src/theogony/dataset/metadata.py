"""What a dataset is, in four files.

statistics.json   what was played, and figures
layout.json       what the codes of a view and the numbers of actions stand for
croissant.json    metadata in Croissant, with its fields for responsible AI
README.md         the card by which hubs and `datasets` find the tables
"""

from __future__ import annotations

import hashlib
import json
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

from theogony import __version__
from theogony.envs.core.game import Game
from theogony.envs.core.gamerecord import plain_options
from theogony.envs.core.untrusted.files import replace_file
from theogony.models.records import SPLITS

if TYPE_CHECKING:
    from theogony.dataset.games import Wanted

LICENCE = "https://spdx.org/licenses/MIT"
HOME = "https://github.com/theogony/theogony"
COLUMNS: dict[str, dict[str, tuple[pa.DataType, str]]] = {  # table -> column -> type, what it holds
    "decisions": {
        "game": (pa.int64(), "The game, as in the table of games."),
        "ply": (pa.int32(), "How many decisions were taken before."),
        "seat": (pa.int8(), "The seat that decides."),
        "player": (pa.dictionary(pa.int32(), pa.string()), "Who decides there, by name."),
        "view": (
            pa.binary(),
            "What the seat sees, one byte for each entry of the observation; layout.json decodes it.",
        ),
        "mask": (pa.binary(), "One byte for each action: 1 where it is legal."),
        "action": (pa.int32(), "The action that was played; layout.json has its text."),
        "reward": (
            pa.float32(),
            "Paid to the seat before its next decision: at its last one the final reward, else 0.",
        ),
        "returns": (pa.float32(), "The final reward of the seat."),
        "end": (pa.int8(), "The last decision of the seat in a game that the rules ended (1) or a limit (2); else 0."),
        "chances": (
            pa.list_(pa.float32()),
            "How likely the reference policy would choose each legal action, in their order.",
        ),
        "full_state": (pa.binary(), "The whole record of the position, with what is hidden and the dice to come."),
    },
    "games": {
        "game": (pa.int64(), "The number of the game."),
        "name": (pa.string(), "Which game it is."),
        "options": (pa.string(), "Its options, as JSON."),
        "deal": (pa.int64(), "The deal; it is played from several seats, and stands in one split alone."),
        "seed": (pa.uint64(), "From which the game begins. It tells all that is hidden: never an input."),
        "players": (pa.list_(pa.string()), "Who played, by seat."),
        "decisions": (pa.int32(), "How many were taken."),
        "cut_off": (pa.bool_(), "Whether a limit ended the game; then it pays nothing."),
        "rewards": (pa.list_(pa.float64()), "Final rewards, by seat."),
        "scores": (pa.list_(pa.float64()), "Printed scores, by seat."),
        "standings": (pa.list_(pa.float64()), "Who is before whom by the rules, by seat: more is better."),
    },
}
TYPES = {pa.types.is_integer: "sc:Integer", pa.types.is_floating: "sc:Float", pa.types.is_boolean: "sc:Boolean"}
TEXT = "sc:Text"  # all others
WORDS = {
    "conformsTo": "dct:conformsTo", "cr": "http://mlcommons.org/croissant/", "citeAs": "cr:citeAs",
    "column": "cr:column", "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"}, "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"}, "extract": "cr:extract", "field": "cr:field",
    "fileProperty": "cr:fileProperty", "fileObject": "cr:fileObject", "fileSet": "cr:fileSet", "format": "cr:format",
    "includes": "cr:includes", "isLiveDataset": "cr:isLiveDataset", "jsonPath": "cr:jsonPath", "key": "cr:key",
    "md5": "cr:md5", "parentField": "cr:parentField", "path": "cr:path", "rai": "http://mlcommons.org/croissant/RAI/",
    "recordSet": "cr:recordSet", "references": "cr:references", "regex": "cr:regex", "repeated": "cr:repeated",
    "replace": "cr:replace", "samplingRate": "cr:samplingRate", "sc": "https://schema.org/",
    "separator": "cr:separator", "source": "cr:source", "subField": "cr:subField", "transform": "cr:transform",
}  # fmt: skip


def command_of(wanted: Wanted) -> str:
    """The command that makes a dataset again, into a folder `again`."""
    words = ["theogony", "dataset", wanted.game, "--parquet", "--out", "again", "--player", wanted.player]
    words += ["--against", wanted.against, "--games", str(wanted.deals), "--seed", str(wanted.seed)]
    words += ["--chances", wanted.chances, *(["--reward", wanted.reward] if wanted.reward else [])]
    for name, value in wanted.options.items():
        words += ["--option", f"{name}={json.dumps(value) if not isinstance(value, str) else value}"]
    return shlex.join(words + ["--state"] * wanted.state)


def write(folder: Path, wanted: Wanted, splits: dict[str, Any]) -> None:
    """Write what a folder of tables is, beside them."""
    game = wanted.made
    about = {
        "format": "theogony-tables-1",
        "theogony": __version__,
        "game": game.spec.name,
        "version": game.spec.version,
        "options": plain_options(game),
        "components": game.component_digest,
        "player": wanted.player,
        "against": wanted.against,
        "deals": wanted.deals,
        "seed": wanted.seed,
        "reward": game.reward_of(wanted.reward),
        "chances": wanted.chances,
        "command": command_of(wanted),
        "splits": splits,
    }
    _write_json(folder / "statistics.json", about)
    _write_json(folder / "layout.json", layout(game))
    replace_file(folder / "README.md", card(wanted, about).encode())
    _write_json(folder / "croissant.json", croissant(folder, wanted, about))


def _write_json(path: Path, content: Any) -> None:
    replace_file(path, json.dumps(content, indent=1, ensure_ascii=False).encode() + b"\n")


def layout(game: Game) -> dict[str, Any]:
    """The fields of a view and the texts of the actions: float = (code - zero) / scale."""
    fields = []
    for one, where in zip(game.features.features, game.features.slices().values(), strict=True):
        place = {"name": one.name, "start": where.start, "shape": list(one.shape), "meaning": one.meaning}
        scales = sorted(set(one.scales().ravel().tolist()))
        fields.append(place | {"zero": one.zero, "scale": scales[0] if len(scales) == 1 else one.scales().tolist()})
    actions = [game.actions.text(action) for action in range(game.actions.size)]
    return {"decode": "(code - zero) / scale", "fields": fields, "actions": actions}


# ---- Croissant ------------------------------------------------------------------------------------------------------


def croissant(folder: Path, wanted: Wanted, about: dict[str, Any]) -> dict[str, Any]:
    """The metadata as JSON-LD, with every file by its hash."""
    title = wanted.made.spec.title
    decisions = sum(split["decisions"] for split in about["splits"].values())
    said = f"{decisions} decisions of {title}, a board game, by {_who(wanted)}; made by `{about['command']}`."
    return {
        "@context": {"@language": "en", "@vocab": "https://schema.org/", **WORDS},
        "@type": "sc:Dataset",
        "name": name_of(wanted),
        "description": said,
        "conformsTo": ["http://mlcommons.org/croissant/1.0", "http://mlcommons.org/croissant/RAI/1.0"],
        "license": LICENCE,
        "url": HOME,
        "version": about["theogony"],
        "datePublished": wanted.published,
        "creator": {"@type": "sc:Organization", "name": "Theogony contributors", "url": HOME},
        "keywords": ["offline reinforcement learning", "board games", "imitation learning", wanted.game],
        "citeAs": cited(wanted, about),
        "isLiveDataset": False,
        **responsible(wanted),
        "distribution": [entry for table in COLUMNS for entry in _files(folder, table)],
        "recordSet": [_splits(), *(_records(folder, table) for table in COLUMNS)],
    }


def name_of(wanted: Wanted) -> str:
    """A name for a dataset: "theogony-orbis-2p"."""
    return f"theogony-{wanted.made.spec.name}-{wanted.made.players}p"


def cited(wanted: Wanted, about: dict[str, Any]) -> str:
    """How the data is cited, as BibTeX."""
    key, year = name_of(wanted).replace("-", "_"), wanted.published[:4]
    return (
        f"@misc{{{key}, author = {{{{Theogony contributors}}}}, title = {{Games of {wanted.made.spec.title} by "
        f"{_who(wanted)}}}, year = {{{year}}}, note = {{Theogony {about['theogony']}, seed {wanted.seed}, "
        f"{wanted.deals} deals}}, url = {{{HOME}}}}}"
    )


def _who(wanted: Wanted) -> str:
    return f"the player {wanted.player}" + (f" against {wanted.against}" if wanted.player != wanted.against else "")


def responsible(wanted: Wanted) -> dict[str, Any]:
    """The fields of responsible AI."""
    return {
        "rai:dataCollection": f"Programs played the game in simulation: {_who(wanted)}, {wanted.deals} deals drawn "
        f"from the seed {wanted.seed}. Nothing was filtered or sampled; every decision of every game is there.",
        "rai:dataCollectionType": ["Software Collection", "Others: simulation"],
        "rai:dataCollectionMissingData": "None: games that a limit cut off are kept and marked, with a reward of 0.",
        "rai:dataPreprocessingProtocol": ["Observations are kept as integer codes, whose meaning is in layout.json."],
        "rai:dataAnnotationProtocol": ["None by people: rewards and scores follow from the rules of the game."],
        "rai:machineAnnotationTools": [
            "Theogony"
            + ("" if wanted.chances == "none" else f"; the policy {wanted.chances}, whose chances of actions are kept")
        ],
        "rai:personalSensitiveInformation": ["None: no person played, and the game tells of nobody."],
        "rai:dataBiases": [
            "The games are those of the players named: what they never do is not there, and their mistakes are.",
            "Later decisions are seen only in positions to which these players come.",
        ],
        "rai:dataLimitations": [
            "A view is what one seat sees at one moment; what it saw before is in its earlier rows.",
            "The seed of a game, and full_state where it is kept, tell what is hidden, and are no input of a player.",
            "Agents trained on the deals of one split should be compared on fresh deals, not on rows of another.",
        ],
        "rai:dataUseCases": [
            "Imitation and offline reinforcement learning, evaluation of values, study of the players.",
            "Not validated for conclusions about how people play.",
        ],
        "rai:dataSocialImpact": "None known: the data tells of a board game only.",
        "rai:dataReleaseMaintenancePlan": f"Not maintained by hand: the command makes it again: {command_of(wanted)}",
    }


def _files(folder: Path, table: str) -> list[dict[str, Any]]:
    """Every file of a table, and the set of them."""
    entries: list[dict[str, Any]] = []
    for path in sorted((folder / table).glob("*.parquet")):
        name = path.relative_to(folder).as_posix()
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        entries.append({
            "@type": "cr:FileObject", "@id": name, "name": name, "contentUrl": name,
            "contentSize": f"{path.stat().st_size} B", "encodingFormat": "application/x-parquet", "sha256": digest,
        })  # fmt: skip
    entries.append({
        "@type": "cr:FileSet", "@id": f"{table}-files", "name": f"{table}-files",
        "encodingFormat": "application/x-parquet", "includes": f"{table}/*.parquet",
    })  # fmt: skip
    return entries


def _splits() -> dict[str, Any]:
    """The splits, as records."""
    kinds = {split: f"cr:{'Training' if split == 'train' else split.title()}Split" for split in SPLITS}
    return {
        "@type": "cr:RecordSet", "@id": "splits", "name": "splits", "description": "Deals of one are in no other.",
        "dataType": "cr:Split", "key": {"@id": "splits/name"},
        "field": [
            {"@type": "cr:Field", "@id": f"splits/{name}", "name": name, "description": said, "dataType": kind}
            for name, said, kind in (("name", "Of the split.", TEXT), ("url", "What it is for.", "sc:URL"))
        ],
        "data": [{"splits/name": split, "splits/url": kind} for split, kind in kinds.items()],
    }  # fmt: skip


def _records(folder: Path, table: str) -> dict[str, Any]:
    """The columns of a table."""
    there = pq.read_schema(next((folder / table).glob("*.parquet"))).names
    files = {"fileSet": {"@id": f"{table}-files"}}
    fields: list[dict[str, Any]] = [
        {
            "@type": "cr:Field", "@id": f"{table}/split", "name": "split", "dataType": TEXT,
            "description": "The split, which the name of the file tells.",
            "references": {"field": {"@id": "splits/name"}},
            "source": {**files, "extract": {"fileProperty": "filename"}, "transform": {"regex": "^([a-z]+)(?:-.*)?$"}},
        }
    ]  # fmt: skip
    for name in there:
        kind, said = COLUMNS[table][name]
        several = pa.types.is_list(kind)
        called = next((word for fits, word in TYPES.items() if fits(kind.value_type if several else kind)), TEXT)
        entry = {"@type": "cr:Field", "@id": f"{table}/{name}", "name": name, "description": said, "dataType": called}
        entry |= {"repeated": True} if several else {}
        fields.append(entry | {"source": {**files, "extract": {"column": name}}})
    said = {"decisions": "One record a decision.", "games": "One record a game."}[table]
    return {"@type": "cr:RecordSet", "@id": table, "name": table, "description": said, "field": fields}


# ---- The card -------------------------------------------------------------------------------------------------------

CARD = """---
license: mit
pretty_name: {name}
task_categories: [reinforcement-learning]
configs:
{configs}
---
# {name}

{title} by {who}: {figures}.

Made by Theogony {theogony}, and made again by

    {command}

Columns are described in `croissant.json`, the bytes of `view` and the numbers of actions in `layout.json`;
`statistics.json` has figures. Deals are split, not rows.
"""


def card(wanted: Wanted, about: dict[str, Any]) -> str:
    """The card of a dataset, in Markdown, with the files of each split."""
    configs = []
    for table in COLUMNS:
        configs += [f"- config_name: {table}", *(["  default: true"] if table == "decisions" else []), "  data_files:"]
        configs += [f"  - split: {split}\n    path: {table}/{split}-*.parquet" for split in SPLITS]
    figures = "; ".join(
        f"{split} {found['games']} games, {found['decisions']} decisions" for split, found in about["splits"].items()
    )
    return CARD.format(
        name=name_of(wanted), configs="\n".join(configs), title=wanted.made.spec.title, who=_who(wanted),
        figures=figures, theogony=about["theogony"], command=about["command"],
    )  # fmt: skip
