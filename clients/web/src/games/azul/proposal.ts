// A move of Azul in words, with its gain by the server.
import { isMessage } from '@bufbuild/protobuf';
import {
  AzulGainSchema,
  AzulMoveSchema,
  type AzulGain,
  type AzulMove,
} from '@tesela/client/gen/game/v1/azul_pb.js';
import { azulWords as words } from '../../i18n/words.js';
import type { ProposalOf } from '../../table/proposal.js';
import { tilesText } from './names.js';
import { sourceOf, targetOf } from './sentence.js';

function reasonsOf({ target }: AzulMove, gain: AzulGain): string[] {
  const why = [];
  if (gain.fillsLine && target.case === 'line') {
    why.push(words().fillsLine({ number: target.value + 1, points: gain.points }));
  }
  if (target.case !== 'line' && gain.floorCost > 0) {
    why.push(`−${gain.floorCost}`); // That they go to the floor has been said.
  } else if (gain.toFloor > 0) {
    why.push(words().floorCosts({ count: gain.toFloor, points: gain.floorCost }));
  }
  if (gain.marker) why.push(words().startsNext);
  return why;
}

export const proposalOf: ProposalOf = (move, gain) => {
  if (!isMessage(move, AzulMoveSchema) || !isMessage(gain, AzulGainSchema)) return undefined;
  const tiles = tilesText(gain.count, move.colour);
  return {
    what: words().takes({ tiles, from: sourceOf(move), to: targetOf(move) }),
    why: reasonsOf(move, gain),
  };
};
