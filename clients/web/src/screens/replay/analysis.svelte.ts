// The worth of a finished game's moves, as the server judges them one after the other.
import type { Message } from '@bufbuild/protobuf';
import { unpack } from '../../games/index.js';
import type {
  AnalysedMove,
  AnalysisAbout,
  JudgedMove,
} from '@tesela/client/gen/lobby/v1/history_pb.js';
import { failureOf, type Failure } from '../../net/failure.js';
import { history } from '../../net/services.js';
import { measureOf, type Measure } from '../../table/measure.js';
import { gradeOf, lostBy, type Grade } from './grades.js';

/** A move that was judged, with the best that could have been played instead. */
export interface Judged {
  /** The position that it was played in, from 0. */
  readonly position: number;
  readonly seat: number;
  readonly played: Option;
  readonly best: readonly Option[];
  /** What it was worth less than the best; undefined where it could not be judged. */
  readonly lost: number | undefined;
  readonly grade: Grade | undefined;
}

export interface Option {
  readonly move: Message | undefined;
  readonly gain: Message | undefined;
  readonly value: number | undefined;
  /** Whether it is the move that was played. */
  readonly same: boolean;
}

const bytesOf = ({ move }: JudgedMove): string => String(move?.value ?? '');

const optionOf = (judged: JudgedMove, played: string): Option => ({
  move: unpack(judged.move),
  gain: unpack(judged.gain),
  value: judged.value,
  same: bytesOf(judged) === played,
});

export class Analysis {
  readonly #tableId: string;
  readonly #seats: number;
  about = $state.raw<AnalysisAbout>();
  /** How many moves were judged; `moves` and `values` grow with it. */
  count = $state(0);
  running = $state(false);
  complete = $state(false);
  failure = $state.raw<Failure>();
  readonly #byPosition = new Map<number, Judged>();
  #peak = 0;
  /** What each position is worth to each seat, as far as it was judged. */
  readonly values: number[][] = [];

  constructor(tableId: string, seats: number) {
    this.#tableId = tableId;
    this.#seats = seats;
  }

  get measure(): Measure | undefined {
    return measureOf(this.about?.measure, this.#seats);
  }

  /** How many moves the game has, those that are not judged included. */
  get expected(): number {
    return Math.max(0, Number(this.about?.lastVersion ?? 1n) - 1);
  }

  /** How many positions have values, from the first one on. */
  get valued(): number {
    void this.count;
    return this.values.length;
  }

  /** The highest value of a position. A bot's own numbers say something beside it alone. */
  get peak(): number {
    void this.count;
    return this.#peak;
  }

  /** The move that was played in a position. */
  at(position: number): Judged | undefined {
    void this.count;
    return this.#byPosition.get(position);
  }

  /** The moves with a grade, in order. */
  get mistakes(): readonly Judged[] {
    void this.count;
    return [...this.#byPosition.values()].filter(({ grade }) => grade !== undefined);
  }

  async read(signal: AbortSignal): Promise<void> {
    this.failure = undefined;
    this.running = true;
    this.#forget();
    try {
      for await (const { part } of history.analyse({ tableId: this.#tableId }, { signal })) {
        if (part.case === 'about') this.about = part.value;
        if (part.case === 'move') this.#add(part.value);
      }
      this.complete = true;
    } catch (error) {
      if (!signal.aborted) this.failure = failureOf(error);
    } finally {
      this.running = false;
    }
  }

  #forget(): void {
    this.#byPosition.clear();
    this.values.length = 0;
    this.#peak = 0;
    this.count = 0;
    this.complete = false;
  }

  #add(move: AnalysedMove): void {
    const position = Number(move.version) - 2;
    const played = move.played && bytesOf(move.played);
    if (!move.played || played === undefined) return;
    const lost = lostBy(move);
    this.#byPosition.set(position, {
      position,
      seat: move.seat,
      played: optionOf(move.played, played),
      best: move.best.map((one) => optionOf(one, played)),
      lost,
      grade: gradeOf(lost, this.about?.mistake ?? 0),
    });
    this.#value(position, move);
    this.count += 1;
  }

  /** Only the seat on turn has a value of its own; with two seats the other has what is left. */
  #value(position: number, { seat, best }: AnalysedMove): void {
    const before = this.values.at(-1) ?? new Array<number>(this.#seats).fill(Number.NaN);
    while (this.values.length < position) this.values.push(before);
    const now = [...before];
    const value = best[0]?.value;
    if (value !== undefined) {
      this.#peak = Math.max(this.#peak, value);
      now[seat] = value;
      if (this.measure === 'chance') now[1 - seat] = 1 - value;
    }
    this.values.push(now);
  }
}
