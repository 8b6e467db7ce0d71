// What deploy/prometheus and deploy/grafana say, and a server for them to look at.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { resign } from '../e2e/harness/games.mjs';
import { newTable, signIn } from '../e2e/harness/lobby.mjs';
import { Player } from '../e2e/harness/player.mjs';
import { repository, Server } from '../e2e/harness/server.mjs';
import { isForLater } from '../e2e/harness/stream.mjs';

export const prometheusFolder = path.join(repository, 'deploy/prometheus');
export const alertTestsFile = path.join(repository, 'tests/deploy/alerts.test.yml');
const dashboardFile = path.join(repository, 'deploy/grafana/dashboards/tesela.json');

/** The text of alerts.yml. */
export const alerts = await readFile(path.join(prometheusFolder, 'alerts.yml'), 'utf8');

export const dashboard = JSON.parse(await readFile(dashboardFile, 'utf8'));
export const panels = dashboard.panels.filter(({ type }) => type !== 'row');

/** Every query of the dashboard, as Grafana would send it: { title, expr }. */
export const queries = panels.flatMap(({ title, targets }) =>
  targets.map(({ expr }) => ({
    title,
    expr: expr.replaceAll('$__rate_interval', '1m').replaceAll('$instance', '.*'),
  })),
);

/** A server at which somebody has played, was refused a move, met a limit, and resigned. */
export async function playedServer() {
  const server = await Server.start('--exempt-addresses', 'none', '--sign-in-rate', '1');
  try {
    const { tableId, token } = await newTable(server);
    await assert.rejects(signIn(server), isForLater);
    const player = await Player.join(server, tableId, { token });
    await player.playMoves(10);
    player.stream.move(player.view.legal[0], { atVersion: 1n });
    while ((await player.step()).kind !== 'refusal');
    await player.playBody(resign, {});
    return server;
  } catch (error) {
    await server.dispose();
    throw error;
  }
}
