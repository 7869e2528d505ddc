"""Finds the packages: the folders at the top are parts of one package, by links in src/theogony.

The links make an editable installation a plain path, which type checkers follow as Python does, and in which a folder
called `theogony` beside a script hides nothing. Where git writes no links (Windows, by default) folders are mapped.
"""

from pathlib import Path

from setuptools import find_namespace_packages, setup

PARTS = ("envs", "wrappers", "training", "configs")
SOURCE = Path(__file__).parent / "src"
NOT_PACKAGES = ["*__pycache__*", "*.egg-info*"]

if all((SOURCE / "theogony" / part).is_dir() for part in PARTS):
    setup(packages=find_namespace_packages(str(SOURCE), exclude=NOT_PACKAGES), package_dir={"": "src"})
else:
    found = find_namespace_packages(include=[f"{part}{tail}" for part in PARTS for tail in ("", ".*")])
    setup(
        packages=[
            *find_namespace_packages(str(SOURCE), exclude=NOT_PACKAGES),
            *(f"theogony.{package}" for package in found),
        ],
        package_dir={"theogony": "src/theogony", **{f"theogony.{part}": part for part in PARTS}},
    )
