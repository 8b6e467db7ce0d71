// The events of the table in words, for screen readers.
import {
  AzulOutcome,
  AzulStageKind as Kind,
  type AzulEvent,
  type AzulMove,
  type AzulOffer,
  type AzulStage,
  type AzulView,
} from '@tesela/client/gen/game/v1/azul_pb.js';
import { azulWords as words } from '../../i18n/words.js';
import { placeOf } from './choice.svelte.js';
import { bonusName, colourName, endText, tilesText } from './names.js';
import { MARKER, printedColour, SIZE } from './places.js';

export type NameOf = (seat: number) => string;

/** What a move would do, in words. */
export function planOf({ source, colour, target }: AzulMove, offers: readonly AzulOffer[]): string {
  const place = placeOf({ source });
  const offer = offers.find((one) => placeOf(one) === place && one.colour === colour);
  const tiles = tilesText(offer?.count ?? 0, colour);
  return words().takes({ tiles, from: sourceOf({ source }), to: targetOf({ target }) });
}

/** How many pieces of a kind travel in all stages of one kind. */
function travelling(event: AzulEvent, kind: Kind, piece: number): number {
  const stages = event.stages.filter((stage) => stage.kind === kind);
  const motions = stages.flatMap((stage) => stage.motions);
  return motions
    .filter((motion) => motion.piece === piece)
    .reduce((sum, { count }) => sum + count, 0);
}

export function sourceOf({ source }: Pick<AzulMove, 'source'>): string {
  return source.case === 'factory'
    ? words().fromFactory({ number: source.value + 1 })
    : words().fromCentre;
}

export const targetOf = ({ target }: Pick<AzulMove, 'target'>): string =>
  target.case === 'line' ? words().toLine({ number: target.value + 1 }) : words().toFloor;

function moveSentence(event: AzulEvent, move: AzulMove, name: NameOf): string {
  const { colour, target } = move;
  const taken = travelling(event, Kind.TAKE, colour);
  const marker = travelling(event, Kind.TAKE, MARKER) > 0 ? ` ${words().withMarker}` : '';
  const tiles = tilesText(taken, colour) + marker;
  const fallen = travelling(event, Kind.OVERFLOW, colour);
  const rest = target.case === 'line' && fallen > 0 ? `, ${words().fall({ count: fallen })}` : '';
  const who = name(event.stages[0]?.seat ?? 0);
  return `${who}: ${words().takes({ tiles, from: sourceOf(move), to: targetOf(move) })}${rest}`;
}

/** How long no tile has reached a wall, which ends the game after the third round; or nothing. */
export const untiledOf = (view?: AzulView): string =>
  view?.untiledRounds && view.outcome === AzulOutcome.IN_PLAY
    ? view.untiledRounds === 1
      ? words().untiled
      : words().untiledTwice
    : '';

function stageSentence(stage: AzulStage, name: NameOf, after?: AzulView): string {
  const who = name(stage.seat);
  switch (stage.kind) {
    case Kind.TILE: {
      const cell = stage.tiled ?? 0;
      const colour = colourName(printedColour(cell));
      return words().tilesRow({
        who,
        colour,
        row: Math.floor(cell / SIZE) + 1,
        points: stage.points,
      });
    }
    case Kind.PENALTY:
      return words().penalty({ who, points: stage.points });
    case Kind.DEAL:
      return [words().dealt, untiledOf(after)].filter(Boolean).join('. ');
    case Kind.BONUS:
      return words().bonus({ who, kind: bonusName(stage.bonus), points: stage.points });
    case Kind.FINAL:
      return [words().over, after ? endText(after.outcome) : ''].filter(Boolean).join(': ');
    default:
      return '';
  }
}

/** The move alone: "Bea: 2 red from factory 4 to line 3". */
export const headlineOf = (event: AzulEvent, name: NameOf): string =>
  event.move ? moveSentence(event, event.move, name) : '';

/** The whole event, a sentence a stage. */
export function sentenceOf(event: AzulEvent, name: NameOf): string {
  const sentences = event.stages.map((stage) => stageSentence(stage, name, event.view));
  return [headlineOf(event, name), ...sentences]
    .filter(Boolean)
    .map((sentence) => `${sentence}.`)
    .join(' ');
}
