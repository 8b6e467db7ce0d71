// The tutorial of Azul: what the player has done of it, on a table that is played for real.
import type { AzulEvent } from '../../gen/tesela/game/v1/azul_pb.js';
import type { Step } from '../../widgets/Coach.svelte';
import type { Choice } from './choice.svelte.js';
import { roundGains } from './marks.js';

export class Lesson {
  readonly #choice: Choice;
  #moves = $state(0);
  #filled = $state(false);
  #rounds = $state(0);

  steps = $derived.by<Step[]>(() => [
    {
      text: ({ azul }) => azul.coach.take,
      done: this.#choice.picked !== undefined || this.#moves > 0,
    },
    { text: ({ azul }) => azul.coach.place, done: this.#moves > 0 },
    { text: ({ azul }) => azul.coach.follow, done: this.#moves > 1 },
    { text: ({ azul }) => azul.coach.fill, done: this.#filled || this.#rounds > 0 },
    { text: ({ azul }) => azul.coach.round, done: this.#rounds > 0 },
  ]);

  constructor(choice: Choice) {
    this.#choice = choice;
  }

  /** Something was played; `own` is the player's seat. */
  hear(event: AzulEvent, own: number | undefined): void {
    if (event.stages[0]?.seat === own) this.#moves += 1;
    const board = event.view?.table?.boards[own ?? -1];
    this.#filled ||= board?.lineCounts.some((count, row) => count === row + 1) ?? false;
    if (roundGains(event)) this.#rounds += 1;
  }
}
