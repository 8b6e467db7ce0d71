// A move of SameGame in words, with its gain by the server.
import { isMessage } from '@bufbuild/protobuf';
import {
  SameGameGainSchema,
  SameGameMoveSchema,
  SameGameViewSchema,
} from '@tesela/client/gen/game/v1/samegame_pb.js';
import { gridWords as grid, sameGameWords as words } from '../../i18n/words.js';
import type { ProposalOf } from '../../table/proposal.js';
import { colourName } from './sentence.js';

export const proposalOf: ProposalOf = (move, gain, before) => {
  if (!isMessage(move, SameGameMoveSchema) || !isMessage(gain, SameGameGainSchema)) {
    return undefined;
  }
  const points = grid().points({ count: gain.points });
  if (!isMessage(before, SameGameViewSchema)) return { what: points, why: [] };
  const { cells, columns } = before;
  const { cell = 0 } = move;
  const colour = colourName(cells[cell] ?? 0);
  const row = Math.floor(cell / columns) + 1;
  return {
    what: words().takes({ count: gain.tiles, colour }),
    why: [points, grid().atCell({ row, column: (cell % columns) + 1 })],
  };
};
