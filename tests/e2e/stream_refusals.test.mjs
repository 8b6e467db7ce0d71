// What a stream refuses over both sub-protocols, and says Goodbye for, where tests/server does not
// show it; and that what players say is heard.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Phrase } from './gen/tesela/play/v1/talk_pb.js';
import { Reason } from './gen/tesela/play/v1/play_pb.js';
import { azul, games } from './harness/games.mjs';
import { bearer, lobbyOf, signIn } from './harness/lobby.mjs';
import { Player } from './harness/player.mjs';
import { assertReason } from './harness/refusals.mjs';
import { Server } from './harness/server.mjs';
import { Stream, subProtocols } from './harness/stream.mjs';

const thinksMs = 3000;
let server;
before(async () => {
  server = await Server.start('--threads', '2', '--bot-think', `${thinksMs}ms`);
});
after(() => server.dispose());

/** Ada's table of Azul for two, Bob on the other seat unless it stays open, with its `guests`. */
async function tableFor(options = {}, { open = false } = {}) {
  const guests = [await signIn(server, 'Ada'), await signIn(server, 'Bob')];
  const request = { game: 'azul', config: azul(2).config, options };
  const { table } = await lobbyOf(server).createTable(request, bearer(guests[0].token));
  const { tableId, invite } = table;
  if (!open) await lobbyOf(server).joinTable({ tableId, invite }, bearer(guests[1].token));
  return { ...table, guests };
}

/** Both players and a spectator: [on turn, not on turn, watching]. */
async function seatedAt({ tableId, guests }, protocol) {
  const [ada, bob] = await Promise.all(
    guests.map(({ token }) => Player.join(server, tableId, { token, protocol })),
  );
  const watcher = await Player.join(server, tableId, { protocol });
  return ada.turn.includes(ada.seat) ? [ada, bob, watcher] : [bob, ada, watcher];
}

/** The next frame of one of the kinds. */
async function next({ stream }, ...kinds) {
  for (;;) {
    const frame = await stream.next();
    if (kinds.includes(frame.kind)) return frame;
  }
}

/** Sends a frame that must be refused. */
async function assertRefused(player, frame, reason, meaning) {
  player.stream.send(frame);
  const { value } = await next(player, 'refusal');
  assertReason(value, reason, meaning);
  return value;
}

const say = (what, value) => ({ case: 'say', value: { what: { case: what, value } } });
const hint = (hintId) => ({ case: 'hintRequest', value: { hintId } });
const close = (...players) => Promise.all(players.map(({ stream }) => stream.close()));

for (const protocol of subProtocols) {
  describe(`over ${protocol}`, () => {
    test('what players say is heard by all, but by who mutes them', async () => {
      const [first, second, watcher] = await seatedAt(await tableFor(), protocol);
      first.stream.send(say('text', '  Hello,   everybody! '));
      for (const player of [first, second, watcher]) {
        const { value } = await next(player, 'said');
        assert.deepEqual(value.what, { case: 'text', value: 'Hello, everybody!' });
        assert.equal(value.seat, first.seat);
      }
      const { playerId } = first.seating.seats[first.seat];
      second.stream.send({ case: 'mute', value: { playerId, muted: true } });
      await second.stream.ping();
      first.stream.send(say('phrase', Phrase.WELL_PLAYED));
      assert.equal((await next(watcher, 'said')).value.what.value, Phrase.WELL_PLAYED);
      await second.stream.ping();
      assert.equal(second.stream.received.filter(({ kind }) => kind === 'said').length, 1);
      await close(first, second, watcher);
    });

    test('a hint is refused to whom it would not help', async () => {
      const table = await tableFor({}, { open: true });
      const token = table.guests[0].token;
      const early = await Player.join(server, table.tableId, { token, protocol });
      await assertRefused(early, hint('a'), Reason.NOT_STARTED, /when every seat is taken/);
      await lobbyOf(server).joinTable(table, bearer(table.guests[1].token));
      const [first, second, watcher] = await seatedAt(table, protocol);
      await assertRefused(second, hint('c'), Reason.NOT_YOUR_TURN, /not your turn/);
      const long = `${'x'.repeat(35)}\u20ac`; // its 36th byte is in the middle of a character
      const { moveId } = await assertRefused(first, hint(long), Reason.MALFORMED, /1 to 36 bytes/);
      assert.equal(moveId, 'x'.repeat(35));
      await close(first, second, watcher);
    });

    test('who thinks longer than the clock allows is told so', async () => {
      const options = { clock: { moveMs: 1000 }, autoplay: 'uct' };
      const [first, second, watcher] = await seatedAt(await tableFor(options), protocol);
      await sleep(1000 + thinksMs / 4); // the strategy thinks now
      first.stream.play(games.azul.choose(first.view, 0), { atVersion: 1n });
      const { value } = await next(first, 'refusal', 'event');
      assertReason(value, Reason.TIME_OVER, /time for this move is over: uct moves for you/);
      await close(first, second, watcher);
    });

    for (const [title, options, hello, reason, meaning] of [
      [
        'a private table, without its invite',
        { inviteOnly: true },
        { invite: '' },
        Reason.INVITE_NEEDED,
        /is private: ask one of its players/,
      ],
      [
        'a private table, with another invite',
        { inviteOnly: true },
        { invite: 'A'.repeat(22) },
        Reason.INVITE_NEEDED,
        /not the invite of this table/,
      ],
      [
        'a table without spectators',
        { spectatorsOff: true },
        {},
        Reason.NO_SPECTATORS,
        /Only its players may watch/,
      ],
    ]) {
      test(`${title}, is not shown`, async () => {
        const { tableId } = await tableFor(options);
        const stream = await Stream.open(server, tableId, { protocol, ...hello });
        const goodbye = await stream.goodbye();
        assertReason(goodbye, reason, meaning);
        assert.equal(goodbye.reconnect, false);
      });
    }
  });
}
