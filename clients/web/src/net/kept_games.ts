// Finished games that this browser has shown, for when the server cannot be reached: they change no
// more. The newest are kept. Pages over plain HTTP keep none.
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import {
  base64Decode,
  base64Encode,
  sizeDelimitedDecodeStream,
  sizeDelimitedEncode,
} from '@bufbuild/protobuf/wire';
import { ReplayResponseSchema } from '@tesela/client/gen/lobby/v1/history_pb.js';
import { TableSchema, type Table } from '@tesela/client/gen/lobby/v1/lobby_pb.js';
import type { ServerFrame } from '@tesela/client/gen/play/v1/play_pb.js';

/** What a stream brings of a game: its first position, then each event. */
export type Frames = readonly ServerFrame['frame'][];

const CACHE = 'games';
const GAMES_MAX = 50;
const BYTES_MAX = 2 ** 20;
/** The table, beside the frames. */
const TABLE = 'x-table';

const pathOf = (tableId: string): string => `/games/${encodeURIComponent(tableId)}`;

const tableIn = (kept: Response): Table =>
  fromBinary(TableSchema, base64Decode(kept.headers.get(TABLE) ?? ''));

/** A game that is too long is not kept. */
export async function keepGame(table: Table, frames: Frames): Promise<void> {
  const parts = frames.map((frame) =>
    sizeDelimitedEncode(ReplayResponseSchema, create(ReplayResponseSchema, { frame: { frame } })),
  );
  const body = new Blob(parts as BlobPart[]);
  if (body.size > BYTES_MAX || !('caches' in globalThis)) return;
  const headers = { [TABLE]: base64Encode(toBinary(TableSchema, table)) };
  const cache = await caches.open(CACHE);
  await cache.put(pathOf(table.tableId), new Response(body, { headers }));
  const all = await cache.keys();
  await Promise.all(all.slice(0, -GAMES_MAX).map((game) => cache.delete(game)));
}

export async function keptGame(
  tableId: string,
): Promise<{ table: Table; frames: Frames } | undefined> {
  const kept = await globalThis.caches?.match(pathOf(tableId), { cacheName: CACHE });
  if (!kept) return undefined;
  const frames: ServerFrame['frame'][] = [];
  const bytes = [new Uint8Array(await kept.arrayBuffer())];
  const read = sizeDelimitedDecodeStream(ReplayResponseSchema, bytes as never);
  for await (const { frame } of read) if (frame) frames.push(frame.frame);
  return { table: tableIn(kept), frames };
}

/** The newest first. */
export async function keptTables(): Promise<Table[]> {
  const cache = await globalThis.caches?.open(CACHE);
  const all = (await cache?.matchAll()) ?? [];
  return all.map(tableIn).reverse();
}

export const forgetGames = async () => globalThis.caches?.delete(CACHE);
