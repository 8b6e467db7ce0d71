// A move of 2048 in words, with its gain by the server.
import { isMessage } from '@bufbuild/protobuf';
import { Game2048GainSchema, Game2048MoveSchema } from '@tesela/client/gen/game/v1/g2048_pb.js';
import { i18n } from '../../i18n/i18n.svelte.js';
import { words2048 as words } from '../../i18n/words.js';
import type { ProposalOf } from '../../table/proposal.js';
import { directionName } from './sentence.js';

export const proposalOf: ProposalOf = (move, gain) => {
  if (!isMessage(move, Game2048MoveSchema) || !isMessage(gain, Game2048GainSchema)) {
    return undefined;
  }
  const points = gain.points > 0n ? [`+${i18n.number(gain.points)}`] : [];
  const free = words().freeCells({ count: gain.freeCells });
  return { what: directionName(move.direction), why: [...points, free] };
};
