// The hint of a strategy for the current position.
import type { Message } from '@bufbuild/protobuf';
import type { Hint } from '@tesela/client/gen/play/v1/play_pb.js';
import type { Returned } from '@tesela/client';
import type { Games } from './game.js';

/** A move that a strategy has judged. */
export interface AdvisedMove {
  /** A move of the game. */
  readonly move: Message;
  /** What it brings at once, as the game's message; undefined for a game that has none. */
  readonly gain: Message | undefined;
  /** What the strategy expects of it; undefined where it does not judge. */
  readonly value: number | undefined;
}

/** What a strategy would play. */
export interface Advice extends AdvisedMove {
  readonly strategy: string;
  /** What the values count. */
  readonly measure: string;
  /** The next best moves, the better first. */
  readonly alternatives: readonly AdvisedMove[];
}

export class HintState {
  advice = $state.raw<Advice>();
  /** Whether a strategy is thinking about it. */
  asking = $state(false);
  named = $state(false);
  /** Why the last question was not answered, until another is asked. */
  refused = $state.raw<Returned>();
  /** The alternative that the player looks at. */
  looked = $state.raw<AdvisedMove>();
  /** The move to mark on the board. */
  marked = $derived((this.looked ?? this.advice)?.move);
  readonly #games: Games;

  constructor(games: Games) {
    this.#games = games;
  }

  /** `named`: whether the player chose whom to ask. */
  asked(named: boolean): void {
    this.forget();
    this.named = named;
    this.refused = undefined;
    this.asking = true;
  }

  answered({ strategy, measure, alternatives, ...best }: Hint): void {
    this.asking = false;
    const first = this.#read(best);
    if (!first) return;
    const others = alternatives.flatMap((one) => this.#read(one) ?? []);
    this.advice = { ...first, strategy, measure, alternatives: others };
  }

  unanswered(why?: Returned): void {
    this.asking = false;
    this.refused = why;
  }

  /** The player has seen the advice, or the position is another one. */
  forget(): void {
    this.advice = undefined;
    this.looked = undefined;
  }

  /** A move of a game that has no line in the list of games is known by its bytes. */
  #read({
    move: body,
    gain,
    value,
  }: Pick<Hint, 'move' | 'gain' | 'value'>): AdvisedMove | undefined {
    const move = this.#games.unpack(body) ?? body;
    return move && { move, gain: this.#games.unpack(gain), value };
  }
}
