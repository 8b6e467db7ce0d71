// A server's database from outside, through Python's SQLite.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { run } from './server.mjs';

export const pageBytes = 4096;

export function databaseOf(data) {
  return path.join(data, 'tesela.db');
}

const program = `
import json, os, sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute('PRAGMA wal_autocheckpoint = 0')
def flipped(blob, at, bits):
    return blob[:at] + bytes([blob[at] ^ bits]) + blob[at + 1:]
connection.create_function('flipped', 3, flipped)
print(json.dumps([connection.execute(sql).fetchall() for sql in sys.argv[2:]]), flush=True)
os._exit(0)`;

/**
 * Runs statements one by one: the rows of each. `flipped(blob, at, bits)` has one byte changed.
 * What is written stays in the log, for a server to write back: only it gives pages their sums.
 */
export async function sql(data, ...statements) {
  const { code, stdout, stderr } = await run('python3', [
    '-c',
    program,
    databaseOf(data),
    ...statements,
  ]);
  assert.equal(code, 0, stderr);
  return JSON.parse(stdout);
}

const lockProgram = `
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute('BEGIN IMMEDIATE')
print('locked', flush=True)
sys.stdin.read()`;

/** Nothing is written to the database until the function is called that this returns. */
export async function lock(data) {
  const child = spawn('python3', ['-c', lockProgram, databaseOf(data)]);
  await once(child.stdout, 'data');
  return async () => {
    child.stdin.end();
    await once(child, 'exit');
  };
}

/** Overwrites whole pages, from the one with this number on; SQLite counts them from 1. */
export async function overwritePages(data, first, count = 1) {
  const file = await open(databaseOf(data), 'r+');
  try {
    await file.write(Buffer.alloc(count * pageBytes, 0xee), 0, undefined, (first - 1) * pageBytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Sound, and every table's versions are 1, 2, 3 … without a gap. */
export async function assertSound(data) {
  const [integrity, broken, gaps] = await sql(
    data,
    'PRAGMA integrity_check',
    'PRAGMA foreign_key_check',
    `SELECT table_id FROM log GROUP BY table_id
       HAVING min(version) <> 1 OR max(version) <> count(*)`,
  );
  assert.deepEqual(integrity, [['ok']]);
  assert.deepEqual(broken, []);
  assert.deepEqual(gaps, []);
}
