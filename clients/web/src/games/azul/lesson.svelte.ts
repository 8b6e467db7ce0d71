// The tutorial of Azul: what the player has done of it, on a table that is played for real.
import {
  AzulStageKind,
  type AzulEvent,
  type AzulStage,
} from '@tesela/client/gen/game/v1/azul_pb.js';
import type { Later } from '../../gen/messages/index.js';
import type { Step } from '../../widgets/Coach.svelte';
import type { Choice } from './choice.svelte.js';
import { roundGains } from './marks.js';
import { colourName } from './names.js';
import { printedColour, SIZE } from './places.js';

const FACTORIES = '.azul .ring';
const BOARD = '.azul .board.own';

export class Lesson {
  readonly #choice: Choice;
  /** Whether the player may move, and nothing moves on the table. */
  readonly #open: () => boolean;
  #moves = $state(0);
  #filled = $state(0);
  #rounds = $state(0);
  /** The player's best tile of the last round. */
  #best = $state.raw<AzulStage>();

  steps = $derived.by<Step[]>(() => {
    const [moves, rounds] = [this.#moves, this.#rounds];
    return [
      {
        text: ({ azul }, by) => azul.coach.take[by],
        did: Number(this.#choice.picked !== undefined) + moves,
        target: FACTORIES,
      },
      { text: ({ azul }, by) => azul.coach.place[by], did: moves, target: BOARD },
      {
        text: ({ azul }) => (this.#open() ? azul.coach.follow : azul.coach.wait),
        did: moves,
        target: FACTORIES,
      },
      { text: ({ azul }) => azul.coach.fill, did: this.#filled + rounds, target: FACTORIES },
      { text: ({ azul }) => azul.coach.round, did: rounds, skip: rounds > 0, target: FACTORIES },
      { text: ({ azul }) => this.#scored(azul.coach), did: moves, target: BOARD },
    ];
  });

  constructor(choice: Choice, open: () => boolean) {
    this.#choice = choice;
    this.#open = open;
  }

  /** Something was played; `own` is the player's seat. */
  hear(event: AzulEvent, own: number | undefined): void {
    const { move, stages } = event;
    if (move && stages[0]?.seat === own) {
      this.#moves += 1;
      const line = move.target.case === 'line' ? move.target.value : undefined;
      const placed = stages.find(({ kind }) => kind === AzulStageKind.PLACE);
      const held = placed?.table?.boards[own ?? -1]?.lineCounts[line ?? -1];
      if (line !== undefined && held === line + 1) this.#filled += 1;
    }
    if (!roundGains(event)) return;
    const tiled = stages.filter(({ kind, seat }) => kind === AzulStageKind.TILE && seat === own);
    this.#best = tiled.sort((a, b) => b.points - a.points)[0];
    this.#rounds += 1;
  }

  #scored(coach: Later['learn']['azul']['coach']): string {
    // Before a round is over, as much text as it may become.
    const { tiled = 0, points = this.#rounds ? 0 : 2 } = this.#best ?? {};
    if (points === 0) return coach.scored.none;
    const row = Math.floor(tiled / SIZE) + 1;
    const tile = { colour: colourName(printedColour(tiled)), row };
    return points > 1 ? coach.scored.joined({ ...tile, points }) : coach.scored.alone(tile);
  }
}
