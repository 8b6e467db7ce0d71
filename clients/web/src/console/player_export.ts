// Everything that the server has of a player, as a file.
import { askForJson, type Json } from './calls.svelte.js';

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** As messages are merged: lists are joined. */
function merged(before: unknown, after: unknown): unknown {
  if (Array.isArray(before) && Array.isArray(after)) return [...before, ...after];
  if (!isObject(before) || !isObject(after)) return after;
  const result: Json = { ...before };
  for (const [name, value] of Object.entries(after)) result[name] = merged(before[name], value);
  return result;
}

/** Has the browser save all pages as one ExportPlayerResponse. */
export async function downloadExport(playerId: string): Promise<void> {
  let all: unknown = {};
  let pageToken = '';
  do {
    const { nextPageToken = '', ...page } = await askForJson('ExportPlayer', {
      playerId,
      pageToken,
    });
    all = merged(all, page);
    pageToken = String(nextPageToken);
  } while (pageToken);
  const url = URL.createObjectURL(new Blob([JSON.stringify(all, null, 2)]));
  const link = document.createElement('a');
  [link.href, link.download] = [url, `player-${playerId}.json`];
  link.click();
  URL.revokeObjectURL(url);
}
