"""Keeps a player's token from one run of a program to the next."""

import os
import tempfile
from collections.abc import Iterator, MutableMapping
from pathlib import Path
from urllib.parse import quote, unquote


class FileStore(MutableMapping[str, str]):
    """Texts in a folder, a file each, which nobody but its owner can read."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self._folder = Path(folder)

    def __getitem__(self, key: str) -> str:
        try:
            return self._file(key).read_text("utf-8")
        except FileNotFoundError:
            raise KeyError(key) from None

    def __setitem__(self, key: str, value: str) -> None:
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Another program never reads half a text.
        handle, name = tempfile.mkstemp(dir=self._folder, prefix=".")
        with open(handle, "w", encoding="utf-8") as file:
            file.write(value)
        os.replace(name, self._file(key))

    def __delitem__(self, key: str) -> None:
        try:
            self._file(key).unlink()
        except FileNotFoundError:
            raise KeyError(key) from None

    def __iter__(self) -> Iterator[str]:
        if self._folder.is_dir():
            for file in self._folder.iterdir():
                if not file.name.startswith("."):
                    yield unquote(file.name)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _file(self, key: str) -> Path:
        return self._folder / quote(key, safe="")
