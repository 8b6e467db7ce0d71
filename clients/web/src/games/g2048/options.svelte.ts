// The options of a new game while they are being chosen.
import type { MessageInitShape } from '@bufbuild/protobuf';
import type { Any } from '@bufbuild/protobuf/wkt';
import { Game2048ConfigSchema } from '@tesela/client/gen/game/v1/g2048_pb.js';
import { pack } from '@tesela/client';

export const KINDS = ['classic', 'large', 'own'] as const;
export type Kind = (typeof KINDS)[number];
/** As the server calls them. */
const PRESETS = { classic: 'classic', large: 'amat' };

/** What the form offers; the server decides what it takes. */
export const SIZES = [2, 3, 4, 5, 6, 7, 8];
export const OBJECTIVES = Array.from({ length: 16 }, (_, power) => 2 ** (power + 2));
export const SPAWN_VALUES = Array.from({ length: 10 }, (_, power) => 2 ** (power + 1));
export const WEIGHTS_MAX = 8;

export interface Weight {
  value: number;
  perMille: number;
}

export class Options {
  kind = $state<Kind>('classic');
  size = $state(4);
  objective = $state(2048);
  startTiles = $state(2);
  stopAtObjective = $state(false);
  weights = $state<Weight[]>([
    { value: 2, perMille: 900 },
    { value: 4, perMille: 100 },
  ]);

  get shareSum(): number {
    return this.weights.reduce((sum, weight) => sum + (weight.perMille || 0), 0);
  }

  /** Adds the smallest value that is not there yet, with what is missing to the whole. */
  addWeight(): void {
    const value = SPAWN_VALUES.find((v) => !this.weights.some((weight) => weight.value === v));
    if (value) this.weights.push({ value, perMille: Math.max(0, 1000 - this.shareSum) });
  }

  config(): Any {
    return pack(
      Game2048ConfigSchema,
      this.kind === 'own' ? this.#own() : { preset: PRESETS[this.kind] },
    );
  }

  #own(): MessageInitShape<typeof Game2048ConfigSchema> {
    const { size, objective, startTiles, stopAtObjective } = this;
    const weights = this.weights.map(({ value, perMille }) => ({ value, perMille }));
    return { size, objective, startTiles, stopAtObjective, weights };
  }
}
