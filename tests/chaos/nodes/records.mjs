// What the database of several servers says of the tables, and what is done to it behind their
// backs. `database` has `query(sql)`.
import { numberOf } from '../../e2e/harness/postgres.mjs';
import { until } from '../../e2e/harness/until.mjs';
import { remains } from '../crash/discarder.mjs';

/**
 * Keeps under which epoch each event was stored, which a packed log does not say, and when each
 * table was taken by a server.
 */
export const keepRecords = (database) =>
  database.query(
    `CREATE TABLE epochs (table_id bigint, version bigint, epoch bigint);
     CREATE FUNCTION keep_epochs() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN INSERT INTO public.epochs SELECT table_id, version, epoch FROM added;
       RETURN NULL; END $$;
     CREATE TRIGGER epochs AFTER INSERT ON events REFERENCING NEW TABLE AS added
       FOR EACH STATEMENT EXECUTE FUNCTION keep_epochs();
     CREATE TABLE claims (table_id bigint, at_ms double precision);
     CREATE FUNCTION keep_claims() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN INSERT INTO public.claims
         VALUES (NEW.table_id, extract(epoch FROM clock_timestamp()) * 1000);
       RETURN NULL; END $$;
     CREATE TRIGGER claims AFTER UPDATE OF epoch ON heads
       FOR EACH ROW EXECUTE FUNCTION keep_claims()`,
  );

/** Under which epoch each event of a table was stored. */
export async function epochsOf(database, tableId) {
  const rows = await database.query(
    `SELECT version || ' ' || epoch FROM epochs WHERE table_id = ${numberOf(tableId)}`,
  );
  return new Map(rows.map((row) => row.split(' ').map(BigInt)));
}

/** When servers took a table after it was made: Unix time in milliseconds. */
export async function claimsOf(database, tableId) {
  const rows = await database.query(
    `SELECT at_ms FROM claims WHERE table_id = ${numberOf(tableId)} ORDER BY at_ms`,
  );
  return rows.map(Number);
}

/** How many tables have an event under a lower epoch than the one before. */
export async function fallingEpochs(database) {
  const rows = await database.query(
    'SELECT DISTINCT one.table_id FROM epochs AS one JOIN epochs AS next' +
      ' ON next.table_id = one.table_id AND next.version = one.version + 1' +
      ' WHERE next.epoch < one.epoch',
  );
  return rows.length;
}

/** The last snapshot of every table gets another byte. */
export const damageSnapshots = (database) =>
  database.query(
    `UPDATE snapshots AS t SET position = set_byte(position, at, get_byte(position, at) # 64)
       FROM (SELECT table_id, max(version) AS version FROM snapshots GROUP BY table_id) AS last,
       LATERAL (SELECT floor(random() * 20)::int AS at) AS place
       WHERE t.table_id = last.table_id AND t.version = last.version`,
  );

/** Resolves when nothing is left of the tables that were closed: how many logs are packed. */
export async function cleared(database, discarder) {
  const count = async (sql) => Number((await database.query(sql))[0]);
  const left = async () => {
    const counts = await Promise.all(remains.map(count));
    return counts.reduce((sum, rows) => sum + rows, 0);
  };
  await until(() => discarder.isAllGone(), 'the end of closed tables');
  await until(async () => (await left()) === 0, 'the end of their rows');
  await until(async () => (await count('SELECT count(*) FROM archives')) > 0, 'a packed log');
  return count('SELECT count(*) FROM archives');
}
