"""What a server does not accept, and what got no answer of it, as exceptions."""

from tesela.play.v1.play_pb2 import Reason


class Refused(Exception):
    """A move, a question or a call was refused. Its text is a sentence that a player understands.

    `reason` says why, for programs: a Reason of the stream ('ILLEGAL_MOVE'), or that of a call's
    google.rpc.ErrorInfo. `code` is the code of a call, such as 'not_found'; '' of the stream."""

    def __init__(self, reason: str, message: str, code: str = "") -> None:
        super().__init__(message)
        self.reason = reason
        self.code = code


class CallFailed(ConnectionError):
    """A call got no answer of the server: there is none, or the line broke."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def may_pass(error: Refused | CallFailed) -> bool:
    """Whether a call failed for a reason that passes: the line broke, or the server restarts."""
    return error.code in ("unavailable", "unknown", "deadline_exceeded")


def reason_name(reason: Reason) -> str:
    """A Reason without its prefix; the number of one that this client does not know."""
    if reason not in Reason.values():
        return str(reason)
    return Reason.Name(reason).removeprefix("REASON_")


def busy(message: str) -> Refused:
    """What this client refuses by itself, because something else is awaited."""
    return Refused("BUSY", message)
