// How long the stream of a table waits, and how often it tries.

/** Times in milliseconds, and how often. */
export interface Limits {
  /** For the answer to the upgrade: the server that was found may stand still. */
  upgradeTimeMax: number;
  welcomeTimeMax: number;
  pingEvery: number;
  pongTimeMax: number;
  backoffFirst: number;
  backoffMax: number;
  resendAfter: number;
  resendsMax: number;
  askEvery: number;
  /** Welcomes in a row of servers that have lost the table, before it begins anew. */
  olderOwnersMax: number;
}

export const LIMITS: Limits = {
  upgradeTimeMax: 4_000,
  welcomeTimeMax: 8_000,
  pingEvery: 5_000,
  pongTimeMax: 5_000,
  backoffFirst: 300,
  backoffMax: 10_000,
  resendAfter: 200,
  resendsMax: 6,
  askEvery: 260,
  olderOwnersMax: 6,
};
