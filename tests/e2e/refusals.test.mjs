// Every way in which the lobby and the matchmaker refuse a call, over every transport: the code
// that the contract names, a reason for programs, and a sentence that a player understands.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { Code } from '@connectrpc/connect';
import { azul, games } from './harness/games.mjs';
import { bearer, lobbyOf, unknownId } from './harness/lobby.mjs';
import { assertRefused, people, testRefusals } from './harness/refusals.mjs';
import { Server } from './harness/server.mjs';

const { Aborted, AlreadyExists, FailedPrecondition, InvalidArgument, NotFound } = Code;
const { PermissionDenied, Unauthenticated } = Code;
const tooMuch = new Uint8Array(65);
const threeSeats = azul(3).config;
const twoSeats = azul(2).config;

let server;
let who;
const at = {}; // tables by what is special about them: their ids
before(async () => {
  server = await Server.start('--threads', '2', '--bot-pace', '0ms', '--bot-think', '5ms');
  who = await people(server, 'Ada', 'Bob', 'Eve');
  const lobby = lobbyOf(server);
  const make = async (request) =>
    (await lobby.createTable({ game: 'azul', ...request }, who.Ada)).table.tableId;
  at.open = await make({ config: threeSeats });
  at.hidden = await make({ config: threeSeats, options: { inviteOnly: true } });
  const bots = [{ strategy: 'random' }];
  at.begun = await make({ config: twoSeats, bots, options: { botPaceMs: 60_000 } });
  at.closed = await make({ config: twoSeats });
  await lobby.freeSeat({ tableId: at.closed, seat: 0 }, who.Ada);
  at.unknown = unknownId(at.closed);
  await make({ game: '2048', daily: true });
});
after(() => server.dispose());

/** The first message of a stream; the rest is not waited for. */
async function first(stream) {
  for await (const message of stream) return message;
}

const seats = {
  'a seat without a token': [
    ({ lobby }) => lobby.joinTable({ tableId: at.open }),
    [Unauthenticated, /needs a token; sign in/],
  ],
  'a seat with a token of somewhere else': [
    ({ lobby }) => lobby.joinTable({ tableId: at.open }, bearer('a.b.c')),
    [Unauthenticated, /sign in again/],
  ],
  'a seat at what is no table': [
    ({ lobby }) => lobby.joinTable({ tableId: 'x' }, who.Bob),
    [InvalidArgument, /not a table's id/],
  ],
  'a seat at a table that does not exist': [
    ({ lobby }) => lobby.joinTable({ tableId: at.unknown }, who.Bob),
    [NotFound, /no such table/],
  ],
  'a seat at a table that was closed': [
    ({ lobby }) => lobby.joinTable({ tableId: at.closed }, who.Bob),
    [NotFound, /was closed/],
  ],
  'a seat that no table has': [
    ({ lobby }) => lobby.joinTable({ tableId: at.open, seat: 9 }, who.Bob),
    [InvalidArgument, /below 4, not 9/],
  ],
  'a seat that this table does not have': [
    ({ lobby }) => lobby.joinTable({ tableId: at.open, seat: 3 }, who.Bob),
    [InvalidArgument, /0 to 2/],
  ],
  'a seat that is taken': [
    ({ lobby }) => lobby.joinTable({ tableId: at.open, seat: 0 }, who.Bob),
    [FailedPrecondition, /seat is taken/, /^SEAT_TAKEN$/],
  ],
  'a second seat': [
    ({ lobby }) => lobby.joinTable({ tableId: at.open, seat: 1 }, who.Ada),
    [FailedPrecondition, /already, on seat 0/],
  ],
  'a seat at a full table': [
    ({ lobby }) => lobby.joinTable({ tableId: at.begun }, who.Bob),
    [FailedPrecondition, /Every seat .* is taken/, /^SEAT_TAKEN$/],
  ],
  'too much to add to the dice': [
    ({ lobby }) => lobby.joinTable({ tableId: at.open, contribution: tooMuch }, who.Bob),
    [InvalidArgument, /at most 64 bytes, not 65/],
  ],
  "a bot at somebody else's table": [
    ({ lobby }) => lobby.addBot({ tableId: at.open, bot: { strategy: 'safe' } }, who.Bob),
    [PermissionDenied, /Only the table's owner/, /^PERMISSION_DENIED$/],
  ],
  'a bot that the game does not have': [
    ({ lobby }) => lobby.addBot({ tableId: at.open, bot: { strategy: 'max-path' } }, who.Ada),
    [InvalidArgument, /max-path.*greedy/],
  ],
  'a bot on a seat that is taken': [
    ({ lobby }) => lobby.addBot({ tableId: at.open, bot: { strategy: 'safe', seat: 0 } }, who.Ada),
    [FailedPrecondition, /seat is taken/, /^SEAT_TAKEN$/],
  ],
  'a bot at a full table': [
    ({ lobby }) => lobby.addBot({ tableId: at.begun, bot: { strategy: 'safe' } }, who.Ada),
    [FailedPrecondition, /Every seat .* is taken/, /^SEAT_TAKEN$/],
  ],
  'an empty seat to be freed': [
    ({ lobby }) => lobby.freeSeat({ tableId: at.open, seat: 2 }, who.Ada),
    [NotFound, /Nobody sits there/],
  ],
  "somebody else's seat to be freed": [
    ({ lobby }) => lobby.freeSeat({ tableId: at.open, seat: 0 }, who.Bob),
    [PermissionDenied, /Only its player can leave/],
  ],
  "a bot's seat in mid-game": [
    ({ lobby }) => lobby.freeSeat({ tableId: at.begun, seat: 1 }, who.Ada),
    [FailedPrecondition, /game has begun/, /^STARTED$/],
  ],
  "the beginning of somebody else's game": [
    ({ lobby }) => lobby.startTable({ tableId: at.open }, who.Bob),
    [PermissionDenied, /Only the table's owner/, /^PERMISSION_DENIED$/],
  ],
  'the beginning with bots of no level': [
    ({ lobby }) =>
      lobby.startTable({ tableId: at.open, bots: { case: 'botLevel', value: 9 } }, who.Ada),
    [InvalidArgument, /no bot of level 9.*1, 2/],
  ],
  'the beginning with bots of no name': [
    ({ lobby }) =>
      lobby.startTable({ tableId: at.open, bots: { case: 'strategy', value: 'x' } }, who.Ada),
    [InvalidArgument, /strategy.*greedy/],
  ],
  'a private table without its invite': [
    ({ lobby }) => lobby.joinTable({ tableId: at.hidden }, who.Bob),
    [PermissionDenied, /is private: ask one of its players/, /^INVITE_NEEDED$/],
  ],
  'a private table with another invite': [
    ({ lobby }) => lobby.joinTable({ tableId: at.hidden, invite: 'A'.repeat(22) }, who.Bob),
    [PermissionDenied, /not the invite of this table/, /^INVITE_NEEDED$/],
  ],
};

const creations = {
  'no game': [{ game: 'chess' }, /no game 'chess'.*azul/],
  'a configuration of another game': [{ config: games[2048].config }, /AzulConfig/],
  'five players': [{ config: azul(5).config }, /2.*4/],
  'azul without its third end': [
    { config: { ...twoSeats, value: Uint8Array.of(0x10, 0) } },
    /untiled_rounds_max must be 3 or left out, not 0/,
  ],
  'a bot that does not exist': [{ bots: [{ strategy: 'deep-thought' }] }, /deep-thought.*greedy/],
  'a bot on no seat': [{ bots: [{ strategy: 'safe', seat: 3 }], config: threeSeats }, /0 to 2/],
  'a clock without a limit': [{ options: { clock: {} } }, /needs a limit/],
  'a clock of a moment': [{ options: { clock: { moveMs: 999 } } }, /1000 to 604800000, not 999/],
  'a clock of a month': [{ options: { clock: { gameMs: 2_592_000_000 } } }, /game_ms.*604800000/],
  'an increment to nothing': [
    { options: { clock: { moveMs: 5000, incrementMs: 1000 } } },
    /increment_ms adds to game_ms/,
  ],
  'a clock for one': [{ game: '2048', options: { clock: { moveMs: 5000 } } }, /several seats/],
  'a ranked game for one': [{ game: '2048', options: { ranked: true } }, /for games of several/],
  'no time-outs at all': [{ options: { timeoutsMax: 0 } }, /timeouts_max must be 1 to 100, not 0/],
  'a stand-in that does not exist': [{ options: { autoplay: 'nobody' } }, /nobody.*safe/],
  'bots that are slower than a minute': [{ options: { botPaceMs: 60_001 } }, /60000, not 60001/],
  'bots that come after a day': [
    { options: { botsAfterMs: 86_400_000 } },
    /bots_after_ms.*3600000/,
  ],
  'a level without bots': [{ options: { botLevel: 2 } }, /set both/],
  'bots of no level': [{ options: { botsAfterMs: 1000, botLevel: 77 } }, /no bot of level 77/],
  'talk of no kind': [{ options: { talk: 7 } }, /TALK_PHRASES/],
  'a watched table that nobody watches': [
    { watchOnly: true, options: { spectatorsOff: true } },
    /leave watch_only out/,
  ],
  'too much to add to the dice': [{ contribution: tooMuch }, /at most 64 bytes, not 65/],
  'a daily game of a game for several': [{ daily: true }, /no daily game of azul/],
  'a daily game of another size': [
    { game: '2048', daily: true, config: games[2048].config },
    /the same for everybody/,
  ],
};

const searches = {
  'no game': [{ game: 'go' }, /no game 'go'/],
  'a game for one': [{ game: '2048' }, /for one: make a table/],
  'a mode that is none': [{ mode: 9 }, /mode 9/],
  'a party with a short code': [{ party: { code: '1234567', size: 2 } }, /8 to 64 bytes/],
  'a party of one': [{ party: { code: '12345678', size: 1 } }, /party.size must be 2 to 2/],
  'a party that is too large': [{ party: { code: '12345678', size: 3 } }, /not 3/],
  'bots after two hours': [{ bots: { after: { seconds: 7200n } } }, /to an hour/],
  'bots of no level': [{ bots: { after: { seconds: 1n }, level: 8 } }, /no bot of level 8/],
  'too much to add to the dice': [{ contribution: tooMuch }, /at most 64 bytes/],
};

const others = {
  'a name of nothing': [
    ({ lobby }) => lobby.signIn({ displayName: ' ' }),
    [InvalidArgument, /at least one character/],
  ],
  'a name of two alphabets': [
    ({ lobby }) => lobby.signIn({ displayName: 'Adа' }), // the last letter is Cyrillic
    [InvalidArgument, /scripts that are not written together/],
  ],
  'a secret that could be guessed': [
    ({ lobby }) => lobby.signIn({ displayName: 'Ada', deviceSecret: new Uint8Array(5) }),
    [InvalidArgument, /has 5 bytes; give 16 to 64/],
  ],
  'a fresh token for none': [({ lobby }) => lobby.renewToken({}), [Unauthenticated, /sign in/]],
  'a fresh token without a device': [
    ({ lobby }) => lobby.renewToken({ deviceSecret: new Uint8Array(16) }, who.Ada),
    [PermissionDenied, /without a device_secret/],
  ],
  'strategies of no game': [
    ({ lobby }) => lobby.listStrategies({ game: 'go' }),
    [InvalidArgument, /no game 'go'/],
  ],
  'tables in no state': [
    ({ lobby }) => lobby.listTables({ filter: { state: 99 } }),
    [InvalidArgument, /state 99/],
  ],
  'tables of no game': [
    ({ lobby }) => lobby.listTables({ filter: { game: 'chess' } }),
    [InvalidArgument, /no game 'chess'.*2048, .*azul/],
  ],
  'a watch of no game': [
    ({ lobby }) => first(lobby.watchTables({ filter: { game: 'chess' } })),
    [InvalidArgument, /no game 'chess'.*2048, .*azul/],
  ],
  'tables of nobody': [
    ({ lobby }) => lobby.listTables({ filter: { playerId: '?' } }),
    [InvalidArgument, /not a player's id/],
  ],
  'a watch of nobody': [
    ({ lobby }) => first(lobby.watchTables({ filter: { playerId: '?' } })),
    [InvalidArgument, /not a player's id/],
  ],
  'an opponent without a token': [
    ({ matchmaking }) => first(matchmaking.find({ game: 'azul' })),
    [Unauthenticated, /sign in/],
  ],
  'a second try at a daily game': [
    ({ lobby }) => lobby.createTable({ game: '2048', daily: true }, who.Ada),
    [AlreadyExists, /The next one begins on/, /^ALREADY_TRIED$/],
  ],
};
for (const [title, [request, meaning]] of Object.entries(creations)) {
  others[`a table with ${title}`] = [
    ({ lobby }) => lobby.createTable({ game: 'azul', ...request }, who.Ada),
    [InvalidArgument, meaning],
  ];
}
for (const [title, [request, meaning]] of Object.entries(searches)) {
  others[`an opponent for ${title}`] = [
    ({ matchmaking }) => first(matchmaking.find({ game: 'azul', ...request }, who.Bob)),
    [InvalidArgument, meaning],
  ];
}

testRefusals(
  () => server,
  { ...seats, ...others },
  (clients) => {
    const search = (name, request = {}, options = {}) =>
      clients.matchmaking.find({ game: 'azul', ...request }, { ...who[name], ...options });
    const newParty = () => ({ code: randomUUID(), size: 2 });

    test('of two searches of one player the newer goes on', async () => {
      const older = search('Bob')[Symbol.asyncIterator]();
      await older.next();
      const hangUp = new AbortController();
      const party = newParty();
      const newer = search('Bob', { party }, { signal: hangUp.signal })[Symbol.asyncIterator]();
      await newer.next();
      await assertRefused(older.next(), Aborted, /with another call now/);
      const otherwise = { party: { ...party, size: 3 }, config: threeSeats };
      await assertRefused(first(search('Eve', otherwise)), InvalidArgument, /something else/);
      hangUp.abort();
      await assert.rejects(newer.next());
    });

    test('whoever hangs up ends the search of the whole party', async () => {
      const party = newParty();
      const hangUp = new AbortController();
      const bob = search('Bob', { party, config: threeSeats }, { signal: hangUp.signal });
      const bobs = bob[Symbol.asyncIterator]();
      await bobs.next();
      const eves = search('Eve', { party, config: threeSeats })[Symbol.asyncIterator]();
      assert.equal((await eves.next()).value.update.value.partyPresent, 2);
      hangUp.abort();
      await assert.rejects(bobs.next());
      const end = async () => {
        while (!(await eves.next()).done);
      };
      await assertRefused(end(), Aborted, /member of your party has left/);
    });
  },
);
