// Two servers on one PostgreSQL, with node ports, for the tests of the file that imports them.
import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { adminOptions, startNode } from './node.mjs';
import { numberOf, Postgres } from './postgres.mjs';

export const adminKey = 'a'.repeat(40);

export let postgres;
/** Those of servers that an operator with `adminKey` may ask. */
export let options;
export let ann;
export let ben;

before(async () => {
  postgres = await Postgres.start();
  options = await adminOptions(postgres, adminKey);
  ann = await startNode(postgres, options);
  ben = await startNode(postgres, options);
});

after(async () => {
  ann?.goOn();
  await ann?.dispose();
  await ben?.dispose();
  await postgres?.dispose();
});

export async function assertNothingIsLost({ tableId, version }) {
  const stored = await postgres.query(
    `SELECT count(*), max(version) FROM events WHERE table_id = ${numberOf(tableId)}`,
  );
  assert.deepEqual(stored, [`${version}|${version}`]);
}
