"""The rules of Orbis, one module a chapter; sections (§) and rulings (A) are those of docs/games/orbis.md."""
