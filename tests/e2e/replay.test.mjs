// A game shown again is what its stream had sent: the position of any version, and each event after
// it, byte by byte.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { clone, toBinary } from '@bufbuild/protobuf';
import { HistoryService } from './gen/tesela/lobby/v1/history_pb.js';
import { ServerFrameSchema, SnapshotSchema } from './gen/tesela/play/v1/play_pb.js';
import { azul, games, resign, undo } from './harness/games.mjs';
import { bearer, clientOf, lobbyOf, signIn, transports } from './harness/lobby.mjs';
import { Player } from './harness/player.mjs';
import { Server } from './harness/server.mjs';

const movesMax = 60;
let server;
before(async () => (server = await Server.start('--threads', '2', '--bot-pace', '0ms')));
after(() => server.dispose());

const tables = {
  ...Object.fromEntries(Object.entries(games).map(([name, each]) => [name, { name, ...each }])),
  'azul under a clock': {
    name: 'azul',
    ...azul(3),
    options: { clock: { moveMs: 60_000, gameMs: 600_000, incrementMs: 100 } },
  },
  'azul that one gives up': { name: 'azul', ...azul(3), also: { 7: resign } },
  '2048 with moves taken back': {
    name: '2048',
    ...games[2048],
    options: { practice: true },
    also: { 5: undo, 12: undo },
  },
};

/** Without what the clocks are now, which a replay cannot know. */
function still(snapshot) {
  const copy = clone(SnapshotSchema, snapshot);
  copy.clocks = undefined;
  return copy;
}

/**
 * Plays up to `movesMax` moves, and keeps what a stream sends: { tableId, events, snapshots }, the
 * latter by version.
 */
async function played({ name, seats, config, choose, options = {}, also = {} }) {
  const guests = [];
  for (let n = 0; n < seats; ++n) guests.push(await signIn(server, `Guest ${n}`));
  const request = { game: name, config, options };
  const { table } = await lobbyOf(server).createTable(request, bearer(guests[0].token));
  const { tableId } = table;
  for (const { token } of guests.slice(1)) {
    await lobbyOf(server).joinTable({ tableId }, bearer(token));
  }
  const players = await Promise.all(
    guests.map(({ token }) => Player.join(server, tableId, { token })),
  );
  const [leader] = players;
  const snapshots = new Map();
  const look = async () => {
    const watcher = await Player.join(server, tableId);
    const { value } = watcher.stream.received.find(({ kind }) => kind === 'snapshot');
    snapshots.set(value.version, value);
    await watcher.stream.close();
  };
  await look();
  // Not before somebody is on turn who waits: a stand-in would go on.
  const goesOn = () => Boolean(leader.seating.seats[leader.turn[0]]?.strategy);
  for (let n = 0; !leader.result && (n < movesMax || goesOn()); ++n) {
    const { version } = leader;
    const mover = players[leader.turn[0]];
    if (n in also) {
      await mover.playPatiently(also[n]);
    } else if (!mover.seating.seats[mover.seat]?.strategy) {
      await mover.playBody(choose(mover.view, n));
    }
    for (const player of players) await player.reach(version + 1n);
    if (n in also && also[n] === resign) {
      for (const player of players) {
        while (!player.seating.seats[mover.seat].resigned) await player.step();
      }
    }
    if (n % 10 === 3) await look();
  }
  await look();
  await Promise.all(players.map(({ stream }) => stream.close()));
  return { tableId, snapshots, events: leader.events, version: leader.version };
}

/** The frames of a replay: each { kind, value, bytes }. */
async function replayed(transport, request) {
  const frames = [];
  for await (const { frame } of clientOf(HistoryService, server, transport).replay(request)) {
    const bytes = toBinary(ServerFrameSchema, frame);
    frames.push({ kind: frame.frame.case, value: frame.frame.value, bytes });
  }
  return frames;
}

function assertSame(frames, { events, snapshots }, from, to) {
  const [first, ...rest] = frames;
  assert.equal(first.kind, 'snapshot');
  assert.equal(first.value.version, from);
  const sent = snapshots.get(from);
  if (sent) assert.deepEqual(still(first.value), still(sent));
  const wanted = events.filter(({ version }) => version > from && version <= to);
  assert.deepEqual(
    rest.map(({ value }) => value.version),
    wanted.map(({ version }) => version),
  );
  for (const [n, { kind, bytes }] of rest.entries()) {
    assert.equal(kind, 'event');
    assert.equal(Buffer.compare(bytes, wanted[n].bytes), 0, `version ${wanted[n].version}`);
  }
}

for (const [title, table] of Object.entries(tables)) {
  test(`${title} is shown as it was`, async () => {
    const game = await played(table);
    const { tableId, version, snapshots } = game;
    for (const transport of Object.keys(transports)) {
      assertSame(await replayed(transport, { tableId }), game, 1n, version);
    }
    for (const from of [...snapshots.keys(), 2n, version - 1n]) {
      assertSame(await replayed(undefined, { tableId, fromVersion: from }), game, from, version);
      const request = { tableId, fromVersion: from, toVersion: from + 2n };
      assertSame(await replayed(undefined, request), game, from, from + 2n);
    }
    const one = await replayed(undefined, { tableId, fromVersion: 2n, toVersion: 2n });
    assert.equal(one.length, 1);
  });
}
