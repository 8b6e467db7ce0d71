// Somebody with an account that lasts, who plays a little, signs in on further devices by a
// recovery code, ends sessions, takes guests in, and is challenged. A call is made again, at any of
// the servers, until it is answered: what was acknowledged then holds at all of them.
import { setTimeout as sleep } from 'node:timers/promises';
import { AccountService } from '../../e2e/gen/tesela/account/v1/account_pb.js';
import { FriendService } from '../../e2e/gen/tesela/account/v1/friends_pb.js';
import { ProfileService } from '../../e2e/gen/tesela/account/v1/profile_pb.js';
import { LeaderboardService } from '../../e2e/gen/tesela/lobby/v1/leaderboard_pb.js';
import { LobbyService, TableState } from '../../e2e/gen/tesela/lobby/v1/lobby_pb.js';
import { Reason } from '../../e2e/gen/tesela/play/v1/play_pb.js';
import { azul, resign } from '../../e2e/harness/games.mjs';
import { bearer, clientOf } from '../../e2e/harness/lobby.mjs';
import { Player } from '../../e2e/harness/player.mjs';
import {
  isCallFailed,
  isUnauthenticated,
  Stream,
  StreamClosed,
  StreamTimedOut,
} from '../../e2e/harness/stream.mjs';
import { isTrouble } from './verdict.mjs';

const retryMs = 100;
const restMs = { min: 200, max: 1500 };
const answerMs = 10_000; // for a call; then it is made again
const lateMs = 30_000; // --store-wait: a call that was not answered changes nothing any more
const givesUpMs = 240_000;
// Answers, one every 100 ms: a second of a server that can hear of the end. One that is down, or
// stopped, or does not reach the database gives none.
const heardMax = 10;
const usesMax = 4; // of a recovery code: ten in ten minutes are taken
const services = [AccountService, FriendService, LobbyService, ProfileService, LeaderboardService];
const isRefused = ({ message }) =>
  /^\[(unauthenticated|permission|not_found|already|invalid|failed_pre)/.test(message);
const idOf = ({ playerId }) => playerId;

function ask(server, method, request, { token } = {}, timeoutMs = answerMs) {
  const service = services.find((each) => method in each.method);
  return clientOf(service, server)[method](request, { ...(token && bearer(token)), timeoutMs });
}

const callOf = (server, device) => ask(server, 'getAccount', {}, device, 1000);

/** Whether there is an answer for a session; false: it has ended; undefined: nobody answers. */
async function isHeard(answer) {
  try {
    await answer;
    return true;
  } catch (error) {
    if (isUnauthenticated(error) || error instanceof StreamClosed) return false;
    if (!isCallFailed(error) && !(error instanceof StreamTimedOut)) throw error;
    return undefined;
  }
}

export class Keeper {
  /** Calls that were answered. */
  acknowledged = 0;
  /** What guests have of challenges: { guest, tableId, pair }, of those at the table; or nobody. */
  games = [];
  /** The guests who are the account now, each with its id. */
  merged = new Map();
  /** What does not hold: { kind, sentence }. */
  findings = [];
  /** Streams that have ended with their sessions, and how often a session was heard after its end,
   *  at most. */
  streams = 0;
  heard = 0;
  #devices = []; // each as { playerId, token }
  #ended = [];
  #tables = [];
  #rating;
  #code; // { text, uses }; undefined: what was not answered may replace it
  #unanswered = 0;
  #lateUntil = 0;

  constructor(door, servers, handle, dice) {
    Object.assign(this, { door, servers, handle, dice });
  }

  async begin() {
    this.#devices.push(await this.#guest());
    this.playerId = this.#me.playerId;
    await this.#makeCode();
    await this.#call('claimHandle', { handle: this.handle }, this.#me);
    await this.#playOn();
  }

  /** One thing. */
  async play() {
    const things = [
      ...[() => this.#playOn(), () => this.#endSessions(), () => this.#takeIn()],
      ...[() => this.#offerLink(), () => this.#beChallenged()],
    ];
    await this.#unlessRefused(this.dice.pick(things));
    await sleep(this.dice.between(restMs.min, restMs.max));
  }

  async #unlessRefused(thing) {
    try {
      await thing();
    } catch (error) {
      if (!isRefused(error)) throw error;
      this.#report('accounts', `${thing}: ${error.message}`);
    }
  }

  #report(kind, sentence) {
    this.findings.push({ kind, sentence: `${this.handle}, ${kind}: ${sentence}` });
  }

  /** At any of the devices. */
  get #me() {
    return this.dice.pick(this.#devices);
  }

  get #isLate() {
    return Date.now() < this.#lateUntil;
  }

  /** The first answer. Throws what was refused. */
  async #call(method, request, person) {
    const deadline = Date.now() + givesUpMs;
    for (;;) {
      const server = this.dice.pick([this.door, ...this.servers]);
      try {
        const answer = await ask(server, method, request, person);
        ++this.acknowledged;
        return answer;
      } catch (error) {
        if (!isCallFailed(error) || isRefused(error) || Date.now() > deadline) throw error;
        ++this.#unanswered;
      }
      await sleep(retryMs);
    }
  }

  /** Of what would do harm when it came late: the answer; undefined if it may. */
  async #callOnce(...call) {
    const before = this.#unanswered;
    const answer = await this.#call(...call);
    if (this.#unanswered === before) return answer;
    this.#lateUntil = Date.now() + lateMs;
    return undefined;
  }

  #guest() {
    return this.#call('signIn', { displayName: 'Visitor' });
  }

  async #makeTable(owner) {
    return (await this.#call('createTable', { game: '2048' }, owner)).table.tableId;
  }

  /** At a table as long as nothing goes wrong. */
  async #at(tableId, { token }, act) {
    let player;
    try {
      player = await Player.join(this.door, tableId, { token });
      await act(player);
    } catch (error) {
      if (!isTrouble(error)) throw error;
    }
    player?.stream.cut();
  }

  async #playOn() {
    const me = this.#me;
    this.#tables.push(await this.#makeTable(me));
    await this.#at(this.#tables.at(-1), me, (player) => player.playMoves(2));
  }

  async #makeCode() {
    const made = await this.#callOnce('makeRecoveryCode', {}, this.#me);
    this.#code = made && { text: made.code, uses: 0 };
  }

  async #signInElsewhere() {
    if (!this.#isLate && !(this.#code?.uses < usesMax)) await this.#makeCode();
    if (!this.#isLate) await this.#signIn();
  }

  async #signIn() {
    ++this.#code.uses;
    const { signedIn } = await this.#call('signInWithCode', { code: this.#code.text });
    this.#devices.push(signedIn);
    this.#expect('accounts', 'the code', signedIn.playerId, this.playerId);
  }

  /** One, or all others. */
  async #endSessions() {
    await this.#signInElsewhere();
    if (this.#isLate) return;
    const [by, other, ...more] = this.#devices.sort(() => this.dice.next() - 0.5);
    const all = this.dice.next() < 0.5;
    const ended = all ? [other, ...more] : [other];
    const streams = await Promise.all(ended.map((each) => this.#open(each)));
    const { sessions } = await this.#call('getAccount', {}, other);
    const one = { case: 'sessionId', value: sessions.find(({ current }) => current).sessionId };
    const which = all ? { case: 'allOthers', value: true } : one;
    await this.#callOnce('endSession', { which }, by);
    this.#devices = all ? [by] : [by, ...more];
    await Promise.all(ended.map((each, n) => this.#expectEnd(each, streams[n])));
  }

  /** A stream at any of the servers; undefined: it was refused. */
  async #open({ token }) {
    try {
      const stream = await Stream.open(this.dice.pick(this.servers), this.#tables[0], { token });
      await stream.expect('welcome');
      return stream;
    } catch (error) {
      if (!isTrouble(error) && !/got goodbye/.test(error.message)) throw error;
      return undefined;
    }
  }

  /** All servers that can hear of it refuse the token within a second, and the stream ends. */
  async #expectEnd(device, stream) {
    this.#ended.push(device);
    const expect = async (what, ask) => {
      for (let heard = 0; heard <= heardMax; await sleep(retryMs)) {
        const is = await isHeard(ask());
        if (is === false) return;
        if (is) this.heard = Math.max(this.heard, ++heard);
      }
      this.#report('revoked', `${what} after the end of the session`);
    };
    const refused = (server, n) => expect(`server ${n + 1}`, () => callOf(server, device));
    await Promise.all(this.servers.map(refused));
    if (stream) {
      await expect('a stream', () => stream.ping());
      if (stream.received.at(-1).value.reason === Reason.UNAUTHENTICATED) ++this.streams;
      stream.cut();
    }
    if (await this.#open(device)) this.#report('revoked', 'a new stream after the end');
  }

  /** A guest's tables, and the rating, are the account's then. */
  async #takeIn() {
    const [guest, other] = [await this.#guest(), await this.#guest()];
    const tables = [await this.#makeTable(guest)];
    if (this.dice.next() < 0.5) {
      tables.push(await this.#challenge(guest, [['accept', other]], { options: { ranked: true } }));
      await this.#playOut(tables[1], [guest, other]);
    }
    const request = { guestToken: guest.token };
    const { ratings } = await this.#call('mergeGuest', { ...request, onlyLook: true }, this.#me);
    await this.#call('mergeGuest', request, this.#me);
    this.merged.set(guest.playerId, this.playerId);
    this.#tables.push(...tables);
    for (const rating of ratings) this.#rating = Math.max(rating.guest, this.#rating ?? 0);
    this.#expect('accounts', 'ratings that are merged', ratings.length, tables.length - 1);
    await this.#expectEnd(guest);
  }

  /** Each moves once, or there is no rating; then somebody gives up. */
  async #playOut(tableId, people) {
    for (let n = 0; ; ++n) {
      if ((await this.#call('getTable', { tableId })).table.state === TableState.OVER) return;
      await this.#at(tableId, people[n % 2], async (player) => {
        const body = player.version > 2n ? resign : azul(2).choose(player.view, 0);
        if (player.turn.includes(player.seat)) await player.playBody(body);
      });
    }
  }

  /** A challenge, and answers at once: [method, person]. One of them counts, also when all are
   *  repeated. The table, if there is one. */
  async #challenge(from, answers, more) {
    await this.#answer('challenge', { game: 'azul', ...more }, from);
    const [{ challengeId }] = (await this.#call('listChallenges', {}, from)).fromMe;
    const answer = ([method, by]) => this.#answer(`${method}Challenge`, { challengeId }, by);
    const first = await Promise.all(answers.map(answer));
    const again = await Promise.all(answers.map(answer));
    if (first.filter(Boolean).length !== 1 || String(first) !== String(again)) {
      const methods = answers.map(([method]) => method);
      this.#report('challenged', `${methods} have the answers ${first}, and then ${again}`);
    }
    const won = first.findIndex((each) => typeof each === 'string');
    const pair = won < 0 ? [] : [from, answers[won][1]].map(idOf);
    for (const guest of new Set([from, ...answers.map(([, by]) => by)].map(idOf))) {
      if (guest === this.playerId) continue;
      this.games.push({ guest, tableId: first[won], pair: pair.includes(guest) ? pair : [] });
    }
    return first[won];
  }

  /** The table, or true. Undefined: another answer came first. */
  async #answer(method, request, by) {
    try {
      return (await this.#call(method, request, by)).table?.tableId ?? true;
    } catch (error) {
      if (!/^\[(already_exists|not_found)\]/.test(error.message)) throw error;
      return undefined;
    }
  }

  async #offerLink() {
    const guests = [await this.#guest(), await this.#guest()];
    const answers = guests.map((guest) => ['accept', guest]);
    await this.#challenge(this.#me, answers);
  }

  async #beChallenged() {
    const guest = await this.#guest();
    const [accept, decline] = ['accept', 'decline'].map((method) => [method, this.#me]);
    const answers = [[accept], [decline], [accept, ['withdraw', guest]], [decline, accept]];
    const whom = { who: { case: 'handle', value: this.handle } };
    await this.#challenge(guest, this.dice.pick(answers), { whom });
  }

  /** When all is over: adds to the findings. */
  async audit() {
    await this.#unlessRefused(() => this.#auditAccount());
    for (const device of this.#ended) {
      const calls = this.servers.map((server) => isHeard(callOf(server, device)));
      if ((await Promise.all(calls)).includes(true)) this.#report('revoked', 'calls in the end');
    }
    const isOf = (id) => this.merged.get(id) ?? id;
    for (const { guest, tableId, pair } of this.games) {
      if (this.merged.has(guest)) continue;
      const { tables } = await this.#call('listTables', { filter: { playerId: guest } });
      const found = tables.map((table) => [table.tableId, ...table.seats.map(idOf).sort()]);
      const wanted = pair.length > 0 ? [[tableId, ...pair.map(isOf).sort()]] : [];
      this.#expect('challenged', 'tables of a guest', String(found), String(wanted));
    }
  }

  async #auditAccount() {
    const expect = (...what) => this.#expect('accounts', ...what);
    if (!this.#code) await this.#makeCode();
    if (this.#code) await this.#signIn();
    for (const device of this.#devices) {
      expect('a device', (await this.#call('getAccount', {}, device)).playerId, this.playerId);
    }
    const who = { case: 'handle', value: this.handle };
    expect('the handle', (await this.#call('getProfile', { who })).playerId, this.playerId);
    for (const tableId of this.#tables) {
      const { seats } = (await this.#call('getTable', { tableId })).table;
      expect(`a seat at ${tableId}`, seats.map(idOf).includes(this.playerId), true);
    }
    const { rating } = await this.#call('getRating', { game: 'azul', playerId: this.playerId });
    if (this.#rating) expect('the rating', rating.shown, this.#rating);
  }

  #expect(kind, what, is, wanted) {
    if (is !== wanted) this.#report(kind, `${what}: ${is} instead of ${wanted}`);
  }
}

/** How many accounts, ends of sessions and answers do not hold, and how many guests are merged. */
export async function auditKeepers(keepers) {
  const found = { accounts: 0, revoked: 0, challenged: 0, merged: 0 };
  for (const keeper of keepers) {
    await keeper.audit();
    for (const { kind, sentence } of keeper.findings) {
      ++found[kind];
      console.log(sentence);
    }
    found.merged += keeper.merged.size;
    console.log(
      `${keeper.handle}: ${keeper.merged.size} guests merged, ${keeper.games.length} challenged, ` +
        `${keeper.streams} streams ended; heard ${keeper.heard} times after the end of a session`,
    );
  }
  return found;
}
