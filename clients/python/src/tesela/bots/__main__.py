"""Offers the bots of a file to a Tesela server, and asks their engines for moves."""

import argparse
import asyncio
import sys
from pathlib import Path

from tesela.bots.settings import SettingsError, read_settings


def main() -> int:
    """0 after SIGINT or SIGTERM, 1 when something ended that cannot get better by itself."""
    parser = argparse.ArgumentParser(prog="python3 -m tesela.bots", description=__doc__)
    parser.add_argument("file", type=Path, help="the settings of the bots, in TOML")
    parser.add_argument("--tournament", metavar="ADDRESS", help="plays in `tesela tournament`, "
                        "which listens there, instead of on the server")
    options = parser.parse_args()
    try:
        from tesela.bots.kit import play  # pylint: disable=import-outside-toplevel
    except ModuleNotFoundError as error:
        print(f"The bot kit needs the module {error.name}: install Debian's python3-grpcio, or "
              "tesela[bots].", file=sys.stderr)
        return 1
    try:
        return asyncio.run(play(read_settings(options.file), options.tournament))
    except SettingsError as error:
        print(error, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
