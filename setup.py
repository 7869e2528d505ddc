"""Maps the folders at the top to one package; everything else about the project is in pyproject.toml."""

from setuptools import find_namespace_packages, setup

# The mapping is computed, so that a new game cannot be left out.
PARTS = ("envs", "wrappers", "training", "configs")
found = find_namespace_packages(
    include=[part + tail for part in PARTS for tail in ("", ".*")], exclude=["*__pycache__*"]
)

setup(
    packages=["theogony", *(f"theogony.{package}" for package in found)],
    package_dir={"theogony": "src/theogony", **{f"theogony.{part}": part for part in PARTS}},
    package_data={"": ["py.typed", "*.yaml", "*.json", "*.safetensors"]},
)
