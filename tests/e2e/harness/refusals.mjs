// What a refusal must be: the right code or reason, and a sentence that a player understands.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { BinaryReader } from '@bufbuild/protobuf/wire';
import { Code, ConnectError } from '@connectrpc/connect';
import { AdminService } from '../gen/tesela/admin/v1/admin_pb.js';
import { HistoryService } from '../gen/tesela/lobby/v1/history_pb.js';
import { LeaderboardService } from '../gen/tesela/lobby/v1/leaderboard_pb.js';
import { LobbyService } from '../gen/tesela/lobby/v1/lobby_pb.js';
import { MatchmakingService } from '../gen/tesela/lobby/v1/matchmaking_pb.js';
import { Reason } from '../gen/tesela/play/v1/play_pb.js';
import { bearer, clientOf, signIn, transports } from './lobby.mjs';

const sentenceMax = 240;

/** The services by short names. */
const services = {
  lobby: LobbyService,
  history: HistoryService,
  boards: LeaderboardService,
  matchmaking: MatchmakingService,
  admin: AdminService,
};

/** One whole English sentence, or a few, that names what is wrong. */
export function assertSentence(text, meaning) {
  assert.match(text, /^[\w'"].*[^.]\.$/, 'a sentence on one line');
  assert.ok(text.split(' ').length >= 3, `too short to be understood: ${text}`);
  assert.ok(text.length <= sentenceMax, `too long to be read: ${text}`);
  assert.match(text, meaning);
}

/** The reason for programs that is beside the sentence: a google.rpc.ErrorInfo. */
function reasonOf(error) {
  const detail = error.details.find(({ type }) => type === 'google.rpc.ErrorInfo');
  assert.ok(detail, 'a refusal has its reason as a detail');
  const reader = new BinaryReader(detail.value);
  const fields = {};
  while (reader.pos < reader.len) fields[reader.tag()[0]] = reader.string();
  assert.equal(fields[2], 'tesela');
  return fields[1];
}

/** A call that fails with `code`, a number of Code, for programs by `reason`. */
export async function assertRefused(call, code, meaning, reason = /^[A-Z]+(_[A-Z]+)*$/) {
  await assert.rejects(call, (error) => {
    assert.ok(error instanceof ConnectError, `${error}`);
    assert.equal(Code[error.code], Code[code], error.rawMessage);
    assertSentence(error.rawMessage, meaning);
    assert.match(reasonOf(error), reason);
    return true;
  });
}

/** A Refusal or a Goodbye for `reason`, a number of Reason. */
export function assertReason({ reason, message }, wanted, meaning) {
  assert.equal(Reason[reason], Reason[wanted], message);
  assertSentence(message, meaning);
}

/** Guests of these names: each the options of a call, with `guest` beside. */
export async function people(server, ...names) {
  const who = {};
  for (const name of names) {
    const guest = await signIn(server, name);
    who[name] = { ...bearer(guest.token), guest };
  }
  return who;
}

/**
 * A test of each refusal over every transport. A case is what is asked of the services, and
 * `[code, meaning, reason]`, the last where it tells causes apart.
 */
export function testRefusals(serverOf, cases) {
  for (const transport of Object.keys(transports)) {
    describe(`over ${transport}`, () => {
      const clients = {};
      before(() => {
        for (const [name, service] of Object.entries(services)) {
          clients[name] = clientOf(service, serverOf(), transport);
        }
      });
      for (const [title, [ask, [code, meaning, reason]]] of Object.entries(cases)) {
        test(`${title} is refused`, () => assertRefused(ask(clients), code, meaning, reason));
      }
    });
  }
}
