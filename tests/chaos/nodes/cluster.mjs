// Three servers with node ports on one PostgreSQL that has a synchronous standby, behind HAProxy
// with the configuration of deploy/haproxy. The ways from each server to the databases and to the
// other servers can be interrupted.
import { adminOf } from '../../e2e/harness/admin.mjs';
import { Haproxy } from '../../e2e/harness/haproxy.mjs';
import { adminOptions, startNode } from '../../e2e/harness/node.mjs';
import { freePort } from '../../e2e/harness/server.mjs';
import { DatabaseLink } from './database_link.mjs';
import { linkAddress, NodeLink } from './node_link.mjs';
import { Replicas } from './replicas.mjs';

const serverCount = 3;
const adminKey = 'a'.repeat(40);
const matchDuty = 2; // store/ownership.h: Duty::kMatch

/** One server, and the ways to it and from it. */
class Node {
  /** To the two databases, by their places. */
  databases = [];

  static async start(replicas, options) {
    const node = new Node();
    try {
      for (const place of [0, 1]) {
        node.databases.push(await DatabaseLink.start(replicas.at(place)));
      }
      const folders = node.databases.map(({ folder }) => folder);
      const nodePort = await freePort();
      node.link = await NodeLink.start(nodePort);
      node.server = await startNode(replicas.at(0), options, {
        database:
          `postgres://postgres@/postgres?host=${folders.join(',')}` +
          '&target_session_attrs=read-write',
        nodePort,
        nodeName: linkAddress,
      });
    } catch (error) {
      await node.dispose();
      throw error;
    }
    return node;
  }

  async dispose() {
    await this.server?.dispose();
    this.link?.close();
    for (const link of this.databases) await link.close();
  }
}

export class Cluster {
  nodes = [];

  static async start(options) {
    const cluster = new Cluster();
    try {
      cluster.replicas = await Replicas.start();
      const admin = await adminOptions(cluster.replicas.primary, adminKey);
      while (cluster.nodes.length < serverCount) {
        const all = [...options, ...admin, '--trusted-proxies', '127.0.0.1'];
        cluster.nodes.push(await Node.start(cluster.replicas, all));
      }
      cluster.proxy = await Haproxy.start(cluster.servers);
    } catch (error) {
      await cluster.dispose();
      throw error;
    }
    return cluster;
  }

  get servers() {
    return this.nodes.map(({ server }) => server);
  }

  /** The proxy, for somebody with an address of their own: what its limits are for. */
  doorOf(person) {
    const { http, ws } = this.proxy;
    return { http, ws, localAddress: `127.1.${person >> 8}.${person & 255}` };
  }

  /** An operator at one of the servers. */
  adminAt(server) {
    return adminOf(server, adminKey);
  }

  query(sql) {
    return this.replicas.query(sql);
  }

  /** The node whose server makes the tables of searches; none: undefined. */
  async matcher() {
    const [address] = await this.query(
      'SELECT address FROM lives JOIN leases ON leases.life = lives.id' +
        ` WHERE duty = ${matchDuty} AND state = 'alive'`,
    );
    return this.nodes.find(({ server }) => address?.endsWith(`:${server.nodePort}`));
  }

  async dispose() {
    await this.proxy?.dispose();
    for (const node of this.nodes) await node.dispose();
    await this.replicas?.dispose();
  }
}
