// A ranked game of Azul for four under the clock, over real sockets: one player drops out in the
// middle of a move and resumes, one lets the time run out twice and is taken over, a spectator
// comes late. All five hold the same versions, the ratings move, and the record is true.
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { HistoryService } from './gen/tesela/lobby/v1/history_pb.js';
import { BoardKind, LeaderboardService } from './gen/tesela/lobby/v1/leaderboard_pb.js';
import { TableState } from './gen/tesela/lobby/v1/lobby_pb.js';
import { ContributionState } from './gen/tesela/play/v1/contribution_pb.js';
import { azul } from './harness/games.mjs';
import { assertTrue } from './harness/judges.mjs';
import { bearer, clientOf, lobbyOf, signIn } from './harness/lobby.mjs';
import { Player } from './harness/player.mjs';
import { Server } from './harness/server.mjs';
import { subProtocols } from './harness/stream.mjs';

const { config, choose } = azul(4);
const clock = { moveMs: 3000, gameMs: 600_000, incrementMs: 500 };
const autoplay = 'random'; // the weakest, whatever a table asks for
const lateFrom = 30n; // the version at which the spectator comes

let server;
before(async () => (server = await Server.start('--threads', '2', '--bot-pace', '0ms')));
after(() => server.dispose());

/** A ranked table with four people on it: { tableId, commitment, people, players }. */
async function rankedTable() {
  const people = [];
  for (const name of ['Ada', 'Grace', 'Edsger', 'Barbara']) people.push(await signIn(server, name));
  const lobby = lobbyOf(server);
  const { table } = await lobby.createTable(
    {
      game: 'azul',
      config,
      options: { ranked: true, clock, timeoutsMax: 2, autoplay: 'uct' },
      contributeLater: true,
    },
    bearer(people[0].token),
  );
  const { tableId, commitment } = table;
  for (const { token } of people.slice(1)) {
    await lobby.joinTable({ tableId, contributeLater: true }, bearer(token));
  }
  // Each has seen the commitment now.
  for (const [n, { token }] of people.entries()) {
    const added = { tableId, contribution: randomBytes(16) };
    const { begun } = await lobby.contribute(added, bearer(token));
    assert.equal(begun, n === people.length - 1);
  }
  const players = await Promise.all(
    people.map(({ token }, n) =>
      Player.join(server, tableId, { token, protocol: subProtocols[n % 2] }),
    ),
  );
  return { tableId, commitment, people, players };
}

/** Plays, and is gone before the answer: { moveId, body, atVersion }. */
function playAndDrop(player, body) {
  const sent = { moveId: randomUUID(), body, atVersion: player.version };
  player.stream.play(body, sent);
  player.stream.cut();
  return sent;
}

/** Comes back and sends the move again. Returns the kind of the answer, and the event. */
async function resumeAndRepeat(player, { moveId, body, atVersion }) {
  await player.resume();
  assert.equal(player.welcome.resumed, true);
  player.stream.play(body, { moveId, atVersion });
  for (;;) {
    const { kind, value } = await player.step();
    assert.notEqual(kind, 'refusal', value.message);
    if (kind === 'moveRepeated') return { kind, event: value.event };
    if (kind === 'event' && value.moveId === moveId) return { kind, event: value };
  }
}

async function ratingsOf(people) {
  const boards = clientOf(LeaderboardService, server);
  const answers = people.map(({ playerId }) => boards.getRating({ game: 'azul', playerId }));
  return (await Promise.all(answers)).map(({ rating }) => rating);
}

/** What the clocks of all events say, against the rules: nothing is charged but time. */
function assertClocks(events) {
  let left = Array(4).fill(clock.gameMs);
  let before;
  for (const { atMs, seat, clocks, timedOut } of events) {
    const spent = left[seat] + clock.incrementMs - Number(clocks.leftMs[seat]);
    // By another clock than the times of events; each is in whole milliseconds.
    const lasted = before ? Number(atMs - before) : spent;
    assert.ok(Math.abs(spent - lasted) <= 1, `of a turn of ${lasted} ms ${spent} are charged`);
    if (timedOut) assert.ok(spent >= clock.moveMs);
    left[seat] = Number(clocks.leftMs[seat]);
    assert.deepEqual(clocks.leftMs.map(Number), left, 'nobody else is charged');
    before = atMs;
  }
}

/** Plays to the end, and notes what became of who drops and who sleeps. */
async function playOut(tableId, players, { dropper, sleeper }) {
  const noted = { answers: [], lateComer: undefined };
  for (let n = 0; !players[0].result; ++n) {
    const { version, view, turn } = players[0];
    const mover = players[turn[0]];
    if (mover === dropper && noted.answers.length < 2 && version > 8n) {
      // Once the move has arrived for sure before the line breaks, once it may be lost.
      if (noted.answers.length === 0) {
        const sent = { moveId: randomUUID(), body: choose(view, n), atVersion: version };
        dropper.stream.pause();
        dropper.stream.play(sent.body, sent);
        await players[0].reach(version + 1n);
        dropper.stream.cut();
        noted.answers.push(await resumeAndRepeat(dropper, sent));
      } else {
        noted.answers.push(await resumeAndRepeat(dropper, playAndDrop(dropper, choose(view, n))));
      }
    } else if (mover !== sleeper) {
      await mover.playBody(choose(view, n));
    }
    if (!noted.lateComer && version >= lateFrom) {
      noted.lateComer = await Player.join(server, tableId, { protocol: subProtocols[1] });
      assert.equal(noted.lateComer.seat, undefined);
    }
    const there = [...players, ...(noted.lateComer ? [noted.lateComer] : [])];
    await Promise.all(there.map((each) => each.reach(version + 1n)));
  }
  return noted;
}

test('four play a ranked game to its end, whatever happens to them', async () => {
  const { tableId, commitment, people, players } = await rankedTable();
  for (const { welcome } of players) assert.deepEqual(welcome.commitment, commitment);
  for (const { shown, games } of await ratingsOf(people))
    assert.deepEqual([shown, games], [1000, 0]);
  const [, dropper, sleeper] = players;
  const { answers, lateComer } = await playOut(tableId, players, { dropper, sleeper });

  // The one who dropped: each move was played once, and the first was answered as such.
  assert.equal(answers[0].kind, 'moveRepeated');
  const { events } = players[0];
  for (const { event } of answers) {
    const played = events.filter(({ moveId }) => moveId === event.moveId);
    assert.deepEqual(
      played.map(({ version }) => version),
      [event.version],
    );
    assert.equal(event.strategy, '');
  }

  // The one who slept: two time-outs in a row, and from then on the strategy plays.
  const slept = events.filter(({ seat }) => seat === sleeper.seat);
  assert.deepEqual(
    slept.map(({ timedOut }) => timedOut),
    slept.map((_, n) => n < 2),
  );
  assert.ok(slept.every(({ strategy }) => strategy === autoplay));
  assert.ok(events.every(({ seat, timedOut }) => seat === sleeper.seat || !timedOut));
  for (const { seating } of players) {
    const { strategy, bot, playerId } = seating.seats[sleeper.seat];
    assert.deepEqual([strategy, bot, playerId], [autoplay, false, people[2].playerId]);
  }
  assertClocks(events.map(({ value }) => value));

  // All five hold the same.
  const versions = players[0].version;
  assert.deepEqual(
    events.map(({ version }) => version),
    events.map((_, n) => BigInt(n) + 2n),
  );
  for (const each of [...players, lateComer]) {
    assert.equal(each.version, versions);
    assert.deepEqual(each.view, players[0].view);
    assert.deepEqual(each.result, players[0].result);
    assert.deepEqual(
      each.events.map(({ value }) => value),
      events.slice(events.length - each.events.length).map(({ value }) => value),
    );
  }
  for (const { events: theirs } of players) assert.equal(theirs.length, events.length);
  assert.ok(lateComer.events.length > 0 && lateComer.events.length < events.length);

  // The result moves the ratings of all four, once, in the order of their ranks.
  const { table } = await lobbyOf(server).getTable({ tableId });
  assert.equal(table.state, TableState.OVER);
  assert.deepEqual(table.result, players[0].result);
  const ratings = await ratingsOf(people);
  assert.deepEqual(
    ratings.map(({ games }) => games),
    [1, 1, 1, 1],
  );
  const ranks = table.result.standings.map(({ rank }) => rank);
  // Who was away ranks behind all others there, whatever the strategy has won.
  ranks[sleeper.seat] += ranks.length;
  // Who shares a rank may be shown below one behind: the model learns less from a tie, and what is
  // shown takes the deviation off.
  const alone = [...ranks.keys()].filter(
    (seat) => ranks.indexOf(ranks[seat]) === ranks.lastIndexOf(ranks[seat]),
  );
  for (const a of alone) {
    for (const b of alone) {
      if (ranks[a] < ranks[b]) assert.ok(ratings[a].shown > ratings[b].shown, `${ranks}`);
    }
  }
  const best = Math.min(...ranks);
  for (const [seat, { shown }] of ratings.entries()) {
    if (ranks[seat] === best) assert.ok(shown > 1000, `${ranks}`);
  }
  const request = { board: { kind: BoardKind.RATINGS, game: 'azul' } };
  const { entries } = await clientOf(LeaderboardService, server).getBoard(request);
  assert.deepEqual(entries, [], 'each has met three others, and the board wants five');
  assert.deepEqual(
    ratings.map(({ opponentsMissing }) => opponentsMissing),
    [2, 2, 2, 2],
  );

  const { record } = await clientOf(HistoryService, server).getRecord({ tableId });
  assert.deepEqual(
    record.contributions.map(({ seat }) => seat),
    [0, 1, 2, 3],
  );
  for (const { contribution } of record.table.seats) {
    assert.equal(contribution, ContributionState.AFTER_COMMITMENT);
  }
  assert.equal(record.moves.filter(({ timedOut }) => timedOut).length, 2);
  await assertTrue(server, tableId, { commitment, versions });
  await Promise.all([...players, lateComer].map(({ stream }) => stream.close()));
});
