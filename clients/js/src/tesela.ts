// The way in: signs in, finds games, opens tables.
import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { durationFromMs, type Any } from '@bufbuild/protobuf/wkt';
import { Code, ConnectError, createClient, type Client, type Transport } from '@connectrpc/connect';
import { backoffMs } from './back_off.js';
import { packed, type ConfigOf } from './games.js';
import { HistoryService, type GameRecord } from './gen/tesela/lobby/v1/history_pb.js';
import { LeaderboardService } from './gen/tesela/lobby/v1/leaderboard_pb.js';
import {
  LobbyService,
  type Table as TableInLobby,
  type TableFilterSchema,
} from './gen/tesela/lobby/v1/lobby_pb.js';
import {
  FindRequestSchema,
  MatchmakingService,
  Mode,
  Pace,
  type Matched,
  type Searching,
} from './gen/tesela/lobby/v1/matchmaking_pb.js';
import type { TableOptionsSchema } from './gen/tesela/lobby/v1/table_options_pb.js';
import { Refused, refusalOf } from './refused.js';
import { memoryStore, Session, type Player, type Store } from './session.js';
import { Table, type TableOptions } from './table.js';

/** Levels of bots, as LobbyService.ListStrategies numbers them. */
const LEVELS = { beginner: 1, easy: 2, medium: 3, hard: 4, expert: 5 };
export type Level = keyof typeof LEVELS;

export interface ConnectOptions {
  /** What others see, of a player who is new: 1 to 24 characters. */
  name?: string;
  /** Keeps the player's token: localStorage, or anything alike. Without one it is forgotten. */
  store?: Store;
  /** This client in the player's list of sessions. */
  device?: string;
  /** The server takes the token no more: the player was signed out elsewhere, or erased. */
  onSignedOut?: () => void;
  /** Opens the lines of tables: for Node before 22, which has no WebSocket, that of `ws`. */
  openSocket?: (url: string, subProtocol: string) => WebSocket;
}

/** A table that is made. */
export interface CreateOptions<Name extends string> extends TableOptions {
  game: Name;
  /** The game's defaults where it is left out. */
  config?: ConfigOf<Name> | Any;
  /** Strategies for seats, such as ['greedy', 'uct']. */
  bots?: readonly string[];
  /** How the table is run. */
  options?: MessageInitShape<typeof TableOptionsSchema>;
}

/** A search for opponents. */
export interface FindOptions<Name extends string> extends TableOptions {
  game: Name;
  /** How many play, where the game is for several numbers of players. */
  players?: number;
  config?: ConfigOf<Name> | Any;
  ranked?: boolean;
  pace?: 'quick' | 'normal' | 'days';
  /** Bots of this level take the seats for which nobody has come after `botsAfterMs`. */
  bots?: Level;
  /** 0 where it is left out. */
  botsAfterMs?: number;
  party?: { code: string; size: number };
  /** Ends the search. */
  signal?: AbortSignal;
  /** How the search stands. */
  searching?(state: Searching): void;
}

export class Tesela {
  /** The server's address, without a slash at its end. */
  readonly url: string;
  /** For methods that have no function here. They throw ConnectError. */
  readonly transport: Transport;
  readonly lobby: Client<typeof LobbyService>;
  readonly matchmaking: Client<typeof MatchmakingService>;
  readonly history: Client<typeof HistoryService>;
  readonly leaderboard: Client<typeof LeaderboardService>;
  readonly #session: Session;
  readonly #options: ConnectOptions;

  /** Signs in as the player whom `store` knows, else as a new guest. Throws Refused, and what
   *  `fetch` throws where there is no server. */
  static async connect(url: string, options: ConnectOptions = {}): Promise<Tesela> {
    const tesela = new Tesela(url.replace(/\/+$/, ''), options);
    await asked(() =>
      tesela.#session.begin(options.name ?? 'Guest', options.device ?? '@tesela/client'),
    );
    return tesela;
  }

  private constructor(url: string, options: ConnectOptions) {
    this.url = url;
    this.#options = options;
    const signedOut = () => options.onSignedOut?.();
    this.#session = new Session(url, options.store ?? memoryStore(), signedOut);
    this.transport = this.#session.transport;
    this.lobby = this.#session.lobby;
    this.matchmaking = createClient(MatchmakingService, this.transport);
    this.history = createClient(HistoryService, this.transport);
    this.leaderboard = createClient(LeaderboardService, this.transport);
  }

  /** Undefined after the player was signed out. */
  get player(): Player | undefined {
    return this.#session.player;
  }

  /** Makes a table and sits down on its first seat. Throws Refused. */
  async create<Name extends string>(wanted: CreateOptions<Name>): Promise<Table<Name>> {
    const { game, config, bots = [], options } = wanted;
    const { table } = await asked(() =>
      this.lobby.createTable({
        game,
        bots: bots.map((strategy) => ({ strategy })),
        contributeLater: true,
        ...(config ? { config: packed(game, 'Config', config) } : {}),
        ...(options ? { options } : {}),
      }),
    );
    return this.#open(idOf(table), wanted.game, wanted);
  }

  /** The player's one try at today's game. Throws Refused, ALREADY_EXISTS for a second one. */
  async daily<Name extends string>(game: Name, options: TableOptions = {}): Promise<Table<Name>> {
    const { table } = await asked(() => this.lobby.createTable({ game, daily: true }));
    return this.#open(idOf(table), game, options);
  }

  /** Takes a seat at a table that is open, or one's own again. Throws Refused. */
  async join<Name extends string = string>(
    tableId: string,
    options: TableOptions & { seat?: number } = {},
  ): Promise<Table<Name>> {
    const { seat, invite = '' } = options;
    const at = seat === undefined ? {} : { seat };
    await asked(() => this.lobby.joinTable({ tableId, invite, contributeLater: true, ...at }));
    return this.#open(tableId, '', options);
  }

  /** Watches a table; who sits there plays on. */
  watch<Name extends string = string>(tableId: string, options: TableOptions = {}): Table<Name> {
    return this.#open(tableId, '', options);
  }

  /** Looks for opponents until there are some: a server that restarts meanwhile is asked again.
   *  Throws Refused; ABORTED when the party leaves. */
  async find<Name extends string>(wanted: FindOptions<Name>): Promise<Table<Name>> {
    const { table } = await asked(() => this.#search(wanted));
    return this.#open(idOf(table), wanted.game, wanted);
  }

  /** The tables that match, and every change, until the caller leaves the loop. After a broken line
   *  all of them come again. Throws Refused. */
  async *tables(
    filter: MessageInitShape<typeof TableFilterSchema> = {},
    signal?: AbortSignal,
  ): AsyncGenerator<TableInLobby, void> {
    for (let attempt = 0; !signal?.aborted; attempt += 1) {
      try {
        for await (const { table } of this.lobby.watchTables(
          { filter },
          signal ? { signal } : {},
        )) {
          attempt = 0;
          if (table) yield table;
        }
      } catch (error) {
        if (signal?.aborted) return;
        if (!mayPass(error)) throw refusalOf(error);
      }
      await sleep(backoffMs(attempt));
    }
  }

  /** Everything that is needed to check a game: `verify` does. Throws Refused. */
  async record(tableId: string): Promise<GameRecord> {
    const { record } = await asked(() => this.history.getRecord({ tableId }));
    if (!record) throw new Refused('INTERNAL', 'The server sent no record.');
    return record;
  }

  #open<Name extends string>(id: string, game: string, options: TableOptions): Table<Name> {
    const { openSocket } = this.#options;
    const both = openSocket ? { openSocket, ...options } : options;
    return new Table<Name>(this.#session, this.url, id, game, both);
  }

  async #search<Name extends string>(wanted: FindOptions<Name>): Promise<Matched> {
    const request = requestOf(wanted);
    const { signal, searching } = wanted;
    for (let attempt = 0; ; attempt += 1) {
      signal?.throwIfAborted();
      try {
        for await (const { update } of this.matchmaking.find(request, signal ? { signal } : {})) {
          attempt = 0;
          if (update.case === 'matched') return update.value;
          if (update.case === 'searching') searching?.(update.value);
        }
      } catch (error) {
        if (signal?.aborted || !mayPass(error)) throw error;
      }
      await sleep(backoffMs(attempt));
    }
  }
}

function requestOf<Name extends string>(wanted: FindOptions<Name>) {
  const { game, players, ranked, pace = 'normal', bots, botsAfterMs = 0, party } = wanted;
  const config = wanted.config ?? (players === undefined ? undefined : { players });
  return create(FindRequestSchema, {
    game,
    contributeLater: true,
    mode: ranked ? Mode.RANKED : Mode.CASUAL,
    pace: { quick: Pace.QUICK, normal: Pace.NORMAL, days: Pace.DAYS }[pace],
    ...(config ? { config: packed(game, 'Config', config) } : {}),
    ...(bots ? { bots: { after: durationFromMs(botsAfterMs), level: LEVELS[bots] } } : {}),
    ...(party ? { party } : {}),
  });
}

/** Whether a call failed for a reason that passes: the line broke, or the server restarts. */
function mayPass(error: unknown): boolean {
  const { code } = ConnectError.from(error);
  return code === Code.Unavailable || code === Code.Unknown || code === Code.DeadlineExceeded;
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function asked<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  try {
    return await call();
  } catch (error) {
    throw refusalOf(error);
  }
}

function idOf(table: TableInLobby | undefined): string {
  if (!table) throw new Refused('INTERNAL', 'The server sent no table.');
  return table.tableId;
}
