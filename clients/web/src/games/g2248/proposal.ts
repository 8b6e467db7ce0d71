// A move of 2248 in words, with its gain by the server.
import { isMessage } from '@bufbuild/protobuf';
import {
  Game2248GainSchema,
  Game2248MoveSchema,
  Game2248ViewSchema,
} from '@tesela/client/gen/game/v1/g2248_pb.js';
import { gridWords as grid, words2248 as words } from '../../i18n/words.js';
import type { ProposalOf } from '../../table/proposal.js';

export const proposalOf: ProposalOf = (move, gain, before) => {
  if (!isMessage(move, Game2248MoveSchema) || !isMessage(gain, Game2248GainSchema)) {
    return undefined;
  }
  if (move.move.case !== 'chain') return { what: words().booster, why: [] };
  const { cells } = move.move.value;
  const what = words().pathOf({ count: cells.length, value: String(gain.points) });
  const [first] = cells;
  if (first === undefined || !isMessage(before, Game2248ViewSchema)) return { what, why: [] };
  const { columns } = before;
  const row = Math.floor(first / columns) + 1;
  return { what, why: [grid().fromCell({ row, column: (first % columns) + 1 })] };
};
