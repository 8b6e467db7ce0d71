// What others played last, as places on the table: marked until the player has moved.
import { AzulStageKind as Kind, type AzulEvent } from '@tesela/client/gen/game/v1/azul_pb.js';

const SHOWN = [Kind.TAKE, Kind.PLACE, Kind.OVERFLOW];

/** The places that a move took from and placed on. The hand is no place that is drawn. */
export function placesOf({ stages }: AzulEvent): number[] {
  const seat = stages[0]?.seat ?? 0;
  const hand = 100 * (seat + 1) + 60;
  const motions = stages.filter(({ kind }) => SHOWN.includes(kind)).flatMap((one) => one.motions);
  const taken = motions.filter(({ to }) => to === hand).map(({ from }) => from);
  const placed = motions.filter(({ from }) => from === hand).map(({ to }) => to);
  return [...new Set([...taken, ...placed])];
}

export type Marks = ReadonlyMap<number, readonly number[]>;

/** The marks after a move: a player who has moved has seen the others. */
export function marksAfter(marks: Marks, event: AzulEvent, own: number | undefined): Marks {
  const seat = event.stages[0]?.seat ?? 0;
  if (!event.move) return marks;
  return seat === own ? new Map() : new Map([...marks, [seat, placesOf(event)]]);
}

/** The marks after a round that an event ends: of places whose tiles are gone there are none. */
export function marksLeft(marks: Marks, { stages }: AzulEvent): Marks {
  const counted = stages.filter(({ kind }) => kind === Kind.TILE || kind === Kind.PENALTY);
  const left = new Set(counted.flatMap(({ motions }) => motions).map(({ from }) => from));
  if (left.size === 0) return marks;
  return new Map([...marks].map(([seat, places]) => [seat, places.filter((p) => !left.has(p))]));
}

/** What the seats got in the round that an event ends; undefined when it ends none. */
export function roundGains({ stages, view }: AzulEvent): number[] | undefined {
  const counted = stages.filter(({ kind }) => kind === Kind.TILE || kind === Kind.PENALTY);
  const ends = stages.some(({ kind }) => kind === Kind.DEAL || kind === Kind.FINAL);
  const boards = view?.table?.boards;
  if (!ends || !boards) return undefined;
  return boards.map((_, seat) =>
    counted.filter((stage) => stage.seat === seat).reduce((sum, { points }) => sum + points, 0),
  );
}
