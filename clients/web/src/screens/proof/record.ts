// The record of a game, as `tesela verify` reads it: GetRecord's answer as JSON.
import { HistoryService } from '@tesela/client/gen/lobby/v1/history_pb.js';
import { ConnectError, Code } from '@connectrpc/connect';

const METHOD = `/${HistoryService.typeName}/GetRecord`;
const headers = { 'content-type': 'application/json' };

/** How to fetch and check it in a shell. */
export const recordCommand = (tableId: string): string =>
  [
    "curl -s -H 'content-type: application/json' \\",
    `  -d '${JSON.stringify({ tableId })}' \\`,
    `  ${location.origin}${METHOD} > game.json`,
    'tesela verify game.json',
  ].join('\n');

/** Saves it as a file. Throws as a call of the lobby does. */
export async function saveRecord(tableId: string, name: string): Promise<void> {
  const answer = await fetch(METHOD, {
    method: 'POST',
    headers,
    body: JSON.stringify({ tableId }),
  });
  if (!answer.ok) throw new ConnectError(answer.statusText, Code.Unavailable);
  const url = URL.createObjectURL(await answer.blob());
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), REVOKE_AFTER_MS);
}

/** By then the browser has taken it. */
const REVOKE_AFTER_MS = 10_000;
