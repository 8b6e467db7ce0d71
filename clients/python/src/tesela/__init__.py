"""What a program that plays on a Tesela server needs."""

from tesela.errors import CallFailed, Refused
from tesela.feed import Change
from tesela.games import pack, unpack
from tesela.limits import LIMITS, Limits
from tesela.proof import Verdict, verify
from tesela.session import Player
from tesela.store import FileStore
from tesela.stream import Link
from tesela.table import Listener, Table
from tesela.tesela import Level, Tesela

__all__ = ["CallFailed", "Change", "FileStore", "LIMITS", "Level", "Limits", "Link", "Listener",
           "Player", "Refused", "Table", "Tesela", "Verdict", "pack", "unpack", "verify"]
