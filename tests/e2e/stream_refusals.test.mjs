// What a stream refuses beside moves, in both sub-protocols: talk, hints, and who may come. Each
// refusal has its reason and a sentence that a player understands, and the stream goes on.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Phrase } from './gen/tesela/play/v1/talk_pb.js';
import { Talk } from './gen/tesela/lobby/v1/table_options_pb.js';
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
  server = await Server.start(
    '--threads',
    '2',
    '--bot-pace',
    '0ms',
    '--bot-think',
    `${thinksMs}ms`,
  );
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
const hint = (hintId, strategy = '') => ({ case: 'hintRequest', value: { hintId, strategy } });
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

    test('talk that cannot be shown, or is none, is refused', async () => {
      const [first, second, watcher] = await seatedAt(await tableFor(), protocol);
      for (const [frame, meaning] of [
        [say('text', ''), /message is empty/],
        [say('text', ' \u2003 '), /message is empty/],
        [say('text', 'x'.repeat(201)), /201 characters; at most 200/],
        [say('text', 'a\u202eb'), /cannot be shown/],
        [say('phrase', 99), /no phrase 99/],
        [{ case: 'mute', value: { playerId: '?', muted: true } }, /id of a player/],
      ]) {
        await assertRefused(first, frame, Reason.MALFORMED, meaning);
      }
      await assertRefused(watcher, say('text', 'Hi!'), Reason.NOT_SEATED, /only players talk/);
      for (let n = 0; n < 5; ++n) second.stream.send(say('text', `${n}`));
      await assertRefused(second, say('text', 'And'), Reason.RATE_LIMITED, /too fast; wait/);
      await close(first, second, watcher);
    });

    test('who talks too fast does not talk on over a new stream', async () => {
      const [first, second, watcher] = await seatedAt(await tableFor(), protocol);
      const begin = performance.now();
      let talker = second;
      let said = -1;
      for (let answer = 'said'; answer === 'said'; ++said) {
        talker.stream.send(say('text', `${said}`));
        do answer = (await talker.stream.next()).kind;
        while (answer !== 'said' && answer !== 'refusal');
        await talker.stream.close();
        talker = await Player.join(server, talker.tableId, talker.options);
      }
      const regained = Math.floor((performance.now() - begin) / 2000); // limits.h: kSayInterval
      assert.ok(said >= 5 && said <= 5 + regained, `${said}, ${regained} regained`);
      await close(first, talker, watcher);
    });

    test('an id that is too long is cut between its characters', async () => {
      const [first, second, watcher] = await seatedAt(await tableFor(), protocol);
      const long = `${'x'.repeat(35)}\u20ac`; // its 36th byte is in the middle of a character
      const { moveId } = await assertRefused(first, hint(long), Reason.MALFORMED, /1 to 36 bytes/);
      assert.equal(moveId, 'x'.repeat(35));
      await close(first, second, watcher);
    });

    test('a table decides how people talk', async () => {
      const [silent] = await seatedAt(await tableFor({ talk: Talk.OFF }), protocol);
      for (const frame of [say('text', 'Hi!'), say('phrase', Phrase.HELLO)]) {
        await assertRefused(silent, frame, Reason.NO_TALK, /Chat is off/);
      }
      const [polite] = await seatedAt(await tableFor({ talk: Talk.PHRASES }), protocol);
      await assertRefused(polite, say('text', 'Hi!'), Reason.NO_TALK, /only phrases/);
      polite.stream.send(say('phrase', Phrase.HELLO));
      await next(polite, 'said');
      await close(silent, polite);
    });

    test('a hint is refused to whom it would not help', async () => {
      const table = await tableFor({}, { open: true });
      const early = await Player.join(server, table.tableId, {
        token: table.guests[0].token,
        protocol,
      });
      await assertRefused(early, hint('a'), Reason.NOT_STARTED, /when every seat is taken/);
      await lobbyOf(server).joinTable(table, bearer(table.guests[1].token));
      const [first, second, watcher] = await seatedAt(table, protocol);
      await assertRefused(watcher, hint('b'), Reason.NOT_SEATED, /for seated players/);
      await assertRefused(second, hint('c'), Reason.NOT_YOUR_TURN, /not your turn/);
      const refusal = await assertRefused(
        first,
        hint('d', 'oracle'),
        Reason.NO_SUCH_STRATEGY,
        /no strategy oracle .*greedy/,
      );
      assert.equal(refusal.moveId, 'd');
      await assertRefused(first, hint(''), Reason.MALFORMED, /1 to 36 bytes/);
      await assertRefused(first, hint('x'.repeat(37)), Reason.MALFORMED, /1 to 36 bytes/);
      await close(first, second, watcher);
    });

    test('a hint is refused to who asks too often, or moves before it comes', async () => {
      const [first, second, watcher] = await seatedAt(await tableFor(), protocol);
      first.stream.send(hint('a', 'uct'));
      await assertRefused(
        first,
        hint('b', 'greedy'),
        Reason.RATE_LIMITED,
        /one question at a time/,
      );
      const move = games.azul.choose(first.view, 0);
      first.stream.play(move, { atVersion: 1n });
      const { value } = await next(first, 'refusal', 'hint');
      assertReason(value, Reason.STALE, /moved before the hint was ready/);
      await close(first, second, watcher);
    });

    test('at a ranked table there are no hints', async () => {
      const [first] = await seatedAt(await tableFor({ ranked: true }), protocol);
      await assertRefused(first, hint('a'), Reason.RANKED, /is ranked: there are no hints/);
      await close(first);
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

    test('a private table is seen by those who were invited', async () => {
      const { tableId, invite, guests } = await tableFor({ inviteOnly: true });
      for (const [wrong, meaning] of [
        ['', /is private: ask one of its players/],
        ['A'.repeat(22), /not the invite of this table/],
      ]) {
        const stream = await Stream.open(server, tableId, { protocol, invite: wrong });
        const goodbye = await stream.goodbye();
        assertReason(goodbye, Reason.INVITE_NEEDED, meaning);
        assert.equal(goodbye.reconnect, false);
      }
      const friend = await Player.join(server, tableId, { protocol, invite });
      const player = await Player.join(server, tableId, { protocol, token: guests[1].token });
      assert.deepEqual([friend.seat, player.seat], [undefined, 1]);
      await close(friend, player);
    });

    test('a table without spectators is shown to its players alone', async () => {
      const { tableId, guests } = await tableFor({ spectatorsOff: true });
      for (const hello of [{}, { token: guests[0].token, spectate: true }]) {
        const stream = await Stream.open(server, tableId, { protocol, ...hello });
        const goodbye = await stream.goodbye();
        assertReason(goodbye, Reason.NO_SPECTATORS, /Only its players may watch/);
        assert.equal(goodbye.reconnect, false);
      }
      const player = await Player.join(server, tableId, { protocol, token: guests[0].token });
      await close(player);
    });

    test('a second stream of a player takes over from the first', async () => {
      const { tableId, guests } = await tableFor();
      const hello = { protocol, token: guests[0].token };
      const first = await Player.join(server, tableId, hello);
      const second = await Player.join(server, tableId, hello);
      const goodbye = await first.stream.goodbye();
      assertReason(goodbye, Reason.REPLACED, /opened this table elsewhere/);
      assert.equal(goodbye.reconnect, false);
      await close(second);
    });

    test('a table that its last player leaves is closed', async () => {
      const { tableId, guests } = await tableFor({}, { open: true });
      const watcher = await Player.join(server, tableId, { protocol });
      await lobbyOf(server).freeSeat({ tableId, seat: 0 }, bearer(guests[0].token));
      const goodbye = await watcher.stream.goodbye();
      assertReason(goodbye, Reason.TABLE_CLOSED, /was closed/);
      assert.equal(goodbye.reconnect, false);
    });
  });
}
