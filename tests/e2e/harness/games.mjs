// Thin clients of every game: they know no rules and choose among what the view allows. Each game
// is a file of the folder games/, named as in the protocol. Its `schema` is that of the
// configuration. Its `game` has a configuration of games that are over within 400 moves, their
// number of seats, and `choose`: the move, as an Any, that a player chooses from a view and the
// number of moves before. Played so, the usual game lasts for more than five moves.
import { readdir } from 'node:fs/promises';
import { parse } from 'node:path';
import { ResignSchema, UndoSchema } from '../gen/tesela/play/v1/course_pb.js';
import { pack } from './stream.mjs';

export { azul, lastingMove } from './games/azul.mjs';

/** What is played in any game: each the body of a Move. */
export const resign = pack(ResignSchema, {});
export const undo = pack(UndoSchema, {});

const folder = new URL('games/', import.meta.url);
const files = await Promise.all(
  (await readdir(folder)).map(async (name) => [
    parse(name).name,
    await import(new URL(name, folder)),
  ]),
);

export const games = Object.fromEntries(files.map(([name, { game }]) => [name, game]));

const schemas = Object.fromEntries(files.map(([name, { schema }]) => [name, schema]));

/** A configuration of a game as the Any of CreateTable. */
export const configOf = (game, fields) => pack(schemas[game], fields);
