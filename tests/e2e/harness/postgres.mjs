// A PostgreSQL of a test's own, on a socket in a folder that goes with it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { run, waitUntilStill } from './server.mjs';

const installed = '/usr/lib/postgresql';
const startTimeMaxMs = 60_000;

const idDigits = '0123456789abcdefghjkmnpqrstvwxyz';

/** The number that the database knows a table or a player by. */
export function numberOf(id) {
  return [...id].reduce((value, digit) => value * 32n + BigInt(idDigits.indexOf(digit)), 0n);
}

/** The id of that number. */
export function idOf(number) {
  const digits = Array.from({ length: 13 }, (_, n) => Number((number >> BigInt(60 - 5 * n)) & 31n));
  return digits.map((digit) => idDigits[digit]).join('');
}

/** The folder of the programs of the newest version. */
async function programs() {
  const versions = await readdir(installed).catch(() => []);
  if (versions.length === 0) {
    throw new Error(
      'PostgreSQL is not installed: install the package postgresql, as tests/run.sh does.',
    );
  }
  const newest = versions.map(Number).sort((a, b) => b - a)[0];
  return path.join(installed, String(newest), 'bin');
}

/** The number of the user `postgres`, and of the group. */
async function postgresUser() {
  const [, , uid, gid] = (await run('getent', ['passwd', 'postgres'])).stdout.split(':');
  return { uid: Number(uid), gid: Number(gid) };
}

/** The processes that a process has started. */
async function childrenOf(parent) {
  const children = [];
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => ''); // it has ended
    const [, ppid] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (Number(ppid) === parent) children.push(Number(name));
  }
  return children;
}

/** Sends a signal, unless the process has ended. */
function signal(pid, name) {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}

export class Postgres {
  #programs;
  #user;
  #child;

  /** Creates a database and starts PostgreSQL. Stop it with `dispose`. */
  static async start() {
    const postgres = new Postgres();
    postgres.#programs = await programs();
    postgres.folder = await mkdtemp('/tmp/tesela-pg-'); // short: so is the path of a socket
    // It refuses to run as root.
    if (process.getuid() === 0) {
      postgres.#user = await postgresUser();
      await chown(postgres.folder, postgres.#user.uid, postgres.#user.gid);
    }
    const made = await run(
      path.join(postgres.#programs, 'initdb'),
      ['-D', postgres.#data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync'],
      { ...postgres.#user, cwd: postgres.folder },
    );
    if (made.code !== 0) throw new Error(made.stderr);
    await postgres.start();
    return postgres;
  }

  /**
   * Starts a replica of this one, and lets every commit wait for it from then on. It takes over
   * with `promote`.
   */
  async standby() {
    const replica = new Postgres();
    replica.#programs = this.#programs;
    replica.#user = this.#user;
    replica.folder = await mkdtemp('/tmp/tesela-pg-');
    if (this.#user) await chown(replica.folder, this.#user.uid, this.#user.gid);
    const copied = await run(
      path.join(this.#programs, 'pg_basebackup'),
      ['-h', this.folder, '-U', 'postgres', '-D', replica.#data, '-R', '-c', 'fast', '--no-sync'],
      { ...this.#user, cwd: replica.folder },
    );
    if (copied.code !== 0) throw new Error(copied.stderr);
    await replica.start('-c', 'cluster_name=standby');
    await this.query("ALTER SYSTEM SET synchronous_standby_names = 'ANY 1 (standby)'");
    await this.query('SELECT pg_reload_conf()');
    return replica;
  }

  /** A replica becomes a database that can be written. */
  async promote() {
    await this.query('SELECT pg_promote()');
  }

  get #data() {
    return path.join(this.folder, 'data');
  }

  get url() {
    return this.urlOf('postgres');
  }

  /** The URL of another database there. */
  urlOf(database) {
    return `postgres://postgres@/${database}?host=${this.folder}`;
  }

  /** Runs a program of PostgreSQL, pg_dump for example, which must succeed. */
  async run(program, ...args) {
    const ran = await run(path.join(this.#programs, program), args);
    if (ran.code !== 0) throw new Error(`${program}: ${ran.stderr}`);
  }

  /** Runs a dump of pg_dump, packed with gzip. */
  async load(packed) {
    const dump = path.join(this.folder, 'dump.sql');
    await writeFile(dump, gunzipSync(await readFile(packed)));
    const session = ['-h', this.folder, '-U', 'postgres', '-q', '-v', 'ON_ERROR_STOP=1'];
    await this.run('psql', ...session, '-f', dump);
  }

  /**
   * The options of a server on it: the URL in a file, as a password would be, and the keys. Or
   * with another file.
   */
  async options(database) {
    const file = (name) => path.join(this.folder, name);
    await writeFile(file('url'), `${this.url}\n`);
    await writeFile(file('token.key'), 't'.repeat(32), { mode: 0o600 });
    await writeFile(file('daily.key'), 'd'.repeat(32), { mode: 0o600 });
    return [
      ...['--database', database ?? file('url')],
      ...['--token-secret-file', file('token.key')],
      ...['--daily-secret-file', file('daily.key')],
    ];
  }

  /** Starts it again, on the same data. */
  async start(...settings) {
    this.#child = spawn(
      path.join(this.#programs, 'postgres'),
      [
        ...['-D', this.#data, '-k', this.folder, '-c', 'listen_addresses=', '-c', 'fsync=off'],
        ...settings,
      ],
      { ...this.#user, cwd: this.folder, stdio: 'ignore' },
    );
    const deadline = Date.now() + startTimeMaxMs;
    const ready = ['-h', this.folder, '-U', 'postgres', '-q'];
    while ((await run(path.join(this.#programs, 'pg_isready'), ready)).code !== 0) {
      if (Date.now() > deadline) throw new Error('PostgreSQL did not get ready');
      await sleep(20);
    }
  }

  get #hasEnded() {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  /** Ends it as a crash would: connections are cut. */
  async crash() {
    if (this.#hasEnded) return;
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGQUIT');
    await exited;
  }

  /** All its processes stand still, as those of a machine that hangs, until `kill`. */
  async suspend() {
    const { pid } = this.#child;
    signal(pid, 'SIGSTOP'); // it starts no other process from here on
    waitUntilStill(pid);
    for (const child of await childrenOf(pid)) {
      signal(child, 'SIGSTOP');
      waitUntilStill(child);
    }
  }

  /** kill -9 of all its processes. */
  async kill() {
    if (this.#hasEnded) return;
    const exited = once(this.#child, 'exit');
    const children = await childrenOf(this.#child.pid);
    for (const pid of [this.#child.pid, ...children]) signal(pid, 'SIGKILL');
    await exited;
  }

  /** Runs a statement on the data while PostgreSQL is down. */
  async runWhileDown(sql) {
    const child = spawn(
      path.join(this.#programs, 'postgres'),
      ['--single', '-D', this.#data, '-c', 'fsync=off', 'postgres'],
      { ...this.#user, cwd: this.folder, stdio: ['pipe', 'ignore', 'ignore'] },
    );
    const exited = once(child, 'exit');
    child.stdin.end(`${sql}\n`);
    const [code] = await exited;
    if (code !== 0) throw new Error(`PostgreSQL did not run the statement: ${code}`);
  }

  /** The first column of the rows of a query. */
  async query(sql) {
    const asked = await run(path.join(this.#programs, 'psql'), ['-Atc', sql, this.url]);
    if (asked.code !== 0) throw new Error(asked.stderr);
    return asked.stdout.split('\n').slice(0, -1);
  }

  async dispose() {
    await this.crash();
    await rm(this.folder, { recursive: true });
  }
}
