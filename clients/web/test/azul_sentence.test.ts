// What a player of Azul is told of rounds that put no tile on a wall (R-AZ-11).
import { create } from '@bufbuild/protobuf';
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import './page_globals.js';
import {
  AzulEventSchema,
  AzulOutcome,
  AzulStageKind as Kind,
  AzulViewSchema,
} from '@tesela/client/gen/game/v1/azul_pb.js';
import { i18n } from '../src/i18n/i18n.svelte.js';
import { sentenceOf, untiledOf } from '../src/games/azul/sentence.js';

const view = (untiledRounds: number, outcome = AzulOutcome.IN_PLAY) =>
  create(AzulViewSchema, { untiledRounds, outcome });

const dealt = (untiledRounds: number) =>
  create(AzulEventSchema, { stages: [{ kind: Kind.DEAL }], view: view(untiledRounds) });

const TWICE = 'No tile reached a wall for two rounds. A third such round ends the game';

describe('rounds without a tile on a wall', () => {
  before(async () => i18n.begin());

  test('are told, and how many more end the game', () => {
    assert.equal(untiledOf(view(1)), 'No tile reached a wall in the last round');
    assert.equal(untiledOf(view(2)), TWICE);
  });

  test('are not told where there are none, or the game is over', () => {
    for (const none of [undefined, view(0), view(3, AzulOutcome.NO_TILING)]) {
      assert.equal(untiledOf(none), '');
    }
  });

  test('are heard with the next deal', () => {
    const name = () => 'Ana';
    assert.equal(sentenceOf(dealt(0), name), 'The next round begins.');
    assert.equal(sentenceOf(dealt(2), name), `The next round begins. ${TWICE}.`);
  });
});
