// The move that a player is choosing: the tiles to take, then their place. Only what the server
// offers can be chosen.
import type { Any } from '@bufbuild/protobuf/wkt';
import {
  AzulMoveSchema,
  type AzulBoard,
  type AzulMove,
  type AzulOffer,
} from '@tesela/client/gen/game/v1/azul_pb.js';
import { pack } from '@tesela/client';
import { CENTRE, floorCost } from './places.js';

/** In place of a pattern line: the floor line. */
export const FLOOR = 5;

/** Where an offer's tiles lie, as the number of the place. */
export const placeOf = ({ source }: Pick<AzulOffer, 'source'>): number =>
  source.case === 'factory' ? source.value : CENTRE;

/** How many pieces of an offer end on the floor line, the marker among them. */
export function fallen(offer: AzulOffer, target: number): number {
  const tiles = target === FLOOR ? offer.count : (offer.overflow[offer.lines.indexOf(target)] ?? 0);
  return tiles + Number(offer.marker);
}

/** What that costs on this board. */
export const costOf = (offer: AzulOffer, target: number, board: AzulBoard): number =>
  floorCost(board.floor.length, fallen(offer, target));

export class Choice {
  offers = $state.raw<readonly AzulOffer[]>([]);
  /** Where the keys are among the offers. */
  cursor = $state(0);
  /** What was taken and is not placed yet. */
  picked = $state.raw<AzulOffer | undefined>(undefined);
  /** What the pointer is over. */
  hovered = $state.raw<AzulOffer | undefined>(undefined);
  /** The line, or FLOOR, that pointer or keys are on while tiles are taken. */
  target = $state<number | undefined>(undefined);

  /** What a bot would take, and where it would put it. */
  advised = $state.raw<{ place: number; colour: number; target: number } | undefined>(undefined);

  /** What is shown on the player's board. */
  looked = $derived(this.picked ?? this.hovered);
  targets = $derived(this.picked ? [...this.picked.lines, FLOOR] : []);

  /** Begins anew with these offers. */
  offer(offers: readonly AzulOffer[]): void {
    this.offers = offers;
    this.cursor = 0;
    this.putBack();
  }

  putBack(): void {
    this.picked = undefined;
    this.hovered = undefined;
    this.target = undefined;
  }

  /** Takes an offer by its number. */
  pick(index: number): void {
    const offer = this.offers[index];
    if (!offer) return;
    this.cursor = index;
    this.picked = offer;
    this.target = undefined;
  }

  /** The move to `target` of what was taken; undefined when that is not offered. */
  moveTo(target: number): Any | undefined {
    const offer = this.picked;
    if (!offer || !this.targets.includes(target)) return undefined;
    const { source, colour } = offer;
    return pack(AzulMoveSchema, {
      source,
      colour,
      target: target === FLOOR ? { case: 'floor', value: true } : { case: 'line', value: target },
    });
  }

  /** Shows what a bot advises, and the keys begin there. */
  advise({ source, colour, target }: AzulMove): void {
    const place = placeOf({ source });
    const index = this.indexOf(place, colour);
    const line = target.case === 'line' ? target.value : FLOOR;
    this.advised = { place, colour, target: line };
    this.cursor = Math.max(0, index);
  }

  /** The offer of a source and a colour; -1 when there is none. */
  indexOf(place: number, colour: number): number {
    return this.offers.findIndex((offer) => placeOf(offer) === place && offer.colour === colour);
  }

  /** The first offer, from the cursor on and round again, for which `fits` holds. */
  #seek(fits: (offer: AzulOffer) => boolean, step = 1): void {
    const count = this.offers.length;
    for (let ahead = 1; ahead <= count; ahead += 1) {
      const index = (this.cursor + step * ahead + count * ahead) % count;
      const offer = this.offers[index];
      if (!offer || !fits(offer)) continue;
      this.cursor = index;
      return;
    }
  }

  /** Moves the cursor among the offers; true when the key meant something. */
  seekByKey(key: string): boolean {
    const here = this.offers[this.cursor];
    if (!here) return false;
    const colour = 'byrkw'.indexOf(key.toLowerCase()) + 1;
    const elsewhere = (offer: AzulOffer) => placeOf(offer) !== placeOf(here);
    if (key === 'ArrowRight') this.#seek(() => true);
    else if (key === 'ArrowLeft') this.#seek(() => true, -1);
    else if (key === 'ArrowDown') this.#seek(elsewhere);
    else if (key === 'ArrowUp') this.#seek(elsewhere, -1);
    else if (/^[1-9]$/.test(key)) this.#seek((offer) => placeOf(offer) === Number(key) - 1);
    else if (key.toLowerCase() === 'c') this.#seek((offer) => placeOf(offer) === CENTRE);
    else if (colour > 0) this.#seek((offer) => offer.colour === colour);
    else return false;
    return true;
  }

  /** Moves the target; true when the key meant something. */
  aimByKey(key: string): boolean {
    const at = this.targets.indexOf(this.target ?? -1);
    const count = this.targets.length;
    const digit = Number(key) - 1;
    if (key === 'ArrowDown' || key === 'ArrowRight') this.target = this.targets[(at + 1) % count];
    else if (key === 'ArrowUp' || key === 'ArrowLeft')
      this.target = this.targets[(at - 1 + count) % count];
    else if (key.toLowerCase() === 'f') this.target = FLOOR;
    else if (this.targets.includes(digit) && digit !== FLOOR) this.target = digit;
    else return false;
    return true;
  }
}
