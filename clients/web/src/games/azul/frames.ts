// The pictures of a move's stages. The hand is left out: tiles fly from where they were taken to
// where they are placed. What several seats do alike happens at the same time.
import { equals } from '@bufbuild/protobuf';
import {
  AzulBoardSchema,
  AzulBonusKind,
  AzulStageKind as Kind,
  type AzulMotion,
  type AzulStage,
  type AzulTable,
} from '@tesela/client/gen/game/v1/azul_pb.js';
import { completeLines } from './bonus.js';
import { floorPlace, handPlace, wallPlace } from './places.js';

/** One piece on its way, by the numbers of places. */
export interface Flight {
  piece: number;
  from: number;
  to: number;
}

/** Points that a seat gets or loses. */
export interface Gain {
  seat: number;
  points: number;
  /** Where it is written. */
  at: number;
  /** What counted for it. */
  cells: number[];
  /** How many gains of the same seat are shown before it. */
  after: number;
}

/** One picture: how the table lies after it, and what happened on the way. */
export interface Frame {
  kind: Kind;
  table: AzulTable;
  flights: Flight[];
  gains: Gain[];
  /** What is counted at the end of the game. */
  bonus: AzulBonusKind;
}

const MOVE_KINDS = [Kind.TAKE, Kind.PLACE, Kind.OVERFLOW];

const flightsOf = (motions: readonly AzulMotion[]): Flight[] =>
  motions.flatMap(({ piece, count, from, to }) =>
    Array.from({ length: count }, () => ({ piece, from, to })),
  );

/** Joins the ways into the hand and out of it. */
function withoutHand(flights: readonly Flight[], seat: number): Flight[] {
  const hand = handPlace(seat);
  const taken = flights.find(({ to, piece }) => to === hand && flights.some(leaves(hand, piece)));
  return flights
    .filter(({ to, piece }) => to !== hand || !flights.some(leaves(hand, piece)))
    .map((flight) => (flight.from === hand && taken ? { ...flight, from: taken.from } : flight));
}

const leaves =
  (place: number, piece: number) =>
  (flight: Flight): boolean =>
    flight.from === place && flight.piece === piece;

function moveFrame(stages: readonly AzulStage[], before: AzulTable): Frame {
  const flights = stages.flatMap(({ motions }) => flightsOf(motions));
  return {
    kind: Kind.TAKE,
    table: stages.at(-1)?.table ?? before,
    flights: withoutHand(flights, stages[0]?.seat ?? 0),
    gains: [],
    bonus: AzulBonusKind.UNSPECIFIED,
  };
}

/** A bonus line by line: each is worth the same. */
function bonusGainsOf({ seat, points, bonus, table }: AzulStage): Gain[] {
  const lines = completeLines(bonus, table?.boards[seat]?.wall ?? []);
  return lines.map((line, after) => ({
    seat,
    points: points / lines.length,
    at: wallPlace(seat, line.at(-1)!),
    cells: line.map((cell) => wallPlace(seat, cell)),
    after,
  }));
}

function gainsOf(stage: AzulStage): Gain[] {
  const { seat, points, tiled } = stage;
  if (stage.kind === Kind.BONUS) return bonusGainsOf(stage);
  if (points === 0) return [];
  const counted = [...stage.countedRow, ...stage.countedColumn];
  const at = tiled === undefined ? floorPlace(seat, 3) : wallPlace(seat, tiled);
  return [{ seat, points, at, cells: counted.map((cell) => wallPlace(seat, cell)), after: 0 }];
}

/** The table as it was, with what the stages changed on the boards of their seats. */
function merged(before: AzulTable, stages: readonly AzulStage[]): AzulTable {
  const boards = [...before.boards];
  for (const { seat, table } of stages) {
    const board = table?.boards[seat];
    if (board) boards[seat] = board;
  }
  return { ...before, boards, lid: stages.at(-1)?.table?.lid ?? before.lid };
}

/** A table with the boards of `before` where they are the same: what is equal need not be drawn. */
export function keepBoards(before: AzulTable | undefined, after: AzulTable): AzulTable {
  const boards = after.boards.map((board, seat) => {
    const old = before?.boards[seat];
    return old && equals(AzulBoardSchema, old, board) ? old : board;
  });
  return { ...after, boards };
}

/** Stages of one kind happen together; of tiled rows the first of all seats, then the second. */
function together(stages: readonly AzulStage[]): AzulStage[][] {
  const groups = new Map<string, AzulStage[]>();
  const rows = new Map<number, number>();
  for (const stage of stages) {
    const row = rows.get(stage.seat) ?? 0;
    if (stage.kind === Kind.TILE) rows.set(stage.seat, row + 1);
    const key = `${stage.kind} ${stage.bonus} ${stage.kind === Kind.TILE ? row : 0}`;
    groups.set(key, [...(groups.get(key) ?? []), stage]);
  }
  return [...groups.values()];
}

/** The pictures of one move, on a table that lay as `before`. */
export function framesOf(before: AzulTable, stages: readonly AzulStage[]): Frame[] {
  const move = stages.filter(({ kind }) => MOVE_KINDS.includes(kind));
  const frames = move.length > 0 ? [moveFrame(move, before)] : [];
  let table = frames[0]?.table ?? before;
  for (const group of together(stages.slice(move.length))) {
    const { kind, bonus } = group[0]!;
    if (kind === Kind.FINAL) continue;
    table = kind === Kind.DEAL ? (group[0]!.table ?? table) : merged(table, group);
    const flights = group.flatMap(({ motions }) => flightsOf(motions));
    frames.push({ kind, table, flights, gains: group.flatMap(gainsOf), bonus });
  }
  return frames;
}
