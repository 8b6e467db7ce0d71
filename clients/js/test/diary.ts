// What a stream tells, written down in short words, and limits for tests.
import { create } from '@bufbuild/protobuf';
import { AnySchema } from '@bufbuild/protobuf/wkt';
import { Reason } from '../src/gen/tesela/play/v1/play_pb.js';
import type { Limits } from '../src/limits.js';
import type { Observer } from '../src/stream.js';

export const QUICK: Limits = {
  upgradeTimeMax: 300,
  welcomeTimeMax: 300,
  pingEvery: 60,
  pongTimeMax: 60,
  backoffFirst: 10,
  backoffMax: 40,
  resendAfter: 10,
  resendsMax: 2,
  askEvery: 30,
  olderOwnersMax: 3,
};

export const MOVE = create(AnySchema, {
  typeUrl: 'type.googleapis.com/a.Move',
  value: Uint8Array.of(1),
});

export class Diary implements Observer {
  readonly lines: string[] = [];
  #wake: () => void = () => {};

  #write(line: string): void {
    this.lines.push(line);
    this.#wake();
  }

  /** Waits until a line like this one has been written. */
  async has(line: string): Promise<void> {
    while (!this.lines.includes(line)) {
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  count(line: string): number {
    return this.lines.filter((written) => written === line).length;
  }

  linkChanged: Observer['linkChanged'] = (link) => this.#write(link.phase);
  welcomed: Observer['welcomed'] = () => this.#write('welcome');
  seated: Observer['seated'] = ({ seats }) => this.#write(`seating ${seats.length}`);
  positioned: Observer['positioned'] = ({ version }) => this.#write(`snapshot ${version}`);
  happened: Observer['happened'] = ({ version }) => this.#write(`event ${version}`);
  confirmed: Observer['confirmed'] = () => this.#write('confirmed');
  returned: Observer['returned'] = (_move, { reason }) => this.#write(`returned ${Reason[reason]}`);
  clocked: Observer['clocked'] = ({ deadlineMs }) => this.#write(`clocks ${deadlineMs}`);
  timed: Observer['timed'] = (serverTimeMs) => this.#write(`time ${serverTimeMs}`);
  heard: Observer['heard'] = ({ what }) => this.#write(`heard ${what.value}`);
  unsaid: Observer['unsaid'] = ({ reason }) => this.#write(`unsaid ${Reason[reason]}`);
  advised: Observer['advised'] = ({ strategy }) => this.#write(`advice of ${strategy}`);
  unclaimed: Observer['unclaimed'] = ({ reason }) => this.#write(`unclaimed ${Reason[reason]}`);
  unadvised: Observer['unadvised'] = (why) =>
    this.#write(why ? `no advice ${Reason[why.reason]}` : 'no advice');
}
