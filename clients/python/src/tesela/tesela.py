"""The way in: signs in, finds games, opens tables."""

from collections.abc import AsyncGenerator, Callable, MutableMapping, Sequence
from contextlib import aclosing
from typing import Literal
from weakref import WeakSet

from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message

from tesela.connect_protocol import Answer
from tesela.errors import CallFailed, Refused, may_pass
from tesela.games import config_of, pack
from tesela.limits import LIMITS, Limits, backoff
from tesela.lobby.v1.history_pb2 import GameRecord, GetRecordRequest, GetRecordResponse
from tesela.lobby.v1.lobby_pb2 import (BotSeat, CreateTableRequest, CreateTableResponse,
                                       JoinTableRequest, JoinTableResponse, TableFilter,
                                       WatchTablesRequest, WatchTablesResponse)
from tesela.lobby.v1.lobby_pb2 import Table as TableInLobby
from tesela.lobby.v1.matchmaking_pb2 import (
    MODE_CASUAL, MODE_RANKED, PACE_DAYS, PACE_NORMAL, PACE_QUICK, BotFill, FindRequest,
    FindResponse, Matched, Party, Searching)
from tesela.lobby.v1.table_options_pb2 import TableOptions
from tesela.session import LOBBY, Player, Session
from tesela.table import Listener, Table

Level = Literal["beginner", "easy", "medium", "hard", "expert"]
# As LobbyService.ListStrategies numbers them.
_LEVELS: dict[Level, int] = {"beginner": 1, "easy": 2, "medium": 3, "hard": 4, "expert": 5}
_PACES = {"quick": PACE_QUICK, "normal": PACE_NORMAL, "days": PACE_DAYS}


class Tesela:
    """A player on a server. Used with `async with`, it closes its tables at the end."""

    @classmethod
    async def connect(cls, url: str, *, name: str = "Guest",
                      store: MutableMapping[str, str] | None = None,
                      device: str = "tesela for Python",
                      on_signed_out: Callable[[], object] = lambda: None,
                      limits: Limits = LIMITS) -> "Tesela":
        """Signs in as the player whom `store` knows, else as a new guest.

        `name`: what others see, of a player who is new: 1 to 24 characters. `store`: keeps the
        player's token: a FileStore, or any mapping; without one it is forgotten. `device`: this
        client in the player's list of sessions. `on_signed_out`: the server takes the token no
        more: the player was signed out elsewhere, or erased. Raises Refused, and ConnectionError
        where there is no server."""
        tesela = cls(Session(url.rstrip("/"), {} if store is None else store, on_signed_out,
                             limits))
        try:
            await tesela._session.begin(name, device)
        except BaseException:
            await tesela.close()
            raise
        return tesela

    def __init__(self, session: Session) -> None:
        """Made by `connect`."""
        self._session = session
        self._tables: WeakSet[Table] = WeakSet()

    async def __aenter__(self) -> "Tesela":
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Leaves all tables and ends all calls: a search raises Refused, CLOSED."""
        for table in [*self._tables]:
            await table.close()
        await self._session.close()

    @property
    def player(self) -> Player | None:
        """None after the player was signed out."""
        return self._session.player

    async def call(self, method: str, request: Message, answer: type[Answer]) -> Answer:
        """A method that has no function here, such as 'tesela.lobby.v1.LobbyService/GetTable'.
        Raises Refused, and ConnectionError where the line breaks."""
        return await self._session.call(method, request, answer)

    async def create(self, game: str, *, config: Message | None = None,
                     bots: Sequence[str] = (), options: TableOptions | None = None,
                     listener: Listener | None = None) -> Table:
        """Makes a table and sits down on its first seat. `config`: a message such as AzulConfig,
        the game's defaults without one. `bots`: strategies for seats, such as ['greedy', 'uct'].
        Raises Refused."""
        request = CreateTableRequest(
            game=game, bots=[BotSeat(strategy=strategy) for strategy in bots], options=options,
            contribute_later=True, config=pack(config) if config else None)
        answer = await self.call(f"{LOBBY}/CreateTable", request, CreateTableResponse)
        return self._open(answer.table.table_id, game, "", listener)

    async def daily(self, game: str, *, listener: Listener | None = None) -> Table:
        """The player's one try at today's game. Raises Refused, ALREADY_TRIED for a second one."""
        request = CreateTableRequest(game=game, daily=True)
        answer = await self.call(f"{LOBBY}/CreateTable", request, CreateTableResponse)
        return self._open(answer.table.table_id, game, "", listener)

    async def join(self, table_id: str, *, seat: int | None = None, invite: str = "",
                   listener: Listener | None = None) -> Table:
        """Takes a seat at a table that is open, or one's own again. Raises Refused."""
        request = JoinTableRequest(table_id=table_id, seat=seat, invite=invite,
                                   contribute_later=True)
        await self.call(f"{LOBBY}/JoinTable", request, JoinTableResponse)
        return self._open(table_id, "", invite, listener)

    def watch(self, table_id: str, *, invite: str = "",
              listener: Listener | None = None) -> Table:
        """Watches a table; who sits there plays on."""
        return self._open(table_id, "", invite, listener)

    async def find(self, game: str, *, players: int | None = None, config: Message | None = None,
                   ranked: bool = False, pace: Literal["quick", "normal", "days"] = "normal",
                   bots: Level | None = None, bots_after_s: float = 0.0,
                   party: Party | None = None,
                   searching: Callable[[Searching], object] = lambda _: None,
                   listener: Listener | None = None) -> Table:
        """Looks for opponents until there are some: a server that restarts meanwhile is asked
        again. A caller that is cancelled ends the search. Raises Refused; ABORTED when the party
        leaves.

        `players`: how many play, where the game is for several numbers of players. Bots of the
        level `bots` take the seats for which nobody has come after `bots_after_s`. `searching`
        hears how the search stands."""
        if config is None and players is not None:
            config = config_of(game)(players=players)
        fill = None
        if bots:
            after = Duration()
            after.FromMilliseconds(round(bots_after_s * 1000))
            fill = BotFill(after=after, level=_LEVELS[bots])
        matched = await self._search(FindRequest(
            game=game, config=pack(config) if config else None, contribute_later=True,
            mode=MODE_RANKED if ranked else MODE_CASUAL, pace=_PACES[pace], bots=fill,
            party=party), searching)
        return self._open(matched.table.table_id, game, "", listener)

    async def tables(self, table_filter: TableFilter | None = None
                     ) -> AsyncGenerator[TableInLobby, None]:
        """The tables that match, and every change, until the caller leaves the loop. After a
        broken line all of them come again. Raises Refused."""
        request = WatchTablesRequest(filter=table_filter)
        async with aclosing(self._insist(f"{LOBBY}/WatchTables", request,
                                         WatchTablesResponse)) as answers:
            async for answer in answers:
                if answer.HasField("table"):
                    yield answer.table

    async def record(self, table_id: str) -> GameRecord:
        """Everything that is needed to check a game: `verify` does. Raises Refused."""
        answer = await self.call("tesela.lobby.v1.HistoryService/GetRecord",
                                 GetRecordRequest(table_id=table_id), GetRecordResponse)
        return answer.record

    def _open(self, table_id: str, game: str, invite: str, listener: Listener | None) -> Table:
        table = Table(self._session, table_id, game, invite, listener)
        self._tables.add(table)
        return table

    async def _search(self, request: FindRequest,
                      searching: Callable[[Searching], object]) -> Matched:
        method = "tesela.lobby.v1.MatchmakingService/Find"
        async with aclosing(self._insist(method, request, FindResponse)) as answers:
            async for answer in answers:
                if answer.HasField("matched"):
                    return answer.matched
                searching(answer.searching)
        raise AssertionError("A search ends with a table or an error.")

    async def _insist(self, method: str, request: Message,
                      answer: type[Answer]) -> AsyncGenerator[Answer, None]:
        """The answers of a streaming call, which is made again when it ends or its line breaks."""
        attempt = 0
        while True:
            try:
                async with aclosing(self._session.stream(method, request, answer)) as answers:
                    async for each in answers:
                        attempt = 0
                        yield each
            except (Refused, CallFailed) as error:
                if not may_pass(error):
                    raise
            await self._session.pause(backoff(attempt, self._session.limits))
            attempt += 1
