"""What may be played in any game: its moves, giving up, and taking back (course.proto)."""

import copy

from rules import ranks, require


class Course:
    """A game on its way, and who has given it up."""

    def __init__(self, game, dice, seats: int):
        self.game = game
        self.dice = dice
        self.seats = seats
        self.resigned: list[int] = []  # the seats, in the order in which they gave up
        self.standing: list[tuple] = []  # version, game and dice of the moves that stand
        self._keep(1)

    def play(self, event: dict) -> None:
        """The next event of a record."""
        require(not self.over(), "the game is over")
        if "backTo" in event:
            self._go_back(event["backTo"])
            return
        if event.get("resigned"):
            require(event["seat"] not in self.resigned and event["seat"] < self.seats,
                    "this seat cannot give up")
            self.resigned.append(event["seat"])
        else:
            self.game.play(event["seat"], event["move"], self.dice)
        self._keep(event["version"])

    def over(self) -> bool:
        """By the rules, or since one of several seats is left, or none."""
        left = self.seats - len(self.resigned)
        return self.game.over() or left == 0 or (self.seats > 1 and left == 1)

    def ranks(self) -> list[int]:
        """Who gave up is behind all others, and the earlier the further."""
        by_rules = self.game.ranks()
        return ranks([(0, self.resigned.index(seat)) if seat in self.resigned
                      else (1, -by_rules[seat]) for seat in range(self.seats)])

    def _keep(self, version: int) -> None:
        # Only games of one seat go back.
        kept = copy.deepcopy((self.game, self.dice)) if self.seats == 1 else None
        self.standing.append((version, kept))

    def _go_back(self, version: int) -> None:
        require(self.seats == 1 and len(self.standing) > 1 and self.standing[-2][0] == version,
                "this move cannot be taken back")
        self.standing.pop()
        self.game, self.dice = copy.deepcopy(self.standing[-1][1])
