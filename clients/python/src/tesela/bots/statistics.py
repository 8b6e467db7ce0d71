"""What became of a bot's questions."""

from dataclasses import dataclass


@dataclass
class Statistics:
    """Counts since the start."""

    questions: int = 0
    answered: int = 0
    too_late: int = 0
    #: Said by the server: too late, an illegal or no move, a table that is gone.
    dismissed: int = 0
    total_ms: float = 0
    worst_ms: float = 0

    def answer(self, after_ms: float) -> None:
        """A move was sent."""
        self.answered += 1
        self.total_ms += after_ms
        self.worst_ms = max(self.worst_ms, after_ms)

    def __str__(self) -> str:
        mean_ms = self.total_ms / max(self.answered, 1)
        return (f"{self.questions} questions, {self.answered} answered, {self.too_late} too late, "
                f"{self.dismissed} dismissed; {mean_ms:.1f} ms on average, "
                f"{self.worst_ms:.1f} ms at worst")
