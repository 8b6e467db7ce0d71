"""The rules of every game, each a file with the game's name in the protocol (README.md)."""

import importlib
import pathlib

GAMES = {path.stem: importlib.import_module(f"games.{path.stem}")
         for path in pathlib.Path(__file__).parent.glob("[!_]*.py")}
