// Requests that work at once, where the caller has signed in and made a table.
import { fieldsOf, MESSAGES, valuesOf, type Fields, type Json, type Method } from './catalogue.js';

export interface Known {
  tableId: string;
  playerId: string;
}

export interface Example {
  title: string;
  json: Json;
}

const any = (type: string, fields: Fields = {}): Fields => ({
  '@type': `type.googleapis.com/tesela.${type}`,
  ...fields,
});

const CREATE_TABLE: Example[] = [
  { title: '2048', json: { game: '2048' } },
  {
    title: '2048 on 3 × 3',
    json: { game: '2048', config: any('game.v1.Game2048Config', { size: 3, objective: 256 }) },
  },
  { title: 'Azul, a free seat', json: { game: 'azul' } },
  { title: 'Azul with a bot', json: { game: 'azul', bots: [{ strategy: 'greedy' }] } },
  {
    title: 'Bots alone',
    json: { game: 'azul', watchOnly: true, bots: [{ strategy: 'greedy' }, { strategy: 'greedy' }] },
  },
];

const EXAMPLES: Record<string, (known: Known) => Example[]> = {
  SignIn: () => [{ title: 'A guest', json: { displayName: 'Ada', device: 'My program' } }],
  CreateTable: () => CREATE_TABLE,
  ListTables: ({ playerId }) => [
    { title: 'In play', json: { filter: { state: 'TABLE_STATE_IN_PLAY' }, pageSize: 5 } },
    { title: 'All', json: {} },
    { title: 'One’s own', json: { filter: { playerId } } },
  ],
  WatchTables: () => [{ title: '2048', json: { filter: { game: '2048' } } }],
  ListStrategies: () => [{ title: 'Azul', json: { game: 'azul' } }],
  StartTable: ({ tableId }) => [{ title: 'With easy bots', json: { tableId, botLevel: 2 } }],
  AddBot: ({ tableId }) => [{ title: 'Greedy', json: { tableId, bot: { strategy: 'greedy' } } }],
  Find: () => [
    {
      title: 'Azul, bots after 2 s',
      json: { game: 'azul', mode: 'MODE_CASUAL', bots: { after: '2s', level: 2 } },
    },
  ],
  GetBoard: () => [{ title: '2048', json: { board: { game: '2048' } } }],
  GetDaily: () => [{ title: '2048', json: { game: '2048' } }],
  GetRating: ({ playerId }) => [{ title: 'One’s own in Azul', json: { game: 'azul', playerId } }],
  EndSession: () => [{ title: 'Sign out', json: { current: true } }],
  FindPlayers: () => [{ title: 'By a handle', json: { handlePrefix: 'ad' } }],
  BeginPasskey: () => [{ title: 'Sign in', json: { purpose: 'PASSKEY_PURPOSE_SIGN_IN' } }],
};

/** Of other methods the ids that are known are filled in, a game and the first value of an enum. */
export function examplesOf(method: Method, known: Known): Example[] {
  const own = EXAMPLES[method.name]?.(known);
  if (own) return own;
  const json: Fields = {};
  for (const { name, of } of fieldsOf(method.input)) {
    const value = name === 'game' ? 'azul' : valuesOf(of)[1]?.name;
    if (name === 'tableId' || name === 'playerId') json[name] = known[name];
    else if (value) json[name] = value;
  }
  return [{ title: 'Example', json }];
}

/** Replaced whenever a frame is sent: the same id again would be the same move again. */
export const NEW_ID = '<new>';

/** A message with something in each field, the first of each oneof. */
function filled(message: string): Fields {
  const oneofs = new Set<string>();
  const fields: Fields = {};
  for (const field of fieldsOf(message)) {
    if (field.oneof && oneofs.has(field.oneof)) continue;
    if (field.oneof) oneofs.add(field.oneof);
    const scalar = field.type === 'bool' ? true : /string|bytes/.test(field.type) ? '' : 0;
    const one = field.of ? (valuesOf(field.of)[1]?.name ?? filled(field.of)) : scalar;
    fields[field.name] = field.repeated ? [one, field.of ? one : 1] : one;
  }
  return fields;
}

/** A move of a game, by the name of its message: Game2048Move of 2048, SameGameMove of samegame. */
function moveOf(game: string): Fields {
  const name = `tesela.game.v1.${/^\d/.test(game) ? 'game' : ''}${game.replaceAll('_', '')}move`;
  const message = MESSAGES.find((each) => each.toLowerCase() === name) ?? 'tesela.play.v1.Undo';
  return any(message.replace('tesela.', ''), filled(message));
}

/** Frames for a table of a game. */
export const framesOf = (game: string): Example[] => [
  { title: 'Move', json: { move: { moveId: NEW_ID, body: moveOf(game) } } },
  { title: 'Undo', json: { move: { moveId: NEW_ID, body: any('play.v1.Undo') } } },
  { title: 'Resign', json: { move: { moveId: NEW_ID, body: any('play.v1.Resign') } } },
  { title: 'Hint', json: { hintRequest: { hintId: NEW_ID } } },
  { title: 'Say', json: { say: { text: 'Hello' } } },
  { title: 'Ping', json: { ping: { nonce: '1' } } },
];
